"""The journal: files of JSON Lines to which entries are appended, one file for each session.

The bridge reads the journal, too. Each line begins with a hash of the line before it (`after`), so the lines
form a chain. Journals of earlier versions have no hashes, and can still be played.

`prev` of an entry is the position of the previous command that is still in effect. If that command is on the
line before, the line leaves `prev` out. An entry that is read through this module always has its `prev`.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from binascii import b2a_base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import strike_cli.campaign.file_access as files

from ..immutable_records import Value
from ..problems import CampaignProblem
from .journal_entry_format import (
    ENDING,
    ENTRY_KEYS,
    FACT_TEXT_KEYS,
    FIRST,
    HASH_BYTES,
    HASH_TEXT_LENGTH,
    PENDING,
    InvalidEntryLine,
    Place,
    Position,
    decode_entry,
    is_journal_file_name,
    open_decision_of,
    parse_position,
    replace_references_to_decisions,
)

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry


try:
    from _blake2 import blake2b  # importing hashlib takes a thirtieth of a start
except ImportError:  # pragma: no cover
    from hashlib import blake2b

FOLDER = "journal"
START: Position = (FIRST, 0)
_PENDING = f'"{PENDING}'.encode()
"""Bytes in every line that changes the waiting decisions."""
_TEXT_PATTERN = r'"(?:text|note)": ?"((?:[^"\\]|\\.)*)"'
"""The pattern of the reported texts in a line, as JSON writes them."""
_AFTER = b'{"after":"'
"""The beginning of a line that has the hash of the line before."""
_SEARCH_BLOCK_BYTES, _LINE_START_STEP_BYTES = 2**18, 2**12
"""Bytes that are searched at once, and the step of the search for a line's beginning."""


def line_hash(line: bytes) -> str:
    """Return the hash of a line, by which the next line refers to it.

    The hash is 16 bytes in base64, without padding. It doesn't depend on the kind of line end.
    """
    if line.endswith(b"\r\n"):
        line = line[:-2] + b"\n"
    return b2a_base64(blake2b(line, digest_size=HASH_BYTES).digest(), newline=False)[
        :HASH_TEXT_LENGTH
    ].decode()


def relink_line(line: bytes, previous_hash: str) -> bytes | None:
    """Return a journal line, with the hash of the line before it replaced by `previous_hash`.

    The result is None if `previous_hash` is empty, or if the line doesn't begin with a hash.
    """
    start, end = len(_AFTER), len(_AFTER) + HASH_TEXT_LENGTH
    return (
        line[:start] + previous_hash.encode() + line[end:]
        if line.startswith(_AFTER) and previous_hash
        else None
    )


def next_file_name(name: str) -> str:
    """Return the name of the next journal file."""
    return f"{int(name.partition('.')[0]) + 1:04d}.jsonl"


def campaign_version_path(folder: Path, digest: str) -> Path:
    """Return the path of the stored version of the campaign's files that has this digest.

    It is in the journal's folder (`earlier_campaign_files`).
    """
    return folder / FOLDER / f"campaign-{digest}.z"


def entry_or_gap_follows(entry: JournalEntry, previous_seq: int) -> bool:
    """Return whether an entry comes right after entry number `previous_seq`.

    If the entry replaces a gap in the journal, the first number of the gap counts.
    """
    return entry.get("missing_from", entry["seq"]) == previous_seq + 1


class UnreadableLine(CampaignProblem):
    """The problem of a journal line that is no entry; `position` is where the line is."""

    def __init__(self, position: Position, fault: str) -> None:
        super().__init__(
            f"{FOLDER}/{position[0]}, byte {position[1]}: this line is not a journal entry: {fault}.",
            "`strike doctor --mend` keeps all readable entries, and marks the gaps.",
        )
        self.position, self.fault = position, fault


class BrokenHashChain(CampaignProblem):
    """The problem of a journal entry that doesn't follow the entry before it.

    Each line has the hash of the line before it. Here the hash is a different one. `position` is where the
    entry starts.
    """

    def __init__(self, position: Position, seq: int) -> None:
        super().__init__(
            f"{FOLDER}/{position[0]}, byte {position[1]}: entry {seq} doesn't follow the entry before it.",
            "Somebody edited the journal, or it mixes two copies of the campaign. `strike doctor --mend` "
            "keeps all readable entries; of two copies it keeps one, and sets the other aside. "
            "Nothing was changed.",
        )
        self.position = position


