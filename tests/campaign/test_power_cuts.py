"""The power is cut anywhere, and what was not synced is lost, half there or out of order: what had returned
is there, and nothing is half. A few hundred cuts everyday; `make soak` tries 10,000 and more of them.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from campaign.conftest import Strike
from campaign.evening import (
    contents,
    copied,
    entries,
    faults_found,
    fold,
    journal_files,
    lose_state,
    move_by_hand,
    tear,
    timeless,
    torn,
    written_state,
)
from campaign.powercut import Cut, Tape, lay_out
from support.cli import run_in
from support.soak import SECONDS, SEED, tell_figures
from support.thorough import THOROUGH, few_of

from strike_cli.campaign import Campaign
from strike_cli.campaign import campaign as campaign_module
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.problems import Problem

pytestmark = pytest.mark.skipif(os.name == "nt", reason="looks at files by their number")

BY_CHANCE = 60 if THOROUGH else 1
"""Ways to lose what was not synced that are drawn for each moment."""
GO_ON = 1 if THOROUGH else 8
"""One in so many moments is played on from."""
MAP = {
    "format": 0.3,
    "resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 3, "y": 2}, "pixels_per_grid": 1},
    "line_of_sight": [],
    "portals": [],
    "image": "",
}
PLAYED = ["session start --title One", "roll skill vex Climbing --dice 4", "combat start ford"]
OFFER = "roll skill vex Hauling --dice 6"


def _nothing(folder: Path) -> None:
    pass


def _hole(folder: Path) -> None:
    """In what the state is not true for yet, with a file of the next session behind it."""
    state = (folder / "state.toml").read_bytes()
    for words in ("roll die 2d6", "roll die", "session end", "session start", "roll die"):
        assert _run(words, folder) == 0
    first = folder / "journal" / "0001.jsonl"
    lines = first.read_bytes().splitlines(keepends=True)
    lines[-2] = b"\0" * (len(lines[-2]) - 1) + b"\n"
    first.write_bytes(b"".join(lines))
    (folder / "state.toml").write_bytes(state)


Prepare = Callable[[Path], None]
EVENINGS: dict[str, tuple[list[str], Prepare, list[str]]] = {
    "first commands": ([], _nothing, ["roll die", "roll die"]),
    "a first session": ([], _nothing, ["session start", "roll die"]),
    "play": (PLAYED, _nothing, ["combat initiative --dice 6,5,4,3", "undo 2", "redo", OFFER, "choose learn"]),
    "change of file": (PLAYED, _nothing, ["session end", "session start", "roll die", "undo 2"]),
    "torn line": (PLAYED, tear, ["roll die", "roll die"]),
    "torn line, new file": ([*PLAYED, "session end"], tear, ["session start", "roll die"]),
    "hand edit": (PLAYED, move_by_hand, ["roll die", "roll die"]),
    "state lost": (PLAYED, lose_state, ["roll die", "session end", "session start"]),
    "mend": (PLAYED, _hole, ["doctor --mend", "roll die", "session end", "session start"]),
}


def _run(words: str, folder: Path) -> int:
    return run_in(folder, words)[0]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for the disk: what would last is reckoned, not tried."""
    monkeypatch.setattr(os, "fsync", lambda file: None)


class Cuts:
    """Cuts of a tape, until the time is over; and what is there after each."""

    def __init__(self, tape: Tape, place: Path, whole: Path) -> None:
        self.tape = tape
        self.place = place
        self.whole = whole
        self.tried = 0

    def __iter__(self) -> Iterator[tuple[str, Path, int]]:
        """A name, the folder as it was left, and the number of events by then."""
        deadline = time.monotonic() + SECONDS
        chance = random.Random(f"{SEED} {self.place}")
        seen: set[int] = set()
        for number, disk in self.tape.cuts():
            for name, fate in disk.fates(chance, BY_CHANCE):
                if time.monotonic() > deadline:
                    break
                self.tried += 1
                left = disk.left(fate)
                told = str(self.tape.marks(number))
                known = hash((told, *sorted(left.items(), key=lambda item: item[0])))
                if known in seen:
                    continue
                seen.add(known)
                lay_out(left, self.place, self.whole)
                yield f"{number}: {name}", self.place, number
        tell_figures("cuts", self.tried)


