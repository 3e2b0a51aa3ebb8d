"""Buying: the roll, the thing or going without, and what it costs (STR-CORE-27, 28)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.systems.core.circumstances import WEALTH, Attempt
from strike_cli.systems.core.conditions import gain_condition, regain_confidence
from strike_cli.systems.core.costs import gain_favor, gain_flaw, next_flaw
from strike_cli.systems.core.fun_once import fun_once
from strike_cli.systems.core.points import may_fall_back
from strike_cli.systems.core.skill import Helper, offer_fallback
from strike_cli.tabletop.people import display_name, names_of

from .roll import IMPOSSIBLE, Priced, WealthRoll, column_of, pay_and_roll, ready, roll_words, rolled
from .standing import Standing, standing

SHORT, BROKE = "core:short", "core:broke"
ANY_COST = ("flaw", "short", "favor")
AFTER_A_FLAW = ("short", "favor")
"""What a Cost may be; and the second of two, of which one is a Flaw."""


class Buy(Priced, Attempt):
    """What is bought, from whom (a Favor would be owed to them), and the Costs decided beforehand, in order:
    KIND or KIND:WHAT."""

    what: str = ""
    seller: str = ""
    costs: Sequence[str] = ()

    def rests_on(self) -> Iterable[str]:
        """What is owed to whom they ask, and what was tried."""
        return [*super().rests_on(), *self.tries(WEALTH)]

    @property
    def thing(self) -> str:
        """What is bought, in words."""
        return what_is_bought(self.what, self.price)


def play_buy(world: World, args: Buy) -> Procedure[dict[str, Any]]:
    """`wealth buy`: the roll, then what it costs."""
    who, price, now = args.who, args.price, standing(world, args.who)
    yield from fun_once(world, who, args.task or WEALTH, args.intent, args.changed)
    one = ready(world, args)
    wealth = one.wealth
    name = display_name(world, who)
    lowered = f" at Wealth {wealth} ({_why(now)})" if now.reasons else ""
    if column_of(wealth, price) == IMPOSSIBLE:
        raise Refused(
            f"{name} can't buy {args.thing}: for Wealth {wealth}"
            + (f" ({_why(now)})" if now.reasons else "")
            + f" a price of {price} is out of reach.",
            f"A cash parcel of rank {price} buys it (`strike wealth cash spend`); five may pool "
            "(`strike wealth pool`).",
        )
    result = yield from pay_and_roll(world, who, price, one)
    buys = "buys" if result.row["outcome"] == "success" else "tries to buy"
    text = f"{name} {buys} {args.thing}{lowered}: {roll_words(world, result)}."
    data = yield from settle(world, args, text, result, [who], one.helpers)
    return {**data, "wealth": wealth}


def what_is_bought(what: str, price: int) -> str:
    """The thing as typed, or `something of price 3`."""
    return what or f"something of price {price}"


def _why(now: Standing) -> str:
    return listed(str(item.reason) for item in now.reasons)


def settle(
    world: World, args: Buy, text: str, result: WealthRoll, buyers: Sequence[str], helped: Sequence[Helper]
) -> Procedure[dict[str, Any]]:
    """What a Wealth roll comes to for everybody in it: the thing, or going without, and the Costs. A Fallback
    of the first buyer, who rolled, may turn a Twist (STR-CORE-31)."""
    who, what, row = buyers[0], args.thing, result.row
    helpers = [one.name for one in helped if one.name in world.book.characters]
    data: dict[str, Any] = {
        "who": who,
        "price": args.price,
        "what": what,
        **result.as_data(),
        "got": row["outcome"] == "success",
        "broke_the_bank": False,
        "paid": [],
    }
    last = {"move": "wealth buy", "skill": WEALTH, "what": what}
    last |= {key: data[key] for key in ("outcome", "costs")}
    yield rolled(world, who, text, result, data, {f"characters.{who}.last_roll": last} if result.roll else {})
    if data["outcome"] == "twist" and may_fall_back(world, who):
        yield from offer_fallback(world, data)
        data["got"] = data["outcome"] == "success"
    if data["got"]:
        yield from regain_confidence(world, who, WEALTH)
    else:
        data["got"] = data["broke_the_bank"] = yield from _bank(world, what, buyers, helpers)
    bill = _Bill(args, who, what if data["got"] else f"the failed deal for {what}", failed=not data["got"])
    for buyer in buyers:
        for number in range(row["costs"]):
            kinds = ("flaw",) if number < row["flaws"] else AFTER_A_FLAW if row["flaws"] else ANY_COST
            yield from bill.cost(world, buyer, kinds)
    for helper in helpers if row["costs"] else ():
        yield from bill.cost(world, helper, ANY_COST)
    data["paid"] = bill.paid
    return data


def _bank(world: World, what: str, buyers: Sequence[str], helpers: Sequence[str]) -> Procedure[bool]:
    """On a Twist: go without, or break the bank (STR-CORE-27): then the buyers are Broke, and whoever helped
    is Short (STR-CORE-28). Returns whether they get it."""
    names = names_of(world, buyers)
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
    # There is nothing left for a Fallback to turn.
    yield world.happen("bank-broken", buyers[0], text, {f"characters.{buyers[0]}.last_roll.got": True})
    for buyer in buyers:
        yield from gain_condition(world, buyer, BROKE, f"for {what}")
    for helper in helpers:
        yield from gain_condition(world, helper, SHORT, f"helping {names} break the bank")
    return True


class _Bill:
    """The Costs of a purchase, one after the other: those `given` beforehand, taken off as they are used,
    what Flaws are `on`, and whom a Favor is owed to: one party binds everybody (STR-CORE-20)."""

    def __init__(self, args: Buy, roller: str, on: str, failed: bool) -> None:
        self.roller = roller
        self.failed = failed
        """Whether they went without: then a Fallback, used later, needs to know the Flaws."""
        self.what = args.thing
        self.given = list(args.costs)
        self.on = on
        self.owed_to = args.seller or "the seller"
        self.paid: list[dict[str, str]] = []
        self.flaws: list[list[str]] = []
        """Whose each Flaw is, and its id."""

    def cost(self, world: World, payer: str, kinds: tuple[str, ...]) -> Procedure[None]:
        """One Cost, of a kind that the table leaves open (STR-CORE-27)."""
        kind, detail = yield from self._decided(payer, kinds)
        if kind == "favor":
            self.owed_to = detail or self.owed_to
            yield from gain_favor(world, payer, self.owed_to, f"for {self.what}")
        elif kind == "short":
            yield from gain_condition(world, payer, SHORT, f"for {self.what}")
        else:
            self.flaws.append([payer, next_flaw(world, payer)])
            known = {f"characters.{self.roller}.last_roll.flaws": list(self.flaws)} if self.failed else None
            yield from gain_flaw(world, payer, self.on, detail, known)
        self.paid.append({"who": payer, "kind": kind})

    def _decided(self, payer: str, kinds: tuple[str, ...]) -> Procedure[tuple[str, str]]:
        """The kind, and what was said about it. A Flaw that the table demands takes the next of those given
        only where that is a Flaw."""
        if self.given and (len(kinds) > 1 or self.given[0].partition(":")[0] == kinds[0]):
            kind, _, detail = self.given.pop(0).partition(":")
            if kind not in kinds:
                raise Refused(
                    f"{kind!r} can't be this Cost: one of the two is a Flaw already.",
                    f"One of: {listed(kinds)}.",
                )
            return kind, detail
        if len(kinds) == 1:
            return kinds[0], ""
        labels = {
            "flaw": f"a Flaw on {self.on}",
            "short": "one Wealth less until a frugal week is over",
            "favor": f"a Favor owed to {self.owed_to}",
        }
        return (yield Choose(payer, "cost", kinds, tuple(labels[word] for word in kinds))), ""


def deal_saved(world: World, last: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """A Fallback turned the Twist of a purchase when they had gone without (STR-CORE-31): they get the thing,
    and the Flaws of the failed deal are on it. `last` is what was kept of the roll."""
    for who, id_ in last.get("flaws", ()):
        held = world.get(f"characters.{who}.flaws", [])
        moved = [{**flaw, "on": last["what"]} if flaw["id"] == id_ else flaw for flaw in held]
        if moved != held:
            text = f"The Flaw of {display_name(world, who)} is on {last['what']} now ({id_})."
            yield world.happen("flaw-moved", who, text, {f"characters.{who}.flaws": moved})
    return {"got": True}
