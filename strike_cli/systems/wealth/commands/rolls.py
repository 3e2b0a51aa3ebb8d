"""The `wealth` of `strike roll` and `strike odds`: the bare Wealth roll, and its exact odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from strike_cli.problems import Usage
from strike_cli.systems.core.commands.meant import as_meant
from strike_cli.terminal.narrate import played
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Result
from strike_cli.terminal.runner import play
from strike_cli.terminal.shared_options import Adv, Dis, Mod, Svg

from .wealth import Also, Ignore, Use, buyer_of, helper_typed, no_doubles, world_of

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.kernel.procedure import World

roll_app = new_app()
odds_app = new_app()

HelpWealth = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME:WEALTH", help="Somebody of that Wealth helps."),
]


@roll_app.callback()
@odds_app.callback()
def _only_wealth() -> None:
    """The Wealth roll."""


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
    also: Also = "",
    use: Use = None,
    svg: Svg = None,
) -> Result:
    """The chance of each outcome of a Wealth roll, exact; for a character as they stand now.

    Example: `strike odds wealth vex 2 --help-from brann`, or `strike odds wealth --wealth 1 --price 2`
    """
    if (price is None) == (at is None):
        raise Usage("Which price?", "`strike odds wealth WHO PRICE`, or --wealth N --price N.")
    if bool(who) == (wealth is not None):
        raise Usage("Whose Wealth?", "`strike odds wealth WHO PRICE`, or --wealth N --price N.")
    campaign = options.campaign() if who else options.campaign_if_any()
    who = buyer_of(campaign, who) if campaign and who else ""
    asked = price if at is None else at
    assert asked is not None
    args = roll_args(campaign, who, wealth, asked, adv, dis, mod, help_from)
    said = {key: value for key, value in (("ignore", ignore), ("also", also), ("use", use)) if value}
    args |= as_meant(campaign, [who] if who else [], said, [helper["name"] for helper in args["helpers"]])
    return _odds(args, world_of(campaign), svg)


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
    helpers = [helper_typed(campaign, text) for text in help_from or []]
    no_doubles([*([who] if who else []), *(helper["name"] for helper in helpers)])
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
    from strike_cli.kernel.exhaustive import probabilities

    from ..roll import RollWealth, ready, wealth_roll

    wealth, matters, helpers = ready(world, RollWealth.read(args))

    def start() -> Any:
        return wealth_roll("", wealth, args["price"], matters.sources, matters.modifiers, helpers), None

    return probabilities(start, lambda came: tuple(came.row[key] for key in _KEYS))


_KEYS = ("outcome", "bonus", "costs", "flaws")


def _odds(args: dict[str, Any], world: World, svg: str | None) -> Result:
    from strike_cli.systems.core.commands.odds import reasons_given, reasons_told
    from strike_cli.terminal.odds_view import chances

    from ..roll import RollWealth, column_of, column_words, outcome_words, ready

    wealth, matters, helpers = ready(world, RollWealth.read(args))
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
    reasons = [told] if (told := reasons_told(matters)) else []
    for helper in helpers:
        reasons += [f"{helper.name} {source.kind}: {source.reason}" for source in helper.reasons]
    if reasons:
        result.blocks.append(("; ".join(reasons), "dim"))
    result.data |= reasons_given(matters)
    return result
