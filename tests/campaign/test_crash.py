"""kill -9 wherever a command touches the disk: what had returned is there, whole, and nothing is half."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest
from campaign.befall import Befall, die
from campaign.conftest import Strike
from campaign.evening import (
    contents,
    entries,
    faults_found,
    fold,
    lose_state,
    move_by_hand,
    tear,
    timeless,
    torn,
    written_state,
)
from support.cli import run_in
from support.thorough import few_of

from strike_cli.campaign import Campaign

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

Kill = Callable[..., dict[str, str]]
HERE = Path(__file__).parent
PLAYED = ["session start --title One", "roll skill vex Climbing", "combat start ford", "roll die 2d6"]
OFFER = "roll skill vex Hauling --dice 6"  # an Unskilled 6: learn it, or take the Bonus?


def _ready(strike: Strike, lines: list[str] = PLAYED) -> None:
    for words in lines:
        assert strike(words).code in (0, 6), words


def _nothing(folder: Path) -> None:
    pass


def _cut_off_at_session(folder: Path) -> None:
    (folder / "journal" / "0002.jsonl").write_bytes(b'{"seq":6,"at":"2026-' + b"x" * 2000)


def _behind(folder: Path) -> None:
    old = (folder / "state.toml").read_bytes()
    assert run_in(folder, "combat initiative --dice 6,5,4,3")[0] == 0
    (folder / "state.toml").write_bytes(old)


CASES: dict[str, tuple[list[str], Callable[[Path], None], str]] = {
    "first command": ([], _nothing, "roll skill vex Climbing"),
    "command": (PLAYED, _nothing, "combat initiative --dice 6,5,4,3"),
    "first session": ([], _nothing, "session start"),
    "new session": ([*PLAYED, "session end"], _nothing, "session start --title Two"),
    "undo": (PLAYED, _nothing, "undo 2"),
    "redo": ([*PLAYED, "undo 2"], _nothing, "redo 2"),
    "pending": (PLAYED, _nothing, OFFER),
    "choose": ([*PLAYED, OFFER], _nothing, "choose learn"),
    "hand edit": (PLAYED, move_by_hand, "roll die"),
    "torn line": (PLAYED, tear, "roll die"),
    "torn session": ([*PLAYED, "session end"], _cut_off_at_session, "session start --title Two"),
    "state lost": (PLAYED, lose_state, "roll die"),
    "state behind": (PLAYED, _behind, "combat turn"),
}


@pytest.mark.parametrize("case", few_of(CASES))
def test_nothing_that_returned_is_lost_and_nothing_is_half_there(
    case: str, strike: Strike, folder: Path, tmp_path: Path, killer: Kill
) -> None:
    before, prepare, words = CASES[case]
    _ready(strike, before)
    prepare(folder)
    had = entries(folder)
    with Campaign(folder) as campaign:
        seen_before = campaign.state
    points = killer(folder, tmp_path / "killed", words, list(CASES).index(case))
    could = entries(tmp_path / "killed" / "whole")
    assert len(points) > 2
    for name, at in points.items():
        now = (tmp_path / "killed" / name).rename(tmp_path / "killed" / "now")
        _check(strike, now, at, had, could, seen_before)
        shutil.rmtree(now)


@pytest.fixture(scope="module")
def killer() -> Iterator[Kill]:
    """Kills a command at each of its points, or at some from the `first` on: name and place of each."""
    env = os.environ | {"PYTHONPATH": str(HERE.parent)}
    script = [sys.executable, str(HERE / "killed.py")]
    with subprocess.Popen(script, env=env, stdin=PIPE, stdout=PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout

        def kill(folder: Path, out: Path, words: str, first: int | None = None) -> dict[str, str]:
            out.mkdir()
            process.stdin.write(json.dumps([str(folder), str(out), words.split(), first]) + "\n")
            process.stdin.flush()
            told = json.loads(process.stdout.readline())
            assert told["code"] in (0, 6)
            return {point["name"]: point["at"] for point in told["points"]}

        yield kill
        process.stdin.close()


def _check(
    strike: Strike, crashed: Path, at: str, had: list[Any], could: list[Any], seen_before: dict[str, Any]
) -> None:
    """One death, at the call named by `at`: what is there, what is said about it, and that play goes on."""
    found = entries(crashed)
    assert len(had) <= len(found) <= len(could), at
    assert timeless(found) == timeless(could[: len(found)]), at
    left, bytes_left = torn(crashed), contents(crashed)

    # Whoever looks sees what counts, and changes nothing.
    with Campaign(crashed) as campaign:
        assert campaign.state == (seen_before if len(found) == len(had) else fold(found)), at
        assert campaign.head.seq == len(found), at
    assert contents(crashed) == bytes_left, at

    # Whoever plays sets a torn line aside, is told so, and goes on.
    said = strike("roll die --json", crashed)
    assert said.code == 0, (at, said)
    assert ("cut off" in said.err) == bool(left), (at, said.err)
    assert {file.read_bytes() for file in (crashed / "journal").glob("*.torn-*")} >= set(left), at
    after = entries(crashed)
    assert [entry["seq"] for entry in after] == list(range(1, len(after) + 1)), at
    assert after[: len(found)] == found, at
    assert after[-1]["command"] == "roll die", at
    assert said.json["seq"] == len(after), at
    unseen_edit = ["hand edit"] if fold(found) != seen_before and len(found) == len(had) else []
    assert [entry["command"] for entry in after[len(found) : -1]] == unseen_edit, at
    assert written_state(crashed) == fold(after), at
    assert not torn(crashed), at
    assert not (crashed / ".state.toml.new").exists(), at
    assert faults_found(crashed) == [], at


@pytest.mark.slow
def test_a_script_that_is_killed_keeps_every_line_that_was_answered(
    strike: Strike, folder: Path, tmp_path: Path, killer: Kill
) -> None:
    _ready(strike)
    had = entries(folder)
    script = tmp_path / "prep.strike"
    script.write_text("roll die\nroll skill vex Climbing --dice 4\nundo\nsession end\nsession start\n")
    points = killer(folder, tmp_path / "killed", f"batch --json {script}", 0)
    could = entries(tmp_path / "killed" / "whole")
    assert len(could) == len(had) + 5
    for name, at in points.items():
        crashed = tmp_path / "killed" / name
        found = entries(crashed)
        printed = (tmp_path / "killed" / f"{name}.out").read_text().splitlines()
        answered = [json.loads(line)["seq"] for line in printed if line.startswith("{")]
        assert len(found) >= max(answered, default=0), at
        assert timeless(found) == timeless(could[: len(found)]), at
        assert strike("roll die", crashed).code == 0
        assert faults_found(crashed) == [], at


@pytest.mark.slow
def test_a_crash_after_a_crash_loses_nothing_either(
    strike: Strike, folder: Path, tmp_path: Path, killer: Kill
) -> None:
    """The command that mends what a crash left is itself killed at every point."""
    _ready(strike, [*PLAYED, "session end"])
    first = killer(folder, tmp_path / "first", "session start")
    ugly = next(name for name, at in first.items() if name.startswith("half") and "0002.jsonl" in at)
    crashed = tmp_path / "first" / ugly
    (tmp_path / "first" / "whole").rename(tmp_path / "whole")
    had, left = entries(crashed), torn(crashed)
    assert left
    for name, at in killer(crashed, tmp_path / "second", "roll die", 0).items():
        twice = tmp_path / "second" / name
        assert entries(twice)[: len(had)] == had, at
        assert strike("roll die", twice).code == 0
        kept = {file.read_bytes() for file in (twice / "journal").glob("*.torn-*")}
        assert kept >= set(left), at
        assert faults_found(twice) == [], at


def test_a_killed_writer_leaves_no_lock_behind(strike: Strike, folder: Path) -> None:
    _ready(strike)
    child = os.fork()
    if child == 0:
        Campaign(folder, writing=True)
        os.kill(os.getpid(), 9)
    os.waitpid(child, 0)
    assert strike("roll die").code == 0


def test_copies_of_a_campaign_go_on_from_where_it_was(strike: Strike, folder: Path, tmp_path: Path) -> None:
    _ready(strike)
    shutil.copytree(folder, tmp_path / "copy")
    assert strike("undo", tmp_path / "copy").code == 0
    assert faults_found(tmp_path / "copy") == []


FIRST_COMMAND = [
    "fsync .state.toml.new",
    "mkdir journal",
    "fsync .",  # the journal folder's name
    "write journal/0001.jsonl",
    "fsync journal/0001.jsonl",
    "fsync journal",  # the file's name
    "replace .state.toml.new",
]
NEW_FILE = [
    "write journal/0002.jsonl",
    "fsync journal/0002.jsonl",
    "fsync journal",
    "replace .state.toml.new",
]


@pytest.mark.slow
def test_what_is_recorded_is_on_the_disk_before_the_state_tells_of_it(strike: Strike, folder: Path) -> None:
    """The order of the calls is what holds when the power is cut (`test_power_cuts.py`)."""
    with Befall(folder, 0, die) as seen:
        assert strike("session start").code == 0
    order = [seen.calls.index(call) for call in FIRST_COMMAND]
    assert order == sorted(order), seen.calls
    strike("session end")
    with Befall(folder, 0, die) as seen:
        assert strike("session start").code == 0
    order = [seen.calls.index(call) for call in NEW_FILE]
    assert order == sorted(order), seen.calls


@pytest.mark.slow
def test_what_a_script_recorded_is_on_the_disk_when_it_ends(
    strike: Strike, folder: Path, tmp_path: Path
) -> None:
    script = tmp_path / "prep.strike"
    script.write_text("roll die\nsession start\nroll die\n")
    with Befall(folder, 0, die) as seen:
        assert strike(f"batch {script}").code == 0
    writes = [number for number, call in enumerate(seen.calls) if call.startswith("write journal/0")]
    assert len(writes) == 3
    for file in ("0001", "0002"):
        synced = [number for number, call in enumerate(seen.calls) if call == f"fsync journal/{file}.jsonl"]
        written = [number for number in writes if file in seen.calls[number]]
        assert written[-1] < synced[-1] < seen.calls.index("replace .state.toml.new")
