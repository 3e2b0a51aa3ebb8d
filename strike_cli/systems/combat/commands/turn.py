"""Turns: their begin and their end."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.narrate import played
from strike_cli.terminal.options import Options, command
from strike_cli.terminal.result import Result
from strike_cli.terminal.runner import play

from . import app
from .common import Trade, Who, combatant, fight_played, what_is_left


@command(app, "turn")
def turn(options: Options) -> Result:
    """Begin the next turn: start effects, and the Comeback Roll of who is down.

    Example: `strike combat turn`
    """
    with options.campaign(writing=True) as campaign:
        came = play(options, campaign, "combat turn", {})
        result = played(came, campaign, explain=options.explain)
        if came.data:
            result.blocks += [(line, "warn") for line in came.data["by_hand"]]
            active = campaign.state.get("fight", {}).get("active")
            if active:
                result.blocks += what_is_left(campaign, active)
        return result


@command(app, "end-turn")
def end_turn(options: Options) -> Result:
    """End the turn: a Saving Throw for each status that a save ends, then what ends with the turn.

    Example: `strike combat end-turn`
    """
    with options.campaign(writing=True) as campaign:
        came = play(options, campaign, "combat end-turn", {})
        result = played(came, campaign, explain=options.explain)
        if came.data and came.data["next"]:
            name = campaign.state["fight"]["combatants"][came.data["next"]]["name"]
            result.blocks.append([("Next: ", "dim"), name, "  ", ("strike combat turn", "command")])
        return result


@command(app, "escape")
def escape(
    options: Options,
    who: Who,
    status: Annotated[
        str, typer.Argument(metavar="[STATUS]", help="What holds them, where several do.", show_default=False)
    ] = "",
    trade: Trade = False,
) -> Result:
    """Get out of a grab: a Move Action, and a die of 4 or more (the house rule `escape_target`).

    Example: `strike combat escape vex`
    """
    with options.campaign(writing=True) as campaign:
        found = campaign.book.find("statuses", status) if status else ""
        args = {"who": combatant(campaign, who), "status": found, "trade": trade}
        return fight_played(options, campaign, "escape", args)
