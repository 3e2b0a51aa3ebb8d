"""Wealth: what one can buy, the roll for it, pooling, and cash (STR-CORE-26 to 30, helping of 20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from ..problems import Refused, listed
from .conditions import gain_condition, must_hold, recover_from, stacks
from .costs import gain_favor, gain_flaw
from .dice import ADVANTAGE, DISADVANTAGE, Modifier, Rolled, Source, clamp, roll_die
from .matters import Matters, pay, what_matters
from .numbers import numbers
from .people import display_name, sheet
from .procedure import Choose, Happen, Procedure, World
from .skill import Helper, helped

Args = Mapping[str, Any]
SKILL = "Wealth"
"""What a Wealth roll is called where Skills are named: a Bonus may be kept for it."""
SHORT, BROKE = "core:short", "core:broke"
AUTOMATIC, IMPOSSIBLE = "automatic", "impossible"
ANY_COST = ("flaw", "short", "favor")
AFTER_A_FLAW = ("short", "favor")
"""What a Cost may be; and the second of two, of which one is a Flaw."""


# --- how rich somebody is


class Standing(NamedTuple):
    """Wealth as it is, and as it counts for now (STR-CORE-29), with what lowers it."""

    wealth: int
    reasons: tuple[Modifier, ...]

    @property
    def effective(self) -> int:
        """The Wealth that one acts at: never below 0."""
        return max(0, self.wealth + sum(item.value for item in self.reasons))


def standing(world: World, who: str, conditions: Sequence[str] | None = None) -> Standing:
    """How rich somebody is now; with `conditions`, how rich they would be with those.

    Each Wealth Condition takes one; several of one that only counts, as Short does, take one together.
    """
    wealth = int(world.get(f"characters.{who}.wealth", sheet(world, who).get("wealth", 0)))
    held = world.get(f"characters.{who}.conditions", []) if conditions is None else conditions
    reasons = []
    for key in dict.fromkeys(held):
        definition = world.book.conditions.get(key, {})
        if definition.get("severity") == "wealth":
            times = 1 if _counts_once(definition) else held.count(key)
            reasons += [Modifier(-1, str(definition["name"]))] * times
    return Standing(wealth, tuple(reasons))


def _counts_once(definition: Mapping[str, Any]) -> bool:
    return "escalates" in definition or not stacks(definition)


def cash(world: World, who: str) -> list[int]:
    """The ranks of the cash parcels that somebody has (STR-CORE-30)."""
    held: list[int] = world.get(f"characters.{who}.cash", sheet(world, who).get("cash", []))
    return held


def rank_name(wealth: int) -> str:
    """`Poor`: a Wealth in a word (STR-CORE-26). A pool may come above the last rank."""
    ranks: list[str] = numbers("wealth")["ranks"]
    return ranks[wealth] if wealth < len(ranks) else f"above {ranks[-1]}"


# --- the roll


def column_of(wealth: int, price: int) -> str:
    """`cheap`, `same`, `expensive`, or the two without a roll: `automatic`, `impossible` (STR-CORE-27)."""
    above = price - wealth
    found = numbers("wealth")["columns"].get(str(above))
    return found or (AUTOMATIC if above < 0 else IMPOSSIBLE)


@cache
def _rows(column: str) -> tuple[Mapping[str, Any], ...]:
    table = numbers("wealth")[column]
    if "row" in table:
        return ({"outcome": None, **table["row"]},)
    return tuple(table[str(face)] for face in range(1, 7))


class WealthRoll:
    """What a Wealth roll came to. `roll` and `total` are None where the column needs none."""

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

    def as_data(self) -> dict[str, Any]:
        """The part of a command's `data` that tells the roll."""
        return {
            "column": self.column,
            "roll": self.roll.as_json() if self.roll else None,
            "helpers": [
                {"name": roll.who, "roll": roll.as_json(), "added": gain}
                for roll, gain in zip(self.helps, self.gains, strict=True)
            ],
            "total": self.total,
            **self.row,
        }


