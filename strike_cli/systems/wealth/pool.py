"""Pooling: five of one Wealth buy as one of the next (STR-CORE-28)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.systems.core.circumstances import WEALTH
from strike_cli.systems.core.fun_once import fun_once
from strike_cli.tabletop.people import display_name, names_of

from .buy import settle, what_is_bought
from .numbers import numbers
from .parcels import without_parcel
from .roll import IMPOSSIBLE, column_of, pay_and_roll, ready, roll_words
from .standing import cash, standing

Args = Mapping[str, Any]


def play_pool(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`wealth pool`: five of one Wealth buy as one of the next (STR-CORE-28).

    Args: members (the first rolls), parcels [{who or "", rank}], price, what, seller, costs, and what
    `what_matters` takes; optional: helpers [{name}], next to the Wealth that the pool buys as, and what
    `fun_once` takes. The parcels are used up whatever the roll comes to (a ruling).
    """
    members, price = args["members"], args["price"]
    task = args.get("task") or WEALTH
    yield from fun_once(world, members[0], task, args.get("intent", ""), args.get("changed", ""))
    own = _pooled(world, members, args["parcels"])
    if column_of(own + 1, price) == IMPOSSIBLE:
        raise Refused(
            f"A pool of Wealth {own} buys as Wealth {own + 1}: price {price} is out of reach.",
            f"A cash parcel of rank {price} buys it: `strike wealth cash spend`.",
        )
    parcels = _owners(world, members, args["parcels"])
    of_pool = {"helpers": (), **args, "who": members[0], "wealth": own + 1}
    wealth, matters, helpers = ready(world, of_pool)
    for parcel in parcels:
        why = f"puts a cash parcel of rank {parcel['rank']} into the pool"
        yield without_parcel(world, parcel["who"], parcel["rank"], why)
    came = yield from pay_and_roll(world, members[0], price, wealth, matters, helpers)
    buys = "buy" if came.row["outcome"] == "success" else "try to buy"
    names = names_of(world, members)
    text = f"{names} pool and {buys} {what_is_bought(args)} as Wealth {wealth}: {roll_words(world, came)}."
    data = yield from settle(world, args, text, came, members, helpers)
    return {**data, "members": list(members), "parcels": parcels, "wealth": wealth}


def _pooled(world: World, members: Sequence[str], parcels: Sequence[Mapping[str, Any]]) -> int:
    """The Wealth that everybody in a pool has. Raises Refused, saying what is missing for a pool."""
    rules = numbers()["pool"]
    size, most = rules["size"], rules["parcels"]
    if len(parcels) > most:
        raise Refused(
            f"At most {most} of the {size} in a pool may be cash parcels, and these are {len(parcels)}.",
            f"Find {size - most - len(members)} more of that Wealth."
            if len(members) < size - most
            else "Leave parcels out.",
        )
    tiers = {who: standing(world, who).effective for who in members}
    own = tiers[members[0]]
    if set(tiers.values()) != {own}:
        shown = listed(f"{display_name(world, who)} {tier}" for who, tier in tiers.items())
        raise Refused(
            f"A pool is of one Wealth, as it counts now; here it is {shown}.",
            "Who is a tier off can help a buyer: `strike wealth buy --help-from`.",
        )
    wrong = [str(parcel["rank"]) for parcel in parcels if parcel["rank"] != own]
    if wrong:
        raise Refused(
            f"Among Wealth {own} a cash parcel of rank {own} counts as one, not of rank {listed(wrong)}.",
            "By itself a parcel buys what is of its rank: `strike wealth cash spend`.",
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


def _owners(
    world: World, members: Sequence[str], parcels: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Whose parcels go into a pool: those named, else the first of the members who has one."""
    left = {
        who: list(cash(world, who)) for who in (*members, *(item["who"] for item in parcels if item["who"]))
    }
    found: list[dict[str, Any]] = []
    for item in sorted(parcels, key=lambda item: not item["who"]):
        rank = item["rank"]
        who = next((who for who in ([item["who"]] if item["who"] else members) if rank in left[who]), None)
        if who is None:
            more = "another" if found else "a"
            whose = f"{display_name(world, item['who'])} lacks" if item["who"] else "Nobody in the pool has"
            raise Refused(
                f"{whose} {more} cash parcel of rank {rank}.",
                "`strike wealth show WHO` lists parcels; --parcels NAME:RANK takes somebody else's.",
            )
        left[who].remove(rank)
        found.append({"who": who, "rank": rank})
    return found