class MissingEntries(CampaignProblem):
    """The problem of a gap in the journal, between entry `previous_seq` and the entry after it.

    The entries in the gap are lost, or the two entries belong to different journals.
    """

    def __init__(self, entry: JournalEntry, position: Position, previous_seq: int) -> None:
        super().__init__(
            f"{FOLDER}/{position[0]}, byte {position[1]}: entry {entry['seq']} follows {previous_seq}.",
            "After a power cut, or where two copies came together, `strike doctor --mend` keeps all "
            "readable entries, and marks the gaps.",
        )
        self.position = position


class Journal:
    """The journal's files in one campaign folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER

    def file_names(self) -> list[str]:
        """Return the names of the files, oldest first."""
        try:
            names = os.listdir(self.folder) if files.folder_exists_refusing_links(self.folder) else []
        except OSError as error:
            raise files.unreadable_problem(self.folder, error) from None
        return sorted(filter(is_journal_file_name, names))

    def file_size(self, name: str) -> int:
        """Return the size of a file in bytes, 0 where it is missing."""
        try:
            status = os.lstat(os.path.join(self.folder, name))  # making a Path would take longer
            if stat.S_ISLNK(status.st_mode):
                raise OSError(errno.ELOOP, "it is a link")
            return status.st_size
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise files.unreadable_problem(self.folder / name, error) from None

    def entry_at(self, position: Position) -> JournalEntry:
        """Return the entry that starts at a position.

        Raises UnreadableLine if the line there is no entry. Raises BrokenHashChain if the next line names
        another hash for this line.
        """
        name, offset = position
        with self._open_file(name) as file:
            file.seek(offset)
            line = file.readline()
            entry = self._parse_and_complete_line(line, name, offset)
            following = file.readline(len(_AFTER) + HASH_TEXT_LENGTH)
        if following.startswith(_AFTER) and following[len(_AFTER) :] != line_hash(line).encode():
            raise BrokenHashChain((name, offset + len(line)), entry["seq"] + 1)
        return self._add_previous_command_position(entry, position)

    def _open_file(self, name: str) -> BinaryIO:
        path = self.folder / name
        try:
            files.folder_exists_refusing_links(self.folder)
            return open(files.open_plain_file(path, os.O_RDONLY), "rb")
        except OSError as error:
            raise files.unreadable_problem(Path(error.filename or path), error) from None

    def _add_previous_command_position(
        self, entry: JournalEntry, position: Position, before: Position | None = None
    ) -> JournalEntry:
        """Return an entry with its `prev`, the position of the previous command in effect.

        If `prev` is missing in the journal's line, the previous command is on the line before. `before` is
        the position of that line, if the caller knows it.
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
        """Return the line before a position, and where that line starts; None at the start of the journal.

        The position is the start of a line, or the end of a file. If the file ends in an incomplete line,
        that line is returned.
        """
        name, end = position
        if end == 0:
            if name <= FIRST:
                return None
            name = f"{int(name[:4]) - 1:04d}{ENDING}"
            end = self.file_size(name)
        with self._open_file(name) as file:
            start, line = end, b""
            while start > 0 and b"\n" not in line[:-1]:
                step = min(start, _LINE_START_STEP_BYTES)
                start -= step
                file.seek(start)
                line = file.read(step) + line
        begin = line.rfind(b"\n", 0, -1) + 1
        return line[begin:], (name, start + begin)

    def entries_since(self, position: Position) -> Iterator[tuple[JournalEntry, Position, Position]]:
        """Yield the entries from a position on, each with its start and its end.

        A last line without a line end is left out: its writer was interrupted, or is still writing.

        Raises UnreadableLine for a line that is no entry. If an entry names another hash than that of the
        line before it, raises BrokenHashChain, or MissingEntries if entries are missing there.
        """
        return ((entry, start, end) for entry, start, end, _ in self.entries_with_hashes(position))

    def entries_with_hashes(
        self, position: Position, previous_seq_for_error: int = 0, previous_hash: str = ""
    ) -> Iterator[tuple[JournalEntry, Position, Position, str]]:
        """Yield the entries from a position on, each with its start, its end, and the hash of its line.

        For incomplete lines and errors, see `entries_since`. If the caller knows the entry before `position`,
        it can give that entry's number as `previous_seq_for_error`, and the hash of that entry's line as
        `previous_hash`.
        """
        first, offset = position
        before: Position | None = None
        known = position == START or bool(previous_hash)
        for name in [name for name in self.file_names() if name >= first]:
            start = offset if name == first else 0
            with self._open_file(name) as file:
                file.seek(start)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    end, here = start + len(line), (name, start)
                    entry = self._parse_and_complete_line(line, name, start)
                    if known and entry.get("after", previous_hash) != previous_hash:
                        raise (
                            BrokenHashChain(here, entry["seq"])
                            if entry_or_gap_follows(entry, previous_seq_for_error)
                            else MissingEntries(entry, here, previous_seq_for_error)
                        )
                    known, previous_seq_for_error, previous_hash = True, entry["seq"], line_hash(line)
                    yield (
                        self._add_previous_command_position(entry, here, before),
                        here,
                        (name, end),
                        previous_hash,
                    )
                    start, before = end, here

    def checked_entries(self) -> Iterator[tuple[JournalEntry, Position, Position]]:
        """Yield all entries as `entries_since` does, while checking their numbers and positions.

        Raises MissingEntries for an entry that doesn't follow the one before it. Raises UnreadableLine for an
        entry that names a position where no entry begins.
        """
        seq, places = 0, set[Position]()
        for entry, start, end in self.entries_since(START):
            if not entry_or_gap_follows(entry, seq):
                raise MissingEntries(entry, start, seq)
            seq = entry["seq"]
            places.add(start)
            head = entry.get("head")
            named = [entry.get("prev"), *([head["last"], *head["redo"]] if head else [])]
            if not places.issuperset(parse_position(place) for place in named if place):
                raise UnreadableLine(start, "it refers to an entry that isn't there")
            yield entry, start, end

    def newest_entries(self, count: int) -> list[JournalEntry]:
        """Return the last `count` entries, oldest first.

        No more of the journal is read than necessary.
        """
        return list(islice(self.entries_backwards(), count))[::-1]

    def entries_backwards(self, end: Position | None = None) -> Iterator[JournalEntry]:
        """Yield the entries before `end`, newest first. No more of the journal is read than necessary."""
        later: tuple[JournalEntry, Position] | None = None
        for name in reversed([name for name in self.file_names() if end is None or name <= end[0]]):
            for line, start in self._lines_backwards(name, end[1] if end and name == end[0] else None):
                if later:
                    yield self._add_previous_command_position(*later, (name, start))
                later = self._parse_and_complete_line(line, name, start), (name, start)
        if later:
            yield later[0]

    def entries_with_bytes(self, needle: bytes, end: Position | None = None) -> Iterator[JournalEntry]:
        """Yield the entries before `end`, oldest first, whose lines contain these bytes.

        Other lines are never decoded.
        """
        for name in self.file_names():
            if end and name > end[0]:
                break
            with self._open_file(name) as file:
                start = 0
                for line in file:
                    if end and (name, start) >= end:
                        break
                    if needle in line and line.endswith(b"\n"):
                        yield self._parse_and_complete_line(line, name, start)
                    start += len(line)

    def _lines_backwards(self, name: str, end: int | None = None) -> Iterator[tuple[bytes, int]]:
        with self._open_file(name) as file:
            start = file.seek(0, os.SEEK_END) if end is None else end
            kept = b""
            while start > 0:
                step = min(start, 65536)
                start -= step
                file.seek(start)
                kept = file.read(step) + kept
                lines = kept.splitlines(keepends=True)
                # The first line may begin before the part that was read.
                whole = lines if start == 0 else lines[1:]
                end = start + len(kept)
                for line in reversed(whole):
                    end -= len(line)
                    if line.endswith(b"\n"):
                        yield line, end
                kept = b"" if start == 0 else lines[0]

    def entries_that_may_report_text(self, lowercase_text: str) -> Iterator[JournalEntry]:
        """Yield the entries whose words or note may contain `lowercase_text`, the newest first.

        No entry with the text is left out. A few entries without the text may be among the results. The
        search is fast, since it skips most other lines without decoding them.
        """
        sought = TextSearch.for_text(lowercase_text)
        for name in reversed(self.file_names()):
            with self._open_file(name) as file:
                for line, start in _lines_with_text_backwards(file, sought):
                    told = re.findall(_TEXT_PATTERN, line.decode(errors="replace"))
                    if any(sought.written in text.lower() for text in told):
                        yield self._parse_and_complete_line(line, name, start)

    def sync_files(self, names: Iterable[str]) -> None:
        """Sync files of the journal and their names, so that they survive a power cut. Raises OSError."""
        for name in sorted(names):
            files.sync_file(self.folder / name)
        files.sync_folder(self.folder)
        files.sync_folder(self.folder.parent)

    def read_torn_tail(self, name: str) -> bytes:
        """Return the incomplete line at the end of a journal file, as bytes; b"" if there is none."""
        with self._open_file(name) as file:
            return file.read().rpartition(b"\n")[2]

    def set_torn_tail_aside(self, name: str, end: int) -> str:
        """Move the bytes of a file from `end` on into a new file; return the new file's name.

        The new file is in the journal's folder. Raises CampaignProblem if these bytes contain a whole line.
        Raises OSError if they can't be moved; then everything is as before.
        """
        path = self.folder / name
        with self._open_file(name) as file:
            file.seek(end)
            torn = file.read()
        if b"\n" in torn:
            raise CampaignProblem(
                f"{FOLDER}/{name} has grown since it was read: another program is writing in spite of the "
                "lock.",
                "Try again, from one machine at a time: some network drives don't lock. Nothing was changed.",
            )
        number = 1
        while os.path.lexists(aside := self.folder / f"{name.partition('.')[0]}.torn-{number}"):
            number += 1
        files.write_new_synced_file(aside, torn)
        try:
            files.sync_folder(self.folder)  # the copy must be durable before the original is cut
            files.truncate_file(path, end)
        except OSError:
            if self.file_size(name) > end:
                files.remove_if_possible(aside)
            raise
        return aside.name

    def _parse_and_complete_line(self, line: bytes, name: str, offset: int) -> JournalEntry:
        """Return the entry in a line, completed with the decisions that other lines contain."""
        entry = self.decode_line(line, name, offset)
        if _PENDING in line and not replace_references_to_decisions(
            entry, self._open_decision_or_given_position
        ):
            raise UnreadableLine((name, offset), "the decision that it ends is not where it says")
        return entry

    def _open_decision_or_given_position(self, place: Place, scene: str) -> object:
        """Return the decision that a journal entry leaves open in `scene`.

        `place` is the position of the entry in the journal. If the entry leaves no such decision open, or
        can't be read, return `place`.
        """
        try:
            name, offset = parse_position(place)
            with self._open_file(name) as file:
                file.seek(offset)
                entry = self.decode_line(file.readline(), name, offset)
            return open_decision_of(entry, scene) or place
        except (CampaignProblem, ValueError):
            return place

    def decode_line(self, line: bytes, name: str, offset: int = 0) -> JournalEntry:
        """Return the journal entry in a line.

        Parts of the entry that are stored only in other lines are left out. Raises UnreadableLine if the line
        isn't an entry.
        """
        try:
            return decode_entry(line)
        except InvalidEntryLine as fault:
            raise UnreadableLine((name, offset), str(fault)) from None


