"""The journal: JSON Lines, append-only, a new file every session. It is also the bridge's outbox.

It is a chain: each line begins with a hash of the line before it, under `after`. Journals of versions
before that have none, and play on. On the disk `prev`, the command in effect before, is left out where that
is the line before: whoever reads an entry has it all the same.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from binascii import b2a_base64
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, product
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import strike_cli.campaign.files as files

from ..kernel.facts import FIELDS, OWN_KEYS, written_fact
from ..kernel.roll_data import ROLLS, rolls_in
from ..problems import CampaignProblem
from ..reading import DEEPEST, LARGEST_NUMBER, unsound
from ..values import Value
from .short_form import Item, Line, Place, decision_of, find_decisions, lengthen

if TYPE_CHECKING:
    from ..kernel.journal_types import HeadMoved, JournalEntry

try:
    from _blake2 import blake2b  # hashlib takes a thirtieth of a start
except ImportError:  # pragma: no cover
    from hashlib import blake2b

Position = tuple[str, int]
"""File name and byte offset of an entry."""

FOLDER = "journal"
FIRST = "0001.jsonl"
START: Position = (FIRST, 0)
_ENDING = ".jsonl"
_TOLD = r'"(?:text|note)": ?"((?:[^"\\]|\\.)*)"'
"""What a line has of texts that are told, as JSON writes them."""
_HASH, LINK = 16, 22
"""Bytes of a line's hash, and the characters that they are written in."""
_BLOCK, _STEP = 2**18, 2**12
"""Bytes that are looked through at once, and by which the beginning of a line is looked for."""


def encode(entry: JournalEntry) -> bytes:
    """Return an entry as its line.

    An empty `names` is left out, where readers know that an entry may have some. Raises TypeError and
    ValueError for values that JSON doesn't have.
    """
    line: Line = {**entry, "facts": [written_fact(fact) for fact in entry["facts"]]}
    if "after" in entry and "head" not in entry and not entry.get("names"):
        line.pop("names", None)
    return written(line)


def written(line: Line) -> bytes:
    """Return a line as the journal's files have it."""
    return _ENCODER.encode(line).encode() + b"\n"


def link(line: bytes) -> str:
    """Return the hash of a line, by which the next one names it: 16 bytes in base64, without padding.

    It is the same where a program has changed line ends.
    """
    if line.endswith(b"\r\n"):
        line = line[:-2] + b"\n"
    return b2a_base64(blake2b(line, digest_size=_HASH).digest(), newline=False)[:LINK].decode()


def relinked(line: bytes, after: str) -> bytes | None:
    """Return a line linked to another line before it; None where it doesn't begin as strike writes it."""
    start, end = len(_AFTER), len(_AFTER) + LINK
    return line[:start] + after.encode() + line[end:] if line.startswith(_AFTER) and after else None


def is_file_name(name: object) -> bool:
    """Return whether one of the journal's files may be called so: nothing else is ever opened for one."""
    return (
        type(name) is str and len(name) == len(FIRST) and name.endswith(_ENDING) and name[:4].isdecimal()
    ) and name.isascii()


def position_of(value: object) -> Position:
    """Return a position from its form in a file. Raises ValueError for anything else."""
    if not isinstance(value, list | tuple) or len(value) != 2 or not is_file_name(value[0]):
        raise ValueError(f"{str(value)[:60]!r} is no place in the journal")
    return (value[0], whole(value[1]))


def whole(value: object) -> int:
    """Return a number of a file's own bookkeeping. Raises ValueError for anything else."""
    if type(value) is not int or not 0 <= value <= LARGEST_NUMBER:
        raise ValueError(f"{str(value)[:60]!r} is no number from 0 on")
    return value


def file_after(name: str) -> str:
    """Return the name of the journal file that follows."""
    return f"{int(name.partition('.')[0]) + 1:04d}.jsonl"


def kept_at(folder: Path, digest: str) -> Path:
    """Return where a campaign with this digest is kept beside the journal (`last_good`)."""
    return folder / FOLDER / f"campaign-{digest}.z"


