"""How much damage gets through: Armor reduces it once, and defenses by type apply (WSH-13, 15)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from .numbers import INSTEAD_OF_ARMOR

if TYPE_CHECKING:
    from .data import PartTaken

ALL = 1_000_000
"""The number that stands for all Armor, if an attack ignores it wholly."""


class Part(NamedTuple):
    """Damage of one type."""

    type: str
    amount: int


class Defenses(NamedTuple):
    """What reduces damage: Armor, and for some types the values of Constitution and Will.

    A type may be resisted (halved), without effect (`immune`), or doubled (`vulnerable`).
    """

    armor: int = 0
    con: int = 0
    wil: int = 0
    resist: Sequence[str] = ()
    immune: Sequence[str] = ()
    vulnerable: Sequence[str] = ()

    def against(self, type: str) -> int:
        """Return what is subtracted from damage of a type (WSH-13)."""
        value: int = getattr(self, INSTEAD_OF_ARMOR.get(type, "armor"))
        return value

    def multiplied(self, type: str, amount: int) -> int:
        """Return damage of a type after resistance, immunity and vulnerability, rounded down (WSH-15)."""
        if type in self.immune:
            return 0
        doubled = amount * 2 if type in self.vulnerable else amount
        return doubled // 2 if type in self.resist else doubled


class Ignoring(NamedTuple):
    """How much Armor an attack ignores (WSH-13).

    `amount` is taken off the value of Armor. Damage of the types in `types` is not reduced at all.
    """

    amount: int = 0
    types: Sequence[str] = ()

    def joined(self, other: Ignoring) -> Ignoring:
        """Return what two parts of an attack ignore together."""
        return Ignoring(max(self.amount, other.amount), (*self.types, *other.types))


NOTHING = Ignoring()


def ignored_armor(written: int | str | Sequence[str]) -> Ignoring:
    """Return how much Armor is ignored, as a sheet has it: a number, "all", or a list of types."""
    if isinstance(written, str):
        return Ignoring(ALL)
    return Ignoring(written) if isinstance(written, int) else Ignoring(0, tuple(written))


class Through(NamedTuple):
    """Damage of one type: what was rolled, what was taken off, and what got through."""

    type: str
    rolled: int
    reduced: int
    taken: int


class DamageTaken(NamedTuple):
    """The damage that got through.

    `reduced_by` is what was taken off (below 0: added), from the types in this `order`.
    """

    parts: tuple[Through, ...]
    reduced_by: int
    order: tuple[str, ...]

    @property
    def total(self) -> int:
        """How much damage got through, of all types together."""
        return sum(part.taken for part in self.parts)

    def as_json(self) -> list[PartTaken]:
        return [cast("PartTaken", part._asdict()) for part in self.parts]


def sum_by_type(parts: Sequence[Part]) -> list[Part]:
    """Return damage with equal types added up, in the order in which the types come first."""
    amounts: dict[str, int] = {}
    for type, amount in parts:
        amounts[type] = amounts.get(type, 0) + amount
    return [Part(*item) for item in amounts.items()]


def reducible_damage(parts: Sequence[Part], ignoring: Ignoring = NOTHING) -> list[Part]:
    """Return the parts of the damage that Armor reduces, or what stands in for Armor."""
    return [part for part in sum_by_type(parts) if part.type not in ignoring.types]


def subtracted_armor(parts: Sequence[Part], defenses: Defenses, ignoring: Ignoring = NOTHING) -> int:
    """Return the one value that is subtracted: the lowest that reduces any of these types.

    What the attack ignores never makes it less than 0, and doesn't change a value below 0 (WSH-13).
    """
    meet = reducible_damage(parts, ignoring)
    value = min((defenses.against(part.type) for part in meet or parts), default=0)
    return max(0, value - (ignoring.amount if meet else ALL)) if value > 0 else value


def damage_through(
    parts: Sequence[Part],
    defenses: Defenses,
    *,
    ignoring: Ignoring = NOTHING,
    off: Sequence[str] = (),
    armor_first: bool = True,
) -> DamageTaken:
    """Return how much gets through of damage that is dealt at once (WSH-13, 15).

    Armor is subtracted once: from the types in `off`, in this order, then from others where the attacker
    loses least. Armor below 0 adds to the first type alone. `armor_first` is a house rule: whether Armor
    comes before types are halved and doubled.
    """
    each = sum_by_type(parts)
    value = subtracted_armor(each, defenses, ignoring)
    meet = reducible_damage(each, ignoring) or each
    named = [part for type in off for part in meet if part.type == type]
    # By the effect of a point of damage; the odd point of halved damage is lost anyway.
    cheap = sorted(
        (part for part in meet if part not in named),
        key=lambda part: (defenses.multiplied(part.type, 2), part.amount % 2 == 0, part.amount),
    )
    firsts = [named] if named else [[part] for part in meet]
    orders = [[*first, *(part for part in cheap if part not in first)] for first in firsts]
    ways = [_subtract_defense(each, order, value, defenses, armor_first) for order in orders]
    return max(ways, key=lambda way: way.total, default=DamageTaken((), 0, ()))


def _subtract_defense(
    each: Sequence[Part], order: Sequence[Part], value: int, defenses: Defenses, armor_first: bool
) -> DamageTaken:
    """Return what gets through if `value` is subtracted from the types in this order.

    Types that the order leaves out are not reduced.
    """
    through, left = dict[str, Through](), value
    for type, amount in [*order, *(part for part in each if part not in order)]:
        met = amount if armor_first else defenses.multiplied(type, amount)
        nothing = type in defenses.immune or not amount  # negative Armor can't increase it
        meets = Part(type, amount) in order and not (left < 0 and nothing)
        less = min(left, met) if meets else 0
        rest = met - less
        taken = defenses.multiplied(type, rest) if armor_first else rest
        through[type] = Through(type, amount, less, taken)
        left = left - less if left > 0 else 0
    parts = tuple(through[part.type] for part in each)
    return DamageTaken(parts, sum(part.reduced for part in parts), tuple(part.type for part in order))
