"""A table stored in a snapshot file, with its later changes in a second file, the log.

Writing a snapshot takes milliseconds. Adding a line to the log takes almost no time.

Each line of the log names the snapshot to which it belongs. So it is never applied to another snapshot, even
if the writer died between two writes. There may be one writer at a time, and any number of readers.
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

from strike_cli.campaign import file_access

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
    """A table that is stored in two files: a snapshot, and a log of the changes since the snapshot.

    The snapshot is the file `path`. The log is next to it, with the suffix `.lines`.
    """

    def __init__(self, path: Path, by_key: Collection[str] = ()) -> None:
        """Make an object for the files at `path`, without reading them.

        `by_key` names large tables that change in only a few keys at a time. For these tables, only the
        changed keys are logged.
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

    def read_existing(self) -> Fields:
        """Return the table as it was last saved. Raises OSError and ValueError."""
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
                    _apply_change(found, change)
        self._written = _copy_fields(found)
        return found

    def write(self, fields: Fields, *, whole: bool = False, sync: bool = False) -> None:
        """Save the table `fields`.

        By default, the changes since the last write are added to the log as one line. With `whole`, a
        snapshot of the table is written instead. A snapshot is also written if there is none yet, or if the
        log has become too long.

        A power cut never loses a snapshot. It may lose the latest lines of the log. With `sync`, it can lose
        neither the new line nor the lines before it. Raises OSError.
        """
        written = self._written
        change: LoggedChange = {} if written is None else _difference(written, fields, self.by_key)
        if written is None or self._length > LONGEST or (whole and (change or self._length)):
            self._write_snapshot(fields)
        elif change:
            line = _json_bytes({"edition": self._edition, **change}) + b"\n"
            if self._file is None:
                appending = os.O_WRONLY | os.O_CREAT | os.O_APPEND
                self._file = FileIO(file_access.open_plain_file(self.lines, appending), "ab")
                self._named = False
            self._file.write(line)
            self._length += len(line)
            if sync:
                os.fsync(self._file.fileno())
                if not self._named:
                    file_access.sync_folder(self.path.parent)
                    self._named = True
            written.update({name: _copy_outer_level(fields[name]) for name in change.get("set", {})})
            for name, came in change.get("in", {}).items():
                table = _table_field(written, name)
                table.update(came)
                for key in change.get("out", {}).get(name, ()):
                    del table[key]

    def _write_snapshot(self, fields: Fields) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        self.path.parent.mkdir(exist_ok=True)
        self._edition = int.from_bytes(os.urandom(6), "big")
        scratch = file_access.write_scratch(self.path, _json_bytes({"edition": self._edition, **fields}))
        file_access.replace_file_without_sync(scratch, self.path)
        for folder in (self.path.parent, self.path.parent.parent):
            file_access.sync_folder(folder)
        with contextlib.suppress(FileNotFoundError, PermissionError):  # Windows, while somebody reads it: its
            self.lines.unlink()  # lines are of another edition, and no longer looked at
        self._length, self._written = 0, _copy_fields(fields)


def copy_aside(path: Path) -> Path:
    """Copy an unreadable table and its log to new names; return the path of the table's copy.

    Raises OSError if they can't be copied.
    """
    aside = path.with_name(f"{path.name}.unreadable-{time.time_ns()}")
    with contextlib.suppress(FileNotFoundError):
        file_access.write_new_synced_file(
            aside.with_name(f"{aside.name}.lines"), path.with_suffix(".lines").read_bytes()
        )
    file_access.write_new_synced_file(aside, path.read_bytes())
    file_access.sync_folder(path.parent)  # the copy must be durable before the original is replaced
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


def _apply_change(fields: Fields, change: LoggedChange) -> None:
    fields.update(change.get("set", {}))
    for name, changed in change.get("in", {}).items():
        fields[name] = {**_table_field(fields, name), **changed}
    for name, gone in change.get("out", {}).items():
        fields[name] = {key: each for key, each in _table_field(fields, name).items() if key not in gone}


def _table_field(fields: Fields, name: str) -> Fields:
    """Return a field that is a table; an empty one if it is missing. Raises ValueError for any other type."""
    found = fields.get(name, {})
    if not isinstance(found, dict):
        raise ValueError(f"{name} should be a table")
    return found


def _copy_fields(fields: Fields) -> Fields:
    return {name: _copy_outer_level(value) for name, value in fields.items()}


def _copy_outer_level(value: object) -> object:
    """Return a copy of a table's or list's outer level.

    Inner values are only ever replaced, never changed.
    """
    return value.copy() if isinstance(value, dict | list) else value


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _json_bytes(value: object) -> bytes:
    return _JSON.encode(value).encode()
