"""The commands `strike combat move` and `strike combat stand`."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.move_commands import Call, plays

from . import app, argument_completions
from .argument_parsers import SQUARE, Acting, Trade, set_confirmation_and_give_no_args


@plays(app, "move", "combat move")
def move(
    call: Call,
    who: Acting,
    to: Annotated[
        str, typer.Argument(metavar=argument_completions.SQUARE, help="The square, like C7."), SQUARE
    ],
    via: Annotated[
        list[str] | None,
        typer.Option("--via", metavar=argument_completions.SQUARE, help="A square to pass through."),
        SQUARE.for_list(),
    ] = None,
    shift: Annotated[bool, typer.Option("--shift", help="Move one square, without an Opportunity.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Go without a question about Opportunities.")
    ] = False,
    trade: Trade = False,
) -> dict[str, object]:
    """Move (a Move Action), by the shortest of the paths with the fewest Opportunities.

    If you leave a square in an enemy's reach without getting closer to that enemy, it gets an Opportunity
    (STR-TAC-08). strike names the Opportunities and asks a player whether to go. With --yes or --via it
    doesn't ask. WHO may be `.` for the creature whose turn it is. `strike combat map --path WHO SQUARE` shows
    the path beforehand.

    Example: `strike combat move vex F4 --via D5`
    """
    return set_confirmation_and_give_no_args(call, yes or bool(via))


@plays(app, "stand", "combat stand")
def stand(who: Acting, trade: Trade = False) -> None:
    """Stand up from Prone, as a Move Action.

    Example: `strike combat stand vex`
    """
