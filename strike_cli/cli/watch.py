"""The command `strike watch`: follows the evening in a terminal of its own."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..campaign_on_screen import campaign_on_one_screen, screens_stamp
from ..problems import Problem, Usage
from ..terminal.command_output import (
    Block,
    Result,
    blocks_as_unwrapped_text,
    print_to_stderr,
    stdout_shows_colour,
    write_text_to_stdout,
)
from ..terminal.commands_and_options import Options, command, new_app
from ..terminal.journal_lines import newest_entry_lines
from ..terminal.screen.campaign_view import audience_at_table
from ..visibility.audiences import GM, Audience
from .log import ForPlayers

if TYPE_CHECKING:
    from ..campaign import Campaign

app = new_app("The evening as it is played.")

LOOK_EVERY = 0.2
"""Seconds between looks at the journal."""


@command(app, "watch", kind="reads")
def watch(
    options: Options,
    last: Annotated[
        int, typer.Option("--last", metavar="N", help="Number of entries shown at first.", min=0, max=1000)
    ] = 5,
    player: ForPlayers = False,
) -> Result:
    """Follow the evening on a screen: the map, the turn and the last journal entries.

    The screen is for the game master and shows secrets; --player shows what players see. It never delays play
    in another terminal. Ctrl-C leaves. If the output goes to a pipe, only the entries are written. To play
    from such a screen, use `strike play`.

    Example: `strike watch`
    """
    if options.json:
        raise Usage("`strike watch` is for people.", "`strike log --json` and the journal are for programs.")
    with options.open_campaign() as campaign:
        folder = campaign.folder
        audience = audience_at_table(campaign.book) if player else GM
    try:
        if options.plain or not stdout_shows_colour():
            _print_new_entries_until_stopped(folder, last, audience)
        else:
            _draw_until_stopped(folder, last, audience)
    except KeyboardInterrupt:
        sys.stdout.write("\n")
    return Result("watch", None)


def campaign_now_and_after_changes(
    folder: Path, wait: Callable[[float], None] = time.sleep
) -> Iterator[Campaign]:
    """Yield the campaign now, and again after every change, without end.

    A change is a command, an edit or a proposal. `wait` waits between two looks at the campaign. Raises
    Problem if the campaign can't be read at first; later, such a problem is only printed.
    """
    from ..campaign import Campaign

    seen: object = None
    while True:
        now = screens_stamp(folder)
        if now != seen:
            try:
                with Campaign(folder) as campaign:
                    yield campaign
                seen = now
            except Problem as problem:  # somebody may be in the middle of an edit
                if seen is None:
                    raise
                print_to_stderr(problem.message)
                seen = now
        wait(LOOK_EVERY)


def _print_new_entries_until_stopped(folder: Path, entry_count: int, audience: Audience) -> None:
    seen: int | None = None
    for campaign in campaign_now_and_after_changes(folder):
        new = entry_count if seen is None else campaign.head.seq - seen
        for told in newest_entry_lines(campaign, new, audience, counting_hidden=seen is not None):
            write_text_to_stdout(blocks_as_unwrapped_text(told))
        seen = campaign.head.seq
        sys.stdout.flush()


def _draw_until_stopped(folder: Path, entry_count: int, audience: Audience) -> None:
    from rich.live import Live

    from ..terminal.command_output import make_rich_console, rich_renderable

    console = make_rich_console()
    shown: list[Block] = []
    size = console.size

    with Live(console=console, screen=True, auto_refresh=False) as live:

        def draw() -> None:
            nonlocal size
            size = console.size
            live.update(rich_renderable(shown, size.width), refresh=True)

        def wait_and_redraw_if_resized(seconds: float) -> None:
            """Wait, and draw the screen again if the terminal has been resized meanwhile."""
            time.sleep(seconds)
            if console.size != size:
                draw()

        for campaign in campaign_now_and_after_changes(folder, wait_and_redraw_if_resized):
            shown[:] = campaign_on_one_screen(campaign, entry_count, None, audience)
            draw()