def entry_follows(entry: JournalEntry, seq: int) -> bool:
    """Return whether an entry is the next after entry `seq`, or marks the hole that begins there."""
    return entry.get("missing_from", entry["seq"]) == seq + 1


class Hole(CampaignProblem):
    """A line of the journal that is no entry. `position` is where it stands."""

    def __init__(self, position: Position, fault: str) -> None:
        super().__init__(
            f"{FOLDER}/{position[0]}, byte {position[1]}: this line is not a journal entry: {fault}.",
            "`strike doctor --mend` keeps all that can be read, and marks what is missing.",
        )
        self.position, self.fault = position, fault


class Break(CampaignProblem):
    """An entry that was recorded after another line than the one before it. `position` is where it stands."""

    def __init__(self, position: Position, seq: int) -> None:
        super().__init__(
            f"{FOLDER}/{position[0]}, byte {position[1]}: entry {seq} was recorded after "
            "another entry than the one before it.",
            "Somebody edited the journal, or it is of two copies of the campaign. `strike doctor --mend` "
            "keeps all that can be read; of two copies it keeps one, and sets the other aside. "
            "Nothing was changed.",
        )
        self.position = position


class Gap(CampaignProblem):
    """An entry that can't follow entry `after`.

    The entries between them are lost, or were of another journal.
    """

    def __init__(self, entry: JournalEntry, position: Position, after: int) -> None:
        super().__init__(
            f"{FOLDER}/{position[0]}, byte {position[1]}: entry {entry['seq']} follows {after}.",
            "After a power cut, or where two copies came together, `strike doctor --mend` keeps all that can "
            "be read, and marks what is missing.",
        )
        self.position = position


