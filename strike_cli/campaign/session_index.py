"""The index of sessions in a long journal, stored beside it in `journal/index.json`.

Like state.toml, the index is derived from the journal, and names the last line that it covers. Readers
continue the index from that line. They make a new index if it is missing, has another form or belongs to
another journal.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from ..problems import CampaignProblem
from ..stored_data_check import fits_form
from . import file_access
from .journal import START, Journal, line_hash
from .journal_entry_format import Position, checked_count, parse_position

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry

NAME = "index.json"
SCHEMA = 2
LARGEST = 16 * 1024 * 1024
"""The most bytes of an index."""
UNINDEXED_ENTRIES = 200
"""The number of newest entries that are read again each time instead of being written to the index."""


class Session(NamedTuple):
    """A session in the index: its number, title and size, and where and when it begins and ends.

    `entry_count` is the number of its entries. `first` and `last` are the times of its first and last entry.
    `start` and `end` are positions in the journal. `first_entry_number` is the number of its first entry.
    `lowest_undone_number` is the lowest number of an entry that an undo or redo of this session affects; 0 if
    there is none.
    """

    number: int
    title: str
    entry_count: int
    first: str
    last: str
    start: Position
    end: Position
    first_entry_number: int
    lowest_undone_number: int = 0

    def with_entry(self, entry: JournalEntry, end: Position) -> Session:
        """Return a copy of the session that includes one more entry, which ends at `end`."""
        title = entry["args"].get("title", "") if entry["command"] == "session start" else self.title
        moved = [seq for fact in entry["facts"] for seq in fact.get("of", ())] if "head" in entry else []
        reaches = min(
            [*moved, *([self.lowest_undone_number] if self.lowest_undone_number else [])], default=0
        )
        return self._replace(
            title=str(title),
            entry_count=self.entry_count + 1,
            last=entry["at"],
            end=end,
            lowest_undone_number=reaches,
        )


class _Index(NamedTuple):
    """The index of the journal up to an entry.

    It has the entry's number, the entry's end in the journal, the hash of the entry's line, and the sessions
    by number.
    """

    seq: int
    end: Position
    after: str
    sessions: dict[int, Session]


def read_sessions_and_update_index(journal: Journal) -> dict[int, Session]:
    """Return all sessions by number, in the order in which they began.

    Only entries that the index doesn't have yet are read from the journal. If there are many of them, the
    stored index is written again. Raises CampaignProblem if the journal can't be read.
    """
    known = index = _remembered_index(journal) or _read_stored_index(journal) or _Index(0, START, "", {})
    found = dict(index.sessions)
    for entry, start, end, after in journal.entries_with_hashes(known.end, known.seq, known.after):
        number = entry["session"]
        before = found.get(number) or Session(number, "", 0, entry["at"], "", start, end, entry["seq"])
        found[number] = before.with_entry(entry, end)
        index = _Index(entry["seq"], end, after, found)
    if index.seq - known.seq > UNINDEXED_ENTRIES:
        _write_index(journal, index)
    _latest[journal] = index
    return found


_latest: WeakKeyDictionary[Journal, _Index] = WeakKeyDictionary()
"""The last index of each open journal: one command may ask several times."""


def _remembered_index(journal: Journal) -> _Index | None:
    index = _latest.get(journal)
    return index if index and _index_end_fits_journal(journal, index) else None


def _index_end_fits_journal(journal: Journal, index: _Index) -> bool:
    """Return whether an index belongs to the journal.

    It belongs to the journal if the line that ends at the index's end has the hash that the index names.
    """
    if journal.file_size(index.end[0]) < index.end[1]:
        return False
    line = journal.line_before(index.end)
    return line is not None and line_hash(line[0]) == index.after


def entries_of_session_if_any(journal: Journal, session: Session | None) -> Iterator[JournalEntry]:
    """Yield the entries of a session, oldest first; none if `session` is None."""
    if session is not None:
        for entry, start, _ in journal.entries_since(session.start):
            if start >= session.end:
                break
            if entry["session"] == session.number:
                yield entry


def newest_entries_in_session(journal: Journal, session: Session | None, count: int) -> list[JournalEntry]:
    """Return the last `count` entries of a session, oldest first; [] if `session` is None.

    No more of the journal is read than necessary.
    """
    found: list[JournalEntry] = []
    if session is not None:
        for entry in journal.entries_backwards(session.end):
            if entry["session"] == session.number:
                found.append(entry)
            if len(found) == min(count, session.entry_count):
                break
    return found[::-1]


def _read_stored_index(journal: Journal) -> _Index | None:
    """Return the stored index; None if it is missing, has another form or belongs to another journal."""
    try:
        raw = file_access.read_plain_file(journal.folder / NAME, LARGEST)
        text, _, check = raw.rpartition(b"\n")
        table = json.loads(text)
        if check.decode() != line_hash(text) or table["schema"] != SCHEMA:
            return None
        rows = [_parse_session_row(row) for row in table["sessions"]]
        index = _Index(
            checked_count(table["seq"]),
            parse_position(table["end"]),
            str(table["after"]),
            {row.number: row for row in rows},
        )
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return None
    if not _index_end_fits_journal(journal, index) or sum(row.entry_count for row in rows) != index.seq:
        return None
    try:
        return index if all(_session_fits_journal(journal, row) for row in rows) else None
    except CampaignProblem:
        return None


def _session_fits_journal(journal: Journal, row: Session) -> bool:
    """Return whether a session begins and ends in the journal as the index says.

    The index may come from a stranger, so it isn't trusted.
    """
    if journal.file_size(row.end[0]) < row.end[1]:
        return False
    first, line = journal.entry_at(row.start), journal.line_before(row.end)
    if not line or not line[0].endswith(b"\n"):
        return False
    last = journal.decode_line(line[0], row.end[0])
    title = first["args"].get("title", "") if first["command"] == "session start" else row.title
    found = first["session"], first["at"], first["seq"], title, last["session"], last["at"]
    return found == (row.number, row.first, row.first_entry_number, row.title, row.number, row.last)


def _parse_session_row(row: object) -> Session:
    if not isinstance(row, list):
        raise TypeError(row)
    number, title, entries, first, last, start, end, *numbers = row
    begins, reaches = map(checked_count, numbers)
    if not fits_form([title, first, last], [str]):
        raise TypeError(row)
    places = parse_position(start), parse_position(end)
    return Session(
        checked_count(number), title, checked_count(entries), first, last, *places, begins, reaches
    )


def _write_index(journal: Journal, index: _Index) -> None:
    """Write the index, and ignore a failure.

    After a failure, the next command reads the same entries again.
    """
    table = {"schema": SCHEMA, **index._asdict(), "sessions": list(index.sessions.values())}
    text = json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    path = journal.folder / NAME
    with contextlib.suppress(OSError):
        if file_access.folder_exists_refusing_links(journal.folder):
            file_access.replace_file_without_sync(
                file_access.write_scratch(path, text + b"\n" + line_hash(text).encode()), path
            )
