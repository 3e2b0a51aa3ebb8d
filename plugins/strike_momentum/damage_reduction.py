"""How much damage gets through (WSH-13, 15).

Armor is subtracted once. Damage of a type may also be halved or doubled, or do nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from .rule_constants import STAT_INSTEAD_OF_ARMOR

if TYPE_CHECKING:
    from .data import PartTaken

ALL_ARMOR = 1_000_000
"""The number that stands for all Armor, if an attack ignores it wholly."""


class DamagePart(NamedTuple):
    """An amount of damage of one type."""

    type: str
    amount: int


class Defenses(NamedTuple):
    """The values that reduce damage: Armor, or for some types the Defense Roll value of CON or WIL.

    Damage of a type in `resist` is halved, and damage of a type in `vulnerable` is doubled. Damage of a type
    in `immune` does nothing.
    """

    armor: int = 0
    con: int = 0
    wil: int = 0
    resist: Sequence[str] = ()
    immune: Sequence[str] = ()
    vulnerable: Sequence[str] = ()

    def against(self, type: str) -> int:
        """Return the value that reduces damage of a type (WSH-13)."""
        value: int = getattr(self, STAT_INSTEAD_OF_ARMOR.get(type, "armor"))
        return value

    def after_multipliers(self, type: str, amount: int) -> int:
        """Return the damage that is left after immunity, vulnerability and resistance (WSH-15).

        Only the defenses against damage of the type `type` count. The result is rounded down.
        """
        if type in self.immune:
            return 0
        doubled = amount * 2 if type in self.vulnerable else amount
        return doubled // 2 if type in self.resist else doubled


class IgnoredArmor(NamedTuple):
    """How much Armor an attack ignores (WSH-13).

    `amount` is subtracted from Armor. Armor doesn't reduce damage of the types in `types` at all.
    """

    amount: int = 0
    types: Sequence[str] = ()

    def combined_with(self, other: IgnoredArmor) -> IgnoredArmor:
        """Return what an attack ignores if both of these apply, such as a weapon's and a Maneuver's."""
        return IgnoredArmor(max(self.amount, other.amount), (*self.types, *other.types))


IGNORES_NO_ARMOR = IgnoredArmor()


def ignored_armor(sheet_value: int | str | Sequence[str]) -> IgnoredArmor:
    """Return how much Armor the value in a sheet ignores: a number, "all", or a list of damage types."""
    if isinstance(sheet_value, str):
        return IgnoredArmor(ALL_ARMOR)
    return IgnoredArmor(sheet_value) if isinstance(sheet_value, int) else IgnoredArmor(0, tuple(sheet_value))


class DamageTaken(NamedTuple):
    """The damage that got through.

    `reduced_by` is the total that was subtracted; if it is below 0, damage was added. `order` are the types
    of damage, in the order in which they were reduced.
    """

    parts: tuple[PartTaken, ...]
    reduced_by: int
    order: tuple[str, ...]

    @property
    def total(self) -> int:
        """How much damage got through, of all types together."""
        return sum(part["taken"] for part in self.parts)


def sum_by_type(parts: Sequence[DamagePart]) -> list[DamagePart]:
    """Return the damage with all amounts of the same type added up.

    The types are in the order in which they first occur.
    """
    amounts: dict[str, int] = {}
    for type, amount in parts:
        amounts[type] = amounts.get(type, 0) + amount
    return [DamagePart(*item) for item in amounts.items()]


def reducible_damage(
    parts: Sequence[DamagePart], ignoring: IgnoredArmor = IGNORES_NO_ARMOR
) -> list[DamagePart]:
    """Return the part of the damage that defenses can reduce, added up by type.

    Damage of the types in `ignoring.types` is left out, since Armor doesn't reduce it at all.
    """
    return [part for part in sum_by_type(parts) if part.type not in ignoring.types]


def lowest_defense_to_subtract(
    parts: Sequence[DamagePart], defenses: Defenses, ignoring: IgnoredArmor = IGNORES_NO_ARMOR
) -> int:
    """Return the one value to subtract from damage that may have several types (WSH-13).

    It is the lowest of the defenses against these types, less the Armor that the attack ignores. The ignored
    Armor never makes the value negative. If the lowest defense is itself below 0, it is returned unchanged.

    Types in `ignoring.types`, for which the attack ignores all Armor, don't count. If the damage has no other
    types, the value is 0, or the lowest defense if that is below 0.
    """
    meet = reducible_damage(parts, ignoring)
    value = min((defenses.against(part.type) for part in meet or parts), default=0)
    return max(0, value - (ignoring.amount if meet else ALL_ARMOR)) if value > 0 else value


def damage_through(
    parts: Sequence[DamagePart],
    defenses: Defenses,
    *,
    ignoring: IgnoredArmor = IGNORES_NO_ARMOR,
    armor_order: Sequence[str] = (),
    armor_first: bool = True,
) -> DamageTaken:
    """Return how much damage gets through if all `parts` are dealt at once (WSH-13, 15).

    Armor is subtracted only once, however many types of damage there are. It first reduces the types in
    `armor_order`, in their order. It then reduces the other types, in the order that lets most damage
    through. If Armor is below 0, it adds damage to the first type only.

    `armor_first` is a house rule: Armor is subtracted before the damage of a type is halved or doubled.
    """
    each = sum_by_type(parts)
    value = lowest_defense_to_subtract(each, defenses, ignoring)
    meet = reducible_damage(each, ignoring) or each
    named = [part for type in armor_order for part in meet if part.type == type]
    # By the effect of a point of damage; the odd point of halved damage is lost anyway.
    cheap = sorted(
        (part for part in meet if part not in named),
        key=lambda part: (defenses.after_multipliers(part.type, 2), part.amount % 2 == 0, part.amount),
    )
    firsts = [named] if named else [[part] for part in meet]
    orders = [[*first, *(part for part in cheap if part not in first)] for first in firsts]
    ways = [_subtract_defense(each, order, value, defenses, armor_first) for order in orders]
    return max(ways, key=lambda way: way.total, default=DamageTaken((), 0, ()))


def _subtract_defense(
    all_parts: Sequence[DamagePart],
    order: Sequence[DamagePart],
    value: int,
    defenses: Defenses,
    armor_first: bool,
) -> DamageTaken:
    """Subtract a defense from the types of damage in `order`, one after the other; return the damage taken.

    `value` is the amount to subtract in all. Types that aren't in `order` are not reduced.
    """
    through: dict[str, PartTaken] = {}
    left = value
    for type, amount in [*order, *(part for part in all_parts if part not in order)]:
        met = amount if armor_first else defenses.after_multipliers(type, amount)
        nothing = type in defenses.immune or not amount  # negative Armor can't increase it
        meets = DamagePart(type, amount) in order and not (left < 0 and nothing)
        less = min(left, met) if meets else 0
        rest = met - less
        taken = defenses.after_multipliers(type, rest) if armor_first else rest
        through[type] = {"type": type, "rolled": amount, "reduced": less, "taken": taken}
        left = left - less if left > 0 else 0
    parts = tuple(through[part.type] for part in all_parts)
    return DamageTaken(parts, sum(part["reduced"] for part in parts), tuple(part.type for part in order))
