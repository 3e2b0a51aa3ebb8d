"""A character's present Wealth, and the roll for a price (STR-CORE-26 to 29).

Other people may help with this roll. Play and odds use the same functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.content.system_checks import Checks
from strike_cli.kernel.procedure import Args, Happen, Procedure, World
from strike_cli.kernel.statements import Clause
from strike_cli.problems import Refused
from strike_cli.systems.core.conditions import applicable_built_in_severity, instances_count_separately
from strike_cli.systems.core.roll_circumstances import WEALTH, RollReasons, StatedCircumstances, find_reasons
from strike_cli.systems.core.skill_roll import (
    Helper,
    helps_as_json,
    pay_for_roll_and_helpers,
    prepare_helper,
    roll_helpers_dice,
)
from strike_cli.tabletop.characters_and_names import display_name, written_sheet
from strike_cli.tabletop.dice import ADVANTAGE, DISADVANTAGE, Modifier, Rolled, Source, clamp_total, roll_die
from strike_cli.tabletop.facts import OfCondition
from strike_cli.user_folders_and_cache import load_checked_packaged_file

from .facts import BareDeal, HelpedToBuy, PriceWithoutRoll, RicherOrPoorer, WealthRolled

if TYPE_CHECKING:
    from strike_cli.systems.core.data import ContentOfCore

    from .data import WealthDice, WealthNumbers, WealthRollData, WealthRow, WealthWritten


def numbers() -> WealthNumbers:
    """Return the tables of the Wealth rules in `numbers.toml`."""
    return cast("WealthNumbers", load_checked_packaged_file(__package__, "WealthNumbers"))


class WealthChecks(Checks):
    """Checks of the Wealth rules' `numbers.toml`."""

    def check_tables(self) -> None:
        """Check the tables of Wealth rolls, by loading them."""
        numbers()


class EffectiveWealth(NamedTuple):
    """A character's Wealth, with a modifier for each Condition that lowers it now (STR-CORE-29)."""

    wealth: int
    reasons: tuple[Modifier, ...]

    @property
    def effective(self) -> int:
        """The Wealth that counts now: lowered by Conditions, and at least 0."""
        return max(0, self.wealth + sum(item.value for item in self.reasons))


def written_sheet_typed_for_wealth(world: World, person: str) -> WealthWritten:
    """Return a character's sheet from the book, with a type that has Wealth's keys; {} without a sheet."""
    found: WealthWritten = written_sheet(world, person)  # type: ignore[assignment]  # Wealth's part of it
    return found


def effective_wealth(world: World, person: str, conditions: Sequence[str] | None = None) -> EffectiveWealth:
    """Return a person's Wealth, with the Conditions that lower it.

    `conditions` replaces the person's own Conditions if it is given. Each Wealth Condition lowers Wealth by
    1. Several instances of a Condition like Short lower it only once.
    """
    wealth = int(
        world.get(
            f"characters.{person}.wealth", written_sheet_typed_for_wealth(world, person).get("wealth", 0)
        )
    )
    held = world.get(f"characters.{person}.conditions", []) if conditions is None else conditions
    reasons = []
    for key in dict.fromkeys(held):
        definition = world.book.conditions.get(key, {})
        if applicable_built_in_severity(world.book, definition) == "wealth":
            times = 1 if lowers_wealth_once(world.book, definition) else held.count(key)
            reasons += [Modifier(-1, OfCondition(key))] * times
    return EffectiveWealth(wealth, tuple(reasons))


def lowers_wealth_once(book: ContentOfCore, definition: Mapping[str, object]) -> bool:
    """Return whether a Condition lowers Wealth by only 1, however often a person has it (STR-CORE-29)."""
    return "escalates" in definition or not instances_count_separately(book, definition)


def ranks_of_cash_parcels(world: World, person: str) -> list[int]:
    """Return the ranks of a character's cash parcels (STR-CORE-30)."""
    held: list[int] = world.get(
        f"characters.{person}.cash", written_sheet_typed_for_wealth(world, person).get("cash", [])
    )
    return held


