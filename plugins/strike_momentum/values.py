"""Derived values of a sheet: bonuses, Evasion, Initiative (WSH-03, 05, 09, 10, 12, 14, 19, 20)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .numbers import ARMORS, AVERAGE, CRITICAL, HALF_COVER_EVASION, MOST_BY_TELEPORT, PER_TIER, SHIELDS


def stat_bonus(stat: int) -> int:
    """Return the bonus of a Stat: 13 is 3 (WSH-09)."""
    return stat - AVERAGE


def hit_bonus(primary: int, secondary: int) -> int:
    """Return the hit bonus of a weapon or of Abilities.

    It is that of the first Stat and half that of the second, rounded down (WSH-09).
    """
    return stat_bonus(primary) + stat_bonus(secondary) // 2


def dr_value(stat: int, skill: int) -> int:
    """Return the bonus of a Defense Roll (WSH-14)."""
    return stat_bonus(stat) + skill


def initiative(instinct: int, levels: Iterable[int]) -> int:
    """Twice Instinct and the levels of five Skills (WSH-03)."""
    return 2 * instinct + sum(levels)


def union_initiative(initiatives: Iterable[int]) -> int:
    """Return the average Initiative of a union, rounded down (WSH-05)."""
    each = list(initiatives)
    return sum(each) // len(each)


class Evasion(NamedTuple):
    """The number that an attack has to reach, and its parts; with nothing worn there is no `cap` (WSH-12)."""

    base: int
    cap: int | None
    evasion: int


def evasion(dex: int, stat: int, armor: str = "", shield: str = "", other: int = 0) -> Evasion:
    """Evasion of a Dexterity and the Evasion Stat, in this armor, with this shield and whatever else."""
    return capped(dex + stat_bonus(stat), armor, shield, other)


def capped(base: int, armor: str = "", shield: str = "", other: int = 0) -> Evasion:
    """Cap a base Evasion by what is worn; no other source is under the cap."""
    cap = ARMORS[armor].cap + (SHIELDS[shield].cap if shield else 0) if armor else None
    more = other + (SHIELDS[shield].evasion if shield else 0)
    return Evasion(base, cap, (base if cap is None else min(base, cap)) + more)


def from_half_cover(melee: bool) -> int:
    """Return the Evasion that half cover adds: none against melee, which ignores it (WSH-09, WSH-18)."""
    return 0 if melee else HALF_COVER_EVASION


def critical_extra(*, weapon: bool = False, ability: int | None = None, maneuver: int | None = None) -> int:
    """Return the damage that a critical hit adds (WSH-10).

    It is that of a weapon, of an Ability of a Tier, or of a Maneuver of a Tier on top of a weapon.
    """
    extra = CRITICAL if weapon else 0
    extra += CRITICAL + PER_TIER * ability if ability is not None else 0
    return extra + (PER_TIER * maneuver if maneuver is not None else 0)


def collision_damage(meters: int, success: bool) -> int:
    """Return the damage to both in a collision: the distance, or half of it, rounded down (WSH-19)."""
    return meters // 2 if success else meters


def teleport_damage(meters: int) -> int:
    """Return the damage to both where somebody is teleported into somebody (WSH-20)."""
    return min(meters, MOST_BY_TELEPORT)
