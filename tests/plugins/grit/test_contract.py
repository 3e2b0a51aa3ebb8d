"""Grit keeps the contract of every system, over random evenings: as many as --evenings says."""

from __future__ import annotations

import pytest
from plugins.grit.conftest import CAMPAIGN, house
from support.thorough import few_of

from strike_cli.plugin.testing import Contract

CLOSET = """
[encounters.closet]
name = "The Closet"
map = '''
P.+..c
P.#T..
P.#...
'''
place = { P = "party", T = "troll", c = "cutter" }
"""
BEGINS = [
    [("grit start", {"encounter": place, "party": ["sam", "pete", "wick"], "surprise": True})]
    for place in ("bridge", "closet")
]
WORDS = {
    "encounter": ["bridge", "stair", "closet", "nowhere"],
    "targets": [["troll"], ["cutter-1"], ["sam"], ["troll", "cutter-1"], ["sam", "sam"], []],
    "weapon": ["dagger", "sling", "great-bow", "rail", "picks", "unarmed", "sword", ""],
    "attribute": ["str", "dex", "wil", "luck"],
    "what": ["grit", "str", "dex", "wil", "hp"],
    "to": ["B1", "C3", "F1", "G2", "the gate", ""],
    "at": ["C1", "B1", "the door"],
    "die": ["d4", "d12", "d7"],
    "damage": [["d6"], ["d6", "d12"], ["d20"], []],
}
RULES = {
    "plain": CAMPAIGN + CLOSET,
    "words": house('distance = "words"\nmorale = "immediate"') + CLOSET,
    "added up": house('combine_direct_damage = true\nsave_tie = "compromise"\nrest_steps = 1') + CLOSET,
}
PARTS = 4
"""Of the evenings, so that several processes can share them."""


@pytest.mark.parametrize("part", few_of(range(PARTS), 4))
def test_random_evenings(part: int, request: pytest.FixtureRequest) -> None:
    """Undo, redo, replay, refusals, options, secrets: by the rules as they are, and under house rules."""
    evenings = max(1, request.config.getoption("--evenings") // PARTS)
    for number in range(evenings):
        rules = list(RULES)[(part + number) % len(RULES)]
        contract = Contract("grit", campaign=RULES[rules], begin=BEGINS[number % 2], words=WORDS, tries=8)
        contract.play_checked_evening(1000 * part + number)


def test_all_that_it_names_is_there() -> None:
    Contract("grit", campaign=CAMPAIGN).check_references()