def rank_name(wealth: int) -> str:
    """Return the name of a Wealth rank, such as `Poor` (STR-CORE-26).

    The Wealth of a pool may be above the last rank. Its name then is "above" with the name of the last rank.
    """
    ranks: list[str] = numbers()["ranks"]
    return ranks[wealth] if wealth < len(ranks) else f"above {ranks[-1]}"


AUTOMATIC, IMPOSSIBLE = "automatic", "impossible"


class PurchaseHelper(Args):
    """A helper with a purchase, as typed.

    `wealth` is the typed Wealth of the helper. If it is None, the character's own Wealth counts.
    """

    name: str
    wealth: int | None = None


class PricedRoll(StatedCircumstances):
    """The arguments of a roll for a price, with helpers.

    `wealth` is the typed Wealth of the buyer. If it is None, the character's own Wealth counts.
    """

    who: str
    price: int
    wealth: int | None = None
    helpers: Sequence[PurchaseHelper] = ()

    def people(self) -> Iterable[str]:
        return [self.who, *(one.name for one in self.helpers)]


class RollWealth(PricedRoll):
    """The arguments of `roll wealth`, a roll that buys nothing.

    `who` is the roller, or "" for nobody.
    """

    who: str = ""


def column_for_price(wealth: int, price: int) -> str:
    """Return the column of the Wealth table for a price (STR-CORE-27).

    It is `cheap`, `same`, `expensive`, `automatic` or `impossible`.
    """
    above = price - wealth
    found = numbers()["columns"].get(str(above))
    return found or (AUTOMATIC if above < 0 else IMPOSSIBLE)


class WealthRoll:
    """The result of a Wealth roll, read from a column of the Wealth table.

    Some columns need no roll. Then `roll` and `total` are None.
    """

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
        self.row = _rows_of_column(column)[0 if total is None else clamp_total(total) - 1]

    def as_data(self) -> WealthDice:
        """Return the roll's dice, helpers, total, bonus and Costs, in the form of a move's result."""
        return {
            "column": self.column,
            "roll": self.roll.as_json() if self.roll else None,
            "helpers": helps_as_json(self.helps, self.gains),
            "total": self.total,
            "bonus": self.row["bonus"],
            "costs": self.row["costs"],
            "flaws": self.row["flaws"],
        }


@cache
def _rows_of_column(column: str) -> tuple[WealthRow, ...]:
    table = cast("Mapping[str, WealthRow]", numbers().get(column))
    return (table["row"],) if "row" in table else tuple(table[str(face)] for face in range(1, 7))


class ReadyWealthRoll(NamedTuple):
    """Everything that affects a Wealth roll: Wealth, the roll's reasons and modifiers, and the helpers."""

    wealth: int
    roll_reasons: RollReasons
    helpers: tuple[Helper, ...]


def roll_if_price_needs_dice(person: str, price: int, ready: ReadyWealthRoll) -> Procedure[WealthRoll]:
    """Roll for a price if it needs dice, and return the result (STR-CORE-27).

    A price needs no dice if the buyer gets the thing automatically, or can't get it at all. Helpers roll as
    in any roll (STR-CORE-20). Their Wealth may give them Advantage or Disadvantage (STR-CORE-28).
    """
    column = column_for_price(ready.wealth, price)
    if column in (AUTOMATIC, IMPOSSIBLE):
        return WealthRoll(column)
    roll = yield from roll_die(person, "wealth", ready.roll_reasons.sources, ready.roll_reasons.modifiers)
    return WealthRoll(column, roll, *(yield from roll_helpers_dice(roll.total, ready.helpers)))


