"""Pooling: five people of one Wealth buy as one person of the next (STR-CORE-28)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.systems.core.points_tricks_and_fallback import refuse_or_record_attempt_with_intent
from strike_cli.systems.core.roll_circumstances import WEALTH
from strike_cli.tabletop.characters_and_names import display_name

from .buying_and_cash import Buy, parcel_spent_fact, record_roll_and_play_purchase
from .effective_wealth_and_purchase_roll import (
    IMPOSSIBLE,
    column_for_price,
    effective_wealth,
    numbers,
    pay_and_roll_if_needed,
    prepare_wealth_roll,
    ranks_of_cash_parcels,
)
from .facts import PooledPurchase

if TYPE_CHECKING:
    from .data import ParcelGiven, WealthPoolData


class PooledParcel(Args):
    """A cash parcel for a pool. `who` is its owner, or "" if any member may own it."""

    who: str = ""
    rank: int


class Pool(Buy):
    """The arguments of `wealth pool`: the members, and the cash parcels.

    The first member rolls. Each parcel takes the place of a member. The pool buys as somebody whose Wealth is
    1 higher than each member's. Helpers are compared with this higher Wealth.
    """

    who: str = ""
    members: Sequence[str]
    parcels: Sequence[PooledParcel] = ()

    def people(self) -> Iterable[str]:
        """Return the members, the helpers, and the named owners of parcels."""
        return [*super().people(), *self.members, *(parcel.who for parcel in self.parcels)]


def play_pool(world: World, args: Pool) -> Procedure[WealthPoolData]:
    """Play `wealth pool`: people of equal Wealth buy together, with a Wealth of one more (STR-CORE-28).

    Cash parcels can take the place of some people. The parcels are used up even if the roll fails. Raises
    Refused if the pool is incomplete, if the price is out of reach, or if the task was attempted before.
    """
    members, price = args.members, args.price
    if not members:
        raise Refused("Nobody pools.", "Name the members; the first one rolls.")
    roller = members[0]
    yield from refuse_or_record_attempt_with_intent(
        world, roller, args.task or WEALTH, args.intent, args.changed
    )
    own = _require_complete_pool(world, members, args.parcels)
    if column_for_price(own + 1, price) == IMPOSSIBLE:
        raise Refused(
            f"A pool of Wealth {own} buys as Wealth {own + 1}: price {price} is out of reach.",
            f"A cash parcel of rank {price} buys it: `strike help wealth cash spend`.",
        )
    parcels = _parcels_with_owners(world, members, args.parcels)
    one = prepare_wealth_roll(world, args.but(who=roller, wealth=own + 1))
    for person, rank in parcels:
        yield parcel_spent_fact(world, person, rank)
    result = yield from pay_and_roll_if_needed(world, roller, price, one)
    got = result.row["outcome"] == "success"
    deal = PooledPurchase(members, got, args.thing_clause, one.wealth)
    data = yield from record_roll_and_play_purchase(world, args, deal, result, members, one.helpers)
    used: list[ParcelGiven] = [{"who": person, "rank": rank} for person, rank in parcels]
    return {**data, "members": list(members), "parcels": used, "wealth": one.wealth}


def _require_complete_pool(world: World, members: Sequence[str], parcels: Sequence[PooledParcel]) -> int:
    """Return the Wealth that each member of a pool has.

    Raises Refused if the members differ in Wealth, or if the pool has the wrong size. Raises Refused, too, if
    there are too many cash parcels, or if a parcel's rank isn't the members' Wealth.
    """
    rules = numbers()["pool"]
    size, most = rules["size"], rules["parcels"]
    if len(parcels) > most:
        raise Refused(
            f"At most {most} of the {size} in a pool may be cash parcels, and these are {len(parcels)}.",
            f"Find {size - most - len(members)} more of that Wealth."
            if len(members) < size - most
            else "Leave out parcels.",
        )
    tiers = {person: effective_wealth(world, person).effective for person in members}
    own, *others = dict.fromkeys(tiers.values())
    if others:
        shown = listed(f"{display_name(world, person)} {tier}" for person, tier in tiers.items())
        raise Refused(
            f"A pool needs one Wealth, with present reductions; here it is {shown}.",
            "Somebody a tier off can help a buyer: `strike wealth buy WHO PRICE --help-from NAME`.",
        )
    wrong = [str(parcel.rank) for parcel in parcels if parcel.rank != own]
    if wrong:
        raise Refused(
            f"Among Wealth {own} a cash parcel of rank {own} counts as one, not of rank {listed(wrong)}.",
            "Alone, a parcel buys things of its rank: `strike help wealth cash spend`.",
        )
    have = len(members) + len(parcels)
    if have != size:
        parts = f"{len(members)} of Wealth {own} and {len(parcels)} cash parcels of that rank"
        missing = f"{size - have} more" if have < size else f"{have - size} fewer"
        raise Refused(
            f"A pool is {size}; here are {parts}: {missing}.",
            f"Up to {most} of the {size} may be cash parcels of rank {own}: --parcels {own},{own}.",
        )
    return own


def _parcels_with_owners(
    world: World, members: Sequence[str], parcels: Sequence[PooledParcel]
) -> list[tuple[str, int]]:
    """Return the owner and the rank of each parcel in a pool.

    If a parcel names its owner, it comes from that person. Otherwise, it comes from the first member who
    still has a parcel of this rank. Raises Refused if nobody has such a parcel, or if the named owner doesn't
    have one.
    """
    named = [parcel.who for parcel in parcels if parcel.who]
    left = {person: list(ranks_of_cash_parcels(world, person)) for person in (*members, *named)}
    found: list[tuple[str, int]] = []
    for parcel in sorted(parcels, key=lambda parcel: not parcel.who):
        rank = parcel.rank
        person = next(
            (person for person in ([parcel.who] if parcel.who else members) if rank in left[person]), None
        )
        if person is None:
            more = "another" if found else "a"
            whose = f"{display_name(world, parcel.who)} lacks" if parcel.who else "Nobody in the pool has"
            raise Refused(
                f"{whose} {more} cash parcel of rank {rank}.",
                "`strike wealth show WHO` lists parcels; --parcels NAME:RANK uses somebody else's.",
            )
        left[person].remove(rank)
        found.append((person, rank))
    return found
