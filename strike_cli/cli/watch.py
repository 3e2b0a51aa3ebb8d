"""`strike watch`: the evening as it is played, in a terminal of its own."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..problems import Problem, Usage
from ..registry.scenes import scenes_of
from ..terminal.options import Options, command, new_app
from ..terminal.result import Block, Result, as_text, coloured, complain, say
from ..terminal.scene_view import asked_lines, scene_blocks
from ..visibility import GM, PLAYERS, Audience, scene_for
from .log import ForPlayers, told_entries

if TYPE_CHECKING:
    from ..campaign import Campaign

app = new_app()

LOOK_EVERY = 0.2
"""Seconds between looks at the journal."""


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
    """Follow the evening: the map and the last entries on a terminal, a line for each entry to a pipe.

    Play goes on in another terminal; nothing here makes it wait. Ctrl-C leaves. It is the game master's
    screen, secrets and all; with --player it is what players may see, as on `strike table`.

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


def changes(folder: Path, nap: Any = time.sleep) -> Iterator[Campaign]:
    """The campaign now, then again whenever something was played or edited."""
    from ..campaign import Campaign

    seen: object = None
    while True:
        stamp = _stamp(folder)
        if stamp != seen:
            try:
                with Campaign(folder) as campaign:
                    yield campaign
                seen = stamp
            except Problem as problem:  # somebody may be in the middle of an edit
                if seen is None:
                    raise
                complain(problem.message)
                seen = stamp
        nap(LOOK_EVERY)


def _stamp(folder: Path) -> object:
    from ..campaign.journal import FOLDER
    from ..campaign.state import STATE_FILE

    def of(path: Path) -> tuple[int, int]:
        try:
            status = path.stat()
        except OSError:
            return 0, 0
        return status.st_mtime_ns, status.st_size

    journals = sorted((folder / FOLDER).glob("*.jsonl")) if (folder / FOLDER).is_dir() else []
    return [(path.name, of(path)) for path in journals[-1:]], of(folder / STATE_FILE)


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
    with Live(console=console, screen=True, auto_refresh=False) as live:
        for campaign in changes(folder):
            blocks = picture(campaign, last, console.height, audience)
            live.update(renderable(blocks, console.width), refresh=True)


def picture(campaign: Campaign, last: int, height: int, audience: Audience = GM) -> list[Block]:
    """One screen: the scene, then as many of the last entries as there is room for."""
    scenes = [scene_for(scene, audience) for scene in scenes_of(campaign.state)]
    blocks = [block for scene in scenes[-1:] for block in scene_blocks(scene)]
    blocks = blocks or [(campaign.book.name, "title")]
    blocks += asked_lines(scenes)
    room = max(height - as_text(blocks).count("\n") - 2, 4)
    lines: list[Block] = []
    for told in reversed(told_entries(campaign, max(last, room), audience)):
        if lines and len(lines) + len(told) > room:
            break
        lines = [*told, *lines]
    return [*blocks, "", *lines]
