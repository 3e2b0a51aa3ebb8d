"""Rolls, points and Wealth keep the contract of all systems, evening after random evening."""

from __future__ import annotations

import pytest
from support.evenings import EVENINGS

from strike_cli.plugin.testing import Contract
from strike_cli.systems.core.points_tricks_and_fallback import COMPLICATION_WAYS

BEARING = {"also": ["Climbing", "Haggling", ""], "use": [[], ["b1"]], "intent": ["", "a roof"]}


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_the_core(seed: int) -> None:
    """STR-CORE-03 to 24, 31."""
    words = {
        **BEARING,
        "skill": ["Climbing", "Haggling", "Cooking", ""],
        "ignore": [[], ["core:winded"]],
        "bank": ["", "Sneaking"],
        "linked": ["Sneaking"],
        "costs": [[], ["winded"], ["flaw:rope", "favor"]],
        "trick": ["Silent feet"],
        "complication": ["Winded", "rope"],
        "how": list(COMPLICATION_WAYS),
        "condition": ["core:winded", "core:lost-confidence", "core:injured", "core:nothing"],
    }
    Contract("core", words=words).play_checked_evening(seed)


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_wealth(seed: int) -> None:
    """STR-CORE-26 to 30."""
    words = {
        **BEARING,
        "price": [0, 1, 2, 3],
        "rank": [0, 1, 2, 3],
        "wealth": [0, 1, 2],
        "condition": ["short", "broke"],
        "ignore": [[], ["core:short"]],
        "costs": [[], ["flaw:it leaks"], ["short"]],
    }
    Contract("wealth", words=words).play_checked_evening(seed)
