"""Commands for the beginning and the end of turns, and for escapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.terminal.command_output import Block
from strike_cli.terminal.move_commands import plays
from strike_cli.terminal.scene_ending_hint import ending_line

from . import app, argument_completions
from .argument_parsers import STATUS, Acting, Trade, must_find_fight, whose_turn
from .remaining_actions_and_map import make_show_of_blocks_below_report, remaining_action_and_all_power_lines

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

    from ..data import TurnData


def _by_hand_and_remaining_action_blocks(campaign: Campaign, data: Mapping[str, object]) -> Iterator[Block]:
    yield from ((line, "warn") for line in cast("TurnData", data)["by_hand"])
    if active := whose_turn(campaign):
        yield from remaining_action_and_all_power_lines(campaign, active)


@plays(
    app,
    "turn",
    "combat turn",
    show=make_show_of_blocks_below_report(_by_hand_and_remaining_action_blocks),
    hidden=True,
)
def turn() -> None:
    """Begin the next turn: effects at its start, and the Comeback Roll of a fallen character.

    Example: `strike combat turn`
    """


def _next_turn_or_finish_blocks(campaign: Campaign, data: Mapping[str, object]) -> Iterator[Block]:
    if up := data["next"]:
        name = must_find_fight(campaign)["combatants"][str(up)]["name"]
        yield [("Next: ", "dim"), name, "  ", ("strike next", "command")]
    elif data["decided"]:
        yield ending_line("combat finish")


@plays(
    app,
    "end-turn",
    "combat end-turn",
    show=make_show_of_blocks_below_report(_next_turn_or_finish_blocks),
    dice="a d6 for each Saving Throw",
    hidden=True,
)
def end_turn() -> None:
    """End the turn of the creature that is acting.

    For each status that a save ends, a Saving Throw is rolled. Then effects end that last until the end of
    this turn.

    Example: `strike combat end-turn`
    """


@plays(app, "escape", "combat escape")
def escape(
    who: Acting,
    status: Annotated[
        str,
        typer.Argument(
            metavar=argument_completions.STATUS_HELD.with_text("[STATUS]"),
            help="The hold, if several hold them.",
            show_default=False,
        ),
        STATUS,
    ] = "",
    trade: Trade = False,
) -> None:
    """Escape a grab: a Move Action, and a die of 4 or more (the house rule `escape_target`).

    Example: `strike combat escape vex`
    """
