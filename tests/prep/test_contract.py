"""Tables, clocks and notes keep the contract of all systems, evening after random evening."""

from __future__ import annotations

import pytest
from support.evenings import EVENINGS

from strike_cli.plugin.testing import CAMPAIGN, Contract

PREPARED = """
[tables.names]
name = "Names"
repeats = false
secret = false
entries = ["Ossi", "Berra", "Kuno"]
[tables.finds]
name = "Finds"
entries = ["{2d6} nails", "a letter to {names}", "{finds}, and {finds}"]
[clocks.flood]
name = "The flood"
segments = 3
public = true
advances = ["session", "day", "scene"]
[calendar]
months = ["Frost"]
today = "1 Frost 1"
[deadlines.toll]
name = "The toll"
on = "3 Frost"
public = true
"""


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_what_is_prepared(seed: int) -> None:
    words = {
        "table": ["names", "finds", "gone"],
        "count": [1, 3, 0],
        "clock": ["flood", "the-watch", "gone"],
        "by": [1, -1, 5, 0],
        "name": ["The watch", "!"],
        "segments": [4, 0],
        "about": [[], ["vex"]],
        "days": [1, 0, 8],
        "resting": [[], ["vex"]],
        "on": ["7 Frost", "nonsense"],
        "deadline": ["toll", "gone"],
        "scene": ["gone"],
        "handout": ["map"],
        "text": ["", "Dear Odo"],
    }
    contract = Contract("prep", campaign=CAMPAIGN + PREPARED, words=words)
    contract.check_references()
    contract.play_checked_evening(seed)
