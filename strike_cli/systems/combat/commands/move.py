"""Moving on the map."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.options import Options, command
from strike_cli.terminal.result import Result

from . import app
from .common import Trade, Who, combatant, fight_played, square_of


@command(app, "move")
def move(
    options: Options,
    who: Who,
    square: Annotated[str, typer.Argument(metavar="SQUARE", help="Where to, like C7.")],
    via: Annotated[
        list[str] | None, typer.Option("--via", metavar="SQUARE", help="Through this square.")
    ] = None,
    shift: Annotated[bool, typer.Option("--shift", help="One square, giving no Opportunity.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Go, whatever Opportunities it gives.")] = False,
    trade: Trade = False,
) -> Result:
    """A Move Action: the way that gives the fewest Opportunities, and of those the shortest.

    Who leaves a square in an enemy's reach without getting closer gives it an Opportunity (STR-TAC-08); a
    player is told which, and asked to go or stay, unless --yes or --via says so. WHO may be `.` for whose
    turn it is. `strike combat map --path WHO SQUARE` shows the way beforehand.

    Example: `strike combat move vex F4 --via D5`
    """
    with options.campaign(writing=True) as campaign:
        args = {
            "who": combatant(campaign, who),
            "to": square_of(square),
            "via": [square_of(stop) for stop in via or []],
            "shift": shift,
            "trade": trade,
            "sure": yes or bool(via),
        }
        return fight_played(options, campaign, "move", args)


@command(app, "hide")
def hide(
    options: Options,
    who: Who,
    now: Annotated[bool, typer.Option("--now", help="The game master says that it has worked.")] = False,
) -> Result:
    """Hide: a full round out of every enemy's sight, with room to move unseen (STR-TAC-23).

    Hidden at the start of the next turn, if no enemy sees one until then.

    Example: `strike combat hide vex`
    """
    with options.campaign(writing=True) as campaign:
        return fight_played(options, campaign, "hide", {"who": combatant(campaign, who), "now": now})


@command(app, "reveal", kind="writes")
def reveal(options: Options, who: Who) -> Result:
    """Somebody is Hidden no longer: found, or given away by what they did.

    Example: `strike combat reveal reed-stalker`
    """
    with options.campaign(writing=True) as campaign:
        return fight_played(options, campaign, "reveal", {"who": combatant(campaign, who)})


@command(app, "stand")
def stand(options: Options, who: Who, trade: Trade = False) -> Result:
    """Get up from Prone, as a Move Action.

    Example: `strike combat stand vex`
    """
    with options.campaign(writing=True) as campaign:
        return fight_played(options, campaign, "stand", {"who": combatant(campaign, who), "trade": trade})
