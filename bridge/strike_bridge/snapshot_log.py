"""A table stored in a file, and a log of its later changes in a file beside it.

To replace a file costs milliseconds, more than a request to a server near by; to append a line costs next to
nothing. Each line names the snapshot that it belongs to, so that a snapshot and another's lines never mix,
whenever the writer died. There may be one writer at a time, and any number of readers.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Collection
from io import FileIO
from pathlib import Path
from typing import TypedDict

from strike_cli.campaign import files

LONGEST = 256 * 1024
"""Bytes of the log before a new snapshot is written."""

Fields = dict[str, object]
LoggedChange = TypedDict(
    "LoggedChange",
    {"edition": int, "set": Fields, "in": dict[str, Fields], "out": dict[str, list[str]]},
    total=False,
)
"""A line of the log: `set` has whole values, `in` and `out` the keys that were added to and removed from
tables."""


class SnapshotLog:
    """A stored table: the snapshot at `path` with the log beside it."""

    def __init__(self, path: Path, by_key: Collection[str] = ()) -> None:
        """Make a log at a path.

        `by_key` names the fields that are tables of which few keys change at a time.
        """
        self.path = path
        self.by_key = by_key
        self.lines = path.with_suffix(".lines")
        self._written: Fields | None = None
        self._edition = 0
        self._length = 0
        self._file: FileIO | None = None
        self._named = False
        """Whether the log's directory entry has been synced to disk."""

    def read(self) -> Fields:
        """Read the table as it was last saved. Raises OSError and ValueError."""
        found = json.loads(self.path.read_bytes())
        if not isinstance(found, dict):
            raise ValueError("it should be a table")
        self._edition = found.pop("edition", 0)
        self._length = 0
        with contextlib.suppress(FileNotFoundError):
            data = self.lines.read_bytes()
            # Nothing can follow half a line: the next write is a whole snapshot.
            self._length = len(data) if data.endswith(b"\n") else LONGEST + 1
            for line in data.splitlines(keepends=True):
                change: LoggedChange = json.loads(line) if line.endswith(b"\n") else {}
                if change.pop("edition", None) == self._edition:
                    _apply(found, change)
        self._written = _copied(found)
        return found

    def write(self, fields: Fields, *, whole: bool = False, sync: bool = False) -> None:
        """Save a table, as a log line of its changes or as a snapshot (`whole`). Raises OSError.

        A snapshot survives a power cut, and so does a line with `sync`, with all before it. Other lines don't
        wait for the disk: after a power cut the table may be an earlier one.
        """
        written = self._written
        change: LoggedChange = {} if written is None else _difference(written, fields, self.by_key)
        if written is None or self._length > LONGEST or (whole and (change or self._length)):
            self._replace(fields)
        elif change:
            line = _encoded({"edition": self._edition, **change}) + b"\n"
            if self._file is None:
                appending = os.O_WRONLY | os.O_CREAT | os.O_APPEND
                self._file = FileIO(files.open_plain(self.lines, appending), "ab")
                self._named = False
            self._file.write(line)
            self._length += len(line)
            if sync:
                os.fsync(self._file.fileno())
                if not self._named:
                    files.sync_folder(self.path.parent)
                    self._named = True
            written.update({name: _copy(fields[name]) for name in change.get("set", {})})
            for name, came in change.get("in", {}).items():
                table = _table(written, name)
                table.update(came)
                for key in change.get("out", {}).get(name, ()):
                    del table[key]

    def _replace(self, fields: Fields) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        self.path.parent.mkdir(exist_ok=True)
        self._edition = int.from_bytes(os.urandom(6), "big")
        scratch = files.write_scratch(self.path, _encoded({"edition": self._edition, **fields}))
        files.replace(scratch, self.path)
        for folder in (self.path.parent, self.path.parent.parent):
            files.sync_folder(folder)
        with contextlib.suppress(FileNotFoundError, PermissionError):  # Windows, while somebody reads it: its
            self.lines.unlink()  # lines are of another edition, and no longer looked at
        self._length, self._written = 0, _copied(fields)


def keep_aside(path: Path) -> Path:
    """Copy an unreadable table, with its log, out of the way; return the copy. Raises OSError."""
    aside = path.with_name(f"{path.name}.unreadable-{time.time_ns()}")
    with contextlib.suppress(FileNotFoundError):
        files.write_synced(aside.with_name(f"{aside.name}.lines"), path.with_suffix(".lines").read_bytes())
    files.write_synced(aside, path.read_bytes())
    files.sync_folder(path.parent)  # the copy must be durable before the original is replaced
    return aside


def _difference(before: Fields, after: Fields, by_key: Collection[str]) -> LoggedChange:
    anew, came, gone = Fields(), dict[str, Fields](), dict[str, list[str]]()
    for name, value in after.items():
        old = before.get(name)
        if value == old:
            continue
        if name not in by_key or not isinstance(old, dict) or not isinstance(value, dict):
            anew[name] = value
            continue
        came[name] = {key: each for key, each in value.items() if key not in old or old[key] != each}
        if len(value) < len(old) + sum(key not in old for key in came[name]):
            gone[name] = [key for key in old if key not in value]
    change: LoggedChange = {}
    if anew:
        change["set"] = anew
    if came:
        change["in"] = came
    if gone:
        change["out"] = gone
    return change


def _apply(fields: Fields, change: LoggedChange) -> None:
    fields.update(change.get("set", {}))
    for name, changed in change.get("in", {}).items():
        fields[name] = {**_table(fields, name), **changed}
    for name, gone in change.get("out", {}).items():
        fields[name] = {key: each for key, each in _table(fields, name).items() if key not in gone}


def _table(fields: Fields, name: str) -> Fields:
    """Return a field that is a table logged by keys. Raises ValueError for any other."""
    found = fields.get(name, {})
    if not isinstance(found, dict):
        raise ValueError(f"{name} should be a table")
    return found


def _copied(fields: Fields) -> Fields:
    return {name: _copy(value) for name, value in fields.items()}


def _copy(value: object) -> object:
    """Copy a value's outer levels: inner values are replaced, never changed."""
    return value.copy() if isinstance(value, dict | list) else value


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _encoded(value: object) -> bytes:
    return _JSON.encode(value).encode()
