"""A journal with a hole in it: what `doctor --mend` saves."""

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


def test_what_stands_behind_the_hole_is_saved_too(in_campaign: Strike, script: Path) -> None:
    punch(script, 7)
    before = script.read_bytes()
    assert "doctor --mend" in in_campaign("status", 3).err
    assert script.read_bytes() == before
    in_campaign("doctor --mend")
    assert [entry["seq"] for entry in in_campaign.json("log")["data"]["entries"]] == list(range(1, 10))
    assert script.with_name("0001.branch-1").read_bytes() == before
    in_campaign("roll die --dice 6")
    in_campaign("replay --verify")


def test_a_whole_journal_is_left_as_it_is(in_campaign: Strike, script: Path) -> None:
    before = script.read_bytes()
    in_campaign("doctor --mend")
    assert script.read_bytes() == before
