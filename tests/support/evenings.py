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
    GameEvening("karma", "karma", ("karma start sluice --first ana",)),
    GameEvening("karma-basin", "karma", ("karma start basin --first ana",)),
    GameEvening("momentum", "momentum", ("momentum start dome", "momentum initiative")),
    GameEvening("momentum-gate", "momentum", ("momentum start gate", "momentum initiative")),
)
ODD_NAMES = """
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
"""
"""People, powers and an encounter called by other words."""


def campaign_for(evening: GameEvening, seed: int, folder: Path) -> Campaign:
    """The example campaign of an evening."""
    campaign = Campaign.new(folder, system=evening.system, seed=seed)
    if "odd" in evening.name:
        with (folder / "campaign.toml").open("a", encoding="utf-8") as file:
            file.write(ODD_NAMES)
    return campaign