def _had_returned(tape: Tape, number: int) -> int:
    return max((mark for mark in tape.marks(number) if isinstance(mark, int)), default=0)


def told(found: list[Any]) -> list[Any]:
    """Entries without the places of others, which lie elsewhere once a journal is mended."""
    return [
        {key: value for key, value in entry.items() if key not in ("prev", "head")}
        for entry in timeless(found)
    ]


def _opened(folder: Path, at: str) -> Campaign:
    """The campaign, mended where a hole was left."""
    try:
        return Campaign(folder)
    except Problem as problem:
        if "doctor --mend" not in problem.hint:
            raise
    assert _run("doctor --mend", folder) == 0, at
    return Campaign(folder)


def _check(folder: Path, at: str, returned: int, could: list[Any], unseen_edit: bool = False) -> None:
    """What had returned is there, in its order; the state follows from it, and play goes on."""
    with _opened(folder, at) as campaign:
        seq, state = campaign.head.seq, campaign.state
    found = entries(folder)
    assert found[-1]["seq"] == seq if found else not seq
    # What a hole has taken is marked, and what the disk has kept behind it stays.
    kept = [entry for entry in found if "missing_from" not in entry]
    there = {entry["seq"] for entry in could[:returned] if "missing_from" not in entry}
    assert there <= {entry["seq"] for entry in kept}, at
    assert told(kept) == told([could[entry["seq"] - 1] for entry in kept]), at
    if not unseen_edit:
        assert state == fold(found), at
    if at.split(":")[0].isdecimal() and int(at.split(":")[0]) % GO_ON:
        return
    assert _run("roll die", folder) == 0, at
    after = entries(folder)
    assert after[: len(found)] == found, at
    assert written_state(folder) == fold(after), at
    assert not torn(folder), at
    assert faults_found(folder) == [], at


@pytest.mark.parametrize("evening", few_of(EVENINGS, 4))
def test_what_had_returned_is_there_after_a_power_cut(evening: str, folder: Path, tmp_path: Path) -> None:
    before, prepare, after = EVENINGS[evening]
    for words in before:
        assert _run(words, folder) in (0, 6), words
    prepare(folder)
    template = copied(folder, tmp_path / "template")
    with Tape(folder) as tape:
        for words in after:
            assert _run(words, folder) in (0, 6), words
            tape.mark(len(entries(folder)))
    could = entries(folder)
    cuts = Cuts(tape, tmp_path / "cut", template)
    for at, now, number in cuts:
        _check(now, at, _had_returned(tape, number), could, unseen_edit=evening == "hand edit")
    assert cuts.tried > 20


def test_nothing_that_is_set_aside_is_gone_after_a_power_cut(folder: Path, tmp_path: Path) -> None:
    for words in PLAYED:
        assert _run(words, folder) == 0
    _hole(folder)
    torn_off = b"".join(file.read_bytes() for file in journal_files(folder))
    lines = [line for line in torn_off.splitlines() if line]
    with Tape(folder) as tape:
        assert _run("doctor --mend", folder) == 0
    for at, now, _ in Cuts(tape, tmp_path / "cut", folder):
        kept = b"".join(
            content for name, content in contents(now).items() if content and name.startswith("journal/")
        )
        assert all(line in kept for line in lines), at


SCRIPT = ["roll die", "roll skill vex Climbing --dice 4", "undo", "session end", "session start --title Two",
          "roll die 2d6", "roll die"]  # fmt: skip


class Told(io.StringIO):
    """A terminal that puts the number of what was recorded on the tape, as soon as it is told."""

    def __init__(self, tape: Tape) -> None:
        super().__init__()
        self.tape = tape

    def write(self, text: str) -> int:
        for line in text.splitlines():
            with contextlib.suppress(ValueError, KeyError, TypeError):
                self.tape.mark(json.loads(line)["seq"])
        return super().write(text)


