"""What a turn takes in keys, Enter and Tab counted, typed in a real terminal of 80 columns and 24 rows: in
bash, at the prompt of `strike shell`, on the screen of `strike play`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from support.cli import Strike

from strike_cli.campaign.create import create_campaign_folder

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (shutil.which("tmux") and shutil.which("bash")), reason="needs tmux and bash"),
]
STRIKE = Path(sys.executable).with_name("strike")
PATIENCE = 30.0
GOLDEN = Path(__file__).parents[1] / "golden"


class Step(NamedTuple):
    """Keys that are typed, a text or one key by its name, and what is on the screen then."""

    keys: tuple[str, ...]
    shown: str


def line(text: str, shown: str) -> Step:
    """A line with its Enter."""
    return Step((*text, "Enter"), shown)


MOVED, HIT, NEXT = "moves from B3 to", "attacks Goblin", "Brann Oxley's turn"
DOORS = {
    "bash": ("", [line("s m e5", MOVED), line("s a g3 -d5", HIT), line("s n", NEXT)], 30),
    "shell": ("s shell --dice ask",
        [line("m e5", MOVED), line("a g3", "d6 for attack"), line("5", HIT), line("n", NEXT)], 15),
    "play": (
        "s play --dice ask",
        [line("m e5", MOVED), Step(("Tab",), "Enter: attack"), Step(("Enter",), "Type a face"),
         line("5", "is Dazzled until"), line("n", NEXT)],
        11,
    ),
}  # fmt: skip


class Evening(NamedTuple):
    """A golden evening of another game up to somebody's turn: the commands that lead there, the prompt then,
    and the same turn typed at the prompt and on the screen."""

    golden: str
    before: tuple[str, ...]
    prompt: str
    shell: list[Step]
    play: list[Step]


MOST = 20
EVENINGS = {
    "grit": Evening(
        "hall",
        ("grit start gallery", "move una f4", "door open g4"),
        "party>",
        [
            line("m pe e4", "Pete moves to E4"),
            line("a pe f", "d10 for damage"),
            line("9", "d8 for"),
            line("2", "Critical Damage to Foreman"),
        ],
        [
            line("m pe e4", "Pete moves to E4"),
            Step(("6",), "Enter: attack pete foreman"),
            Step(("Enter",), "Type a face from 1 to 10"),
            line("9", "Type a face from 1 to 8"),
            line("2", "must make a Morale Save"),
        ],
    ),
    "karma": Evening(
        "store",
        ("karma start store --first ana -d 4,6,5,6",),
        "ana>",
        [line("act", "3d6 for action"), line("526", "Success"), line("pass bo", "Bo has the initiative")],
        [
            Step(("4",), "Enter: act ana"),
            Step(("Enter",), "Type 3 faces"),
            line("526", "Success"),
            Step(("1",), "Enter: pass bo"),
            Step(("Enter",), "Face up: [Ana]"),
        ],
    ),
    "momentum": Evening(
        "house",
        ("momentum start house", "initiative", "turn", "move e3", "next", "door open f4"),
        "tam>",
        [
            line("m e4", "from C4 to E4"),
            line("a c", "d20 for attack"),
            line("14", "d8 for"),
            line("5", "Captain takes 3"),
            line("n", "Captain's turn"),
        ],
        [
            line("m e4", "from C4 to E4"),
            Step(("5",), "Enter: attack tam captain"),
            Step(("Enter",), "Type a face from 1 to 20"),
            line("14", "Type a face from 1 to 8"),
            line("5", "Captain takes 3"),
            line("n", "Captain's turn"),
        ],
    ),
}
"""Each with dice on the table: what a turn takes of these games."""


class Terminal:
    """A bash in tmux."""

    def __init__(self, folder: Path, socket: Path) -> None:
        self._tmux = ["tmux", "-S", str(socket)]
        environment = {**os.environ, "PS1": "$ ", "XDG_STATE_HOME": str(folder.parent)}
        size = ("-x", "80", "-y", "24", "-c", str(folder))
        command = [*self._tmux, "-f", "/dev/null", "new-session", "-d", *size, "bash --norc --noprofile"]
        subprocess.run(command, check=True, env=environment)

    def press(self, *keys: str) -> None:
        for key in keys:
            literal = ["-l"] if len(key) == 1 else []
            subprocess.run([*self._tmux, "send-keys", *literal, "--", key], check=True)

    def text(self) -> str:
        command = [*self._tmux, "capture-pane", "-p"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def wait_for(self, shown: str) -> None:
        until = time.monotonic() + PATIENCE
        while shown not in self.text():
            assert time.monotonic() < until, f"{shown!r} is not shown:\n{self.text()}"
            time.sleep(0.1)

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], check=False)


@pytest.fixture
def folder(strike: Strike, tmp_path: Path) -> Path:
    """Vex's first turn at the ford."""
    made = tmp_path / "ford"
    create_campaign_folder(made, seed=3)
    for typed in ("combat start ford", "combat initiative --dice 6,5,4,3,2,2,2,2,2,1", "combat turn"):
        strike(f"-C {made} {typed}")
    return made


@pytest.fixture
def terminal(folder: Path, tmp_path: Path) -> Iterator[Terminal]:
    made = Terminal(folder, tmp_path / "tmux")
    yield made
    made.close()


@pytest.mark.parametrize("door", DOORS)
def test_a_turn_in_few_keys(door: str, terminal: Terminal) -> None:
    """An attack with its die, a move, the end of the turn."""
    begin, steps, most = DOORS[door]
    terminal.press(*f"alias s={STRIKE}", "Enter", *"clear && echo ready", "Enter")
    terminal.wait_for("ready\n")
    if begin:
        terminal.press(*begin, "Enter")
        terminal.wait_for("vex>" if door == "shell" else "Ctrl-Q leave")
    for step in steps:
        terminal.press(*step.keys)
        terminal.wait_for(step.shown)
    assert sum(len(step.keys) for step in steps) <= most


@pytest.mark.parametrize("door", ["shell", "play"])
@pytest.mark.parametrize("game", EVENINGS)
def test_a_turn_of_another_game_in_few_keys(game: str, door: str, strike: Strike, tmp_path: Path) -> None:
    """The evening goes on by hand at the prompt and on the screen; the whole of it is a golden evening."""
    evening = EVENINGS[game]
    made = tmp_path / "evening"
    made.mkdir()
    shutil.copy(GOLDEN / f"{evening.golden}.toml", made / "campaign.toml")
    for typed in evening.before:
        strike(f"-C {made} {typed}")
    terminal = Terminal(made, tmp_path / "tmux")
    try:
        terminal.press(*f"{STRIKE} {door} --dice ask", "Enter")
        terminal.wait_for(evening.prompt if door == "shell" else "Ctrl-Q leave")
        steps = evening.shell if door == "shell" else evening.play
        for step in steps:
            terminal.press(*step.keys)
            terminal.wait_for(step.shown)
    finally:
        terminal.close()
    assert sum(len(step.keys) for step in steps) <= MOST
