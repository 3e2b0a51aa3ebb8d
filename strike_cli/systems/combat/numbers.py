"""The tables of Tactical Combat's `numbers.toml`, and the HP at which a creature is Bloodied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.user_cache import packaged_tables

if TYPE_CHECKING:
    from .data import CombatNumbers

HALF_OR_LESS, LESS_THAN_HALF = "half-or-less", "less-than-half"
"""The values of the house rule `bloodied`."""


def numbers() -> CombatNumbers:
    """Return the tables of `numbers.toml`."""
    found: CombatNumbers = packaged_tables(__package__, "CombatNumbers")  # type: ignore[assignment]  # it is checked
    return found


def bloodied_at(most: int, house: str) -> int:
    """Return the highest HP at which a creature with a maximum of `most` is Bloodied (conflict C-1).

    A creature is Bloodied at half or less, or by the house rule `bloodied` at less than half.
    """
    return (most - 1) // 2 if house == LESS_THAN_HALF else most // 2
