"""The numbers of fights, and when somebody counts as Bloodied: play and whoever shows a fight share it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.user_cache import packaged_tables

if TYPE_CHECKING:
    from .data import CombatNumbers

HALF_OR_LESS, LESS_THAN_HALF = "half-or-less", "less-than-half"
"""The house rule `bloodied`."""


def numbers() -> CombatNumbers:
    """The tables of `numbers.toml`."""
    return cast("CombatNumbers", packaged_tables(__package__, "CombatNumbers"))


def bloodied_at(most: int, house: str) -> int:
    """The HP at which somebody with at most so many counts as Bloodied: half of them or less, or as the house
    rule `bloodied` has it less than half (conflict C-1)."""
    return (most - 1) // 2 if house == LESS_THAN_HALF else most // 2
