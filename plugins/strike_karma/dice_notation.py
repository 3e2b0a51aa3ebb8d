"""Dice in the written form, such as `d8` and `2d6`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from strike_cli.plugin import Refused, listed

SIDES = (4, 6, 8, 10, 12, 20)
DICE = tuple(f"d{sides}" for sides in SIDES)
HERO_DIE_SIDES = 6
"""How many sides a Hero Die has, and so a die of a Reaction Pool (CIN-01)."""
INITIATIVE_DIE_SIDES = 20
"""How many sides the die has that groups roll for the first initiative (CIN-02)."""
MAX_DICE_OF_A_KIND = 8
"""The most dice of one kind in a roll."""
_DICE_PATTERN = re.compile(r"([1-8]?)d(\d+)")


def parse_dice(words: Iterable[str]) -> list[int]:
    """Return the number of sides of each die: 6, 6 and 8 for `2d6` and `d8`.

    Raises Refused for dice that the game doesn't use.
    """
    return [sides for word in words for sides in _parse_dice_word(word)]


def _parse_dice_word(word: str) -> list[int]:
    found = _DICE_PATTERN.fullmatch(word.strip().lower())
    if not found or int(found[2]) not in SIDES:
        raise Refused(
            f"There are no dice {word!r} here.",
            f"{listed(DICE)}; of one kind up to {MAX_DICE_OF_A_KIND}, as in 3d6.",
        )
    return [int(found[2])] * int(found[1] or 1)
