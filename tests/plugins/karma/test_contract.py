"""Karma keeps the contract of every system, over random evenings: as many as --evenings says."""

from __future__ import annotations

import pytest
from plugins.karma.conftest import CAMPAIGN, house
from support.thorough import few_of

from strike_cli.plugin.testing import Contract

BEGIN = [("karma start", {"encounter": "yard", "party": ["ana", "bo", "cy"], "roll": True})]
WORDS = {
    "encounter": ["yard", "duel", "crypt", "nowhere"],
    "party": [["ana", "bo"], ["ana", "bo", "cy"], ["dee"], []],
    "creatures": [{}, {"ghost": 1}, {"thugs": 2}],
    "first": ["ana", "viper", "nobody"],
    "first_group": ["party", "enemies", "guests"],
    "for": [["trope"], ["trademark"], ["gun"], ["Never misses", "trope"], ["luck"]],
    "against": [["2d6"], ["d8", "d6"], ["d7"], []],
    "other": [["d4"], ["3d6"], []],
    "what": ["a spell of fire", "shoots", ""],
    "if": ["he moves", "it rains", ""],
    "to": ["viper", "ana", "thugs", "a thrown chair"],
    "at": ["B2", "behind the well", ""],
    "name": ["Fire", "Tide", ""],
    "why": ["the fall", ""],
    "how": ["runs", ""],
}
RULES = {
    "plain": CAMPAIGN,
    "rolled": house('success_on = 4\nstandard_roll = "several"\nhealth_check = "rolled"'),
    "highest": house('standard_roll = "highest"'),
}
PARTS = 4
"""Of the evenings, so that several processes can share them."""


@pytest.mark.slow
@pytest.mark.parametrize("part", few_of(range(PARTS), 4))
def test_random_evenings(part: int, request: pytest.FixtureRequest) -> None:
    """Undo, redo, replay, refusals, options, secrets: by the rules as they are, and under house rules."""
    evenings = max(1, request.config.getoption("--evenings") // PARTS)
    for number in range(evenings):
        rules = list(RULES)[(part + number) % len(RULES)]
        rarely = ("karma end", "karma out")
        contract = Contract("karma", campaign=RULES[rules], begin=BEGIN, words=WORDS, rarely=rarely, tries=8)
        contract.play_checked_evening(1000 * part + number)


def test_all_that_it_names_is_there() -> None:
    Contract("karma", campaign=CAMPAIGN).check_references()
