"""A journal with a hole in it: what `doctor --mend` saves, and when it keeps its hands off."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.cli import Strike


@pytest.fixture
def script(folder: Path, in_campaign: Strike) -> Path:
    """Three commands that state.toml knows, then a script of six that it doesn't know yet."""
    for face in (1, 2, 3):
        in_campaign(f"roll die --dice {face}")
    shutil.copy(folder / "state.toml", folder / "earlier.toml")
    (folder / "script").write_text("roll die --dice 4\n" * 6, encoding="utf-8")
    in_campaign("batch script")
    shutil.move(folder / "earlier.toml", folder / "state.toml")
    return folder / "journal" / "0001.jsonl"


def punch(journal: Path, entry: int) -> None:
    """A hole of zeros where an entry stood, as a page that never reached the disk."""
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[entry - 1] = b"\0" * (len(lines[entry - 1]) - 1) + b"\n"
    journal.write_bytes(b"".join(lines))


def test_what_stands_before_the_hole_is_saved(in_campaign: Strike, script: Path) -> None:
    punch(script, 7)
    before = script.read_bytes()
    assert "doctor --mend" in in_campaign("status", 3).err
    assert script.read_bytes() == before
    in_campaign("doctor --mend")
    assert len(in_campaign.json("log")["data"]["entries"]) == 6
    aside = script.with_name("0001.torn-1")
    assert script.read_bytes() + aside.read_bytes() == before
    in_campaign("roll die --dice 6")
    in_campaign("replay --verify")


def test_a_hole_in_what_the_state_was_made_from_is_left_alone(in_campaign: Strike, script: Path) -> None:
    punch(script, 2)
    before = script.read_bytes()
    assert "from a copy" in in_campaign("doctor --mend", 3).err
    assert script.read_bytes() == before


def test_later_files_are_set_aside_too(in_campaign: Strike, script: Path) -> None:
    in_campaign("session start --title later")
    later = script.with_name("0002.jsonl")
    assert later.exists()
    lines = script.read_bytes().splitlines(keepends=True)
    state = script.parents[1] / "state.toml"
    state.unlink()
    script.write_bytes(b"".join(lines[:8]) + b"\0" * 40 + b"\n")
    in_campaign("doctor --mend")
    assert [entry["seq"] for entry in in_campaign.json("log")["data"]["entries"]] == list(range(1, 9))
    assert later.with_name("0002.torn-1").exists()


def test_a_whole_journal_is_left_as_it_is(in_campaign: Strike, script: Path) -> None:
    before = script.read_bytes()
    in_campaign("doctor --mend")
    assert script.read_bytes() == before
