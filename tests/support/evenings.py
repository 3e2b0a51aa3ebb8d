"""Random evenings: how many a system is played for by the contract kit, and how those of each game begin."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from strike_cli import Campaign

EVENINGS = 1000 if os.environ.get("STRIKE_THOROUGH") else 4


class GameEvening(NamedTuple):
    """What begins random evenings of a scene: the game of the example, and lines."""

    name: str
    system: str
    begin: tuple[str, ...]


GAMES = (
    GameEvening("combat", "", ("combat start ford", "combat initiative")),
    GameEvening("combat-gallery", "", ("combat start gallery", "combat initiative")),
    GameEvening("combat-kiln", "", ("combat start old-kiln", "combat initiative")),
    GameEvening("combat-lamp", "", ("combat start last-lamp", "combat initiative")),
    GameEvening("odd-combat", "", ("combat start odd --party options --party vex", "combat initiative")),
    GameEvening("odd-conflict", "", ("conflict start odd --intent win --against next --their-intent win",)),
    GameEvening("odd-chase", "", ("chase start next --runners options --chasers next",)),
    GameEvening("conflict", "", ("conflict start road --intent win --against them --their-intent win",)),
    GameEvening("chase", "", ("chase start road --runners vex odo --chasers brann",)),
    GameEvening("grit", "grit", ("grit start bridge",)),
    GameEvening("grit-hall", "grit", ("grit start last-hall",)),
    GameEvening("odd-grit", "grit", ("grit start odd --party options --party sam",)),
    GameEvening("karma", "karma", ("karma start sluice --first ana",)),
    GameEvening("karma-basin", "karma", ("karma start basin --first ana",)),
    GameEvening("odd-karma", "karma", ("karma start odd --first options",)),
    GameEvening("momentum", "momentum", ("momentum start dome", "momentum initiative")),
    GameEvening("momentum-gate", "momentum", ("momentum start gate", "momentum initiative")),
    GameEvening("odd-momentum", "momentum", ("momentum start odd --party options", "momentum initiative")),
)
ODD_NAMES = {
    "": """
[characters.options]
name = "The Door"
skills = ["Attack", "Look Out"]
hp = 10
speed = 6
melee = { damage = 2 }
powers = ["attack", "the-door"]

[powers.attack]
name = "Attack"
range = 5
damage = 2

[powers.the-door]
name = "Next"
burst = 1
damage = 1

[creatures.next]
name = "Attack"
hp = 4
melee = { damage = 1 }

[creatures.g3]
name = "Vex"
hp = 4
melee = { damage = 1 }
ranged = { damage = 1, range = 5 }

[encounters.odd]
name = "next"
map = '''
P.......n
......n..
P.....g..
'''
place = { P = "party", n = "next", g = "g3" }
""",
    "grit": """
[characters.options]
name = "The Door"
[characters.options.grit]
str = "d8"
dex = "d6"
wil = "d6"
[characters.options.grit.weapons]
attack = { dice = ["d6"] }
the-door = { dice = ["d4"], range = "far", blast = true }

[creatures.next]
name = "Attack"
grit = { str = "d6", dex = "d6", wil = "d4", weapons = { next = { dice = ["d6"] } } }

[creatures.c3]
name = "Sam"
grit = { str = "d6", dex = "d6", wil = "d4", weapons = { show = { dice = ["d6"], range = "near" } } }
""",
    "karma": """
[characters.options]
name = "The Door"
karma = { hero = 3, luck = "d8", trope = { die = "d8", what = "Next" } }

[creatures.next]
name = "Attack"
karma = { hero = 2, trademark = { die = "d6", what = "The Door" } }

[creatures.c3]
name = "Ana"
karma = { hero = 2, actions = 2 }
""",
    "momentum": """
[characters.options]
name = "The Door"
[characters.options.momentum]
stats = { str = 13, dex = 13, ins = 12 }
skills = { athletics = 2 }
vitality = 30
momentum = 6
weapons = { attack = { primary = "str", secondary = "dex", damage = "2d6" } }
items = { the-door = { count = 2, heal = "1d6" } }
[characters.options.momentum.abilities]
next = { attack = true, range = 8, damage = "1d6", tier = 1 }
end = { heal = "1d8", range = 5, ap = 1 }

[creatures.next]
name = "Attack"
[creatures.next.momentum]
stats = { dex = 12, con = 11 }
vitality = 12
weapons = { next = { primary = "dex", secondary = "str", damage = "1d6" } }

[creatures.c3]
name = "Kit"
[creatures.c3.momentum]
stats = { str = 12 }
vitality = 8
weapons = { move = { primary = "str", secondary = "con", damage = "1d8", range = 8 } }
""",
}
"""By game, people and what they have called by other words."""
ODD_ENCOUNTER = """
[encounters.odd]
name = "next"
map = '''
PP......n
......n..
PP....c..
'''
place = { P = "party", n = "next", c = "c3" }
"""


def campaign_for(evening: GameEvening, seed: int, folder: Path) -> Campaign:
    """The example campaign of an evening."""
    campaign = Campaign.new(folder, system=evening.system, seed=seed)
    if "odd" in evening.name:
        with (folder / "campaign.toml").open("a", encoding="utf-8") as file:
            file.write(ODD_NAMES[evening.system] + (ODD_ENCOUNTER if evening.system else ""))
    return campaign
