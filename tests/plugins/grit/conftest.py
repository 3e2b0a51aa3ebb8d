"""A small campaign of Sam, Pete, a hireling, a troll and cutters, in memory or on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike
from support.plugins import GameInMemory

CAMPAIGN = """
schema = 1
name = "The Salt Stair"
seed = 3
plugins = ["grit"]

[characters.sam]
name = "Sam"
[characters.sam.grit]
str = "d8"
dex = "d10"
wil = "d6"
grit = 4
[characters.sam.grit.weapons]
dagger = { dice = ["d6"] }
sling = { dice = ["d6"], range = "near", attribute = "wil", blast = true, critical = "It lets go." }

[characters.pete]
name = "Pete"
[characters.pete.grit]
str = "d8"
dex = "d8"
wil = "d8"
armor = 1
weapons = { great-bow = { dice = ["d10"], range = "far" } }

[characters]
wick = { name = "Wick", grit = { str = "d4", dex = "d4", wil = "d4", hireling = true } }

[creatures.troll]
name = "Troll"
size = 2
[creatures.troll.grit]
str = "d10"
dex = "d6"
wil = "d6"
grit = 2
armor = 1
weapons = { rail = { dice = ["d8"], blast = true, critical = "Knocked off its feet." } }

[creatures.cutter]
name = "Cutter"
[creatures.cutter.grit]
str = "d6"
dex = "d6"
wil = "d4"
grit = 0
weapons = { picks = { dice = ["d6", "d6"] } }

[creatures]
moth = { name = "Pit Moth", hidden = true, grit = { str = "d4", dex = "d10", wil = "d4" } }

[encounters.bridge]
name = "The Bridge"
map = '''
P...........
P.T...#..c..
P........c..
...........m
'''
place = { P = "party", T = "troll", c = "cutter", m = "moth" }

[encounters.stair]
name = "The Stair"
map = '''
P.P.P.T..
.........
'''
place = { P = "party", T = "troll" }
"""


class Table(GameInMemory):
    game = "grit"

    def __init__(self, campaign: str = CAMPAIGN) -> None:
        super().__init__(campaign)

    def attack(
        self, who: str, *targets: str, weapon: str = "", dice: Sequence[int] = (), **more: Any
    ) -> dict[str, Any]:
        """One attack; what it did to its only target, with all of it besides."""
        data = self.play("attack", who=who, targets=targets, weapon=weapon, dice=dice, **more)
        return {**data, **data["attacks"][0]}

    def put(self, who: str, **values: Any) -> None:
        """Set things about somebody of the fight."""
        for key, value in values.items():
            self.set(f"grit.people.{who}.{key}", value)


def house(rules: str) -> str:
    """The campaign under house rules, written as below [house.grit]."""
    return f"{CAMPAIGN}\n[house.grit]\n{rules}\n"


@pytest.fixture
def table() -> Table:
    """Between fights."""
    return Table()


def on_the_stair() -> Table:
    """Round 1 on the stair: Sam beside the troll, Pete and Wick not; it is the party's turn."""
    table = Table()
    table.play("start", encounter="stair", party=["sam", "pete", "wick"])
    table.put("sam", at="F1")
    return table


@pytest.fixture
def bridge() -> Table:
    """The same, for one test."""
    return on_the_stair()


@pytest.fixture
def grit(strike: Strike, tmp_path: Path) -> Strike:
    """The command line in the campaign on disk."""
    (tmp_path / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")
    return strike