class Journal:
    """The journal's files in one campaign folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER

    def files(self) -> list[str]:
        """Return the names of the files, oldest first."""
        try:
            names = os.listdir(self.folder) if files.real_folder(self.folder) else []
        except OSError as error:
            raise files.unreadable(self.folder, error) from None
        return sorted(filter(is_file_name, names))

    def size(self, name: str) -> int:
        """Return the bytes in a file, 0 where there is none."""
        try:
            status = os.lstat(os.path.join(self.folder, name))  # a Path takes longer than to look
            if stat.S_ISLNK(status.st_mode):
                raise OSError(errno.ELOOP, "it is a link")
            return status.st_size
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise files.unreadable(self.folder / name, error) from None

    def _open(self, name: str) -> BinaryIO:
        path = self.folder / name
        try:
            files.real_folder(self.folder)
            return open(files.open_plain(path, os.O_RDONLY), "rb")
        except OSError as error:
            raise files.unreadable(Path(error.filename or path), error) from None

    def at(self, position: Position) -> JournalEntry:
        """Return the entry that starts at a position."""
        name, offset = position
        with self._open(name) as file:
            file.seek(offset)
            line = file.readline()
            entry = self._parse(line, name, offset)
            following = file.readline(len(_AFTER) + LINK)
        if following.startswith(_AFTER) and following[len(_AFTER) :] != link(line).encode():
            raise Break((name, offset + len(line)), entry["seq"] + 1)
        return self._with_prev(entry, position)

    def _with_prev(
        self, entry: JournalEntry, position: Position, before: Position | None = None
    ) -> JournalEntry:
        """Return an entry with the position of the command in effect before it.

        It may be that of the line before.
        """
        if "after" in entry and "head" not in entry:
            if "prev" not in entry:
                before = before or ((found := self.line_before(position)) and found[1])
                if before:
                    entry["prev"] = list(before)
            elif entry["prev"] is None:
                del entry["prev"]
        return entry

    def line_before(self, position: Position) -> tuple[bytes, Position] | None:
        """Return the line that ends where another one starts or may start, and its own start.

        None where that other one is the first. A broken last line is returned as it is.
        """
        name, end = position
        if end == 0:
            if name <= FIRST:
                return None
            name = f"{int(name[:4]) - 1:04d}{_ENDING}"
            end = self.size(name)
        with self._open(name) as file:
            start, line = end, b""
            while start > 0 and b"\n" not in line[:-1]:
                step = min(start, _STEP)
                start -= step
                file.seek(start)
                line = file.read(step) + line
        begin = line.rfind(b"\n", 0, -1) + 1
        return line[begin:], (name, start + begin)

    def since(self, position: Position) -> Iterator[tuple[JournalEntry, Position, Position]]:
        """Return the entries from a position on, each with where it starts and where it ends.

        A last line without its end is not an entry: its writer was cut off, or is still writing. Raises Break
        where an entry was recorded after another line than the one before it.
        """
        return ((entry, start, end) for entry, start, end, _ in self.linked(position))

    def linked(
        self, position: Position, seq: int = 0, after: str = ""
    ) -> Iterator[tuple[JournalEntry, Position, Position, str]]:
        """Yield entries as `since` does, each with the hash of its line, too.

        `seq` and `after` are the number of the entry before the first one and the hash of its line, where
        they are known.
        """
        first, offset = position
        before: Position | None = None
        known = position == START or bool(after)
        for name in [name for name in self.files() if name >= first]:
            start = offset if name == first else 0
            with self._open(name) as file:
                file.seek(start)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    end, here = start + len(line), (name, start)
                    entry = self._parse(line, name, start)
                    if known and entry.get("after", after) != after:
                        raise (
                            Break(here, entry["seq"]) if entry_follows(entry, seq) else Gap(entry, here, seq)
                        )
                    known, seq, after = True, entry["seq"], link(line)
                    yield self._with_prev(entry, here, before), here, (name, end), after
                    start, before = end, here

    def checked(self) -> Iterator[tuple[JournalEntry, Position, Position]]:
        """Yield all entries as `since` does.

        Raises Gap for one that doesn't follow, Hole for one that names another's place where none stands.
        """
        seq, places = 0, set[Position]()
        for entry, start, end in self.since(START):
            if not entry_follows(entry, seq):
                raise Gap(entry, start, seq)
            seq = entry["seq"]
            places.add(start)
            head = entry.get("head")
            named = [entry.get("prev"), *([head["last"], *head["redo"]] if head else [])]
            if not places.issuperset(position_of(place) for place in named if place):
                raise Hole(start, "it names the place of another where none stands")
            yield entry, start, end

    def newest(self, count: int) -> list[JournalEntry]:
        """Return the last `count` entries, oldest first, reading no more than they need."""
        return list(islice(self.backwards(), count))[::-1]

    def backwards(self, end: Position | None = None) -> Iterator[JournalEntry]:
        """Yield entries, newest first, reading no more than is asked for; only those before `end`."""
        later: tuple[JournalEntry, Position] | None = None
        for name in reversed([name for name in self.files() if end is None or name <= end[0]]):
            for line, start in self._lines_backwards(name, end[1] if end and name == end[0] else None):
                if later:
                    yield self._with_prev(*later, (name, start))
                later = self._parse(line, name, start), (name, start)
        if later:
            yield later[0]

    def with_bytes(self, part: bytes, end: Position | None = None) -> Iterator[JournalEntry]:
        """Yield the entries, oldest first, whose lines have these bytes.

        The others are never read as entries. With `end` only those before it are yielded.
        """
        for name in self.files():
            if end and name > end[0]:
                break
            with self._open(name) as file:
                start = 0
                for line in file:
                    if end and (name, start) >= end:
                        break
                    if part in line and line.endswith(b"\n"):
                        yield self._parse(line, name, start)
                    start += len(line)

    def _lines_backwards(self, name: str, end: int | None = None) -> Iterator[tuple[bytes, int]]:
        with self._open(name) as file:
            start = file.seek(0, os.SEEK_END) if end is None else end
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

    def with_text(self, low: str) -> Iterator[JournalEntry]:
        """Yield the entries, newest first, that may have a lower-case text in their words or in their note.

        They are all that have it, and few others. Other lines are never read as entries.
        """
        sought = Sought.of(low)
        for name in reversed(self.files()):
            with self._open(name) as file:
                for line, start in _lines_with(file, sought):
                    told = re.findall(_TOLD, line.decode(errors="replace"))
                    if any(sought.written in text.lower() for text in told):
                        yield self._parse(line, name, start)

    def sync(self, names: Iterable[str]) -> None:
        """Make files of the journal last through a power cut, with their names. Raises OSError."""
        for name in sorted(names):
            files.sync(self.folder / name)
        files.sync_folder(self.folder)
        files.sync_folder(self.folder.parent)

    def torn_tail(self, name: str) -> bytes:
        """Return the bytes of a file after its last whole line."""
        with self._open(name) as file:
            return file.read().rpartition(b"\n")[2]

    def set_aside(self, name: str, end: int) -> str:
        """Move what stands from `end` on into a file of its own beside the journal; returns that file's name.

        Raises OSError, with everything where it was; CampaignProblem where whole lines stand there.
        """
        path = self.folder / name
        with self._open(name) as file:
            file.seek(end)
            torn = file.read()
        if b"\n" in torn:
            raise CampaignProblem(
                f"{FOLDER}/{name} has grown since it was read: somebody else is writing, past the lock.",
                "Try again, from one machine at a time: some network drives don't lock. Nothing was changed.",
            )
        number = 1
        while os.path.lexists(aside := self.folder / f"{name.partition('.')[0]}.torn-{number}"):
            number += 1
        files.write_synced(aside, torn)
        try:
            files.sync_folder(self.folder)  # nothing may be gone from one place before it lasts in the other
            files.cut(path, end)
        except OSError:
            if self.size(name) > end:
                files.remove(aside)
            raise
        return aside.name

    def _item_at(self, place: Place, scene: str) -> Item | None:
        """Return the decision of a scene that the entry at a place asks; None where it asks none."""
        try:
            name, offset = position_of(place)
            with self._open(name) as file:
                file.seek(offset)
                entry = self._read(file.readline(), name, offset)
            return decision_of(entry, scene)
        except (CampaignProblem, ValueError):
            return None

    def read_line(self, line: bytes, name: str) -> JournalEntry:
        """Return the entry of a line that may stand anywhere, as far as the line has it by itself.

        Raises Hole for a line that is none.
        """
        return self._read(line, name, 0)

    def _parse(self, line: bytes, name: str, offset: int) -> JournalEntry:
        """Return the entry of a line, with the parts that another line has for it."""
        entry = self._read(line, name, offset)
        if _PENDING in line and not find_decisions(entry, self._item_at):
            raise Hole((name, offset), "the decision that it ends is not asked where it says")
        return entry

    def _read(self, line: bytes, name: str, offset: int) -> JournalEntry:
        """Return the entry of a line, as far as the line has it by itself."""
        try:
            entry = json.loads(line.decode())
            if type(entry) is dict and "after" in entry:
                lengthen(entry, _FACES in line)
            fault = _fault_of(entry) or (unsound(entry) if _may_be_unsound(line) else "")
            if b"\\u" in line and re.search(_HALVES, line):
                json.dumps(entry, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            fault = "it holds half of a character"
        except (ValueError, RecursionError):
            entry, fault = {}, "it is no JSON"
        if fault:
            raise Hole((name, offset), fault)
        if "after" in entry and "head" not in entry:
            entry.setdefault("names", {})
        found: JournalEntry = entry
        return found


# Searching, without reading lines as entries: of a campaign of years all bytes are looked at, and no more.


class Sought(Value):
    """A text to be searched for.

    `written` is the text as JSON has it, in lower case. `needles` are runs of bytes of which a line that has
    it must have one; they are in lower case where the bytes of the file are to be lowered first (`fold`).
    """

    __slots__ = ("fold", "keys", "needles", "written")

    def __init__(
        self,
        written: str,
        needles: Sequence[bytes],
        fold: bool,
        keys: Sequence[bytes] = (),
    ) -> None:
        self.written = written
        self.needles = needles
        self.fold = fold
        self.keys = keys
        """Keys of entries that a needle is in: each is in every line."""

    @classmethod
    def of(cls, low: str) -> Sought:
        """Make the search for a lower-case text.

        Bytes have capitals only for plain letters: of a text without any, the first two letters are searched
        for with and without capitals.
        """
        written = json.dumps(low, ensure_ascii=False)[1:-1]
        plain = max(re.findall(rb"[ -~]+", written.encode()), key=len, default=b"")
        if plain:
            found = (f'"{key}":'.encode() for key in (*_KEYS, *_TEXTS))
            return cls(written, [plain], True, [key for key in found if plain in key])
        ways = product(*({each, each.upper()} for each in written[:2]))
        return cls(written, ["".join(way).encode() for way in ways], False)


def _lines_with(file: BinaryIO, sought: Sought) -> Iterator[tuple[bytes, int]]:
    """Yield whole lines that have the text outside of keys, the last first, each with its start."""
    start = end = file.seek(0, os.SEEK_END)
    longest, shortest = (pick(map(len, sought.needles)) for pick in (max, min))
    while start > 0:
        stop = start
        start = max(0, stop - _BLOCK)
        file.seek(start)
        block = file.read(min(stop + longest - 1, end) - start)
        small = block.lower() if sought.fold else block
        for key in sought.keys:
            small = small.replace(key, b" " * len(key))
        limit = len(small)
        while limit > 0 and (at := max(small.rfind(each, 0, limit) for each in sought.needles)) >= 0:
            if _is_key(small, at):
                limit = at + shortest - 1
                continue
            begin, line = _line_at(file, block, start, at)
            if line.endswith(b"\n"):
                yield line, begin
            end, limit = begin, begin - start
        start = min(start, end)


def _is_key(text: bytes, at: int) -> bool:
    """Return whether a place of JSON is within a key.

    It is where the next quote, which is no part of a text, has a colon behind it.
    """
    close = text.find(b'"', at + 1)
    return close > 0 and text[close + 1 : close + 2] == b":" and text[close - 1 : close] != b"\\"


def _line_at(file: BinaryIO, block: bytes, start: int, at: int) -> tuple[int, bytes]:
    """Return the start in the file, and the bytes, of the line at a place of a block.

    The block begins at `start`.
    """
    first, last = block.rfind(b"\n", 0, at) + 1, block.find(b"\n", at)
    if last >= 0 and (first or not start):
        return start + first, block[first : last + 1]
    begin = start + first
    while begin == start and start > 0:
        start = max(0, start - _STEP)
        file.seek(start)
        begin = start + file.read(begin - start).rfind(b"\n") + 1
    file.seek(begin)
    return begin, file.readline()


# The form of an entry. It is looked at whenever one is read: a journal may come from anybody.

_FACES = b'"faces"'
"""What a line has that has a roll."""
_PENDING = b'"pending'
"""What a line has that changes which decisions wait."""
_AFTER = b'{"after":"'
"""How a line begins that is linked to the one before."""
_KEYS: dict[str, type] = {
    "seq": int,
    "at": str,
    "session": int,
    "n": int,
    "command": str,
    "args": dict,
    "answers": list,
    "facts": list,
}
_ROLL: dict[str, type] = {
    "who": str, "purpose": str, "mode": str, "sides": int, "faces": list, "sources": list, "modifiers": list,
}  # fmt: skip
_TEXTS = ("kind", "who", "text")
_OF_OLD: dict[str, type] = {"lead": str, "parts": dict, "without_hp": str}
"""Words of facts in older journals, which players are told for want of a class."""
_LONGEST_PATH = 32
"""Keys in the path of a change."""


def _fault_of(entry: object) -> str:  # noqa: C901  # one question after another
    """Return the fault of an entry; "" where there is none."""
    if type(entry) is not dict:
        return "it is no table"
    for key, kind in _KEYS.items():
        if type(entry.get(key)) is not kind:
            return f"{key} is missing or of the wrong kind"
    if entry["seq"] < 1 or entry["n"] < 0 or entry["session"] < 0:
        return "a number in it is below what it can be"
    if not _is_link(entry.get("after", "")):
        return "after is no hash"
    for key, kind in (("note", str), ("book", str), ("rolled", bool), ("entered", bool)):
        if type(entry.get(key, kind())) is not kind:
            return f"{key} is of the wrong kind"
    names = entry.get("names", {})
    if type(names) is not dict or not all(type(name) is str for name in names.values()):
        return "names should be texts by what they name"
    for number, fact in enumerate(entry["facts"]):
        fault = _fault_of_fact(fact)
        if fault:
            return f"facts[{number + 1}]: {fault}"
    return _fault_of_bookkeeping(entry)


def _is_link(value: object) -> bool:
    return type(value) is str and len(value) in (0, LINK)


_HALVES = rb"\\u[dD][89a-fA-F]"
"""What may be half of a character, which no file can hold."""

_AS_ZEROS = bytes(ord("0") if chr(each).isdigit() else 0 for each in range(128)) + bytes(128)
_LONG_NUMBER = b"0" * len(str(LARGEST_NUMBER))
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
"""Made once: to make it takes as long as a line."""


def _may_be_unsound(line: bytes) -> bool:
    """Return whether a line has brackets or digits enough to be looked at closely: hardly any has."""
    deep = line.count(b"[") + line.count(b"{") > DEEPEST
    return deep or _LONG_NUMBER in line.translate(_AS_ZEROS)


def _fault_of_fact(fact: object) -> str:
    if type(fact) is not dict or type(fact.get("changes")) is not list:
        return "it is no fact"
    for key in _TEXTS:
        if type(fact.get(key)) is not str:
            return f"{key} should be text"
    if type(fields := fact.get(FIELDS)) is dict and not OWN_KEYS.isdisjoint(fields):
        return f"{FIELDS} has what stands beside it"
    for key, kind in _OF_OLD.items():
        if key in fact and fact[key] is not None and type(fact[key]) is not kind:
            return f"{key} is of the wrong kind"
    for change in fact["changes"]:
        if type(change) is not list or len(change) != 3 or not _is_path(change[0]):
            return "a change should be a path, what was there, and what is there"
    return _fault_of_lists(fact)


def _fault_of_lists(fact: dict[str, object]) -> str:
    places = fact.get("places", [])
    if type(places) is not list:
        return "places should be a list"
    for place in places:
        if type(place) is not list or len(place) != 2 or type(place[1]) is not str:
            return "places should be numbers of changes, each with a key"
    return "" if all(map(_is_roll, rolls_in(fact, *ROLLS))) else "a roll in it is none"


def _is_path(path: object) -> bool:
    return type(path) is str and 0 <= path.count(".") < _LONGEST_PATH and all(path.split("."))


def _is_roll(roll: object) -> bool:
    if type(roll) is not dict:
        return False
    for key, kind in _ROLL.items():  # of every roll: a generator takes thrice as long
        if type(roll.get(key)) is not kind:
            return False
    reasons = [*roll["sources"], *roll["modifiers"]]
    return all(type(face) is int for face in roll["faces"]) and all(
        type(each) is dict and type(each.get("reason")) is str for each in reasons
    )


def _fault_of_bookkeeping(entry: Line) -> str:
    """Return the fault of the data for undo and redo; "" where there is none."""
    try:
        if "prev" in entry and not (entry["prev"] is None and "after" in entry):
            position_of(entry["prev"])
        if "seed" in entry:
            whole(entry["seed"])
        whole(entry.get("missing_from", 1)), whole(entry.get("seen", 0))
        if "identity" in entry and len(bytes.fromhex(entry["identity"])) < _HASH:  # type: ignore[arg-type]
            raise ValueError("its identity is no key")
        if type(entry.get("was", "")) is not str:
            raise ValueError("what it was is no text")
        if "head" in entry:
            head: HeadMoved = entry["head"]  # type: ignore[assignment]  # what has another form raises
            of = [fact.get("of", ()) for fact in entry["facts"]]  # type: ignore[attr-defined]  # looked at before
            for number in chain((head["commands"], head.get("rolls", 0)), *head.get("seen", ()), *of):
                whole(number)
            for position in [*head["redo"], *([head["last"]] if head["last"] else [])]:
                position_of(position)
    except (ValueError, TypeError, LookupError) as error:
        return f"its bookkeeping is damaged ({error})"
    return ""
