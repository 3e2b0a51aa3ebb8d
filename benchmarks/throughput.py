"""Measure how many commands a second `strike batch` plays in one process."""

from __future__ import annotations

import contextlib
import io
import shlex
import tempfile
import time
from pathlib import Path

from benchmarks.paired_timing import usual_or_trial_amount
from benchmarks.sample_campaigns import make_campaign_in_fight
from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.demo import next_fight_command_words
from strike_cli.problems import PENDING_EXIT_CODE
from strike_cli.terminal.invocation import UNATTENDED

COMMANDS = usual_or_trial_amount(1_000, 4)
SEED = 77


def main() -> None:
    """Print how many commands `strike batch` plays in a second.

    One script only deals damage and heals. Another has the commands of whole fights.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = make_campaign_in_fight(Path(scratch) / "campaign")
        _print_rate(
            "damage and healing in strike batch",
            folder,
            ["combat damage odo 1", "combat heal odo 1"] * (COMMANDS // 2),
        )
        script = _record_fight_commands(Path(scratch) / "played", COMMANDS // 4)
        again = Path(scratch) / "again"
        create_campaign_folder(again, seed=SEED)
        _print_rate("commands of whole fights in strike batch", again, script)


def _print_rate(name: str, folder: Path, lines: list[str]) -> None:
    script = folder / "script"
    script.write_text("\n".join(lines) + "\n", encoding="utf-8")
    start = time.perf_counter()
    code = _run_discarding_output("-C", str(folder), "batch", str(script))
    spent = time.perf_counter() - start
    if code:
        raise RuntimeError(f"the script ended with {code}")
    print(f"  {name + ', a second':<58} {len(lines) / spent:6.0f}")


def _run_discarding_output(*words: str) -> int:
    with contextlib.redirect_stdout(io.StringIO()):
        return run_command_line_or_complete(list(words), UNATTENDED)


def _record_fight_commands(folder: Path, least: int) -> list[str]:
    """Play several fights in a row with the bot, and return the commands that it types.

    There are at least `least` commands. They can be played again in a new campaign with the same seed (SEED).
    """
    create_campaign_folder(folder, seed=SEED)
    lines: list[str] = []

    def type_in(*words: str) -> None:
        code = _run_discarding_output("-C", str(folder), *words)
        lines.append(shlex.join(words))
        if code == PENDING_EXIT_CODE:
            with Campaign(folder) as campaign:
                pending = next(iter(campaign.state["pending"].values()))
            type_in("choose", pending["options"][0])

    while len(lines) < least:
        type_in("combat", "start", "ford")
        type_in("combat", "initiative")
        while words := _next_command(folder):
            type_in(*words)
        type_in("combat", "finish")
    return lines


def _next_command(folder: Path) -> list[str]:
    with Campaign(folder) as campaign:
        return list(next_fight_command_words(campaign, without_auto=True))
