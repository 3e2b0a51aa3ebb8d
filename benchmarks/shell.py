"""Compare the time of lines in `strike shell` with the time of an empty Typer command.

The lines are played in a campaign with a long journal.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import typer

from benchmarks.paired_timing import Run, print_ratio, time_ratios, usual_or_trial_amount
from benchmarks.sample_campaigns import make_campaign_in_fight
from strike_cli.cli.shell import run_line_and_count_commands
from strike_cli.terminal.invocation import UNATTENDED

ENTRIES = usual_or_trial_amount(10_000, 10)
ROUNDS = usual_or_trial_amount(41, 1)
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
    """Measure some command lines, and print two times for each line.

    The first time is a multiple of the time for an empty command. The second is the processor time in
    milliseconds. Some lines have two commands, of which the second undoes the first. Their times are halved.
    """
    empty = _empty_command_runner()
    with tempfile.TemporaryDirectory() as scratch:
        folder = make_campaign_in_fight(Path(scratch) / "campaign", ENTRIES)
        for typed in LINES:
            lines = typed.split("; ")

            def answer(lines: list[str] = lines) -> None:
                with contextlib.redirect_stdout(io.StringIO()):
                    for line in lines:
                        run_line_and_count_commands(UNATTENDED._replace(folder=str(folder), plain=True), line)

            found = [each * EMPTY / len(lines) for each in time_ratios(answer, empty, ROUNDS)]
            spent = [_processor_milliseconds(answer) / len(lines) for _ in range(ROUNDS)]
            kept = "" if median(spent) <= PATIENCE else ": OVER"
            limit = f"{median(spent):.1f} ms, at most {PATIENCE}{kept}"
            print_ratio(f"`{typed}` over an empty command", found, limit)


def _empty_command_runner() -> Run:
    """Return a function that runs an empty command EMPTY times."""
    app = typer.Typer(add_completion=False)

    @app.command()
    def one(count: int = 1) -> None:
        pass

    command: Any = typer.main.get_command(app)
    return lambda: [command(args=[], standalone_mode=False) for _ in range(EMPTY)]


def _processor_milliseconds(run: Run) -> float:
    start = time.process_time()
    run()
    return (time.process_time() - start) * 1000
