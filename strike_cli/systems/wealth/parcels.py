"""Cash parcels gained, spent, invested; getting over Short and Broke (STR-CORE-29, 30)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Happen, Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused, listed
from strike_cli.systems.core.conditions import must_hold, recover_from
from strike_cli.tabletop.people import display_name

from .buy import what_is_bought
from .effective_wealth import cash, counts_once, standing
from .facts import CashGained, CashSpent, Thing, WealthRaised, WithParcel
from .numbers import numbers

if TYPE_CHECKING:
    from .data import CashAddData, CashSpendData, WealthInvestData, WealthRecoverData


class OfRank(Args):
    """A cash parcel of somebody's."""

    who: str
    rank: int


class GainParcel(OfRank):
    """Why, in words."""

    why: str = ""


class SpendParcel(OfRank):
    """What it buys, and the price of that, where below the parcel's rank."""

    what: str = ""
    price: int | None = None


class RecoverWealth(Args):
    """Whether somebody gets over being "short" or "broke", and whether with a parcel."""

    who: str
    condition: str
    parcel: bool = False


def without_parcel(world: World, who: str, rank: int) -> dict[str, object]:
    """Return the change that uses a cash parcel up. Raises Refused where there is none of the rank."""
    held, name = cash(world, who), display_name(world, who)
    if rank not in held:
        have = listed(f"rank {item}" for item in sorted(held))
        raise Refused(f"{name} has no cash parcel of rank {rank}.", f"Parcels of {name}: {have}.")
    left = list(held)
    left.remove(rank)
    return {f"characters.{who}.cash": left}


def spend_parcel(
    world: World, who: str, rank: int, thing: Thing | None = None, back_to: int | None = None
) -> Happen:
    """Use a cash parcel up: it buys a thing, brings a character back to a Wealth, or goes into a pool.

    Raises Refused where there is none of the rank.
    """
    sets = without_parcel(world, who, rank)
    return world.tell(CashSpent(who, rank, thing, back_to), sets)


def play_cash_add(world: World, args: GainParcel) -> Procedure[CashAddData]:
    """`wealth cash add`: loot found, stuff sold."""
    who, rank, ranks = args.who, args.rank, range(len(numbers()["prices"]))
    if rank not in ranks:
        raise Refused(f"No cash parcel has the rank {rank}.", f"Ranks go from {ranks[0]} to {ranks[-1]}.")
    held = [*cash(world, who), rank]
    yield world.tell(CashGained(who, rank, args.why.rstrip(".")), {f"characters.{who}.cash": held})
    return {"who": who, "rank": rank, "cash": held}


def play_cash_spend(world: World, args: SpendParcel) -> Procedure[CashSpendData]:
    """Play `wealth cash spend`: a thing of the parcel's rank or below, without a roll (STR-CORE-30).

    There is no Bonus, either.
    """
    who, rank = args.who, args.rank
    price = rank if args.price is None else args.price
    if price > rank:
        raise Refused(
            f"A cash parcel of rank {rank} buys what costs {rank} or less, not price {price}.",
            f"`strike wealth buy {who} {price}` rolls for it.",
        )
    what = what_is_bought(args.what, price)
    yield spend_parcel(world, who, rank, Thing(args.what, price))
    return {"who": who, "rank": rank, "price": price, "what": what, "got": True, "cash": cash(world, who)}


def play_invest(world: World, args: OfRank) -> Procedure[WealthInvestData]:
    """`wealth invest`: over time a parcel raises Wealth for good, to one below its rank (STR-CORE-30)."""
    who, rank = args.who, args.rank
    wealth, target, name = standing(world, who).wealth, rank - 1, display_name(world, who)
    if target <= wealth:
        top = len(numbers()["ranks"]) - 1
        raise Refused(
            f"A parcel of rank {rank} raises Wealth to {max(target, 0)} at most, and {name} has {wealth}.",
            f"It takes one of rank {wealth + 2} or more." if wealth < top else "No Wealth is higher.",
        )
    sets = {**without_parcel(world, who, rank), f"characters.{who}.wealth": target}
    yield world.tell(WealthRaised(who, rank, target), sets)
    return {"who": who, "rank": rank, "wealth": target, "cash": cash(world, who)}


def play_recover(world: World, args: RecoverWealth) -> Procedure[WealthRecoverData]:
    """`wealth recover`: Short or Broke no longer, by living frugally or with a parcel (STR-CORE-29)."""
    who, condition = args.who, f"core:{args.condition}"
    if args.condition not in numbers()["recovery"]:
        raise Refused(f"Nobody gets over {args.condition!r} with money.", "Short or Broke: one of these.")
    definition = world.book.conditions[condition]
    held = must_hold(world, who, condition)
    after = [item for item in held if item != condition]
    if not counts_once(world.book, definition):
        after += [condition] * (held.count(condition) - 1)
    target = standing(world, who, after).effective
    spent = None
    why: Reason = definition.get("recovery", {}).get("text", "")
    if args.parcel:
        spent = target + numbers()["recovery"][args.condition]
        why = WithParcel(spent)
        yield spend_parcel(world, who, spent, back_to=target)
    left = yield from recover_from(world, who, condition, why)
    return {"who": who, "condition": condition, "left": left, "wealth": target, "parcel": spent}
