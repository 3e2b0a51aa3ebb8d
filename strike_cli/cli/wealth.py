"""`strike wealth`, and the `wealth` of `strike roll` and `strike odds`: buying, pooling, cash."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..problems import Usage
from .options import Options, command, new_app
from .playing import find_one, play
from .result import Block, Result, Table
from .views import played

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..rules.procedure import World

app = new_app()
cash_app = new_app()
app.add_typer(cash_app, name="cash")
roll_app = new_app()
odds_app = new_app()

Who = Annotated[str, typer.Argument(metavar="WHO", help="A character.")]
PriceRank = Annotated[
    int, typer.Argument(metavar="PRICE", min=0, max=4, help="0 to 4, each about 20 times the last.")
]
ParcelRank = Annotated[int, typer.Argument(metavar="RANK", min=0, max=4, help="The parcel's rank, 0 to 4.")]
What = Annotated[str, typer.Option("--for", metavar="WHAT", help="What is bought.")]
Seller = Annotated[str, typer.Option("--from", metavar="SELLER", help="Whom a Favor would be owed to.")]
Adv = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Advantage, and why.")]
Dis = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Disadvantage, and why.")]
Mod = Annotated[list[int] | None, typer.Option(metavar="N", help="A flat modifier.")]
Ignore = Annotated[list[str] | None, typer.Option(metavar="NAME", help="Leave out a condition or bonus.")]
HelpFrom = Annotated[list[str] | None, typer.Option(metavar="NAME", help="A character helps.")]
HelpWealth = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME:WEALTH", help="Somebody of that Wealth helps."),
]
Cost = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KIND[:WHAT]", help="A Cost decided beforehand: short, flaw:it leaks, favor:the ferryman."
    ),
]


@app.callback()
def _group() -> None:
    """Wealth: 0 Penniless, 1 Poor, 2 Rich, 3 Super-rich; prices go from 0 to 4.

    What costs one less than your Wealth is Cheap, the same is Same Level, one more is Expensive: each has a
    column of its own. Two less needs no roll; two more can't be bought by one.

    Example: `strike wealth buy vex 2 --for "the boat" --help-from brann`
    """


@roll_app.callback()
@odds_app.callback()
def _only_wealth() -> None:
    """The Wealth roll."""


@cash_app.callback()
def _cash_group() -> None:
    """Cash parcels: loot, or stuff that was sold. They have ranks as prices do.

    Example: `strike wealth cash add vex 2 --why "the toll captain's purse"`
    """


@command(app, "show", kind="reads")
def show(options: Options, who: Who) -> Result:
    """Wealth, what lowers it for now, cash parcels, and what a price means to somebody (STR-CORE-26, 29).

    Short takes one from Wealth, however often; each Broke takes one more; it never counts as less than 0.

    Example: `strike wealth show vex`
    """
    from ..rules.numbers import numbers
    from ..rules.wealth.roll import column_of, column_words
    from ..rules.wealth.standing import cash, rank_name, standing

    with options.campaign() as campaign:
        who, world = _who(campaign, who), _world(campaign)
        now, parcels = standing(world, who), sorted(cash(world, who), reverse=True)
        prices = numbers("wealth")["prices"]
        columns = {price: column_of(now.effective, price) for price in range(len(prices))}
        name = str(campaign.book.characters[who]["name"])
        blocks: list[Block] = [(f"{name}: Wealth {now.wealth} ({rank_name(now.wealth)})", "strong")]
        if now.reasons:
            reasons = "; ".join(f"{item.value:+d}: {item.reason}" for item in now.reasons)
            blocks.append(f"Counts as {now.effective} ({rank_name(now.effective)}) for now: {reasons}")
        blocks.append(f"Cash parcels: {', '.join(f'rank {rank}' for rank in parcels) or 'none'}")
        blocks.append(
            Table(
                [">Price", "Like", "Column"],
                [[str(price), prices[price], column_words(column)] for price, column in columns.items()],
            )
        )
        data = {
            "who": who,
            "name": name,
            "wealth": now.wealth,
            "rank": rank_name(now.wealth),
            "effective": now.effective,
            "effective_rank": rank_name(now.effective),
            "reasons": [item._asdict() for item in now.reasons],
            "cash": parcels,
            "columns": {str(price): column for price, column in columns.items()},
        }
        return Result("wealth show", data, blocks, notices=campaign.notices)


@command(app, "buy")
def buy(
    options: Options,
    who: Who,
    price: PriceRank,
    what: What = "",
    seller: Seller = "",
    help_from: HelpFrom = None,
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    ignore: Ignore = None,
    cost: Cost = None,
) -> Result:
    """Buy something: a Wealth roll in the column that the price has for you (STR-CORE-27).

    One Cost may be a Flaw on the thing, being Short, or a Favor owed; of two, one is a Flaw. On a Twist you
    go without, or break the bank: you get it, are Broke, and whoever helped is Short. A helper one tier below
    you rolls with Disadvantage, one above with Advantage, and shares in a Cost.

    Dice: the buyer's (two with Advantage or Disadvantage), then each helper's in the order named.

    Example: `strike wealth buy vex 2 --for "the boat" --from "the ferryman" --help-from brann`
    """
    with options.campaign(writing=True) as campaign:
        buyer = _who(campaign, who)
        args = {
            "who": buyer,
            "helpers": [{"name": one} for one in _helpers(campaign, buyer, help_from)],
            **_deal(price, what, seller, cost, adv, dis, mod, ignore),
        }
        return played(play(options, campaign, "wealth buy", args), campaign, explain=options.explain)


@command(app, "pool")
def pool(
    options: Options,
    who: Annotated[list[str], typer.Argument(metavar="WHO...", help="Who pools; the first one rolls.")],
    price: Annotated[int, typer.Option(metavar="N", min=0, max=4, help="The price, 0 to 4.")],
    parcels: Annotated[
        str,
        typer.Option(metavar="N,N", help="Cash parcels in place of people; NAME:N says whose."),
    ] = "",
    what: What = "",
    seller: Seller = "",
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    ignore: Ignore = None,
    cost: Cost = None,
) -> Result:
    """Five of one Wealth buy as one of the next (STR-CORE-28).

    Up to two of the five may be cash parcels of that rank, which are used up. Everybody takes every Cost, and
    on a Twist all are Broke or all go without.

    Example: `strike wealth pool vex brann odo --parcels 1,1 --price 2 --for "the mill"`
    """
    with options.campaign(writing=True) as campaign:
        members = [_who(campaign, name) for name in who]
        _no_doubles(members)
        args = {
            "who": members[0],
            "members": members,
            "parcels": [_parcel(campaign, word) for word in parcels.split(",") if word.strip()],
            **_deal(price, what, seller, cost, adv, dis, mod, ignore),
        }
        return played(play(options, campaign, "wealth pool", args), campaign, explain=options.explain)


@command(app, "invest", kind="writes")
def invest(options: Options, who: Who, rank: ParcelRank) -> Result:
    """Invest a cash parcel: in time it raises Wealth for good, to one below its rank (STR-CORE-30).

    Example: `strike wealth invest vex 3` makes somebody Poor Rich.
    """
    return _plain(options, "wealth invest", who, rank=rank)


@command(app, "recover", kind="writes")
def recover(
    options: Options,
    who: Who,
    condition: Annotated[str, typer.Argument(metavar="short|broke")],
    parcel: Annotated[bool, typer.Option("--parcel", help="By spending a cash parcel.")] = False,
) -> Result:
    """Short no longer, after a frugal week of work, or Broke once less, after such a year (STR-CORE-29).

    With --parcel at once: Short takes a cash parcel of the rank of the Wealth that you get back to, Broke one
    of a rank above it.

    Example: `strike wealth recover vex short --parcel`
    """
    found = [word for word in ("short", "broke") if condition and word.startswith(condition.lower())]
    if not found:
        raise Usage(f"{condition!r}: recover from what?", "Write `short` or `broke`.")
    return _plain(options, "wealth recover", who, condition=found[0], parcel=parcel)


@command(cash_app, "add", kind="writes")
def cash_add(
    options: Options,
    who: Who,
    rank: ParcelRank,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Where it comes from.")] = "",
) -> Result:
    """Somebody gains a cash parcel: loot, or stuff that was sold.

    Example: `strike wealth cash add vex 2 --why "the toll captain's purse"`
    """
    return _plain(options, "wealth cash add", who, rank=rank, why=why)


@command(cash_app, "spend", kind="writes")
def cash_spend(
    options: Options,
    who: Who,
    rank: ParcelRank,
    what: What = "",
    price: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=4, help="Its price, where below the parcel's rank.")
    ] = None,
) -> Result:
    """Buy with a cash parcel: what is of its rank or below, with no roll and no Bonus (STR-CORE-30).

    Example: `strike wealth cash spend vex 2 --for "the boat"`
    """
    less = {} if price is None else {"price": price}
    return _plain(options, "wealth cash spend", who, rank=rank, what=what, **less)


# --- `strike roll wealth` and `strike odds wealth`


@command(roll_app, "wealth")
def roll_wealth(
    options: Options,
    wealth: Annotated[
        int, typer.Option(metavar="N", min=0, max=4, help="The Wealth as it counts; 4 is a pool.")
    ],
    price: Annotated[int, typer.Option(metavar="N", min=0, max=4, help="The price, 0 to 4.")],
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    help_from: HelpWealth = None,
) -> Result:
    """A bare Wealth roll (STR-CORE-27): nothing is bought. Works without a campaign too.

    A price one below the Wealth is Cheap, the same is Same Level, one above Expensive. Two below is
    automatic, two above impossible: neither rolls. `strike wealth buy` is for a character, and keeps what it
    costs.

    Example: `strike roll wealth --wealth 2 --price 3 --help-from brann:1`
    """
    campaign = options.campaign_if_any(writing=True)
    try:
        args = roll_args(campaign, "", wealth, price, adv, dis, mod, help_from)
        return played(play(options, campaign, "roll wealth", args), campaign, explain=options.explain)
    finally:
        if campaign is not None:
            campaign.close()


@command(odds_app, "wealth", kind="reads")
def odds_wealth(
    options: Options,
    who: Annotated[str, typer.Argument(metavar="[WHO]", help="A character, as they stand.")] = "",
    at: Annotated[
        int | None, typer.Argument(metavar="[PRICE]", min=0, max=4, help="The price, 0 to 4.")
    ] = None,
    wealth: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=4, help="The Wealth as it counts; 4 is a pool.")
    ] = None,
    price: Annotated[int | None, typer.Option(metavar="N", min=0, max=4, help="The price, 0 to 4.")] = None,
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    help_from: HelpWealth = None,
    ignore: Ignore = None,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Draw the chart into a file.")
    ] = None,
) -> Result:
    """The chance of each outcome of a Wealth roll, exact; for a character as they stand now.

    Example: `strike odds wealth vex 2 --help-from brann`, or `strike odds wealth --wealth 1 --price 2`
    """
    if (price is None) == (at is None):
        raise Usage("Which price?", "`strike odds wealth WHO PRICE`, or --wealth N --price N.")
    if bool(who) == (wealth is not None):
        raise Usage("Whose Wealth?", "`strike odds wealth WHO PRICE`, or --wealth N --price N.")
    campaign = options.campaign() if who else options.campaign_if_any()
    who = _who(campaign, who) if campaign and who else ""
    asked = price if at is None else at
    assert asked is not None
    args = roll_args(campaign, who, wealth, asked, adv, dis, mod, help_from)
    args |= {"ignore": ignore} if ignore else {}
    return _odds(args, _world(campaign), svg)


def roll_args(
    campaign: Campaign | None,
    who: str,
    wealth: int | None,
    price: int,
    adv: list[str] | None,
    dis: list[str] | None,
    mods: list[int] | None,
    help_from: list[str] | None,
) -> dict[str, Any]:
    """The arguments of a bare Wealth roll. Helpers are NAME:WEALTH, or characters as they stand."""
    helpers = [_helper(campaign, text) for text in help_from or []]
    _no_doubles([*([who] if who else []), *(helper["name"] for helper in helpers)])
    args = {
        "who": who,
        "price": price,
        "adv": adv or [],
        "dis": dis or [],
        "mods": [[value, "modifier"] for value in mods or []],
        "helpers": helpers,
    }
    return args if wealth is None else {**args, "wealth": wealth}


def odds_of(args: dict[str, Any], world: World) -> dict[tuple[str | None, bool, int, int], Any]:
    """The exact chance of each (outcome, bonus, costs, flaws), from the procedure that plays the roll."""
    from ..play.exhaustive import probabilities
    from ..rules.wealth.roll import ready, wealth_roll

    wealth, matters, helpers = ready(world, args)

    def start() -> Any:
        return wealth_roll("", wealth, args["price"], matters.sources, matters.modifiers, helpers), None

    return probabilities(start, lambda came: tuple(came.row[key] for key in _KEYS))


_KEYS = ("outcome", "bonus", "costs", "flaws")


def _odds(args: dict[str, Any], world: World, svg: str | None) -> Result:
    from ..rules.wealth.roll import column_of, column_words, outcome_words, ready
    from .odds import chances

    wealth, matters, helpers = ready(world, args)
    column = column_of(wealth, args["price"])
    found = sorted(
        odds_of(args, world).items(), key=lambda item: (item[0][0] != "success", -item[0][1], item[0][2:])
    )
    rows = []
    for key, chance in found:
        row = dict(zip(_KEYS, key, strict=True))
        rows.append((row, outcome_words(row), chance))
    result = chances("odds wealth", args, rows, svg)
    result.data |= {"wealth": wealth, "price": args["price"], "column": column}
    result.blocks.insert(0, f"Wealth {wealth}, price {args['price']}: {column_words(column)}")
    reasons = [f"{source.kind}: {source.reason}" for source in matters.sources]
    reasons += [f"{item.value:+d}: {item.reason}" for item in matters.modifiers]
    for helper in helpers:
        reasons += [f"{helper.name} {source.kind}: {source.reason}" for source in helper.reasons]
    if reasons:
        result.blocks.append(("; ".join(reasons), "dim"))
    result.data["sources"] = [source._asdict() for source in matters.sources]
    result.data["modifiers"] = [item._asdict() for item in matters.modifiers]
    return result


# --- reading what was typed


def _plain(options: Options, name: str, who: str, **args: Any) -> Result:
    with options.campaign(writing=True) as campaign:
        args["who"] = _who(campaign, who)
        return played(play(options, campaign, name, args), campaign)


def _deal(
    price: int,
    what: str,
    seller: str,
    costs: list[str] | None,
    adv: list[str] | None,
    dis: list[str] | None,
    mods: list[int] | None,
    ignore: list[str] | None,
) -> dict[str, Any]:
    given = []
    for text in costs or []:
        kind, sign, more = text.partition(":")
        found = [word for word in ("flaw", "short", "favor") if kind and word.startswith(kind.lower())]
        if len(found) != 1:
            raise Usage(f"--cost {text!r}: a Cost is flaw, short or favor.", "Like --cost flaw:it leaks.")
        given.append(f"{found[0]}{sign}{more.strip()}")
    deal: dict[str, Any] = {
        "price": price,
        "what": what,
        "seller": seller,
        "costs": given,
        "adv": adv or [],
        "dis": dis or [],
        "mods": [[value, "modifier"] for value in mods or []],
    }
    return deal | ({"ignore": ignore} if ignore else {})


def _who(campaign: Campaign, name: str) -> str:
    names = {key: str(sheet["name"]) for key, sheet in campaign.book.characters.items()}
    return find_one(name, names, "character", f" in {campaign.book.name}")


def _world(campaign: Campaign | None) -> World:
    from ..rules.procedure import World

    return World(campaign.book, campaign.state) if campaign else World(None)


def _helpers(campaign: Campaign, buyer: str, names: list[str] | None) -> list[str]:
    found = [_who(campaign, name) for name in names or []]
    _no_doubles([buyer, *found])
    return found


def _helper(campaign: Campaign | None, text: str) -> dict[str, Any]:
    name, sign, wealth = text.rpartition(":")
    if not sign and campaign is not None:
        return {"name": _who(campaign, text)}
    if not name or wealth not in ("0", "1", "2", "3", "4"):
        raise Usage(
            f"--help-from {text!r}: write NAME:WEALTH.", "Wealth is 0 to 3, like --help-from brann:1."
        )
    return {"name": name, "wealth": int(wealth)}


def _parcel(campaign: Campaign, text: str) -> dict[str, Any]:
    name, _, rank = text.strip().rpartition(":")
    if rank.strip() not in ("0", "1", "2", "3", "4"):
        raise Usage(
            f"--parcels: {text!r} is not a rank.", "Write ranks, like --parcels 1,1 or vex:1,brann:1."
        )
    return {"who": _who(campaign, name) if name else "", "rank": int(rank)}


def _no_doubles(people: list[str]) -> None:
    for who in people:
        if people.count(who) > 1:
            raise Usage(f"{who} is named twice.", "Everybody takes part once.")
