"""Moving on the map."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.declare import Call, plays

from . import app, nouns
from .words import SQUARE, Acting, Trade, confirmed


@plays(app, "move", "combat move")
def move(
    call: Call,
    who: Acting,
    to: Annotated[str, typer.Argument(metavar=nouns.SQUARE, help="Where to, like C7."), SQUARE],
    via: Annotated[
        list[str] | None,
        typer.Option("--via", metavar=nouns.SQUARE, help="Through this square."),
        SQUARE.many(),
    ] = None,
    shift: Annotated[bool, typer.Option("--shift", help="One square, giving no Opportunity.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Go, whatever Opportunities it gives.")] = False,
    trade: Trade = False,
) -> dict[str, object]:
    """Move (a Move Action): by the way that gives the fewest Opportunities, and of those the shortest.

    Leaving a square in an enemy's reach without getting closer gives it an Opportunity (STR-TAC-08).
    strike names it and asks a player first; --yes or --via goes ahead. WHO may be `.` for whose turn it is.
    `strike combat map --path WHO SQUARE` shows the way beforehand.

    Example: `strike combat move vex F4 --via D5`
    """
    return confirmed(call, yes or bool(via))


@plays(app, "stand", "combat stand")
def stand(who: Acting, trade: Trade = False) -> None:
    """Get up from Prone, as a Move Action.

    Example: `strike combat stand vex`
    """
