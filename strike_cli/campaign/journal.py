"""The journal: JSON Lines, append-only, a new file every session. It is also the bridge's outbox."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from ..problems import CampaignProblem
from . import files

Entry = dict[str, Any]
Position = tuple[str, int]
"""File name and byte offset of an entry."""

FOLDER = "journal"
FIRST = "0001.jsonl"
START: Position = (FIRST, 0)


def encode(entry: Entry) -> bytes:
    """An entry as its line."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def file_after(name: str) -> str:
    """The name of the journal file that follows."""
    return f"{int(name.partition('.')[0]) + 1:04d}.jsonl"


class Journal:
    """The journal's files in one campaign folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER

    def files(self) -> list[str]:
        """Names of the files, oldest first."""
        try:
            names = os.listdir(self.folder)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise files.unreadable(self.folder, error) from None
        return sorted(name for name in names if name.endswith(".jsonl"))

    def size(self, name: str) -> int:
        """Bytes in a file, 0 where there is none."""
        try:
            return os.stat(self.folder / name).st_size
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise files.unreadable(self.folder / name, error) from None

    def _open(self, name: str) -> BinaryIO:
        try:
            return open(self.folder / name, "rb")
        except OSError as error:
            raise files.unreadable(self.folder / name, error) from None

    def at(self, position: Position) -> Entry:
        """The entry that starts at a position."""
        name, offset = position
        with self._open(name) as file:
            file.seek(offset)
            return self._parse(file.readline(), name, offset)

    def since(self, position: Position) -> Iterator[tuple[Entry, Position, Position]]:
        """Entries from a position on, each with where it starts and where it ends.

        A last line without its end is not an entry: its writer was cut off, or is still writing.
        """
        first, offset = position
        for name in [name for name in self.files() if name >= first]:
            start = offset if name == first else 0
            with self._open(name) as file:
                file.seek(start)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    end = start + len(line)
                    yield self._parse(line, name, start), (name, start), (name, end)
                    start = end

    def newest(self, count: int) -> list[Entry]:
        """The last `count` entries, oldest first, reading no more than they need."""
        found: list[Entry] = []
        for name in reversed(self.files()):
            for line, start in self._lines_backwards(name):
                found.append(self._parse(line, name, start))
                if len(found) == count:
                    return found[::-1]
        return found[::-1]

    def _lines_backwards(self, name: str) -> Iterator[tuple[bytes, int]]:
        with self._open(name) as file:
            file.seek(0, os.SEEK_END)
            start = file.tell()
            kept = b""
            while start > 0:
                step = min(start, 65536)
                start -= step
                file.seek(start)
                kept = file.read(step) + kept
                lines = kept.splitlines(keepends=True)
                # The first may have begun before what was read.
                whole = lines if start == 0 else lines[1:]
                end = start + len(kept)
                for line in reversed(whole):
                    end -= len(line)
                    if line.endswith(b"\n"):
                        yield line, end
                kept = b"" if start == 0 else lines[0]

    def torn_tail(self, name: str) -> bytes:
        """What stands in a file after its last whole line."""
        with self._open(name) as file:
            return file.read().rpartition(b"\n")[2]

    def set_aside(self, name: str, end: int, *, whole_lines: bool = False) -> str:
        """Move what stands from `end` on into a file of its own beside the journal; returns that file's name.

        Raises OSError, with everything where it was; CampaignProblem where whole lines stand there, unless
        they are meant.
        """
        path = self.folder / name
        with self._open(name) as file:
            file.seek(end)
            torn = file.read()
        if b"\n" in torn and not whole_lines:
            raise CampaignProblem(
                f"{FOLDER}/{name} has grown since it was read: somebody else is writing, past the lock.",
                "Try again, from one machine at a time: some network drives don't lock. Nothing was changed.",
            )
        number = 1
        while (aside := self.folder / f"{name.partition('.')[0]}.torn-{number}").exists():
            number += 1
        files.write_synced(aside, torn)
        try:
            os.truncate(path, end)
        except OSError:
            files.remove(aside)
            raise
        return aside.name

    def _parse(self, line: bytes, name: str, offset: int) -> Entry:
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if not isinstance(entry, dict) or any(key not in entry for key in ("seq", "n", "command", "facts")):
            raise CampaignProblem(
                f"{FOLDER}/{name}, byte {offset}: this line is not a journal entry.",
                "Put the file back from a copy, or let `strike doctor --mend` set aside what came after.",
            )
        return entry
