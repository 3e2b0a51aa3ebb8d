"""`strike session`: evenings, from start to end."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..campaign.journal import START
from .options import Options, command
from .playing import play
from .result import Result, Table
from .views import played

app = typer.Typer(no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Evenings: start, end, list. Each has a journal file of its own.

    Example: `strike session start --title "The ford"`
    """


@command(app, "start", kind="writes")
def start(
    options: Options, title: Annotated[str, typer.Option("--title", help="What to call the evening.")] = ""
) -> Result:
    """A new evening begins: a journal file of its own; who has no Action Point gets one (STR-CORE-21).

    Example: `strike session start --title "The ford"`
    """
    from datetime import UTC, datetime

    with options.campaign(writing=True) as campaign:
        at = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        return played(play(options, campaign, "session start", {"at": at, "title": title}), campaign)


@command(app, "end", kind="writes")
def end(options: Options) -> Result:
    """The evening ends: Action Points above three are not carried over (STR-CORE-21).

    Example: `strike session end`
    """
    with options.campaign(writing=True) as campaign:
        return played(play(options, campaign, "session end", {}), campaign)


@command(app, "list", kind="reads")
def list_(options: Options) -> Result:
    """Every evening so far.

    Example: `strike session list`
    """
    with options.campaign() as campaign:
        found: dict[int, dict[str, Any]] = {}
        for entry, _, _ in campaign.journal.since(START):
            row = found.setdefault(
                entry["session"],
                {"session": entry["session"], "title": "", "entries": 0, "first": entry["at"]},
            )
            row["entries"] += 1
            row["last"] = entry["at"]
            if entry["command"] == "session start":
                row["title"] = entry["args"].get("title", "")
        rows = [
            [
                str(row["session"] or "-"),
                row["title"] or "-",
                str(row["entries"]),
                row["first"][:16],
                row["last"][:16],
            ]
            for row in found.values()
        ]
        table = Table([">Session", "Title", ">Entries", "From (UTC)", "To"], rows)
        block: Any = table if rows else ("Nothing was played yet.", "dim")
        return Result("session list", {"sessions": list(found.values())}, [block], notices=campaign.notices)
