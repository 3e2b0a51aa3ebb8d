"""`strike watch`: the evening as it is played, in a terminal of its own."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..problems import Problem, Usage
from ..terminal.options import Options, command, new_app
from ..terminal.result import Block, Picture, Result, as_text, coloured, complain, say
from ..visibility.audience import GM, PLAYERS, Audience
from .log import ForPlayers, told_entries

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..campaign import Campaign
    from ..terminal.screen.rows import Row

app = new_app()

LOOK_EVERY = 0.2
"""Seconds between looks at the journal."""
ENTRIES = 60
"""Entries that a screen may show, where it has room for them."""


@app.callback()
def _group() -> None:
    """The evening as it is played."""


@command(app, "watch", kind="reads")
def watch(
    options: Options,
    last: Annotated[
        int, typer.Option("--last", metavar="N", help="Entries to begin with.", min=0, max=1000)
    ] = 5,
    player: ForPlayers = False,
) -> Result:
    """Follow the evening: the map, whose turn it is and the last entries on a terminal, a line for each entry
    to a pipe.

    Play goes on in another terminal; nothing here makes it wait. Ctrl-C leaves. It is the game master's
    screen, secrets and all; with --player it is what players may see, as on `strike table`. `strike play` is
    the same picture to play from.

    Example: `strike watch`
    """
    if options.json:
        raise Usage("`strike watch` is for people.", "`strike log --json` and the journal are for programs.")
    with options.campaign() as campaign:
        folder = campaign.folder
    audience = PLAYERS if player else GM
    try:
        if options.plain or not coloured():
            _print_lines(folder, last, audience)
        else:
            _draw(folder, last, audience)
    except KeyboardInterrupt:
        sys.stdout.write("\n")
    return Result("watch", None)


def changes(folder: Path, nap: Callable[[float], None] = time.sleep) -> Iterator[Campaign]:
    """The campaign now, then again whenever something was played or edited."""
    from ..campaign import Campaign

    seen: object = None
    while True:
        now = stamp(folder)
        if now != seen:
            try:
                with Campaign(folder) as campaign:
                    yield campaign
                seen = now
            except Problem as problem:  # somebody may be in the middle of an edit
                if seen is None:
                    raise
                complain(problem.message)
                seen = now
        nap(LOOK_EVERY)


def stamp(folder: Path) -> object:
    """What tells whether anybody has played, edited, proposed, or moved something at a tabletop."""
    from strike_bridge.waits import waiting_files

    from ..campaign import stamp as campaigns
    from ..phones import proposals

    return campaigns.stamp(folder, waiting_files(folder)), proposals.stamp(folder)


def _print_lines(folder: Path, last: int, audience: Audience) -> None:
    seen = 0
    for campaign in changes(folder):
        new = campaign.head.seq - seen if seen else last
        for told in told_entries(campaign, new, audience):
            say(as_text(told))
        seen = campaign.head.seq
        sys.stdout.flush()


def _draw(folder: Path, last: int, audience: Audience) -> None:
    from rich.live import Live

    from ..terminal.result import renderable, terminal

    console = terminal()
    shown: list[Block] = []
    size = console.size

    with Live(console=console, screen=True, auto_refresh=False) as live:

        def draw() -> None:
            nonlocal size
            size = console.size
            live.update(renderable(shown, size.width), refresh=True)

        def nap(seconds: float) -> None:
            """Wait; a terminal that has another size meanwhile is drawn anew."""
            time.sleep(seconds)
            if console.size != size:
                draw()

        for campaign in changes(folder, nap):
            shown[:] = picture(campaign, last, None, audience)
            draw()


def picture(campaign: Campaign, last: int, height: int | None, audience: Audience = GM) -> list[Block]:
    """One screen of so many rows, or of as many as the terminal has: whose turn it is, the scene, and as many
    of the last entries as there is room for, `last` of them at least looked at."""
    from .play import view

    shown = view(campaign, max(last, ENTRIES), audience)

    def rows(width: int) -> list[Row]:
        from ..terminal.result import terminal
        from ..terminal.screen.draw import draw_watched

        return draw_watched(shown, width, height or terminal().size.height).rows

    def plain(width: int) -> str:
        from ..terminal.screen.rows import text_of

        return "\n".join(text_of(row).rstrip() for row in rows(width))

    def rich(width: int) -> RenderableType:
        from rich.segment import Segment, Segments

        line = Segment.line()
        return Segments([each for row in rows(width) for each in (*row, line)][:-1])

    return [Picture(plain, rich)]
