"""Chases keep the contract of all systems: by car and on foot, with shooters and with help.

STRIKE_THOROUGH=1 plays a thousand evenings.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.evenings import EVENINGS
from support.thorough import few_of

from strike_cli.plugin.testing import Contract
from strike_cli.systems.chase.rule_tables import SIDES, actions, track_places

PARTS = 4
"""Tests that share the evenings, so that several processes can play them."""
CAMPAIGN = """
schema = 1
name = "Over the roofs"
seed = 1

[characters]
vex = { name = "Vex", skills = ["Climbing", "Sneaking"], complications = ["Owes the ferryman"], ap = 2 }
odo = { name = "Odo", skills = ["Riding"], ap = 1 }
brann = { name = "Brann", skills = ["Watching"], complications = ["Promises too much"], ap = 3 }
vesna = { name = "Vesna" }

[creatures]
goblin = { name = "Goblin", hp = 4 }
"""
START: dict[str, Any] = {
    "id": "", "name": "Roofs", "runners": ["vex", "odo"], "chasers": ["brann", "goblin", "the watch"],
    "range": "medium", "danger": 0,
}  # fmt: skip
WORDS: dict[str, list[Any]] = {
    "action": [*actions(), "dance"],
    "at": [*SIDES, "nobody"],
    "by": [1, -1, 0, 2],
    "chasers": [{}, {"skill": "Watching"}, {"skill": "Watching", "skilled": False}, {"who": "brann"},
        ["goblin"], ["brann", "brann"], []],
    "danger": [0, 1, 2, 3, -1],
    "mods": [[], [[1, "a cart"]], [[-2, "mud"]]],
    "prediction": [*actions(), ""],
    "range": [*track_places(), "wide"],
    "runners": [{}, {"skill": "Sneaking", "helpers": [{"name": "vesna", "skilled": True}]},
        {"dis": ["rain"]}, ["vex", "vesna"], ["odo"], ["brann", "odo"]],
    "skill": ["Sneaking", "Watching", ""],
    "unskilled": [*SIDES, "", "both"],
}  # fmt: skip


def contract(number: int) -> Contract:
    """What one evening is played with: few or many, near or far, safe or dangerous."""
    more: dict[str, Any] = {"range": track_places()[1 + number % 3], "danger": number % 4 % 3}
    if number % 5 == 0:
        more |= {"runners": ["vex"], "chasers": ["goblin"]}
    return Contract(
        "chase", campaign=CAMPAIGN, begin=[("chase start", START | more)], words=WORDS, rarely=["chase end"]
    )


def test_all_that_it_names_is_there() -> None:
    contract(1).check_references()


@pytest.mark.parametrize("part", few_of(range(PARTS), 4))
def test_random_evenings(part: int) -> None:
    """STR-CH-01 to 07: undone and put back, replayed, refused without a trace, and nobody told too much."""
    for seed in range(part, EVENINGS, PARTS):
        contract(seed).play_checked_evening(seed)
