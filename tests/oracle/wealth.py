"""Buying with Wealth, as the rules put it. Nothing here knows the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .core import (
    BONUS,
    COST,
    NOTHING,
    SUCCESS,
    TWIST,
    TWIST_COST,
    TWO_COSTS,
    Help,
    Person,
    Result,
    Rolled,
    Task,
    Weight,
    bears,
    clamp,
    fall_back,
    help_with,
    roll,
)
from .dice import Decisions, Dice

# STR-CORE-27; TWIST_COST is the Twist with a Flaw.
TABLE = {
    "cheap": {6: BONUS, 5: BONUS, 4: SUCCESS, 3: SUCCESS, 2: COST, 1: TWO_COSTS},
    "same": {6: BONUS, 5: SUCCESS, 4: COST, 3: TWO_COSTS, 2: TWIST, 1: TWIST_COST},
    "expensive": {6: SUCCESS, 5: COST, 4: TWO_COSTS, 3: TWIST, 2: TWIST_COST, 1: TWIST_COST},
}
BUYING = Task("Wealth")


def effective(person: Person) -> int:
    """STR-CORE-29: Short takes 1 however many there are, each Broke 1 more, and never below 0."""
    short = "short" in person.conditions
    return max(0, person.wealth - short - person.conditions.count("broke"))


def column(price: int, wealth: int) -> str:
    """STR-CORE-27: the price less the Wealth that counts."""
    above = price - wealth
    if above <= -2:
        return "automatic"
    if above >= 2:
        return "impossible"
    return {-1: "cheap", 0: "same", 1: "expensive"}[above]


def tier_weight(buyer: int, helper: int) -> Weight | None:
    """STR-CORE-28: Disadvantage a tier below the buyer, Advantage a tier above; two below is None."""
    if buyer - helper >= 2:
        return None
    return Weight(int(helper > buyer), int(helper < buyer), 0)


@dataclass
class Purchase:
    """Something to be bought, by whom and with whose help; by a pool, as its Wealth."""

    buyer: Person
    price: int
    helpers: list[Person] = field(default_factory=list)
    more: Weight = NOTHING
    pool: tuple[Person, ...] = ()  # all who pool, the buyer among them
    pooled: int = 0  # the Wealth as which they roll


class Bought(NamedTuple):
    """What buying came to. `flaw_sure`: of the Costs one is a Flaw whatever is chosen."""

    column: str
    rolled: Rolled | None
    helpers: list[Help]
    total: int | None
    result: Result
    flaw_sure: bool
    fell_back: bool
    broke_the_bank: bool
    got: bool
    owing: list[str]


def buy(position: Purchase, dice: Dice, decide: Decisions) -> Bought:
    """STR-CORE-26 to 29, 20, 31: automatic, impossible, or a roll on the table."""
    buyer = position.buyer
    wealth = position.pooled if position.pool else effective(buyer)
    where = column(position.price, wealth)
    members = [one.name for one in position.pool] or [buyer.name]
    if where in ("automatic", "impossible"):
        got = where == "automatic"
        return Bought(where, None, [], None, SUCCESS if got else TWIST, False, False, False, got, [])
    rolled = roll(dice, bears(buyer, BUYING).plus(position.more))
    helping = []
    for one in position.helpers:
        weight = tier_weight(wealth, effective(one))
        assert weight is not None, "two tiers above nobody can help"
        helping.append((one.name, roll(dice, bears(one, BUYING).plus(weight))))
    total, helpers = help_with(rolled.total, helping)
    result = TABLE[where][clamp(total)]
    fell_back = (
        result.outcome == "twist" and buyer.fallback and decide.take("fallback", ["use", "keep"]) == "use"
    )
    if fell_back:
        result = fall_back(result)
    broke = (
        result.outcome == "twist" and decide.take("bank", ["go-without", "break-the-bank"]) != "go-without"
    )
    flaw_sure = result.costs == 2 or (result.costs == 1 and TABLE[where][clamp(total)] is TWIST_COST)
    owing = members * result.costs + [one.name for one in helpers if result.costs]
    got = result.outcome == "success" or broke
    return Bought(where, rolled, helpers, total, result, flaw_sure, fell_back, broke, got, owing)


def pooled_wealth(members: Sequence[Person], parcels: Sequence[int]) -> int | None:
    """STR-CORE-28: five of one Wealth, two parcels of that level among them at most, are one of the next."""
    levels = {effective(one) for one in members} | set(parcels)
    if len(levels) != 1 or len(members) + len(parcels) != 5 or len(parcels) > 2:
        return None
    return levels.pop() + 1
