"""Fights keep the contract of all systems. STRIKE_THOROUGH=1 plays a thousand evenings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from support.thorough import few_of

from strike_cli.kernel.procedure import World
from strike_cli.play.forecast import best_option
from strike_cli.plugin.testing import Contract, play, world_of
from strike_cli.registry import load_known_system

EVENINGS = 1000 if os.environ.get("STRIKE_THOROUGH") else 4
PARTS = 4
"""Tests that share the evenings, so that several processes can play them."""
CAMPAIGN = (Path(__file__).parent.parent / "data" / "campaign.toml").read_text(encoding="utf-8")
START: dict[str, Any] = {"encounter": "ring", "party": ["vex", "odo"], "creatures": {"goblin": 1}}
SQUARES = ["A1", "B2", "C1", "D2", "C3", "Z9"]
WORDS: dict[str, list[Any]] = {
    "to": SQUARES,
    "at": [*SQUARES, ["B2"], ["D2", "C1"]],
    "via": [[], ["B2"]],
    "squares": [["A1", "B1"], ["C2"]],
    "power": ["trip", "core:melee-basic", "core:ranged-basic", "core:rally", "blast", "nothing"],
    "status": ["core:prone", "core:dazed", "core:marked", "core:grabbed", "core:frenzied", "core:nothing"],
    "ends": ["save", "turn-end", "turn-start", "this-turn", "escape", "encounter", "damaged", "never"],
    "until": ["damaged", "moved", ""],
    "mods": [[], [[1, "a word"]]],
    "do": ["attack", "charge", "move", "dance"],
    "args": [{}, {"to": "B2"}, {"targets": ["goblin"]}],
    "action": ["move", "role", "free", "none", "sing"],
    "skill": ["Climbing", "Haggling"],
    "helpers": [[]],
    "encounter": ["ring"],
    "ref": ["goblin", "sela", "vex"],
    "difficulty": ["", "hard"],
    "sight": ["", "dark", "obscured"],
    "zone": ["fire", "mud"],
    "side": ["", "party", "enemies"],
    "result": ["", "won", "lost"],
}


@pytest.mark.slow
@pytest.mark.parametrize("part", few_of(range(PARTS), 4))
def test_fights_keep_the_contract(part: int) -> None:
    kit = Contract(
        "combat", campaign=CAMPAIGN, begin=[("combat start", START), ("combat initiative", {})], words=WORDS
    )
    for seed in range(part, EVENINGS, PARTS):
        kit.play_checked_evening(seed + 1, moves=25)


@pytest.mark.slow
def test_what_a_fight_offers_goes_on_from_step_to_step() -> None:
    """The generic options and bot play a fight, too: initiative, a turn, what brings most."""
    combat = load_known_system("combat")
    world = world_of(CAMPAIGN)
    world = World(world.book, play(world, "combat start", START).state)
    begun = best_option(combat, world, "party")
    assert begun is not None
    assert begun.command == "combat initiative"
