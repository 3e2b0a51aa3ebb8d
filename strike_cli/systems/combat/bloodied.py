"""When somebody counts as Bloodied: one number, which play and whoever shows a fight share."""

from __future__ import annotations

HALF_OR_LESS, LESS_THAN_HALF = "half-or-less", "less-than-half"


def bloodied_at(most: int, house: str) -> int:
    """The HP at which somebody with at most so many counts as Bloodied: half of them or less, or as the house
    rule `bloodied` has it less than half (conflict C-1)."""
    return (most - 1) // 2 if house == LESS_THAN_HALF else most // 2