def pay_and_roll_if_needed(
    world: World, person: str, price: int, ready: ReadyWealthRoll
) -> Procedure[WealthRoll]:
    """Spend the Action Points and banked bonuses of a Wealth roll, then roll.

    If the price needs no dice, nothing is spent.
    """
    if column_for_price(ready.wealth, price) not in (AUTOMATIC, IMPOSSIBLE):
        yield from pay_for_roll_and_helpers(world, person, ready.roll_reasons, ready.helpers)
    return (yield from roll_if_price_needs_dice(person, price, ready))


def prepare_wealth_roll(world: World, args: PricedRoll) -> ReadyWealthRoll:
    """Return everything that affects a Wealth roll now, for play and for odds.

    Raises Refused if a helper is two or more tiers below the buyer.
    """
    wealth = effective_wealth(world, args.who).effective if args.wealth is None else args.wealth
    helpers = tuple(_purchase_helper(world, one, wealth, args) for one in args.helpers)
    return ReadyWealthRoll(wealth, find_reasons(world, args.who, "skill", WEALTH, args), helpers)


def _purchase_helper(
    world: World, typed_helper: PurchaseHelper, wealth: int, args: StatedCircumstances
) -> Helper:
    """Return a helper for a purchase, with the reasons that affect the helper's die (STR-CORE-28).

    `wealth` is the buyer's Wealth. A helper who is one tier poorer has Disadvantage. A richer helper has
    Advantage, however much richer. Raises Refused for a helper who is two or more tiers poorer.
    """
    tier = (
        effective_wealth(world, typed_helper.name).effective
        if typed_helper.wealth is None
        else typed_helper.wealth
    )
    if tier < wealth - 1:
        raise Refused(
            f"{display_name(world, typed_helper.name)} (Wealth {tier}) is too poor to help: "
            f"the buyer has Wealth {wealth}.",
            "A helper may be one tier below the buyer, not two.",
        )
    helper = prepare_helper(world, typed_helper.name, True, WEALTH, args)
    if tier == wealth:
        return helper
    richer = tier > wealth
    reason = Source(ADVANTAGE if richer else DISADVANTAGE, RicherOrPoorer(richer, tier))
    return helper._replace(reasons=(reason, *helper.reasons))


def play_roll(world: World, args: RollWealth) -> Procedure[WealthRollData]:
    """Play `roll wealth`: a Wealth roll that buys nothing."""
    person, price = args.who, args.price
    one = prepare_wealth_roll(world, args)
    wealth, result = one.wealth, (yield from pay_and_roll_if_needed(world, person, price, one))
    came = result.row.get("outcome")
    data: WealthRollData = {"wealth": wealth, "price": price, **result.as_data(), "outcome": came}
    yield wealth_roll_fact(world, person, BareDeal(wealth, price, result.column), result)
    return data


def wealth_roll_fact(
    world: World, person: str, deal: Clause, result: WealthRoll, sets: Mapping[str, object] | None = None
) -> Happen:
    """Return the fact of a Wealth roll, or of a price that needs no roll.

    `deal` is the clause that names the purpose of the roll. `sets` has state changes to record with the fact.
    """
    row = result.row
    came = result.column, row.get("outcome"), row["bonus"], row["costs"], row["flaws"], deal
    if result.roll is None:
        return world.tell(PriceWithoutRoll(person, *came), sets)
    helps = [HelpedToBuy(roll.who, roll, gain) for roll, gain in zip(result.helps, result.gains, strict=True)]
    return world.tell(WealthRolled(person, result.roll, helps, *came), sets)


def column_name(column: str) -> str:
    """Return the name of a column in words, such as "Same Level"."""
    return "Same Level" if column == "same" else column.capitalize()


def outcome_words(row: Mapping[str, object]) -> str:
    """Return in words what a row of the Wealth table gives, such as `Success with a Bonus`."""
    if row["outcome"] is None:
        return "Out of reach"
    words = str(row["outcome"]).capitalize()
    if row["bonus"]:
        return f"{words} with a Bonus"
    if not row["costs"]:
        return words
    one = "a Flaw" if row["flaws"] else "a Cost"
    return f"{words} with {one if row['costs'] == 1 else str(row['costs']) + ' Costs'}"