# Search in the bytes, since decoding the entries of years would take too long


class TextSearch(Value):
    """A text to search for in the journal's bytes.

    `written` is the text in lower case, as JSON writes it. Each line with the text contains at least one of
    the byte strings `needles`. If `fold` is true, the file's bytes must be put into lower case before the
    needles are searched for.
    """

    written: str
    needles: Sequence[bytes]
    fold: bool
    keys: Sequence[bytes] = ()
    """Keys of entries that contain a needle: each is in every line."""

    @classmethod
    def for_text(cls, lowercase_text: str) -> TextSearch:
        """Return the search for a text in the journal. The text is given in lower case.

        The search looks for the longest piece of the text that consists of ASCII characters. It ignores case,
        since ASCII letters are easy to put into lower case in the file's bytes.

        If the text has no ASCII characters, the search looks for its first two characters, each in both
        cases.
        """
        written = json.dumps(lowercase_text, ensure_ascii=False)[1:-1]
        plain = max(re.findall(rb"[ -~]+", written.encode()), key=len, default=b"")
        if plain:
            found = (f'"{key}":'.encode() for key in (*ENTRY_KEYS, *FACT_TEXT_KEYS))
            return cls(written, [plain], True, [key for key in found if plain in key])
        ways = product(*({each, each.upper()} for each in written[:2]))
        return cls(written, ["".join(way).encode() for way in ways], False)


