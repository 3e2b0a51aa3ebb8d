"""`strike session`: evenings, from start to end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..campaign.journal import START
from ..terminal.clock import day_and_time
from ..terminal.declare import plays
from ..terminal.options import Options, command, new_app
from ..terminal.result import Block, Result, Table

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..play.execute import Performed

app = new_app()


@app.callback()
def _group() -> None:
    """Evenings: start, end, list. Each has a journal file of its own.

    Example: `strike session start --title "The ford"`
    """


@plays(app, "start", "session start", kind="writes")
def start(
    title: Annotated[str, typer.Option("--title", help="What to call the evening.")] = "",
) -> dict[str, Any]:
    """A new evening begins: a journal file of its own; who has no Action Point gets one (STR-CORE-21).

    Example: `strike session start --title "The ford"`
    """
    from datetime import UTC, datetime

    return {"at": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")}


def _still_to_do(campaign: Campaign | None, performed: Performed) -> list[Block]:
    from ..kernel.procedure import World
    from ..registry import hooks

    assert campaign is not None
    world = World(campaign.book, campaign.state)
    scenes = (performed.data or {}).get("scenes", ())
    found = [(f"{name} is still under way", f"strike {system} show") for system, name in scenes]
    found += [pair for each in hooks(lambda system: system.evening.still_to_do) for pair in each(world)]
    return [[f"{what}: ", (typed, "command")] for what, typed in found]


@plays(app, "end", "session end", kind="writes", show=_still_to_do)
def end() -> None:
    """The evening ends: Action Points above three are not carried over (STR-CORE-21).

    What is still open is named: scenes, fights that are parked; a decision that waits comes first.

    Example: `strike session end`
    """


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
                day_and_time(row["first"]),
                day_and_time(row["last"]),
            ]
            for row in found.values()
        ]
        table = Table([">Session", "Title", ">Entries", "From", "To"], rows)
        block: Any = table if rows else ("Nothing was played yet.", "dim")
        return Result("session list", {"sessions": list(found.values())}, [block], notices=campaign.notices)


@command(app, "report", kind="reads")
def report(
    options: Options,
    number: Annotated[
        int | None, typer.Argument(metavar="[N]", help="Which session; the last, if not named.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="As a Markdown page.")] = False,
    out: Annotated[
        str, typer.Option("--out", metavar="FILE", help="Write the Markdown page to a file.")
    ] = "",
    player: Annotated[
        bool,
        typer.Option("--player", help="For the players: nothing secret or hidden, no notes, no overrides."),
    ] = False,
) -> Result:
    """The report of an evening: rolls, costs, conditions, Action Points, fights, and what is unresolved.

    What was undone is left out. Secret entries are marked, and left out with --player.

    Example: `strike session report 3 --player --out session-3.md`
    """
    from pathlib import Path

    from .report import Evening, report_blocks, report_markdown, summary, write_report

    with options.campaign() as campaign:
        which = campaign.state.get("session", {}).get("number", 0) if number is None else number
        evening = Evening(campaign, which, player)
        data = evening.as_json() if options.json or markdown or out else {}
        blocks = report_blocks(evening)
        if markdown or out:
            data["markdown"] = report_markdown(evening)
            blocks = [data["markdown"].rstrip("\n")]
        if out:
            write_report(Path(out), data["markdown"])
            data["file"] = out
            blocks = [(f"{evening.heading()} is in {out}", "good"), f"{summary(evening.sections)}."]
        return Result("session report", data, blocks, notices=campaign.notices)
