"""A small campaign of Ana, Bo, Cy, a villain and thugs, in memory or on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike
from support.plugins import GameInMemory

CAMPAIGN = """
schema = 1
name = "The Yard"
seed = 5
plugins = ["karma"]

[characters.ana]
name = "Ana"
[characters.ana.karma]
hero = 3
luck = "d8"
trope = { die = "d8", what = "Gunslinger" }
trademark = { die = "d6", what = "Never misses" }

[characters]
bo = { name = "Bo", karma = { hero = 2, luck = "d6" } }
cy = { name = "Cy", karma = { hero = 1, luck = "d10", trope = { die = "d10", what = "Wizard" } } }
dee = { name = "Dee" }

[creatures]
viper = { name = "Viper", karma = { hero = 4, luck = "d4", trademark = { die = "d12", what = "Fast" } } }
thugs = { name = "Thugs", karma = { hero = 2 } }
ghost = { name = "Ghost", hidden = true, karma = { hero = 1 } }
hydra = { name = "Hydra", karma = { hero = 3, actions = 2 } }

[encounters.yard]
name = "The Yard"
goal = "Get out"
creatures = { viper = 1 }
[encounters.yard.karma]
groups = { thugs = 3 }
at = { ana = "by the well", thugs = "at the gate" }
facts = ["The gate is barred."]
counters = { Fire = 2 }

[encounters]
duel = { name = "The Duel", creatures = { viper = 1 } }

[encounters.crypt]
name = "The Crypt"
map = '''
P..v
P..g
P...
'''
place = { P = "party", v = "viper", g = "ghost" }
"""


class Table(GameInMemory):
    game = "karma"

    def __init__(self, campaign: str = CAMPAIGN) -> None:
        super().__init__(campaign)

    def turn(self, who: str, to: str = "") -> None:
        """Somebody acts without a roll, and passes on."""
        self.play("act", who, no_roll=True)
        if to:
            self.play("pass", to)

    def turns(self, *people: str) -> None:
        """One after the other acts without a roll; the last one still has the initiative."""
        for who, to in zip(people, [*people[1:], ""], strict=True):
            self.turn(who, to)

    def end_round(self, starter: str, **answers: Any) -> dict[str, Any]:
        """The last one says who begins, and the next round does."""
        self.play("pass", starter)
        return self.play("round", **answers)

    def get(self, path: str) -> Any:
        """Something of the fight."""
        return self.world.get(f"karma.{path}")


def house(rules: str) -> str:
    """The campaign under house rules, written as below [house.karma]."""
    return f"{CAMPAIGN}\n[house.karma]\n{rules}\n"


def begun(campaign: str = CAMPAIGN, encounter: str = "yard", first: str = "ana") -> Table:
    """Round 1 of an encounter; whoever is first has the initiative."""
    table = Table(campaign)
    table.play("start", encounter=encounter, party=["ana", "bo", "cy"], first=first, dice=[5, 4, 9])
    return table


@pytest.fixture
def table() -> Table:
    """Between fights."""
    return Table()


@pytest.fixture
def yard() -> Table:
    """Round 1: Ana, Bo and Cy against Viper and three Thugs, Ana first."""
    return begun()


@pytest.fixture
def duel() -> Table:
    """Round 1: Ana, Bo and Cy against Viper alone, Ana first."""
    return begun(encounter="duel")


@pytest.fixture
def karma(strike: Strike, tmp_path: Path) -> Strike:
    """The command line in the campaign on disk."""
    (tmp_path / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")
    return strike
