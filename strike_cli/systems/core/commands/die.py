"""`strike roll die` and `strike odds die`: plain dice, with or without a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from inspect import Parameter
from typing import Annotated

import typer

from strike_cli.problems import Usage
from strike_cli.tabletop.dice_notation import (
    MOST_TOTALS,
    DiceFault,
    TooManyWays,
    begins_like_dice,
    count_ways_to_totals,
    parse_dice,
)
from strike_cli.terminal.command_output import Result
from strike_cli.terminal.commands_and_options import new_app
from strike_cli.terminal.move_commands import Call, Typed, WordParser, commands_declared_in, plays
from strike_cli.terminal.odds_view import chances_result_and_chart_file, odds_command

app, die_odds_app = new_app(), new_app()


@app.callback()
def _die_group_callback() -> None:
    """Roll bare dice."""


@die_odds_app.callback()
def _die_odds_group_callback() -> None:
    """Tell the exact odds of bare dice."""


@plays(app, "die", "roll die", dice="all terms from left to right, then rerolls, then explosions")
def die(
    dice: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DICE]", help="Like d20, 2d6+1, 4d6kh3 or (d8+2)x3.", show_default="1d6"),
        WordParser(_read_dice),
    ] = None,
) -> dict[str, object]:
    """Roll any dice: `2d6+1d8-1`, `d%` and `4dF`, `(d8+2)x3`.

    After the sides, in this order: `ro1` rolls each 1 again, once; `!` or `e` explodes (each highest face
    adds a die, 20 at most); `kh3` and `kl3` keep the highest or lowest, `dh1` and `dl1` drop them;
    `>=5` or `s5` counts the dice that show 5 or more. In bash use the letters, or quotes.

    Example: `strike roll die 2d6`
    """
    return {"formula": dice or "1d6"}


def _read_dice(_: Call, words: Sequence[str]) -> str:
    try:
        return parse_dice(" ".join(words)).text
    except DiceFault as fault:
        raise fault.as_usage from None


AT_LEAST = Parameter(
    "at_least",
    Parameter.KEYWORD_ONLY,
    default=None,
    annotation=Annotated[
        int | None, typer.Option("--at-least", metavar="N", help="The chance of N or more.")
    ],
)


@odds_command(die_odds_app, "die", commands_declared_in(app)["die"], more_parameters=[AT_LEAST])
def die_odds(call: Call, args: Typed, svg: str | None) -> Result:
    """Show the exact chance of each total of bare dice, or of `--at-least N`.

    Example: `strike odds die 4d6kh3 --at-least 13`
    """
    at_least = call.typed.get("at_least")
    try:
        ways = count_ways_to_totals(parse_dice(str(args["formula"])).tree)
    except TooManyWays:
        raise Usage(f"{args['formula']} has too many outcomes to count.", "Ask for fewer dice.") from None
    whole = sum(ways.values())
    if isinstance(at_least, int):
        reached = Fraction(sum(each for total, each in ways.items() if total >= at_least), whole)
        rows = [
            ({"at_least": at_least, "reached": True}, f"{at_least} or more", reached),
            ({"at_least": at_least, "reached": False}, f"less than {at_least}", 1 - reached),
        ]
        return chances_result_and_chart_file("odds die", args, rows, svg)
    if len(ways) > MOST_TOTALS:
        raise Usage(
            f"{args['formula']} has {len(ways):,} totals; {MOST_TOTALS:,} are listed at most.",
            f"Ask for one: strike odds {args['formula']} --at-least {max(ways) // 2}",
        )
    rows = [({"total": total}, str(total), Fraction(each, whole)) for total, each in ways.items()]
    return chances_result_and_chart_file("odds die", args, rows, svg)


def subcommand_of_short_roll(words: Sequence[str]) -> str:
    """Return the command that a short line means: "skill" for `roll vex climb`, "die" for `roll 2d6`."""
    return "die" if begins_like_dice(" ".join(words)) else "skill"
