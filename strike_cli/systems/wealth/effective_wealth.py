"""How rich somebody is, and as how rich they count for now; their cash parcels (STR-CORE-26, 29, 30)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.procedure import World
from strike_cli.systems.core.severities import counts_as, stacks
from strike_cli.tabletop.dice import Modifier
from strike_cli.tabletop.facts import OfCondition
from strike_cli.tabletop.people import sheet

from .numbers import numbers

if TYPE_CHECKING:
    from strike_cli.systems.core.data import ContentOfCore

    from .data import WealthWritten


class EffectiveWealth(NamedTuple):
    """Wealth as it is, and as it counts for now (STR-CORE-29), with what lowers it."""

    wealth: int
    reasons: tuple[Modifier, ...]

    @property
    def effective(self) -> int:
        """The Wealth that one acts at: never below 0."""
        return max(0, self.wealth + sum(item.value for item in self.reasons))


def written_wealth(world: World, who: str) -> WealthWritten:
    """Return the Wealth in a character's sheet; empty for anybody who has none."""
    found: WealthWritten = sheet(world, who)  # type: ignore[assignment]  # Wealth's part of it
    return found


def standing(world: World, who: str, conditions: Sequence[str] | None = None) -> EffectiveWealth:
    """Return how rich somebody is now; with `conditions`, how rich they would be with those.

    Each Wealth Condition takes one; several of one that only counts, as Short does, take one together.
    """
    wealth = int(world.get(f"characters.{who}.wealth", written_wealth(world, who).get("wealth", 0)))
    held = world.get(f"characters.{who}.conditions", []) if conditions is None else conditions
    reasons = []
    for key in dict.fromkeys(held):
        definition = world.book.conditions.get(key, {})
        if counts_as(world.book, definition) == "wealth":
            times = 1 if counts_once(world.book, definition) else held.count(key)
            reasons += [Modifier(-1, OfCondition(key))] * times
    return EffectiveWealth(wealth, tuple(reasons))


def counts_once(book: ContentOfCore, definition: Mapping[str, object]) -> bool:
    """Return whether several of a Wealth Condition take one together, as those of Short do (STR-CORE-29)."""
    return "escalates" in definition or not stacks(book, definition)


def cash(world: World, who: str) -> list[int]:
    """Return the ranks of a character's cash parcels (STR-CORE-30)."""
    held: list[int] = world.get(f"characters.{who}.cash", written_wealth(world, who).get("cash", []))
    return held


def rank_name(wealth: int) -> str:
    """`Poor`: a Wealth in a word (STR-CORE-26). A pool may come above the last rank."""
    ranks: list[str] = numbers()["ranks"]
    return ranks[wealth] if wealth < len(ranks) else f"above {ranks[-1]}"
