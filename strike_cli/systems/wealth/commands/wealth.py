"""`strike wealth`: buying, pooling, cash parcels, getting over Short and Broke."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strike_cli.problems import Usage
from strike_cli.terminal.lookup import find_if_any, find_one, find_word
from strike_cli.terminal.narrate import played
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Block, Result, Table
from strike_cli.terminal.runner import play
from strike_cli.terminal.shared_options import Adv, Dis, Mod

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.kernel.procedure import World

app = new_app()
cash_app = new_app()
app.add_typer(cash_app, name="cash")

Who = Annotated[str, typer.Argument(metavar="WHO", help="A character.")]
PriceRank = Annotated[
    int, typer.Argument(metavar="PRICE", min=0, max=4, help="0 to 4, each about 20 times the last.")
]
ParcelRank = Annotated[int, typer.Argument(metavar="RANK", min=0, max=4, help="The parcel's rank, 0 to 4.")]
What = Annotated[str, typer.Option("--for", metavar="WHAT", help="What is bought.")]
Seller = Annotated[str, typer.Option("--from", metavar="SELLER", help="Whom a Favor would be owed to.")]
Ignore = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Leave out a condition or bonus; odo:NAME is a helper's."),
]
Also = Annotated[str, typer.Option(metavar="SKILL", help="A Skill of the buyer's helps: Advantage for 1 AP.")]
Use = Annotated[
    list[str] | None, typer.Option(metavar="ID", help="Spend this banked bonus here; odo:b1 is a helper's.")
]
Task = Annotated[str, typer.Option(metavar="TEXT", help="What is done, for Fun once; else Wealth.")]
Intent = Annotated[str, typer.Option(metavar="TEXT", help="What for: once tried, not tried again.")]
Changed = Annotated[str, typer.Option(metavar="WHY", help="The situation changed: try again.")]
HelpFrom = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="A character helps; NAME:WEALTH is somebody who is in no file."),
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
    from ..numbers import numbers
    from ..roll import column_of, column_words
    from ..standing import cash, rank_name, standing

    with options.campaign() as campaign:
        who, world = buyer_of(campaign, who), world_of(campaign)
        now, parcels = standing(world, who), sorted(cash(world, who), reverse=True)
        prices = numbers()["prices"]
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
            "reasons": [item.as_json() for item in now.reasons],
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
    also: Also = "",
    use: Use = None,
    cost: Cost = None,
    task: Task = "",
    intent: Intent = "",
    changed: Changed = "",
) -> Result:
    """Buy something: a Wealth roll in the column that the price has for you (STR-CORE-27).

    One Cost may be a Flaw on the thing, being Short, or a Favor owed; of two, one is a Flaw. On a Twist you
    go without, or break the bank: you get it, are Broke, and whoever helped is Short. A helper one tier below
    you rolls with Disadvantage, one above with Advantage, and shares in a Cost.

    Dice: the buyer's (two with Advantage or Disadvantage), then each helper's in the order named.

    Example: `strike wealth buy vex 2 --for "the boat" --from "the ferryman" --help-from brann`
    """
    with options.campaign(writing=True) as campaign:
        buyer = buyer_of(campaign, who)
        args = {
            "who": buyer,
            "helpers": _helpers(campaign, [buyer], help_from),
            **_deal(price, what, seller, cost, adv, dis, mod),
        }
        more = {"ignore": ignore, "also": also, "use": use}
        args |= _more(campaign, args, **more, task=task, intent=intent, changed=changed)
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
    help_from: HelpFrom = None,
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    ignore: Ignore = None,
    also: Also = "",
    use: Use = None,
    cost: Cost = None,
    task: Task = "",
    intent: Intent = "",
    changed: Changed = "",
) -> Result:
    """Five of one Wealth buy as one of the next (STR-CORE-28).

    Up to two of the five may be cash parcels of that rank, which are used up. Everybody takes every Cost, and
    on a Twist all are Broke or all go without. Who helps stands next to the Wealth that the pool buys as.

    Example: `strike wealth pool vex brann odo --parcels 1,1 --price 2 --for "the mill"`
    """
    with options.campaign(writing=True) as campaign:
        members = [buyer_of(campaign, name) for name in who]
        args = {
            "who": members[0],
            "members": members,
            "parcels": [_parcel(campaign, word) for word in parcels.split(",") if word.strip()],
            "helpers": _helpers(campaign, members, help_from),
            **_deal(price, what, seller, cost, adv, dis, mod),
        }
        more = {"ignore": ignore, "also": also, "use": use}
        args |= _more(campaign, args, **more, task=task, intent=intent, changed=changed)
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
    found = find_word(condition, ("short", "broke"), "Wealth Condition")
    return _plain(options, "wealth recover", who, condition=found, parcel=parcel)


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


# --- reading what was typed


def _plain(options: Options, name: str, who: str, **args: Any) -> Result:
    with options.campaign(writing=True) as campaign:
        args["who"] = buyer_of(campaign, who)
        return played(play(options, campaign, name, args), campaign)


def _deal(
    price: int,
    what: str,
    seller: str,
    costs: list[str] | None,
    adv: list[str] | None,
    dis: list[str] | None,
    mods: list[int] | None,
) -> dict[str, Any]:
    given = []
    for text in costs or []:
        kind, sign, more = text.partition(":")
        found = [word for word in ("flaw", "short", "favor") if kind and word.startswith(kind.lower())]
        if len(found) != 1:
            raise Usage(f"--cost {text!r}: a Cost is flaw, short or favor.", "Like --cost flaw:it leaks.")
        given.append(f"{found[0]}{sign}{more.strip()}")
    return {
        "price": price,
        "what": what,
        "seller": seller,
        "costs": given,
        "adv": adv or [],
        "dis": dis or [],
        "mods": [[value, "modifier"] for value in mods or []],
    }


def _more(campaign: Campaign, args: Mapping[str, Any], **typed: Any) -> dict[str, Any]:
    """The optional arguments that were typed, as they are meant."""
    from strike_cli.systems.core.commands.meant import as_meant

    said = {key: value for key, value in typed.items() if value}
    return as_meant(campaign, [args["who"]], said, [helper["name"] for helper in args["helpers"]])


def buyer_of(campaign: Campaign, name: str) -> str:
    """A character by a beginning of id or name. Raises Usage."""
    names = {key: str(sheet["name"]) for key, sheet in campaign.book.characters.items()}
    return find_one(name, names, "character", f" in {campaign.book.name}")


def world_of(campaign: Campaign | None) -> World:
    """The campaign as rules see it, or that of nobody in particular."""
    from strike_cli.kernel.procedure import World

    return World(campaign.book, campaign.state) if campaign else World(None)


def _helpers(campaign: Campaign, buyers: list[str], names: list[str] | None) -> list[dict[str, Any]]:
    found = [helper_typed(campaign, text) for text in names or []]
    no_doubles([*buyers, *(helper["name"] for helper in found)])
    return found


def helper_typed(campaign: Campaign | None, text: str) -> dict[str, Any]:
    """`brann`, as rich as they stand; or with a Wealth somebody else: `the miller:2`. Raises Usage."""
    name, sign, wealth = text.rpartition(":")
    if not sign and campaign is not None:
        return {"name": buyer_of(campaign, text)}
    if not name.strip() or wealth not in ("0", "1", "2", "3", "4"):
        raise Usage(
            f"--help-from {text!r}: write NAME:WEALTH.", "Wealth is 0 to 3, like --help-from brann:1."
        )
    names = {key: str(sheet["name"]) for key, sheet in campaign.book.characters.items()} if campaign else {}
    return {"name": find_if_any(name, names) or name.strip(), "wealth": int(wealth)}


def _parcel(campaign: Campaign, text: str) -> dict[str, Any]:
    name, _, rank = text.strip().rpartition(":")
    if rank.strip() not in ("0", "1", "2", "3", "4"):
        raise Usage(
            f"--parcels: {text!r} is not a rank.", "Write ranks, like --parcels 1,1 or vex:1,brann:1."
        )
    return {"who": buyer_of(campaign, name) if name else "", "rank": int(rank)}


def no_doubles(people: list[str]) -> None:
    """Raises Usage where somebody is named twice."""
    for who in people:
        if people.count(who) > 1:
            raise Usage(f"{who} is named twice.", "Everybody takes part once.")
