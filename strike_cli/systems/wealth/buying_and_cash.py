"""Buying (STR-CORE-27 to 30), cash parcels, and recovery from Short and Broke."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Args, Choose, Happen, Procedure, World
from strike_cli.kernel.statements import OTHER, Clause, Reason
from strike_cli.problems import Refused, listed
from strike_cli.systems.core.conditions import (
    end_condition_by_recovery,
    gain_escalate_or_keep_condition,
    recover_from_conditions_with_doubts,
    require_condition_among_held,
)
from strike_cli.systems.core.facts.costs import CostInWords, Flaw, FlawMoved
from strike_cli.systems.core.flaws_and_favors import cost_decider, gain_favor, gain_flaw, next_flaw_id
from strike_cli.systems.core.points_tricks_and_fallback import (
    has_unused_fallback,
    refuse_or_record_attempt_with_intent,
)
from strike_cli.systems.core.roll_circumstances import WEALTH, Attempt
from strike_cli.systems.core.skill_roll import Helper, offer_fallback_known_to_be_unused
from strike_cli.tabletop.characters_and_names import character_changes_of, display_name, reason_words

from .effective_wealth_and_purchase_roll import (
    IMPOSSIBLE,
    PricedRoll,
    WealthRoll,
    column_for_price,
    effective_wealth,
    lowers_wealth_once,
    numbers,
    pay_and_roll_if_needed,
    prepare_wealth_roll,
    ranks_of_cash_parcels,
    wealth_roll_fact,
)
from .facts import (
    BankBroken,
    BreakTheBank,
    CashGained,
    CashSpent,
    ForThing,
    HelpingBreak,
    PriceToPay,
    Purchase,
    Thing,
    WealthRaised,
    WentWithout,
    WithParcel,
)

if TYPE_CHECKING:
    from strike_cli.tabletop.data import FlawKept

    from .data import (
        CashAddData,
        CashSpendData,
        CostPaid,
        DealKept,
        DealSaved,
        WealthBuyData,
        WealthInvestData,
        WealthRecoverData,
    )


SHORT, BROKE = "core:short", "core:broke"
ANY_COST = ("flaw", "short", "favor")
AFTER_A_FLAW = ("short", "favor")
"""The kinds of Cost that a purchase may have (ANY_COST), and those that are left if one Cost is a Flaw."""


class Buy(PricedRoll, Attempt):
    """The arguments of `wealth buy`: the thing to buy (`what`), the `seller`, and Costs.

    If a Cost is paid with a Favor, the Favor is owed to the seller. `costs` has the Costs that were decided
    before the roll, in the order of their use. Each is written as KIND or KIND:WHAT.
    """

    what: str = ""
    seller: str = ""
    costs: Sequence[str] = ()

    def rests_on(self) -> Iterable[str]:
        """Return the dependency keys of a purchase: for Favors, and for earlier attempts at this purchase.

        The key for Favors concerns those owed to the person who is asked. There is none if nobody is asked.
        There are no keys for attempts if the purchase has no intent.
        """
        return [*super().rests_on(), *self.attempt_dependency_keys(WEALTH)]

    @property
    def thing_words(self) -> str:
        """The thing to buy, in words."""
        return typed_thing_or_price_words(self.what, self.price)

    @property
    def thing_clause(self) -> Thing:
        """The thing to buy, as a clause for facts."""
        return Thing(self.what, self.price)


def play_buy(world: World, args: Buy) -> Procedure[WealthBuyData]:
    """Play `wealth buy`: make the roll, if the price needs one, and then take its Costs.

    Raises Refused if the price is out of reach. Raises Refused also if this purchase was attempted before and
    nothing has changed.
    """
    person, price, now = args.who, args.price, effective_wealth(world, args.who)
    yield from refuse_or_record_attempt_with_intent(
        world, person, args.task or WEALTH, args.intent, args.changed
    )
    one = prepare_wealth_roll(world, args)
    wealth = one.wealth
    name = display_name(world, person)
    if column_for_price(wealth, price) == IMPOSSIBLE:
        raise Refused(
            f"{name} can't buy {args.thing_words}: for Wealth {wealth}"
            + (
                f" ({listed(reason_words(world, item.reason) for item in now.reasons)})"
                if now.reasons
                else ""
            )
            + f" a price of {price} is out of reach.",
            f"A cash parcel of rank {price} buys it (`strike help wealth cash spend`); five may "
            "pool (`strike help wealth pool`).",
        )
    result = yield from pay_and_roll_if_needed(world, person, price, one)
    got = result.row["outcome"] == "success"
    deal = Purchase(person, got, args.thing_clause, wealth, [item.reason for item in now.reasons])
    data = yield from record_roll_and_play_purchase(world, args, deal, result, [person], one.helpers)
    return {**data, "wealth": wealth}


def typed_thing_or_price_words(what: str, price: int) -> str:
    """Return the thing to buy in words: the typed `what`, or `something of price 3` without one."""
    return what or f"something of price {price}"


def record_roll_and_play_purchase(
    world: World,
    args: Buy,
    deal: Clause,
    result: WealthRoll,
    buyers: Sequence[str],
    all_helpers: Sequence[Helper],
) -> Procedure[WealthBuyData]:
    """Record a Wealth roll, play its consequences, and return the result of the purchase.

    The buyers get the thing or go without it, and the Costs are paid. `buyers[0]` is the roller, who may turn
    a Twist into a Success by the Fallback (STR-CORE-31). `deal` is the clause that names the purpose of the
    roll.
    """
    person, what, row = buyers[0], args.thing_words, result.row
    helpers = [one.name for one in all_helpers if one.name in world.book.characters]
    dealt = {"who": person, "price": args.price, "what": what, **result.as_data(), "outcome": row["outcome"]}
    ends = {"got": row["outcome"] == "success", "broke_the_bank": False, "paid": []}
    data = cast("WealthBuyData", {**dealt, **ends})
    came = {"outcome": data["outcome"], "costs": data["costs"]}
    last = {"move": "wealth buy", "skill": WEALTH, "what": what, **came}
    yield wealth_roll_fact(
        world, person, deal, result, {f"characters.{person}.last_roll": last} if result.roll else {}
    )
    if data["outcome"] == "twist" and has_unused_fallback(world, person):
        yield from offer_fallback_known_to_be_unused(world, data)
        data["got"] = data["outcome"] == "success"
    if data["got"]:
        yield from recover_from_conditions_with_doubts(world, person, WEALTH)
    else:
        data["got"] = data["broke_the_bank"] = yield from _offer_and_play_breaking_bank(
            world, args.thing_clause, buyers, helpers
        )
    bill = _Bill(args, buyers, what if data["got"] else f"the failed deal for {what}", failed=not data["got"])
    for buyer in buyers:
        for number in range(row["costs"]):
            kinds = ("flaw",) if number < row["flaws"] else AFTER_A_FLAW if row["flaws"] else ANY_COST
            yield from bill.choose_and_pay_cost(world, buyer, kinds)
    for helper in helpers if row["costs"] else ():
        yield from bill.choose_and_pay_cost(world, helper, ANY_COST)
    data["paid"] = bill.paid
    return data


def _offer_and_play_breaking_bank(
    world: World, thing: Thing, buyers: Sequence[str], helpers: Sequence[str]
) -> Procedure[bool]:
    """Ask, after a Twist, whether the buyers break the bank; return True if they do.

    If they do, the buyers become Broke, and their helpers become Short (STR-CORE-27, 28). If they don't, the
    buyers go without the thing.
    """
    person, about = buyers[0], BreakTheBank(buyers[0], buyers, thing, bool(helpers))
    taken = yield Choose(person, "break the bank", ("go-without", "break-the-bank"), about=about)
    if taken == "go-without":
        yield world.tell(WentWithout(person, buyers, thing))
        return False
    # A Fallback can no longer turn this Twist.
    yield world.tell(BankBroken(person, buyers, thing), {f"characters.{person}.last_roll.got": True})
    for buyer in buyers:
        yield from gain_escalate_or_keep_condition(world, buyer, BROKE, ForThing(thing))
    for helper in helpers:
        yield from gain_escalate_or_keep_condition(world, helper, SHORT, HelpingBreak(buyers))
    return True


class _Bill:
    """The Costs of one purchase, paid one by one.

    `given` has the Costs decided beforehand; each is removed once it is used. `on` is the thing that gets the
    Flaws. `owed_to` is the creditor to whom all Favors are owed (STR-CORE-20).
    """

    def __init__(self, args: Buy, buyers: Sequence[str], on: str, failed: bool) -> None:
        self.roller, self.buyers = buyers[0], buyers
        self.failed = failed
        """Whether the buyers went without. Then a later Fallback needs to know the Flaws."""
        self.what, self.thing = args.thing_words, args.thing_clause
        self.given = list(args.costs)
        self.on = on
        self.owed_to = args.seller or "the seller"
        self.paid: list[CostPaid] = []
        self.flaws: list[list[str]] = []
        """The owner and the id of each Flaw."""

    def choose_and_pay_cost(self, world: World, payer: str, kinds: tuple[str, ...]) -> Procedure[None]:
        """Let `payer` pay one Cost, which must be of one of these `kinds` (STR-CORE-27)."""
        kind, detail = yield from self._take_or_ask_next_cost(world, payer, kinds)
        if kind == "favor":
            self.owed_to = detail or self.owed_to
            yield from gain_favor(world, payer, self.owed_to, f"for {self.what}")
        elif kind == OTHER:
            yield world.tell(CostInWords(payer, detail))
        elif kind == "short":
            yield from gain_escalate_or_keep_condition(world, payer, SHORT, ForThing(self.thing))
        else:
            self.flaws.append([payer, next_flaw_id(world, payer)])
            known = {f"characters.{self.roller}.last_roll.flaws": list(self.flaws)} if self.failed else None
            yield from gain_flaw(world, payer, self.on, detail, known)
        self.paid.append({"who": payer, "kind": kind})

    def _take_or_ask_next_cost(
        self, world: World, payer: str, kinds: tuple[str, ...]
    ) -> Procedure[tuple[str, str]]:
        """Return the kind and the details of the next Cost of a purchase.

        `kinds` are the allowed kinds. If several kinds are allowed, the next Cost that was chosen before the
        roll is used. If there is none, somebody is asked to choose a kind.

        If only one kind is allowed, nobody is asked. The next Cost chosen before the roll is used if it has
        this kind. Otherwise the Cost has this kind, and no details.

        Raises Refused if a Cost chosen before the roll has a kind that isn't allowed.
        """
        if self.given and (len(kinds) > 1 or self.given[0].partition(":")[0] == kinds[0]):
            kind, _, detail = self.given.pop(0).partition(":")
            if kind not in (*kinds, OTHER):
                raise Refused(
                    f"{kind!r} can't be this Cost: one of the two is a Flaw already.",
                    f"One of: {listed(kinds)}.",
                )
            return kind, detail
        if len(kinds) == 1:
            return kinds[0], ""
        about = PriceToPay(payer, self.thing, self.on, self.owed_to, payer not in self.buyers)
        kind, _, detail = (
            yield Choose(payer, "cost", (*kinds, OTHER), about=about, decides=cost_decider(world))
        ).partition(": ")
        return kind, detail


def move_flaws_to_saved_purchase(world: World, failed_deal: DealKept) -> Procedure[DealSaved]:
    """Play the effect of a Fallback on a failed purchase: the buyers get the thing after all.

    `failed_deal` is the record of that purchase. Its Flaws move to the thing (STR-CORE-31).
    """
    for person, id_ in failed_deal.get("flaws", ()):
        held = character_changes_of(world, person).get("flaws", [])
        moved: list[FlawKept] = [
            {**flaw, "on": failed_deal["what"]} if flaw["id"] == id_ else flaw for flaw in held
        ]
        if moved != held:
            flaw = next(flaw for flaw in moved if flaw["id"] == id_)
            yield world.tell(FlawMoved(person, Flaw.from_json(flaw)), {f"characters.{person}.flaws": moved})
    return {"got": True}


class CashParcel(Args):
    """The arguments of `wealth invest`: the owner of a cash parcel (`who`), and the parcel's `rank`.

    The arguments of other commands about a cash parcel are subclasses of this class.
    """

    who: str
    rank: int


class GainParcel(CashParcel):
    """The arguments of `wealth cash add`: a cash parcel, and its origin in words (`why`)."""

    why: str = ""


class SpendParcel(CashParcel):
    """The arguments of `wealth cash spend`: the parcel, and the thing that it buys.

    `price` is the price of the thing; None stands for the parcel's rank.
    """

    what: str = ""
    price: int | None = None


class RecoverWealth(Args):
    """The arguments of `wealth recover`: the Condition to end, "short" or "broke".

    `parcel` is true if a cash parcel is spent for it.
    """

    who: str
    condition: str
    parcel: bool = False


def changes_removing_parcel(world: World, person: str, rank: int) -> dict[str, object]:
    """Return the state change that removes a cash parcel of this rank.

    Raises Refused if the person has no such parcel.
    """
    held, name = ranks_of_cash_parcels(world, person), display_name(world, person)
    if rank not in held:
        have = listed(f"rank {item}" for item in sorted(held))
        raise Refused(f"{name} has no cash parcel of rank {rank}.", f"Parcels of {name}: {have}.")
    left = list(held)
    left.remove(rank)
    return {f"characters.{person}.cash": left}


def parcel_spent_fact(
    world: World, person: str, rank: int, thing: Thing | None = None, regained_wealth: int | None = None
) -> Happen:
    """Return the fact of spending a cash parcel, with the state change that removes the parcel.

    The parcel pays for a `thing`, or raises Wealth back to `regained_wealth`. If both are None, it goes into
    a pool. Raises Refused if the person has no parcel of this rank.
    """
    sets = changes_removing_parcel(world, person, rank)
    return world.tell(CashSpent(person, rank, thing, regained_wealth), sets)


def play_cash_add(world: World, args: GainParcel) -> Procedure[CashAddData]:
    """Play `wealth cash add`: gain a cash parcel, for instance loot. Raises Refused for an unknown rank."""
    person, rank, ranks = args.who, args.rank, range(len(numbers()["prices"]))
    if rank not in ranks:
        raise Refused(f"No cash parcel has the rank {rank}.", f"Ranks go from {ranks[0]} to {ranks[-1]}.")
    held = [*ranks_of_cash_parcels(world, person), rank]
    yield world.tell(CashGained(person, rank, args.why.rstrip(".")), {f"characters.{person}.cash": held})
    return {"who": person, "rank": rank, "cash": held}


def play_cash_spend(world: World, args: SpendParcel) -> Procedure[CashSpendData]:
    """Play `wealth cash spend`: pay with a cash parcel, without a roll (STR-CORE-30).

    Raises Refused if the price is above the parcel's rank, or if the person has no parcel of this rank.
    """
    person, rank = args.who, args.rank
    price = rank if args.price is None else args.price
    if price > rank:
        raise Refused(
            f"A cash parcel of rank {rank} buys things of price {rank} or less, not {price}.",
            f"`strike wealth buy {person} {price}` rolls for it.",
        )
    what = typed_thing_or_price_words(args.what, price)
    yield parcel_spent_fact(world, person, rank, Thing(args.what, price))
    return {
        "who": person,
        "rank": rank,
        "price": price,
        "what": what,
        "got": True,
        "cash": ranks_of_cash_parcels(world, person),
    }


def play_invest(world: World, args: CashParcel) -> Procedure[WealthInvestData]:
    """Play `wealth invest`: a cash parcel raises Wealth for good (STR-CORE-30).

    The new Wealth is one less than the parcel's rank. Raises Refused if this isn't higher than the present
    Wealth, or if there is no such parcel.
    """
    person, rank = args.who, args.rank
    wealth, target, name = effective_wealth(world, person).wealth, rank - 1, display_name(world, person)
    if target <= wealth:
        top = len(numbers()["ranks"]) - 1
        raise Refused(
            f"A parcel of rank {rank} raises Wealth to {max(target, 0)} at most, and {name} has {wealth}.",
            f"It takes one of rank {wealth + 2} or more." if wealth < top else "No Wealth is higher.",
        )
    sets = {**changes_removing_parcel(world, person, rank), f"characters.{person}.wealth": target}
    yield world.tell(WealthRaised(person, rank, target), sets)
    return {"who": person, "rank": rank, "wealth": target, "cash": ranks_of_cash_parcels(world, person)}


def play_recover(world: World, args: RecoverWealth) -> Procedure[WealthRecoverData]:
    """Play `wealth recover`: end the Condition Short, or one instance of Broke (STR-CORE-29).

    If `args.parcel` is true, a cash parcel is spent. Otherwise the character has lived frugally. Raises
    Refused if the character doesn't have the Condition or the parcel, or if money doesn't end the Condition.
    """
    person, condition = args.who, f"core:{args.condition}"
    if args.condition not in numbers()["recovery"]:
        raise Refused(f"Money doesn't end {args.condition!r}.", "Name Short or Broke.")
    definition = world.book.conditions[condition]
    held = require_condition_among_held(world, person, condition)
    after = [item for item in held if item != condition]
    if not lowers_wealth_once(world.book, definition):
        after += [condition] * (held.count(condition) - 1)
    target = effective_wealth(world, person, after).effective
    spent = None
    why: Reason = definition.get("recovery", {}).get("text", "")
    if args.parcel:
        spent = target + numbers()["recovery"][args.condition]
        why = WithParcel(spent)
        yield parcel_spent_fact(world, person, spent, regained_wealth=target)
    left = yield from end_condition_by_recovery(world, person, condition, why)
    return {"who": person, "condition": condition, "left": left, "wealth": target, "parcel": spent}
