"""`strike clock`: clocks, which fill segment by segment."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.command_output import Block, NumberHeading, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import WordParser, plays
from strike_cli.terminal.name_lookup import find_id_by_name, nonempty_text_parser

from . import argument_completions

app = new_app("Clocks: segments that fill up to an event.\n\nExample: `strike clock tick flood`")
FULL, EMPTY = "●", "○"


WhichClock = Annotated[
    str,
    typer.Argument(metavar=argument_completions.CLOCK, help="A clock: the id or the beginning of a name."),
    WordParser(
        lambda call, name: find_id_by_name(
            name,
            argument_completions.clock_names(call.required_campaign),
            "clock",
            f" in {call.required_campaign.book.name}",
        )
    ),
]


@plays(app, "add", "clock add", kind="writes")
def add(
    name: Annotated[
        str, typer.Argument(metavar="TEXT", help="Its name."), nonempty_text_parser("The clock's name")
    ],
    segments: Annotated[int, typer.Argument(metavar="[N]", help="Its number of segments.")] = 6,
    public: Annotated[bool, typer.Option("--public", help="Show it to players.")] = False,
) -> None:
    """Make a clock at the table. Clocks of campaign.toml, `[clocks.ID]`, exist from the beginning.

    Example: `strike clock add "The river rises" 4 --public`
    """


@plays(app, "tick", "clock tick", kind="writes", context_settings={"ignore_unknown_options": True})
def tick(
    clock: WhichClock,
    by: Annotated[int, typer.Argument(metavar="[N]", help="Segments; negative numbers move it back.")] = 1,
) -> None:
    """Advance a clock, or move it back.

    Example: `strike clock tick river 2`
    """


@plays(app, "remove", "clock remove", kind="writes")
def remove(clock: WhichClock) -> None:
    """Remove a clock. `strike undo` restores it.

    Example: `strike clock remove river`
    """


@command(app, "list", kind="reads")
def list_(options: Options) -> Result:
    """List all clocks, and what advances them.

    Example: `strike clock list`
    """
    from strike_cli.kernel.procedure import World

    from ..clocks import clocks_of

    with options.open_campaign() as campaign:
        clocks = list(clocks_of(World(campaign.book, campaign.state)))
        rows: list[list[Span]] = [
            [
                (one.name, "name"),
                (
                    FULL * one.filled + EMPTY * (one.segments - one.filled),
                    "warn" if one.is_full else "strong",
                ),
                f"{one.filled}/{one.segments}",
                "players" if one.public else ("you alone", "dim"),
                ", ".join(one.advances) or ("by hand", "dim"),
            ]
            for one in clocks
        ]
        none: Block = ("No clocks. `strike clock add NAME` makes one.", "dim")
        blocks: list[Block] = [
            Table(["Clock", "", NumberHeading("Full"), "Seen by", "Advances with"], rows) if rows else none
        ]
        return Result(
            "clock list", {"clocks": [one.as_json() for one in clocks]}, blocks, notices=campaign.notices
        )