def wealth_roll(
    who: str,
    wealth: int,
    price: int,
    reasons: Sequence[Source] = (),
    modifiers: Sequence[Modifier] = (),
    helpers: Sequence[Helper] = (),
) -> Procedure[WealthRoll]:
    """The dice for something of a price, and what they come to (STR-CORE-27); none where none are needed.

    `wealth` is the effective one. Helpers roll as in any roll (STR-CORE-20), with the reasons that their
    Wealth gives them (STR-CORE-28).
    """
    column = column_of(wealth, price)
    if column in (AUTOMATIC, IMPOSSIBLE):
        return WealthRoll(column)
    roll = yield from roll_die(who, "wealth", reasons, modifiers)
    helps = []
    for one in helpers:
        helps.append((yield from roll_die(one.name, "help", one.reasons, one.modifiers)))
    total, gains = helped(roll.total, [one.total for one in helps])
    return WealthRoll(column, roll, total, helps, gains)


class Ready(NamedTuple):
    """All that bears on a Wealth roll: the effective Wealth, reasons and modifiers, the helpers."""

    wealth: int
    matters: Matters
    helpers: tuple[Helper, ...]


def ready(world: World, args: Args) -> Ready:
    """What bears on a Wealth roll as everybody stands. Shared by play and odds.

    Args: who ("" for nobody in particular), helpers [{name}], and what `what_matters` takes; `wealth`, of
    the roll and of a helper, where it is not that of a character as they stand. Raises Refused for a helper
    two tiers below.
    """
    who = args["who"]
    wealth = args["wealth"] if "wealth" in args else standing(world, who).effective
    helpers = [_helper(world, helper["name"], helper.get("wealth"), wealth) for helper in args["helpers"]]
    return Ready(wealth, what_matters(world, who, "skill", SKILL, args), tuple(helpers))


def _helper(world: World, name: str, own: int | None, wealth: int) -> Helper:
    """A helper with what their tier does to their die (STR-CORE-28). Raises Refused where they are too poor.

    Further above than one tier is as good as one (a ruling): Advantage does not stack.
    """
    tier = standing(world, name).effective if own is None else own
    shown = display_name(world, name)
    if tier < wealth - 1:
        raise Refused(
            f"{shown} (Wealth {tier}) is too poor to help with what Wealth {wealth} buys: two tiers below.",
            "Whoever helps is at most one tier below the buyer.",
        )
    matters = what_matters(world, name, "help", SKILL, {})
    reasons = tuple(matters.sources)
    if tier != wealth:
        kind, word = (DISADVANTAGE, "poorer") if tier < wealth else (ADVANTAGE, "richer")
        reasons = (Source(kind, f"{word} than the buyer: Wealth {tier}"), *reasons)
    return Helper(name, True, reasons, tuple(matters.modifiers))


