"""What of some damage gets through: Armor or what stands in its place, once, and what each type meets
(WSH-13, 15)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .numbers import INSTEAD_OF_ARMOR

ALL = 1_000_000
"""How much Armor is ignored by what ignores all of it."""


class Part(NamedTuple):
    """Damage of one type."""

    type: str
    amount: int


class Defenses(NamedTuple):
    """What stands against damage: Armor, the Defense Roll values of Constitution and Will, and types that are
    halved, shrugged off, or doubled."""

    armor: int = 0
    con: int = 0
    wil: int = 0
    resist: Sequence[str] = ()
    immune: Sequence[str] = ()
    vulnerable: Sequence[str] = ()

    def against(self, type: str) -> int:
        """The value that is subtracted from damage of a type (WSH-13)."""
        value: int = getattr(self, INSTEAD_OF_ARMOR.get(type, "armor"))
        return value

    def multiplied(self, type: str, amount: int) -> int:
        """Damage of a type as resistance, immunity and vulnerability leave it, rounded down (WSH-15)."""
        if type in self.immune:
            return 0
        doubled = amount * 2 if type in self.vulnerable else amount
        return doubled // 2 if type in self.resist else doubled


class Through(NamedTuple):
    """Damage of one type: as it came, what was subtracted from it, and what got through."""

    type: str
    rolled: int
    reduced: int
    taken: int


class Taken(NamedTuple):
    """What got through; `reduced_by` is what was taken off it (below 0: added), from the type `off` on."""

    parts: tuple[Through, ...]
    reduced_by: int
    off: str

    @property
    def total(self) -> int:
        """All of it."""
        return sum(part.taken for part in self.parts)

    def as_json(self) -> list[dict[str, Any]]:
        """A table for each type."""
        return [part._asdict() for part in self.parts]


def together(parts: Sequence[Part]) -> list[Part]:
    """Damage with each type once, in the order of its first part."""
    amounts: dict[str, int] = {}
    for type, amount in parts:
        amounts[type] = amounts.get(type, 0) + amount
    return [Part(*item) for item in amounts.items()]


def worn(parts: Sequence[Part], defenses: Defenses, ignored: int = 0) -> int:
    """The one value that is subtracted: the lowest of those that the types meet. Ignoring it never takes it
    below 0, and leaves what is below 0 as it is (WSH-13)."""
    value = min((defenses.against(part.type) for part in parts), default=0)
    return max(0, value - ignored) if value > 0 else value


def take(
    parts: Sequence[Part],
    defenses: Defenses,
    *,
    ignored: int = 0,
    off: str = "",
    armor_first: bool = True,
) -> Taken:
    """What of damage that comes at once gets through. Armor comes off it once: `off` the type that the
    attacker names, else where it costs them least, and what that doesn't use up off the next, again where it
    costs least. Bad Armor adds to the first type alone. `armor_first` is the house rule whether it comes
    before types are halved and doubled (WSH-13, 15)."""
    each = together(parts)
    value = worn(each, defenses, ignored)
    cheap = sorted(each, key=lambda part: _worth(part, defenses))
    firsts = [part for part in each if part.type == off] or each
    ways = [_taken(each, [first, *(part for part in cheap if part != first)], value, defenses, armor_first)
            for first in firsts]  # fmt: skip
    return max(ways, key=lambda way: way.total, default=Taken((), 0, ""))


def _worth(part: Part, defenses: Defenses) -> tuple[int, bool, int]:
    """Whose loss costs least: by what a point of it comes to; halves of odd damage are lost anyway."""
    return defenses.multiplied(part.type, 2), part.amount % 2 == 0, part.amount


def _taken(
    each: Sequence[Part], order: Sequence[Part], value: int, defenses: Defenses, armor_first: bool
) -> Taken:
    """What gets through where a value comes off the types in an order."""
    through, left = dict[str, Through](), value
    for type, amount in order:
        met = amount if armor_first else defenses.multiplied(type, amount)
        nothing = type in defenses.immune or not amount  # bad Armor makes it no more than that
        less = 0 if left < 0 and nothing else min(left, met)
        rest = met - less
        taken = defenses.multiplied(type, rest) if armor_first else rest
        through[type] = Through(type, amount, less, taken)
        left = left - less if left > 0 else 0
    parts = tuple(through[part.type] for part in each)
    return Taken(parts, sum(part.reduced for part in parts), order[0].type)
