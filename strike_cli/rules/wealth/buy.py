"""Buying: the roll, the thing or going without, and what it costs (STR-CORE-27, 28)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...problems import Refused, listed
from ..conditions import gain_condition
from ..costs import gain_favor, gain_flaw
from ..matters import Matters, pay
from ..people import display_name, names_of
from ..procedure import Choose, Procedure, World
from ..skill import Helper
from .roll import AUTOMATIC, IMPOSSIBLE, WealthRoll, column_of, ready, roll_words, rolled, wealth_roll
from .standing import Standing, standing

Args = Mapping[str, Any]
SHORT, BROKE = "core:short", "core:broke"
ANY_COST = ("flaw", "short", "favor")
AFTER_A_FLAW = ("short", "favor")
"""What a Cost may be; and the second of two, of which one is a Flaw."""


def play_buy(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`wealth buy`: the roll, then what it costs. Args: those of `ready` (of characters of the campaign, as
    they stand), price, what, seller, costs (Costs decided beforehand, KIND or KIND:WHAT, in order)."""
    who, price, now = args["who"], args["price"], standing(world, args["who"])
    wealth, matters, helpers = ready(world, args)
    name = display_name(world, who)
    lowered = f" at Wealth {wealth} ({_why(now)})" if now.reasons else ""
    if column_of(wealth, price) == IMPOSSIBLE:
        raise Refused(
            f"{name} can't buy {what_is_bought(args)}: for Wealth {wealth}"
            + (f" ({_why(now)})" if now.reasons else "")
            + f" a price of {price} is out of reach.",
            f"A cash parcel of rank {price} buys it (`strike wealth cash spend`); five may pool "
            "(`strike wealth pool`).",
        )
    came = yield from pay_and_roll(world, who, price, wealth, matters, helpers)
    buys = "buys" if came.row["outcome"] == "success" else "tries to buy"
    text = f"{name} {buys} {what_is_bought(args)}{lowered}: {roll_words(world, came)}."
    data = yield from settle(world, args, text, came, [who], [one.name for one in helpers])
    return {**data, "wealth": wealth}


def what_is_bought(args: Args) -> str:
    """The thing as typed, or `something of price 3`."""
    return str(args["what"] or f"something of price {args['price']}")


def _why(now: Standing) -> str:
    return listed(item.reason for item in now.reasons)


def pay_and_roll(
    world: World, who: str, price: int, wealth: int, matters: Matters, helpers: Sequence[Helper]
) -> Procedure[WealthRoll]:
    """The dice, after what the reasons for them cost; where none are needed nothing is paid."""
    if column_of(wealth, price) != AUTOMATIC:
        yield from pay(world, who, matters)
    return (yield from wealth_roll(who, wealth, price, matters.sources, matters.modifiers, helpers))


def settle(
    world: World, args: Args, text: str, came: WealthRoll, buyers: Sequence[str], helpers: Sequence[str]
) -> Procedure[dict[str, Any]]:
    """What a Wealth roll comes to for everybody in it: the thing, or going without, and the Costs."""
    data: dict[str, Any] = {
        "who": buyers[0],
        "price": args["price"],
        "what": what_is_bought(args),
        **came.as_data(),
        "got": came.row["outcome"] == "success",
        "broke_the_bank": False,
        "paid": [],
    }
    yield rolled(world, buyers[0], text, came, data)
    if not data["got"]:
        data["got"] = data["broke_the_bank"] = yield from _bank(world, args, buyers, helpers)
    given = list(args["costs"])
    on = what_is_bought(args) if data["got"] else f"the failed deal for {what_is_bought(args)}"
    for buyer in buyers:
        for number in range(came.row["costs"]):
            kinds = (
                ("flaw",) if number < came.row["flaws"] else AFTER_A_FLAW if came.row["flaws"] else ANY_COST
            )
            data["paid"].append((yield from _cost(world, args, buyer, kinds, on, given)))
    for helper in helpers if came.row["costs"] else ():
        data["paid"].append((yield from _cost(world, args, helper, ANY_COST, on, given)))
    return data


def _bank(world: World, args: Args, buyers: Sequence[str], helpers: Sequence[str]) -> Procedure[bool]:
    """On a Twist: go without, or break the bank (STR-CORE-27): then the buyers are Broke, and whoever helped
    is Short (STR-CORE-28). Returns whether they get it."""
    what, names = what_is_bought(args), names_of(world, buyers)
    taken = yield Choose(
        buyers[0],
        "break the bank",
        ("go-without", "break-the-bank"),
        (f"leave {what}", f"get {what} and be Broke" + (", each helper Short" if helpers else "")),
    )
    one = len(buyers) == 1
    if taken == "go-without":
        yield world.happen("went-without", buyers[0], f"{names} {'goes' if one else 'go'} without {what}.")
        return False
    text = f"{names} {'breaks' if one else 'break'} the bank and {'gets' if one else 'get'} {what}."
    yield world.happen("bank-broken", buyers[0], text)
    for buyer in buyers:
        yield from gain_condition(world, buyer, BROKE, f"for {what}")
    for helper in helpers:
        yield from gain_condition(world, helper, SHORT, f"helping {names} break the bank")
    return True


def _cost(
    world: World, args: Args, payer: str, kinds: tuple[str, ...], on: str, given: list[str]
) -> Procedure[dict[str, str]]:
    """One Cost of a purchase, of a kind that the table leaves open (STR-CORE-27).

    `given` are those decided beforehand, taken off as they are used. A Flaw that the table demands takes
    the next of them only where that is a Flaw.
    """
    what, seller = what_is_bought(args), args["seller"] or "the seller"
    kind = detail = ""
    if given and (len(kinds) > 1 or given[0].partition(":")[0] == kinds[0]):
        kind, _, detail = given.pop(0).partition(":")
        if kind not in kinds:
            raise Refused(
                f"{kind!r} can't be this Cost: one of the two is a Flaw already.", f"One of: {listed(kinds)}."
            )
    elif len(kinds) > 1:
        labels = {
            "flaw": f"a Flaw on {on}",
            "short": "one Wealth less until a frugal week is over",
            "favor": f"a Favor owed to {seller}",
        }
        kind = yield Choose(payer, "cost", kinds, tuple(labels[word] for word in kinds))
    if kind == "favor":
        yield from gain_favor(world, payer, detail or seller, f"for {what}")
    elif kind == "short":
        yield from gain_condition(world, payer, SHORT, f"for {what}")
    else:
        kind = "flaw"
        yield from gain_flaw(world, payer, on, detail)
    return {"who": payer, "kind": kind}
