"""Reading a campaign's journal and state, and nothing else of it: what is there, and since when.

Nothing is written here. A reader never waits for whoever writes: the journal only grows, and state.toml is
replaced whole, so that what is read may be a moment old and is never torn.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from strike_cli.problems import CampaignProblem

State = dict[str, Any]
Entry = dict[str, Any]
Position = tuple[str, int]
"""File name in the journal's folder, and byte offset."""

FOLDER = "journal"
STATE_FILE = "state.toml"
START: Position = ("0001.jsonl", 0)
_SHOWN = "fight"
"""The one table of the state that a virtual tabletop shows."""


class Line(NamedTuple):
    """A journal entry, and the position after it."""

    entry: Entry
    end: Position


class Snapshot(NamedTuple):
    """The campaign at one moment: the entries not yet told, the state before them, and the state now.

    `position` and `acknowledged` say where the entries begin: as asked, or corrected where the journal was
    put back from a copy.
    """

    lines: list[Line]
    before: State
    now: State
    position: Position
    acknowledged: int


class Record:
    """The journal and the state of the campaign in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / FOLDER

    def stamp(self) -> tuple[Any, ...]:
        """What differs whenever something was played or edited. Cheap: looks at two files, reads none."""
        files = self._files()
        newest = files[-1] if files else ""
        return newest, self._size(newest) if newest else 0, _stamp(self.folder / STATE_FILE)

    def read(self, position: Position, acknowledged: int) -> Snapshot:
        """What has happened since entry `acknowledged`, which ends at `position`.

        Raises CampaignProblem where journal or state can't be read.
        """
        state, seq, end = self._state()  # first, so that the journal read after it holds all that it knows
        position, acknowledged = self._locate(position, acknowledged)
        lines = list(self._lines(min(position, end)))
        before = state
        for entry, _ in reversed(lines):
            if acknowledged < entry["seq"] <= seq:
                before = taken_back(before, entry["facts"])
        for entry, _ in lines:
            if entry["seq"] > seq:
                state = with_facts(state, entry["facts"])
                if entry["seq"] <= acknowledged:
                    before = state
        untold = [line for line in lines if line.entry["seq"] > acknowledged]
        return Snapshot(untold, before, state, position, acknowledged)

    def count_after(self, position: Position, acknowledged: int) -> int:
        """How many entries have come since."""
        position, acknowledged = self._locate(position, acknowledged)
        return sum(line.entry["seq"] > acknowledged for line in self._lines(position))

    def at(self, position: Position) -> Entry:
        """The entry that starts at a position. Raises CampaignProblem where none does."""
        for line in self._lines(position):
            return line.entry
        raise CampaignProblem(f"{FOLDER}/{position[0]} has no entry at byte {position[1]}.", _REPAIR)

    def evening(self) -> tuple[Position, int]:
        """Where the evening under way begins, and the number of the entry before it.

        Every session has a journal file of its own, so that is the beginning of the newest.
        """
        files = self._files()
        start = (files[-1], 0) if files else START
        for line in self._lines(start):
            return start, int(line.entry["seq"]) - 1
        return start, max((int(line.entry["seq"]) for line in self._lines(START)), default=0)

    def _locate(self, position: Position, acknowledged: int) -> tuple[Position, int]:
        """Where the entry after `acknowledged` begins: as remembered, unless the journal was replaced."""
        name, offset = position
        with contextlib.suppress(CampaignProblem):
            if offset <= self._size(name):
                following = next(self._lines(position), None)
                if following is None or following.entry["seq"] == acknowledged + 1:
                    return position, acknowledged
        found, last = START, 0
        for entry, end in self._lines(START):
            if entry["seq"] > acknowledged:
                break
            found, last = end, int(entry["seq"])
        return found, last

    def _files(self) -> list[str]:
        try:
            return sorted(name for name in os.listdir(self.journal) if name.endswith(".jsonl"))
        except FileNotFoundError:
            return []

    def _size(self, name: str) -> int:
        try:
            return os.stat(self.journal / name).st_size
        except FileNotFoundError:
            return 0

    def _lines(self, position: Position) -> Iterator[Line]:
        """Entries from a position on.

        A last line without its end is not an entry yet: somebody is writing it, or was cut off.
        """
        first, offset = position
        for name in self._files():
            if name < first:
                continue
            end = offset if name == first else 0
            with open(self.journal / name, "rb") as file:
                file.seek(end)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    end += len(line)
                    yield Line(_parsed(line, name, end - len(line)), (name, end))

    def _state(self) -> tuple[State, int, Position]:
        """What state.toml says is so, the entry that it is true for, and where that one ends."""
        import tomllib

        path = self.folder / STATE_FILE
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            head = data["strike"]
            name, offset = head["end"]
            shown = {_SHOWN: data[_SHOWN]} if isinstance(data.get(_SHOWN), dict) else {}
            return shown, int(head["seq"]), (str(name), int(offset))
        except FileNotFoundError:
            return {}, 0, START
        except OSError as error:
            raise CampaignProblem(
                f"{path} can't be read: {error.strerror}.", "Check its permissions."
            ) from None
        except (ValueError, KeyError, TypeError) as error:
            raise CampaignProblem(f"{STATE_FILE} can't be understood: {error}.", _REPAIR) from None


_REPAIR = "`strike doctor` checks the campaign."


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return 0, 0
    return status.st_mtime_ns, status.st_ino


def _parsed(line: bytes, name: str, offset: int) -> Entry:
    try:
        entry = json.loads(line)
    except ValueError:
        entry = None
    if not isinstance(entry, dict) or not isinstance(entry.get("seq"), int):
        raise CampaignProblem(f"{FOLDER}/{name}, byte {offset}: this line is not a journal entry.", _REPAIR)
    return entry


# The state, followed through facts. Changes are absolute and say what was there before, so the state at any
# entry can be had from the state now, forwards or backwards.


def with_facts(state: State, facts: Iterable[Mapping[str, Any]]) -> State:
    """The state after facts, of which only what a tabletop shows is followed."""
    for fact in facts:
        for path, _, after in fact["changes"]:
            state = _with(state, path, after)
    return state


def taken_back(state: State, facts: Iterable[Mapping[str, Any]]) -> State:
    """The state before facts that led to it."""
    for fact in reversed(list(facts)):
        for path, before, _ in reversed(fact["changes"]):
            state = _with(state, path, before)
    return state


def _with(state: State, path: str, value: Any) -> State:
    keys = path.split(".")
    return _set(state, keys, value) if keys[0] == _SHOWN else state


def _set(table: State, keys: list[str], value: Any) -> State:
    """A copy of the table with one value set; None takes it away."""
    copy = dict(table)
    key, *rest = keys
    if rest:
        inner = copy.get(key)
        copy[key] = _set(inner if isinstance(inner, dict) else {}, rest, value)
    elif value is None:
        copy.pop(key, None)
    else:
        copy[key] = value
    return copy