def play_roll(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`roll wealth`: a bare roll; nothing is bought. Args: those of `ready`, and price."""
    wealth, matters, helpers = ready(world, args)
    came = yield from wealth_roll(
        args["who"], wealth, args["price"], matters.sources, matters.modifiers, helpers
    )
    data = {"wealth": wealth, "price": args["price"], **came.as_data()}
    text = f"Wealth {wealth}, price {args['price']} ({column_words(came.column)}): {_told(world, came)}."
    yield _rolled(world, args["who"], text, came, data)
    return data


def _rolled(world: World, who: str, text: str, came: WealthRoll, data: Mapping[str, Any]) -> Happen:
    shown = {"roll": data["roll"], "helpers": data["helpers"]} if came.roll else {}
    return world.happen(
        "rolled" if came.roll else "priced", who, text, **shown, column=came.column, **came.row
    )


def column_words(column: str) -> str:
    """A column as the table heads it."""
    return "Same Level" if column == "same" else column.capitalize()


def _told(world: World, came: WealthRoll) -> str:
    """Dice, help and outcome: `2, Brann helps with 5 (+1), Success with a Cost`."""
    if came.roll is None:
        return "no roll needed, Success" if came.column == AUTOMATIC else "no roll buys it"
    helps = ""
    for roll, gain in zip(came.helps, came.gains, strict=True):
        reasons = [f"{source.kind}: {source.reason}" for source in roll.sources]
        reasons += [f"{item.value:+d}: {item.reason}" for item in roll.modifiers]
        added = "; ".join(["+1" if gain else "nothing added", *reasons])
        helps += f", {display_name(world, roll.who)} helps with {roll.words()} ({added})"
    return f"{came.roll.words()}{helps}, {outcome_words(came.row)}"


def outcome_words(row: Mapping[str, Any]) -> str:
    """`Success with a Bonus`, `Twist with a Flaw`: an outcome as the table says it."""
    if row["outcome"] is None:
        return "Out of reach"
    words = str(row["outcome"]).capitalize()
    if row["bonus"]:
        return f"{words} with a Bonus"
    if not row["costs"]:
        return words
    one = "a Flaw" if row["flaws"] else "a Cost"
    return f"{words} with {one if row['costs'] == 1 else str(row['costs']) + ' Costs'}"


# --- buying


def play_buy(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`wealth buy`: the roll, then what it costs. Args: those of `ready` (of characters of the campaign, as
    they stand), price, what, seller, costs (Costs decided beforehand, KIND or KIND:WHAT, in order)."""
    who, price, now = args["who"], args["price"], standing(world, args["who"])
    wealth, matters, helpers = ready(world, args)
    name = display_name(world, who)
    lowered = f" at Wealth {wealth} ({_why(now)})" if now.reasons else ""
    if column_of(wealth, price) == IMPOSSIBLE:
        raise Refused(
            f"{name} can't buy {_what(args)}: for Wealth {wealth}"
            + (f" ({_why(now)})" if now.reasons else "")
            + f" a price of {price} is out of reach.",
            f"A cash parcel of rank {price} buys it (`strike wealth cash spend`); five may pool "
            "(`strike wealth pool`).",
        )
    came = yield from _roll(world, who, price, wealth, matters, helpers)
    buys = "buys" if came.row["outcome"] == "success" else "tries to buy"
    text = f"{name} {buys} {_what(args)}{lowered}: {_told(world, came)}."
    data = yield from _deal(world, args, text, came, [who], [one.name for one in helpers])
    return {**data, "wealth": wealth}


def _what(args: Args) -> str:
    return str(args["what"] or f"something of price {args['price']}")


def _why(now: Standing) -> str:
    return listed(item.reason for item in now.reasons)


def _roll(
    world: World, who: str, price: int, wealth: int, matters: Matters, helpers: Sequence[Helper]
) -> Procedure[WealthRoll]:
    if column_of(wealth, price) != AUTOMATIC:
        yield from pay(world, who, matters)
    return (yield from wealth_roll(who, wealth, price, matters.sources, matters.modifiers, helpers))


def _deal(
    world: World, args: Args, text: str, came: WealthRoll, buyers: Sequence[str], helpers: Sequence[str]
) -> Procedure[dict[str, Any]]:
    """What a Wealth roll comes to for everybody in it: the thing, or going without, and the Costs."""
    data: dict[str, Any] = {
        "who": buyers[0],
        "price": args["price"],
        "what": _what(args),
        **came.as_data(),
        "got": came.row["outcome"] == "success",
        "broke_the_bank": False,
        "paid": [],
    }
    yield _rolled(world, buyers[0], text, came, data)
    if not data["got"]:
        data["got"] = data["broke_the_bank"] = yield from _bank(world, args, buyers, helpers)
    given = list(args["costs"])
    on = _what(args) if data["got"] else f"the failed deal for {_what(args)}"
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
    what, names = _what(args), _names(world, buyers)
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
    what, seller = _what(args), args["seller"] or "the seller"
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


def _names(world: World, people: Sequence[str]) -> str:
    *first, last = (display_name(world, who) for who in people)
    return f"{', '.join(first)} and {last}" if first else last


# --- pooling


def play_pool(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`wealth pool`: five of one Wealth buy as one of the next (STR-CORE-28).

    Args: members (the first rolls), parcels [{who or "", rank}], price, what, seller, costs, adv, dis, mods.
    The parcels are used up whatever the roll comes to (a ruling).
    """
    members, price = args["members"], args["price"]
    own = _pooled(world, members, args["parcels"])
    if column_of(own + 1, price) == IMPOSSIBLE:
        raise Refused(
            f"A pool of Wealth {own} buys as Wealth {own + 1}: price {price} is out of reach.",
            f"A cash parcel of rank {price} buys it: `strike wealth cash spend`.",
        )
    parcels = _owners(world, members, args["parcels"])
    wealth, matters, _ = ready(world, {**args, "who": members[0], "wealth": own + 1, "helpers": []})
    for parcel in parcels:
        why = f"puts a cash parcel of rank {parcel['rank']} into the pool"
        yield _without_parcel(world, parcel["who"], parcel["rank"], why)
    came = yield from _roll(world, members[0], price, wealth, matters, ())
    buys = "buy" if came.row["outcome"] == "success" else "try to buy"
    names = _names(world, members)
    text = f"{names} pool and {buys} {_what(args)} as Wealth {wealth}: {_told(world, came)}."
    data = yield from _deal(world, args, text, came, members, ())
    return {**data, "members": list(members), "parcels": parcels, "wealth": wealth}


def _pooled(world: World, members: Sequence[str], parcels: Sequence[Mapping[str, Any]]) -> int:
    """The Wealth that everybody in a pool has. Raises Refused, saying what is missing for a pool."""
    rules = numbers("wealth")["pool"]
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


# --- cash


def _without_parcel(
    world: World, who: str, rank: int, text: str, kind: str = "cash-spent", **sets: Any
) -> Happen:
    """A cash parcel is used up, and what that brings about. Raises Refused where there is none such."""
    held, name = cash(world, who), display_name(world, who)
    if rank not in held:
        have = listed(f"rank {item}" for item in sorted(held))
        raise Refused(f"{name} has no cash parcel of rank {rank}.", f"Parcels of {name}: {have}.")
    left = list(held)
    left.remove(rank)
    paths = {f"characters.{who}.{key}": value for key, value in {"cash": left, **sets}.items()}
    return world.happen(kind, who, f"{name} {text}.", paths, rank=rank)


def play_cash_add(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`wealth cash add`: loot found, stuff sold. Args: who, rank, why."""
    who, rank = args["who"], args["rank"]
    held = [*cash(world, who), rank]
    tail = f": {args['why']}." if args["why"] else "."
    text = f"{display_name(world, who)} gains a cash parcel of rank {rank}{tail}"
    yield world.happen("cash-gained", who, text, {f"characters.{who}.cash": held}, rank=rank)
    return {"who": who, "rank": rank, "cash": held}


def play_cash_spend(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`wealth cash spend`: something of the parcel's rank or below, with no roll and no Bonus (STR-CORE-30).

    Args: who, rank (the parcel's), what, price (where below the rank).
    """
    who, rank = args["who"], args["rank"]
    price = args.get("price", rank)
    if price > rank:
        raise Refused(
            f"A cash parcel of rank {rank} buys what costs {rank} or less, not price {price}.",
            f"`strike wealth buy {who} {price}` rolls for it.",
        )
    what = _what({**args, "price": price})
    yield _without_parcel(world, who, rank, f"buys {what} with a cash parcel of rank {rank}")
    return {"who": who, "rank": rank, "price": price, "what": what, "got": True, "cash": cash(world, who)}


def play_invest(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`wealth invest`: over time a parcel raises Wealth for good, to one below its rank (STR-CORE-30).

    Args: who, rank (the parcel's).
    """
    who, rank = args["who"], args["rank"]
    wealth, target, name = standing(world, who).wealth, rank - 1, display_name(world, who)
    if target <= wealth:
        top = len(numbers("wealth")["ranks"]) - 1
        raise Refused(
            f"A parcel of rank {rank} raises Wealth to {max(target, 0)} at most, and {name} has {wealth}.",
            f"It takes one of rank {wealth + 2} or more." if wealth < top else "No Wealth is higher.",
        )
    text = f"invests a cash parcel of rank {rank}, and in time has Wealth {target} ({rank_name(target)})"
    yield _without_parcel(world, who, rank, text, "wealth-raised", wealth=target)
    return {"who": who, "rank": rank, "wealth": target, "cash": cash(world, who)}


def play_recover(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`wealth recover`: Short or Broke no longer, by living frugally or with a parcel (STR-CORE-29).

    Args: who, condition ("short" or "broke"), parcel (whether one is spent on it).
    """
    who, condition = args["who"], f"core:{args['condition']}"
    definition = world.book.conditions[condition]
    held = must_hold(world, who, condition)
    after = [item for item in held if item != condition]
    if not _counts_once(definition):
        after += [condition] * (held.count(condition) - 1)
    target = standing(world, who, after).effective
    spent = None
    why = definition.get("recovery", {}).get("text", "")
    if args["parcel"]:
        spent = target + numbers("wealth")["recovery"][args["condition"]]
        why = f"a cash parcel of rank {spent}"
        text = f"spends a cash parcel of rank {spent} to get back to Wealth {target}"
        yield _without_parcel(world, who, spent, text)
    left = yield from recover_from(world, who, condition, why)
    return {"who": who, "condition": condition, "left": left, "wealth": target, "parcel": spent}
