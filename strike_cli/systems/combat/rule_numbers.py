"""The tables of Tactical Combat's `numbers.toml`, and the HP at which a creature is Bloodied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.user_folders_and_cache import load_checked_packaged_file

if TYPE_CHECKING:
    from .data import CombatNumbers

HALF_OR_LESS, LESS_THAN_HALF = "half-or-less", "less-than-half"
"""The values of the house rule `bloodied`."""


def combat_numbers() -> CombatNumbers:
    """Return the tables of `numbers.toml`."""
    found: CombatNumbers = load_checked_packaged_file(__package__, "CombatNumbers")  # type: ignore[assignment]  # it is checked
    return found


def highest_bloodied_hp(max_hp: int, rule: str) -> int:
    """Return the highest HP at which a creature with a maximum of `max_hp` is Bloodied (conflict C-1).

    Usually this is half of the maximum, rounded down. If `rule`, the value of the house rule `bloodied`, is
    LESS_THAN_HALF, it is the highest whole number below half.
    """
    return (max_hp - 1) // 2 if rule == LESS_THAN_HALF else max_hp // 2
