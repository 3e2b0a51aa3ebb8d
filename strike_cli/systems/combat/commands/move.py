"""Moving on the map."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.declare import plays

from . import app
from .words import SQUARE, Acting, Trade, Who


@plays(app, "move", "combat move")
def move(
    who: Acting,
    to: Annotated[str, typer.Argument(metavar="SQUARE", help="Where to, like C7."), SQUARE],
    via: Annotated[
        list[str] | None,
        typer.Option("--via", metavar="SQUARE", help="Through this square."),
        SQUARE.many(),
    ] = None,
    shift: Annotated[bool, typer.Option("--shift", help="One square, giving no Opportunity.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Go, whatever Opportunities it gives.")] = False,
    trade: Trade = False,
) -> dict[str, object]:
    """A Move Action: the way that gives the fewest Opportunities, and of those the shortest.

    Leaving a square in an enemy's reach without getting closer gives it an Opportunity (STR-TAC-08).
    strike names it and asks a player first; --yes or --via goes ahead. WHO may be `.` for whose turn it is.
    `strike combat map --path WHO SQUARE` shows the way beforehand.

    Example: `strike combat move vex F4 --via D5`
    """
    return {"sure": yes or bool(via)}


@plays(app, "hide", "combat hide")
def hide(
    who: Acting,
    now: Annotated[bool, typer.Option("--now", help="The game master says that it has worked.")] = False,
) -> None:
    """Hide: a full round out of every enemy's sight, with room to move unseen (STR-TAC-23).

    Hidden at the start of the next turn, if no enemy sees one until then.

    Example: `strike combat hide vex --now`
    """


@plays(app, "reveal", "combat reveal", kind="writes")
def reveal(who: Who) -> None:
    """Somebody is Hidden no longer: found, or given away by what they did.

    Example: `strike combat reveal lamp-thief`
    """


@plays(app, "stand", "combat stand")
def stand(who: Acting, trade: Trade = False) -> None:
    """Get up from Prone, as a Move Action.

    Example: `strike combat stand vex`
    """
