"""The dice for a price, with helpers, for play and odds (STR-CORE-27, 28)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.content.system_checks import Checks
from strike_cli.kernel.procedure import Args, Happen, Procedure, World
from strike_cli.kernel.statements import Clause
from strike_cli.problems import Refused
from strike_cli.systems.core.circumstances import WEALTH, Bearing, Matters, find_reasons
from strike_cli.systems.core.conditions import counts_as, is_stacking
from strike_cli.systems.core.skill_roll import Helper, help_with, helper_of, helps_as_json, pay_for_all
from strike_cli.tabletop.dice import ADVANTAGE, DISADVANTAGE, Modifier, Rolled, Source, clamp, roll_die
from strike_cli.tabletop.facts import OfCondition
from strike_cli.tabletop.people import display_name, written_sheet
from strike_cli.user_cache import packaged_tables

from .facts import BareDeal, HelpedToBuy, PriceWithoutRoll, RicherOrPoorer, WealthRolled

if TYPE_CHECKING:
    from strike_cli.systems.core.data import ContentOfCore

    from .data import WealthDice, WealthNumbers, WealthRollData, WealthRow, WealthWritten


def numbers() -> WealthNumbers:
    """Return the tables of `numbers.toml`."""
    return cast("WealthNumbers", packaged_tables(__package__, "WealthNumbers"))


class WealthChecks(Checks):
    """Checks of the Wealth rules' `numbers.toml`."""

    def tables(self) -> None:
        """Check the tables of Wealth rolls."""
        numbers()


class EffectiveWealth(NamedTuple):
    """A character's Wealth, and the Conditions that lower it for now (STR-CORE-29)."""

    wealth: int
    reasons: tuple[Modifier, ...]

    @property
    def effective(self) -> int:
        """The Wealth that counts for now, at least 0."""
        return max(0, self.wealth + sum(item.value for item in self.reasons))


def written_wealth(world: World, person: str) -> WealthWritten:
    """Return a character's sheet with its keys about Wealth. It is empty for anybody else."""
    found: WealthWritten = written_sheet(world, person)  # type: ignore[assignment]  # Wealth's part of it
    return found


def effective_wealth(world: World, person: str, conditions: Sequence[str] | None = None) -> EffectiveWealth:
    """Return a person's Wealth now or, with `conditions`, their Wealth with those Conditions.

    Each Wealth Condition lowers it by 1. Several instances of one that is only counted, such as Short, lower
    it by 1 together.
    """
    wealth = int(world.get(f"characters.{person}.wealth", written_wealth(world, person).get("wealth", 0)))
    held = world.get(f"characters.{person}.conditions", []) if conditions is None else conditions
    reasons = []
    for key in dict.fromkeys(held):
        definition = world.book.conditions.get(key, {})
        if counts_as(world.book, definition) == "wealth":
            times = 1 if counts_once(world.book, definition) else held.count(key)
            reasons += [Modifier(-1, OfCondition(key))] * times
    return EffectiveWealth(wealth, tuple(reasons))


def counts_once(book: ContentOfCore, definition: Mapping[str, object]) -> bool:
    """Return whether a Condition lowers Wealth by 1 however often one has it, like Short (STR-CORE-29)."""
    return "escalates" in definition or not is_stacking(book, definition)


def cash_parcels(world: World, person: str) -> list[int]:
    """Return the ranks of a character's cash parcels (STR-CORE-30)."""
    held: list[int] = world.get(f"characters.{person}.cash", written_wealth(world, person).get("cash", []))
    return held


def rank_name(wealth: int) -> str:
    """Return a Wealth as a word, such as `Poor` (STR-CORE-26). A pool may be above the last rank."""
    ranks: list[str] = numbers()["ranks"]
    return ranks[wealth] if wealth < len(ranks) else f"above {ranks[-1]}"


AUTOMATIC, IMPOSSIBLE = "automatic", "impossible"


class Backer(Args):
    """A helper with a purchase. `wealth` is None for a character's own Wealth."""

    name: str
    wealth: int | None = None


class Priced(Bearing):
    """The arguments of a roll for a price, with helpers.

    `wealth` is None for the character's own Wealth now.
    """

    who: str
    price: int
    wealth: int | None = None
    helpers: Sequence[Backer] = ()

    def people(self) -> Iterable[str]:
        return [self.who, *(one.name for one in self.helpers)]


class RollWealth(Priced):
    """The arguments of `roll wealth`: a bare roll, whose roller may be ""."""

    who: str = ""


def column_of(wealth: int, price: int) -> str:
    """Return a price's column: `cheap`, `same`, `expensive`, `automatic` or `impossible` (STR-CORE-27)."""
    above = price - wealth
    found = numbers()["columns"].get(str(above))
    return found or (AUTOMATIC if above < 0 else IMPOSSIBLE)


@cache
def _rows(column: str) -> tuple[WealthRow, ...]:
    table = cast("Mapping[str, WealthRow]", numbers().get(column))
    if only := table.get("row"):
        came, bonus, costs, flaws = only.get("outcome"), only["bonus"], only["costs"], only["flaws"]
        return ({"outcome": came, "bonus": bonus, "costs": costs, "flaws": flaws},)
    return tuple(table[str(face)] for face in range(1, 7))