@pytest.mark.parametrize("slow", few_of([True, False], 2), ids=["slow", "quick"])
def test_a_script_loses_no_more_than_its_last_moment(
    slow: bool, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that takes its time is on the disk line by line; a quick one may lose what it played last, but what
    is kept is in its order, after `doctor --mend` at worst."""
    for words in PLAYED:
        assert _run(words, folder) == 0
    had = len(entries(folder))
    template = copied(folder, tmp_path / "template")
    script = tmp_path / "prep.strike"
    script.write_text("\n".join(SCRIPT))
    monkeypatch.setattr(campaign_module, "MAX_UNSYNCED_SECONDS", 0.0 if slow else 3600.0)
    with Tape(folder) as tape:
        with contextlib.redirect_stdout(Told(tape)):
            assert run_command_line_or_complete(["batch", str(script), "--json", "-C", str(folder)]) == 0
        tape.mark("over")
    could = entries(folder)
    assert len(could) == had + len(SCRIPT)
    assert sum(isinstance(event.mark, int) for event in tape.events) == len(SCRIPT)
    for at, now, number in Cuts(tape, tmp_path / "cut", template):
        over = "over" in tape.marks(number)
        returned = len(could) if over else max(had, _had_returned(tape, number) if slow else 0)
        _check(now, at, returned, could)


@pytest.mark.parametrize("then", few_of(["roll die", "session start", "undo"]))
@pytest.mark.parametrize("first", ["roll die", "session end"])
def test_a_power_cut_after_a_kill_takes_nothing_that_returned(
    first: str, then: str, folder: Path, tmp_path: Path
) -> None:
    """A command was killed anywhere; the next goes on from what it left, and that is on the disk as well."""
    for words in () if first == "roll die" and then != "undo" else PLAYED[:1]:
        assert _run(words, folder) == 0
    template = copied(folder, tmp_path / "template")
    deadline, tried = time.monotonic() + SECONDS, 0
    for stop_at in range(1, 40, 1 if THOROUGH else 5):
        now = copied(template, tmp_path / "killed")
        with Tape(now, stop_at) as tape:
            with contextlib.suppress(Cut):
                _run(first, now)
                break
            tape.stop_at = 0
            code = _run(then, now)
            tape.mark(len(entries(now)))
        if code == 0:
            could = entries(now)
            *_, (number, disk) = tape.cuts()
            for at, fate in disk.fates(random.Random(f"{SEED} {stop_at}"), BY_CHANCE):
                if time.monotonic() > deadline:
                    break
                tried += 1
                lay_out(disk.left(fate), tmp_path / "cut", template)
                _check(tmp_path / "cut", f"{stop_at}, {at}", _had_returned(tape, number), could)
        shutil.rmtree(now)
    tell_figures("cuts", tried)
    assert stop_at > 8


@pytest.mark.parametrize(
    ("words", "file"),
    [
        ("character add sela --name Sela", "content/character-sela.toml"),
        ("map import mill.dd2vtt", "encounters/mill.toml"),
        ("map import mill.dd2vtt --force", "encounters/mill.toml"),
        ("map export ford.uvtt ford", "ford.uvtt"),
    ],
)
def test_a_file_of_people_s_own_is_whole_or_not_there(
    words: str, file: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (folder / "mill.dd2vtt").write_text(json.dumps(MAP))
    old = b"# what was there\n" if "--force" in words else None
    if old:
        (folder / file).parent.mkdir()
        (folder / file).write_bytes(old)
    with Tape(folder) as tape:
        assert _run(words, folder) == 0
        tape.mark("made")
    whole = (folder / file).read_bytes()
    for at, now, number in Cuts(tape, tmp_path / "cut", folder):
        found = contents(now).get(file)
        assert found in (whole, old), at
        assert found == whole or not tape.marks(number), at


def test_a_campaign_that_was_made_is_there_after_a_power_cut(tmp_path: Path, strike: Strike) -> None:
    place = tmp_path / "shelf"
    place.mkdir()
    with Tape(place) as tape:
        assert run_command_line_or_complete(["new", str(place / "new" / "causeway")]) == 0
        tape.mark("made")
    whole = contents(place)
    for at, now, number in Cuts(tape, tmp_path / "cut", place):
        if tape.marks(number):
            assert contents(now) == whole, at
