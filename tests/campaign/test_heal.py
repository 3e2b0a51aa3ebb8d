"""A damaged journal heals: whatever was damaged, every entry that can be read is kept, one plays on, and
later entries can be taken back (`strike doctor --mend`)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from campaign.conftest import Strike
from support.thorough import THOROUGH

from strike_cli.campaign.campaign import Campaign
from strike_cli.campaign.journal import START, Hole, Journal

Lines = list[bytes]
Damage = Callable[[Lines, int, Random], Lines]


def _without(lines: Lines, at: int, random: Random) -> Lines:
    return [*lines[:at], *lines[at + 1 :]]


def _byte(lines: Lines, at: int, random: Random) -> Lines:
    line = bytearray(lines[at])
    line[random.randrange(len(line) - 1)] = random.randrange(256)
    return [*lines[:at], bytes(line), *lines[at + 1 :]]


def _edited(lines: Lines, at: int, random: Random) -> Lines:
    return [*lines[:at], lines[at].replace(b"condition", b"c0ndition"), *lines[at + 1 :]]


def _zeroed(lines: Lines, at: int, random: Random) -> Lines:
    return [*lines[:at], b"\0" * len(lines[at]), *lines[at + 1 :]]


def _zeroed_across(lines: Lines, at: int, random: Random) -> Lines:
    raw = b"".join(lines)
    start = len(b"".join(lines[:at])) + random.randrange(40)
    return [raw[:start], b"\0" * min(700, len(raw) - start), raw[start + 700 :]]


def _doubled(lines: Lines, at: int, random: Random) -> Lines:
    return [*lines[: at + 1], lines[at], *lines[at + 1 :]]


def _swapped(lines: Lines, at: int, random: Random) -> Lines:
    other = min(at + 1, len(lines) - 1)
    lines = list(lines)
    lines[at], lines[other] = lines[other], lines[at]
    return lines


def _cut(lines: Lines, at: int, random: Random) -> Lines:
    return [*lines[:at], lines[at][: len(lines[at]) // 2]]


def _several(lines: Lines, at: int, random: Random) -> Lines:
    for _ in range(3):
        if len(lines) > 1:
            lines = random.choice([_without, _byte, _zeroed])(lines, random.randrange(len(lines)), random)
    return lines


def _garbage(lines: Lines, at: int, random: Random) -> Lines:
    return [*lines[:at], b"\xff\xfe {not json\n", *lines[at:]]


def _shuffled(lines: Lines, at: int, random: Random) -> Lines:
    return random.sample(lines, len(lines))


def _emptied(lines: Lines, at: int, random: Random) -> Lines:
    return []


def _windows(lines: Lines, at: int, random: Random) -> Lines:
    lines = [line.replace(b"\n", b"\r\n") for line in lines]
    return _without(lines, at, random)


DAMAGES: dict[str, Damage] = {
    "a byte": _byte,
    "a line that is missing": _without,
    "an edited line": _edited,
    "a zeroed line": _zeroed,
    "zeros across lines": _zeroed_across,
    "a doubled line": _doubled,
    "swapped lines": _swapped,
    "a file cut off": _cut,
    "several": _several,
    "garbage between": _garbage,
    "shuffled lines": _shuffled,
    "an emptied file": _emptied,
    "line ends turned round": _windows,
    "a file that is missing": _emptied,
}
EVENING = """
session start; condition add vex winded --why stairs; roll skill vex Climbing --dice 5; note one; undo
condition add vex angry; condition add vex tired --why wind; undo 2; redo; note two; session end
session start; note three; roll die --dice 3; condition remove vex winded; undo
condition add vex winded --why hail; note four
"""


@pytest.fixture
def played(folder: Path, strike: Strike) -> Path:
    """An evening in two sessions, with undo and redo."""
    for words in EVENING.replace("\n", ";").split(";"):
        if words.strip():
            strike(words.strip())
    return folder


def readable(folder: Path) -> list[dict[str, Any]]:
    """What can be read of a journal, line by line, without its places and links."""
    journal, found = Journal(folder), []
    for name in journal.files():
        for line in (
            (folder / "journal" / name).read_bytes().replace(b"\r\n", b"\n").splitlines(keepends=True)
        ):
            try:
                entry = journal.read_line(line, name)
            except Hole:
                continue
            found.append(
                {
                    key: value
                    for key, value in entry.items()
                    if key not in ("after", "prev", "head", "identity")
                }
            )
    return found


@pytest.mark.parametrize("seed", range(500 if THOROUGH else 60))
def test_every_entry_that_can_be_read_is_kept(seed: int, played: Path, strike: Strike) -> None:
    random = Random(seed)
    name, damage = list(DAMAGES.items())[seed % len(DAMAGES)]
    file = random.choice(sorted((played / "journal").glob("*.jsonl")))
    lines = file.read_bytes().splitlines(keepends=True)
    at = random.choice([0, len(lines) - 1, random.randrange(len(lines))])
    file.write_bytes(b"".join(damage(lines, at, random)))
    if name == "a file that is missing":
        file.unlink()
    state = (played / "state.toml").read_bytes()
    has_state = random.random() < 0.6
    if not has_state:
        (played / "state.toml").unlink()
    before = readable(played)
    mended = strike("doctor --mend", played)
    assert mended.code == 0, (name, mended)
    after = readable(played)
    by_seq = {entry["seq"]: entry for entry in after}
    # What somebody edited is put right where the entries behind it say so.
    put_right = name in ("a byte", "an edited line", "several")
    kept = [entry for entry in before if entry in after or (put_right and entry["seq"] in by_seq)]
    # Of two with one number, or of one that stands twice, one is kept; the files as they were lie beside.
    assert {entry["seq"] for entry in before} <= {entry["seq"] for entry in kept}, name
    assert [entry["seq"] for entry in after] == sorted(by_seq), name
    if has_state and name != "an edited line":
        with Campaign(played) as campaign:
            told = campaign.state
        (played / "as-it-was").mkdir()
        shutil.copy(played / "campaign.toml", played / "as-it-was")
        assert told == _state_in(state), name
        shutil.rmtree(played / "as-it-was")
    assert strike("note later", played).code == 0, name
    for _ in range(3):
        assert strike("undo", played).code == 0, name
    assert strike("redo 2", played).code == 0, name
    assert strike("log", played).code == 0
    again = strike("doctor", played)
    assert again.code == 0, (name, again)


def _state_in(raw: bytes) -> dict[str, object]:
    import tomllib

    found = tomllib.loads(raw.decode())
    del found["strike"]
    return found


def test_a_hole_is_marked_and_said_in_the_log(played: Path, strike: Strike) -> None:
    file = played / "journal" / "0001.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:2], *lines[4:]]))
    told = strike("doctor", played)
    assert f"{len(readable(played))} entries can be read and are kept; #3 to #4 can't be read" in told.out
    assert "#3 to #4" in strike("doctor --mend", played).out
    assert "Entries #3 to #4 are missing here" in strike("log --session 1", played).out
    assert strike("doctor", played).code == 0
    assert json.loads(strike("replay --verify --json", played).out)["data"]["differences"] == []
    assert [entry["seq"] for entry, _, _ in Journal(played).since(START)][:4] == [1, 2, 4, 5]