def _lines_with_text_backwards(file: BinaryIO, search: TextSearch) -> Iterator[tuple[bytes, int]]:
    """Yield the lines that contain a text, last line first, each with where it starts in the file.

    The text counts only outside of JSON keys. A last line without its line end is left out.
    """
    start = end = file.seek(0, os.SEEK_END)
    longest, shortest = (pick(map(len, search.needles)) for pick in (max, min))
    while start > 0:
        stop = start
        start = max(0, stop - _SEARCH_BLOCK_BYTES)
        file.seek(start)
        block = file.read(min(stop + longest - 1, end) - start)
        small = block.lower() if search.fold else block
        for key in search.keys:
            small = small.replace(key, b" " * len(key))
        limit = len(small)
        while limit > 0 and (at := max(small.rfind(each, 0, limit) for each in search.needles)) >= 0:
            if _is_inside_json_key(small, at):
                limit = at + shortest - 1
                continue
            begin, line = _line_around(file, block, start, at)
            if line.endswith(b"\n"):
                yield line, begin
            end, limit = begin, begin - start
        start = min(start, end)


def _is_inside_json_key(text: bytes, at: int) -> bool:
    """Return whether the place `at` in a JSON text is inside a key: a colon follows the next quote."""
    close = text.find(b'"', at + 1)
    return close > 0 and text[close + 1 : close + 2] == b":" and text[close - 1 : close] != b"\\"


