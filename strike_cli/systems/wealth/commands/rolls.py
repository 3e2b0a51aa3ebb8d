"""The `wealth` of `strike roll` and `strike odds`: the bare Wealth roll, and its exact odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.kernel.procedure import World
from strike_cli.problems import Usage
from strike_cli.systems.core.commands.words import Use
from strike_cli.terminal.declare import Call, Typed, plays
from strike_cli.terminal.lookup import find_character
from strike_cli.terminal.nouns import WHO
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Result
from strike_cli.terminal.shared_options import Adv, Dis, Mod, Svg

from .wealth import Also, Ignore, Price, priced

if TYPE_CHECKING:
    from fractions import Fraction

    from ..roll import ReadyWealthRoll

roll_app = new_app()
odds_app = new_app()

HelpWealth = Annotated[
    list[str] | None,
    typer.Option(metavar=WHO.called("NAME:WEALTH"), help="Somebody of that Wealth helps."),
]


@roll_app.callback()
@odds_app.callback()
def _only_wealth() -> None:
    """Make a Wealth roll."""


@plays(roll_app, "wealth", "roll wealth")
def roll_wealth(
    call: Call,
    wealth: Annotated[
        int, typer.Option(metavar="N", min=0, max=4, help="The Wealth as it counts; 4 is a pool.")
    ],
    price: Price,
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    help_from: HelpWealth = None,
) -> dict[str, object]:
    """Make a bare Wealth roll (STR-CORE-27): nothing is bought. Works without a campaign too.

    A price one below the Wealth is Cheap, the same is Same Level, one above Expensive. Two below is
    automatic, two above impossible: neither rolls. `strike wealth buy` is for a character, and keeps what it
    costs.

    Example: `strike roll wealth --wealth 2 --price 3 --help-from brann:1`
    """
    return priced(call, ())


@command(odds_app, "wealth", kind="reads")
def odds_wealth(
    options: Options,
    who: Annotated[str, typer.Argument(metavar=WHO.called("[WHO]"), help="A character, as they stand.")] = "",
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
    """Show the exact chance of each outcome of a Wealth roll; for a character as they stand now.

    Example: `strike odds wealth vex 2 --help-from brann`, or `strike odds wealth --wealth 1 --price 2`
    """
    if (price is None) == (at is None):
        raise Usage("Which price?", "`strike odds wealth WHO PRICE`, or --wealth N --price N.")
    if bool(who) == (wealth is not None):
        raise Usage("Whose Wealth?", "`strike odds wealth WHO PRICE`, or --wealth N --price N.")
    campaign = options.campaign() if who else options.campaign_if_any()
    who = find_character(campaign, who) if campaign and who else ""
    bearing: Typed = {"adv": adv, "dis": dis, "mod": mod, "help_from": help_from}
    bearing |= {"ignore": ignore, "also": also, "use": use}
    typed = {key: value for key, value in bearing.items() if value}
    args = {
        "who": who,
        "price": price if at is None else at,
        **({} if wealth is None else {"wealth": wealth}),
        **{key: value for key, value in typed.items() if key in ("also", "use")},
        **priced(Call(options, campaign, typed), [who] if who else []),
    }
    return _odds(args, World(campaign.book, campaign.state) if campaign else World(None), svg)


def odds_of(ready: ReadyWealthRoll, price: int) -> dict[WealthKey, Fraction]:
    """Return the exact chance of each outcome, from the dice of the move alone.

    The whole move would take seconds where four people of another Wealth help.
    """
    from strike_cli.kernel.exhaustive import probabilities

    from ..roll import wealth_roll

    return probabilities(
        lambda: (wealth_roll("", price, ready), None),
        lambda roll: (roll.row["outcome"], roll.row["bonus"], roll.row["costs"], roll.row["flaws"]),
    )


WealthKey = tuple[str | None, bool, int, int]
_KEYS = ("outcome", "bonus", "costs", "flaws")


def _odds(args: dict[str, object], world: World, svg: str | None) -> Result:
    from strike_cli.tabletop.people import in_words
    from strike_cli.terminal.odds_view import chances
    from strike_cli.terminal.result import reasons_in_words

    from ..roll import RollWealth, column_of, column_words, outcome_words, ready

    one, price = ready(world, RollWealth.read(args)), cast("int", args["price"])
    column = column_of(one.wealth, price)
    found = sorted(
        odds_of(one, price).items(),
        key=lambda item: (item[0][0] != "success", -item[0][1], item[0][2:]),
    )
    rows = []
    for key, chance in found:
        row = dict(zip(_KEYS, key, strict=True))
        rows.append((row, outcome_words(row), chance))
    result = chances("odds wealth", args, rows, svg)
    reasons = one.matters.in_words(world)
    result.data |= {"wealth": one.wealth, "price": price, "column": column, **reasons}
    result.blocks.insert(0, f"Wealth {one.wealth}, price {price}: {column_words(column)}")
    bears = [words] if (words := reasons_in_words(reasons)) else []
    for helper in one.helpers:
        bears += [
            f"{helper.name} {source.kind}: {in_words(world, source.reason)}" for source in helper.reasons
        ]
    if bears:
        result.blocks.append(("; ".join(bears), "dim"))
    return result
