"""Compare the start-up time of whole commands with that of a minimal Typer app.

A command should take at most 1.5 times as long as the app if it writes to a pipe, and at most 1.8 times as
long if it writes to a terminal. Processor time is compared.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.paired_timing import (
    child_processor_seconds,
    pinned_to_one_core,
    print_ratio,
    time_ratios,
    usual_or_trial_amount,
)
from benchmarks.sample_campaigns import make_campaign_in_fight, make_grit_campaign

MINIMAL = """\
import typer
app = typer.Typer()
@app.command()
def one(count: int = 1) -> None:
    print(count)
@app.command()
def two(count: int = 1) -> None:
    print(count)
app()
"""
ROUNDS = 41
TO_A_PIPE, TO_A_TERMINAL = 1.5, 1.8
TAB_COMPLETION = 2.5
"""The completions of Tab that import more: those of names, of squares, of options."""


def main() -> None:
    """Print the ratios of the start-up times."""
    with pinned_to_one_core(), tempfile.TemporaryDirectory() as scratch:
        minimal = Path(scratch) / "minimal.py"
        minimal.write_text(MINIMAL)
        folder = make_campaign_in_fight(Path(scratch) / "campaign", entries=usual_or_trial_amount(10_000, 10))
        by_grit = make_grit_campaign(Path(scratch) / "grit")
        reference = [sys.executable, str(minimal), "one"]
        strike = [str(Path(sys.executable).with_name("strike")), "-C", str(folder)]
        commands = {
            "roll skill, no campaign": [strike[0], "roll", "skill", "--skilled"],
            "roll skill in a campaign": [*strike, "roll", "skill", "vex", "Climbing", "--cost", "waive"],
            "combat token, 12 combatants, 10,000 entries": [*strike, "combat", "token", "odo"],
            "combat move, looking ahead": [*strike, "combat", "move", "vex", "B5", "--dry-run"],
            "combat attack, looking ahead": [
                *strike,
                "combat",
                "attack",
                "vex",
                "goblin-3",
                "--power",
                "ranged-basic",
                "--dry-run",
            ],
            "grit attack, a plugin's, looking ahead": [
                *[strike[0], "-C", str(by_grit), "grit", "attack", "pete", "troll"],
                *["--with", "great-bow", "--dry-run"],
            ],
            "combat show": [*strike, "combat", "show"],
            "combat map": [*strike, "combat", "map"],
            "status": [*strike, "status"],
            "log": [*strike, "log"],
        }
        for line in ("strike att", "strike combat attack . ", "strike move . ", "strike roll skill vex "):
            asking = [
                "env",
                "_STRIKE_COMPLETE=complete_bash",
                f"_STRIKE_LINE={line}",
                f"STRIKE_CAMPAIGN={folder}",
            ]
            print_ratio(
                f"Tab after `{line}`",
                _startup_ratios([*asking, strike[0]], reference, run_piped),
                most=TAB_COMPLETION,
            )
        for name, command in commands.items():
            print_ratio(f"{name}, to a pipe", _startup_ratios(command, reference, run_piped), most=TO_A_PIPE)
        for name in (
            "roll skill in a campaign",
            "combat token, 12 combatants, 10,000 entries",
            "combat show",
            "combat map",
            "status",
        ):
            found = _startup_ratios(commands[name], reference, run_on_terminal)
            print_ratio(f"{name}, to a terminal", found, most=TO_A_TERMINAL)


def run_piped(command: list[str]) -> None:
    """Run a command with its output to a pipe.

    Raises:
        subprocess.CalledProcessError: The command ended with an error.
    """
    subprocess.run(command, env=_environment(), capture_output=True, check=True)


def _environment() -> dict[str, str]:
    # Whoever runs this may have switched off the compiled files that every user has.
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return kept | {"TERM": "xterm-256color"}


def run_on_terminal(command: list[str]) -> None:
    """Run a command with its output to a pseudo-terminal.

    Raises:
        RuntimeError: The command ended with an error.
    """
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command, env=_environment(), stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL
    )
    os.close(theirs)
    while True:
        try:
            if not os.read(ours, 65536):
                break
        except OSError:
            break
    os.close(ours)
    if process.wait():
        raise RuntimeError(f"{command} ended with {process.returncode}")


def _startup_ratios(command: list[str], reference: list[str], runner: object) -> list[float]:
    run = runner if callable(runner) else run_piped
    return time_ratios(
        lambda: run(command), lambda: run_piped(reference), ROUNDS, clock=child_processor_seconds
    )