class WealthRoll:
    """The result of a Wealth roll. `roll` and `total` are None if the column needs no roll."""

    __slots__ = ("column", "gains", "helps", "roll", "row", "total")

    def __init__(
        self,
        column: str,
        roll: Rolled | None = None,
        total: int | None = None,
        helps: Sequence[Rolled] = (),
        gains: Sequence[int] = (),
    ) -> None:
        self.column = column
        self.roll = roll
        self.total = total
        self.helps = helps
        self.gains = gains
        self.row = _rows(column)[0 if total is None else clamp(total) - 1]

    def as_data(self) -> WealthDice:
        """Return the part of a command's data that describes the roll."""
        return {
            "column": self.column,
            "roll": self.roll.as_json() if self.roll else None,
            "helpers": helps_as_json(self.helps, self.gains),
            "total": self.total,
            **self.row,
        }


class ReadyWealthRoll(NamedTuple):
    """Everything that affects a Wealth roll: the Wealth that counts, reasons and modifiers, and helpers."""

    wealth: int
    matters: Matters
    helpers: tuple[Helper, ...]


def wealth_roll(person: str, price: int, ready: ReadyWealthRoll) -> Procedure[WealthRoll]:
    """Roll for a price and return the result (STR-CORE-27), without dice if the column needs none.

    Helpers roll as in any roll (STR-CORE-20), with the reasons that their Wealth gives them (STR-CORE-28).
    """
    column = column_of(ready.wealth, price)
    if column in (AUTOMATIC, IMPOSSIBLE):
        return WealthRoll(column)
    roll = yield from roll_die(person, "wealth", ready.matters.sources, ready.matters.modifiers)
    return WealthRoll(column, roll, *(yield from help_with(roll.total, ready.helpers)))


def pay_and_roll(world: World, person: str, price: int, ready: ReadyWealthRoll) -> Procedure[WealthRoll]:
    """Spend what a Wealth roll uses up, and roll. If no dice are needed, nothing is spent."""
    if column_of(ready.wealth, price) not in (AUTOMATIC, IMPOSSIBLE):
        yield from pay_for_all(world, person, ready.matters, ready.helpers)
    return (yield from wealth_roll(person, price, ready))


def ready_wealth_roll(world: World, args: Priced) -> ReadyWealthRoll:
    """Return everything that affects a Wealth roll now, for play and odds.

    Raises Refused for a helper who is two tiers below.
    """
    wealth = effective_wealth(world, args.who).effective if args.wealth is None else args.wealth
    helpers = tuple(_helper(world, one, wealth, args) for one in args.helpers)
    return ReadyWealthRoll(wealth, find_reasons(world, args.who, "skill", WEALTH, args), helpers)


def _helper(world: World, lender: Backer, wealth: int, said: Bearing) -> Helper:
    """Return a helper, with the effect of their Wealth on their die (STR-CORE-28).

    Being more than one tier above counts like one (a ruling), since Advantage doesn't add up. Raises Refused
    for a helper who is too poor.
    """
    tier = effective_wealth(world, lender.name).effective if lender.wealth is None else lender.wealth
    if tier < wealth - 1:
        raise Refused(
            f"{display_name(world, lender.name)} (Wealth {tier}) is too poor to help with a purchase of "
            f"Wealth {wealth} buys: two tiers below.",
            "A helper is at most one tier below the buyer.",
        )
    helper = helper_of(world, lender.name, True, WEALTH, said)
    if tier == wealth:
        return helper
    richer = tier > wealth
    reason = Source(ADVANTAGE if richer else DISADVANTAGE, RicherOrPoorer(richer, tier))
    return helper._replace(reasons=(reason, *helper.reasons))


def play_roll(world: World, args: RollWealth) -> Procedure[WealthRollData]:
    """Play `roll wealth`: a bare roll, which buys nothing."""
    person, price = args.who, args.price
    one = ready_wealth_roll(world, args)
    wealth, result = one.wealth, (yield from pay_and_roll(world, person, price, one))
    data: WealthRollData = {"wealth": wealth, "price": price, **result.as_data()}
    yield tell_wealth_roll(world, person, BareDeal(wealth, price, result.column), result)
    return data


def tell_wealth_roll(
    world: World, person: str, deal: Clause, result: WealthRoll, sets: Mapping[str, object] | None = None
) -> Happen:
    """Return the fact of a Wealth roll, or of a price that needs none. `deal` is its purpose."""
    row = result.row
    came = result.column, row.get("outcome"), row["bonus"], row["costs"], row["flaws"], deal
    if result.roll is None:
        return world.tell(PriceWithoutRoll(person, *came), sets)
    helps = [HelpedToBuy(roll.who, roll, gain) for roll, gain in zip(result.helps, result.gains, strict=True)]
    return world.tell(WealthRolled(person, result.roll, helps, *came), sets)


def column_words(column: str) -> str:
    """Return the heading of a column in the table."""
    return "Same Level" if column == "same" else column.capitalize()


def outcome_words(row: Mapping[str, object]) -> str:
    """Return an outcome in the words of the table: `Success with a Bonus`, `Twist with a Flaw`."""
    if row["outcome"] is None:
        return "Out of reach"
    words = str(row["outcome"]).capitalize()
    if row["bonus"]:
        return f"{words} with a Bonus"
    if not row["costs"]:
        return words
    one = "a Flaw" if row["flaws"] else "a Cost"
    return f"{words} with {one if row['costs'] == 1 else str(row['costs']) + ' Costs'}"
