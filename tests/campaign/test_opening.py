"""Opening a campaign costs the same however long its journal is: counted in calls and bytes."""

from __future__ import annotations

import builtins
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from campaign.conftest import Strike
from campaign.evening import entries, make

from strike_cli.campaign import Campaign
from strike_cli.campaign.journal_entry_format import encode_entry
from strike_cli.campaign.state_file import StateHead, render_state

SIZES = (0, 1_000, 10_000)


class Counted:
    """A file of the journal that counts what is read of it."""

    def __init__(self, file: Any, counts: Counter[str]) -> None:
        self.file = file
        self.counts = counts

    def _counted(self, read: bytes) -> bytes:
        self.counts["bytes"] += len(read)
        return read

    def read(self, *size: int) -> bytes:
        return self._counted(self.file.read(*size))

    def readline(self, *size: int) -> bytes:
        return self._counted(self.file.readline(*size))

    def __iter__(self) -> Iterator[bytes]:
        return map(self._counted, self.file)

    def __enter__(self) -> Counted:
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


@contextmanager
def counting(folder: Path) -> Iterator[Counter[str]]:
    """Counts calls on the journal's files, and the bytes that are read of them."""
    counts: Counter[str] = Counter()
    journal = str(folder / "journal")

    opened: set[int] = set()

    def noting(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(path: Any, *rest: Any, **more: Any) -> Any:
            ours = not isinstance(path, int) and os.fspath(path).startswith(journal)
            found = call(path, *rest, **more)
            if ours and name == "open":
                opened.add(found)
            elif ours:
                counts[name] += 1
            return found

        return noted

    def reading(file: Any, *rest: Any, real: Any = builtins.open, **more: Any) -> Any:
        found = real(file, *rest, **more)
        if file not in opened:
            return found
        opened.discard(file)
        counts["open"] += 1
        return Counted(found, counts)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builtins, "open", reading)
        for name in ("open", "stat", "lstat", "listdir", "scandir"):
            patch.setattr(os, name, noting(name, getattr(os, name)))
        yield counts


LINE = 4096 + 100
"""Bytes that are read to see which line is the last: no more of the journal is."""


def _played(folder: Path, count: int) -> Path:
    """A campaign after that many commands, made without playing them, 500 to a file."""
    make(folder)
    head = StateHead(11)
    files: dict[str, list[bytes]] = {}
    for number in range(count):
        name = f"{number // 500 + 1:04d}.jsonl"
        start = (name, head.end[1] if number % 500 else 0)
        change = (
            ["characters", None, {"vex": {"ap": 0}}]
            if not number
            else ["characters.vex.ap", number - 1, number]
        )
        fact = {
            "kind": "overridden",
            "who": "",
            "text": f"Number {number}.",
            "changes": [change],
            "why": "a test",
        }
        entry: dict[str, Any] = {
            "seq": number + 1,
            "at": "2026-01-31T20:15:00Z",
            "session": 0,
            "n": number,
            "command": "override",
            "args": {"path": "characters.vex.ap", "value": number, "why": "a test"},
            "answers": [],
            "facts": [fact],
        }
        if head.last:
            entry["prev"] = list(head.last)
        line = encode_entry(entry)
        files.setdefault(name, []).append(line)
        head.include_entry(entry, start, (name, start[1] + len(line)))
    if count:
        (folder / "journal").mkdir()
        for name, lines in files.items():
            (folder / "journal" / name).write_bytes(b"".join(lines))
        state = {"characters": {"vex": {"ap": count - 1}}}
        (folder / "state.toml").write_bytes(render_state(head, state))
    return folder


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    place = tmp_path_factory.mktemp("played")
    return {count: _played(place / str(count), count) for count in SIZES}


@pytest.mark.parametrize("writing", [False, True], ids=["reading", "writing"])
def test_opening_reads_the_last_line_of_any_journal(writing: bool, played: dict[int, Path]) -> None:
    seen = {}
    for count, folder in played.items():
        with counting(folder) as counts, Campaign(folder, writing=writing) as campaign:
            assert campaign.head.seq == count
            assert not campaign.notices
        assert counts["open"] <= 2 * bool(count)
        seen[count] = dict(counts)
        assert counts.pop("bytes", 0) <= 2 * LINE
        assert sum(counts.values()) <= 8
    assert seen[1_000]["open"] == seen[10_000]["open"]


def test_a_command_reads_the_journals_last_line_and_undo_reads_one_entry(
    played: dict[int, Path], strike: Strike, tmp_path: Path
) -> None:
    seen = {}
    for count in SIZES[1:]:
        folder = shutil.copytree(played[count], tmp_path / str(count))
        longest = max(map(len, (folder / "journal" / "0001.jsonl").read_bytes().splitlines())) + 20
        with counting(folder) as counts:
            assert strike("roll skill vex Climbing", folder).code == 0
        assert counts["bytes"] <= 2 * LINE
        with counting(folder) as undone:
            assert strike("undo 3", folder).code == 0
        assert undone["open"] <= 3 * 3  # of each also whether it was played as one with others
        assert undone["bytes"] <= 7 * LINE + 5 * longest
        with counting(folder) as redone:
            assert strike("redo", folder).code == 0
        assert redone["open"] <= 4
        with counting(folder) as shown:
            assert strike("status", folder).code == 0
        assert shown["bytes"] <= LINE
        seen[count] = [counts["open"], undone["open"], redone["open"], shown["open"]]
        assert len(entries(folder)) == count + 3
    assert seen[1_000] == seen[10_000]


def test_the_end_of_the_log_is_read_from_the_end(played: dict[int, Path], strike: Strike) -> None:
    read = {}
    for count in SIZES[1:]:
        with counting(played[count]) as counts:
            said = strike("log --last 5 --json", played[count])
        assert [entry["seq"] for entry in said.json["data"]["entries"]] == list(range(count - 4, count + 1))
        read[count] = counts["bytes"]
    assert read[10_000] <= max(read[1_000], 65536) + LINE


def test_the_state_does_not_grow_with_the_journal(played: dict[int, Path]) -> None:
    small, large = ((played[count] / "state.toml").stat().st_size for count in SIZES[1:])
    assert large - small < 20
