"""Commands a second in one process, as a script of commands may expect."""

from __future__ import annotations

import contextlib
import io
import shlex
import tempfile
import time
from pathlib import Path

from benchmarks.campaigns import in_a_fight
from benchmarks.measure import size
from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign
from strike_cli.cli.app import run_command_line
from strike_cli.demo import next_fight_command
from strike_cli.problems import PENDING_EXIT_CODE
from strike_cli.terminal.invocation import UNATTENDED

COMMANDS = size(1_000, 4)
SEED = 77


def main() -> None:
    """Print commands a second of `strike batch`: by hand in a fight of twelve, and of whole fights."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = in_a_fight(Path(scratch) / "campaign")
        _report(
            "damage and healing in strike batch",
            folder,
            ["combat damage odo 1", "combat heal odo 1"] * (COMMANDS // 2),
        )
        script = _whole_fights(Path(scratch) / "played", COMMANDS // 4)
        again = Path(scratch) / "again"
        create_campaign(again, seed=SEED)
        _report("commands of whole fights in strike batch", again, script)


def _report(name: str, folder: Path, lines: list[str]) -> None:
    script = folder / "script"
    script.write_text("\n".join(lines) + "\n", encoding="utf-8")
    start = time.perf_counter()
    code = _quietly("-C", str(folder), "batch", str(script))
    spent = time.perf_counter() - start
    if code:
        raise RuntimeError(f"the script ended with {code}")
    print(f"  {name + ', a second':<58} {len(lines) / spent:6.0f}")


def _quietly(*words: str) -> int:
    with contextlib.redirect_stdout(io.StringIO()):
        return run_command_line(list(words), UNATTENDED)


def _whole_fights(folder: Path, least: int) -> list[str]:
    """Return the lines of several fights in a row, as the bot types them.

    They work in any campaign with this seed.
    """
    create_campaign(folder, seed=SEED)
    lines: list[str] = []

    def type_in(*words: str) -> None:
        code = _quietly("-C", str(folder), *words)
        lines.append(shlex.join(words))
        if code == PENDING_EXIT_CODE:
            with Campaign(folder) as campaign:
                pending = next(iter(campaign.state["pending"].values()))
            type_in("choose", pending["options"][0])

    while len(lines) < least:
        type_in("combat", "start", "ford")
        type_in("combat", "initiative")
        while words := _next(folder):
            type_in(*words)
        type_in("combat", "finish")
    return lines


def _next(folder: Path) -> list[str]:
    with Campaign(folder) as campaign:
        return list(next_fight_command(campaign, by_hand=True))