def _line_around(file: BinaryIO, block: bytes, start: int, at: int) -> tuple[int, bytes]:
    """Return the line around the place `at` in `block`: its start in the file, and its bytes.

    `start` is where the block begins in the file.
    """
    first, last = block.rfind(b"\n", 0, at) + 1, block.find(b"\n", at)
    if last >= 0 and (first or not start):
        return start + first, block[first : last + 1]
    begin = start + first
    while begin == start and start > 0:
        start = max(0, start - _LINE_START_STEP_BYTES)
        file.seek(start)
        begin = start + file.read(begin - start).rfind(b"\n") + 1
    file.seek(begin)
    return begin, file.readline()


KEY_BYTES = 16
_IDENTITY_KEYS = ("seq", "at", "session", "command", "args", "answers")
_IDENTITY_FACT_KEYS = ("kind", "who", "text", "changes")
_ENCODER = json.JSONEncoder(sort_keys=True, default=list)
"""Shared, since making an encoder takes as long as encoding an entry."""


def hash_identifying_entry(entry: JournalEntry) -> str:
    """Return the identity of an entry: a hash of its main fields and its facts.

    The main fields are those in `_IDENTITY_KEYS`. If a script replays an entry, the new entry has the
    identity of the original (`was`).
    """
    if "was" in entry:
        return entry["was"]
    from hashlib import blake2b

    kept = cast("Mapping[str, object]", entry)
    facts = [
        list(map(fact.get, _IDENTITY_FACT_KEYS))
        for fact in cast("list[Mapping[str, object]]", entry["facts"])
    ]
    plain = _ENCODER.encode([*(kept.get(key) for key in _IDENTITY_KEYS), facts])
    return blake2b(plain.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def key_for_hashing_entry_ids(journal: Journal) -> bytes:
    """Return the journal's random key, with which the identities of entries are hashed.

    The key is read from the first entry that stores one. If no entry stores one, the result is b"".
    """
    for entry in journal.entries_with_bytes(b'"identity":"'):
        if "identity" in entry:
            return bytes.fromhex(entry["identity"])
    return b""
