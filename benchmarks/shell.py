"""A line typed into `strike shell` in an old campaign, against an empty command of Typer in one process."""

from __future__ import annotations

import contextlib
import io
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import typer

from benchmarks.campaigns import in_a_fight
from benchmarks.measure import Run, ratios, report, size
from strike_cli.cli.shell import run_line
from strike_cli.terminal.invocation import UNATTENDED

ENTRIES = size(10_000, 10)
ROUNDS = size(41, 1)
PATIENCE = 30
"""The milliseconds within which an answer seems immediate."""
EMPTY = 1000
"""The empty commands in a row: after a timed rule (`play.moves`) a process's clock has only coarse ticks."""
LINES = (
    "combat damage odo 1; combat heal odo 1",
    "move . B5 --dry-run",
    "attack goblin-3 ranged-basic --dry-run",
    "combat token odo",
    "combat show",
    "map",
    "status",
    "log",
)


def main() -> None:
    """Print, for each line, its time over that of an empty command, and the processor's milliseconds.

    Both are halved where two lines undo one another.
    """
    empty = _empty_commands()
    with tempfile.TemporaryDirectory() as scratch:
        folder = in_a_fight(Path(scratch) / "campaign", ENTRIES)
        for typed in LINES:
            lines = typed.split("; ")

            def answer(lines: list[str] = lines) -> None:
                with contextlib.redirect_stdout(io.StringIO()):
                    for line in lines:
                        run_line(UNATTENDED._replace(folder=str(folder), plain=True), line)

            found = [each * EMPTY / len(lines) for each in ratios(answer, empty, ROUNDS)]
            spent = [_milliseconds(answer) / len(lines) for _ in range(ROUNDS)]
            kept = "" if median(spent) <= PATIENCE else ": OVER"
            limit = f"{median(spent):.1f} ms, at most {PATIENCE}{kept}"
            report(f"`{typed}` over an empty command", found, limit)


def _empty_commands() -> Run:
    """Return a function that runs EMPTY commands which do nothing."""
    app = typer.Typer(add_completion=False)

    @app.command()
    def one(count: int = 1) -> None:
        pass

    command: Any = typer.main.get_command(app)
    return lambda: [command(args=[], standalone_mode=False) for _ in range(EMPTY)]


def _milliseconds(run: Run) -> float:
    start = time.process_time()
    run()
    return (time.process_time() - start) * 1000
