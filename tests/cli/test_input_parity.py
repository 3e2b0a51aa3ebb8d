"""The same words mean the same in bash, at the prompt of the shell, on the screen of `play`, in a script."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike

from strike_cli.campaign.create import create_campaign_folder
from strike_cli.cli import shell
from strike_cli.cli.play import ScreenBackend
from strike_cli.terminal.invocation import Invocation

TYPED = (
    "combat start ford",
    "init -d 6543222221 --choose as-listed",
    "n",
    "m e5",
    "o",
    "odds vex climb",
    "a g3 lan -d 3",
    "damage",
    "z",
    "u lan g3 -d 5",
    "e",
    "undo --turn",
    "roll vex climb -d 4",
    "note he's lying",
    "hp vex -2",
    "ap give odo",
    "chase start --runners vex odo --chasers toll-guard",
    "flee",
    "predict hide",
    "use combat",
    "att g3 -d 6",
)
"""Beginnings, letters, verbs without their group, answers, words in one order and in the other."""


def in_bash(strike: Strike, folder: Path) -> None:
    for line in TYPED:
        with case(line):
            strike(f"-C {folder} {line.replace(chr(39), chr(92) + chr(39))}", None)


def in_a_script(strike: Strike, folder: Path) -> None:
    (folder / "evening.strike").write_text("\n".join(TYPED))
    strike(f"-C {folder} batch {folder / 'evening.strike'} --keep-going", None)


def at_the_prompt(strike: Strike, folder: Path) -> None:
    invocation = Invocation(str(folder), plain=True)
    for line in TYPED:
        shell.run_line_and_count_commands(invocation, line)


def on_the_screen(strike: Strike, folder: Path) -> None:
    screen = ScreenBackend(folder)
    for line in TYPED:
        screen.run_command(screen.command_words_of_line(line), 80, lambda roll, who: None)


DOORS: Sequence[Callable[[Strike, Path], None]] = (in_bash, in_a_script, at_the_prompt, on_the_screen)


def played(folder: Path) -> list[tuple[object, ...]]:
    """What was recorded, by command and arguments."""
    file = max((folder / "journal").glob("*.jsonl"))
    entries = [json.loads(line) for line in file.read_text().splitlines()]
    return [(each.get("command"), each.get("args"), each.get("dice")) for each in entries if "seq" in each]


@pytest.mark.slow
def test_the_same_words_mean_the_same_at_every_door(strike: Strike, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    create_campaign_folder(folder, seed=3)
    came = {}
    for door in DOORS:
        own = tmp_path / door.__name__
        shutil.copytree(folder, own)
        door(strike, own)
        came[door.__name__] = played(own)
    first = came["in_bash"]
    assert len(first) > 12
    for name, each in came.items():
        with case(name):
            assert each == first
