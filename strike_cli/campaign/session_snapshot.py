"""The state of the campaign at the start of a session, stored as `journal/before-N.json`.

It saves replaying a long journal from the beginning. The file is written when the session is read for the
first time, if the journal before the session is long. It contains the hash of the last line before the
session. If that line has changed, the file is made again.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..kernel.state_changes import State, apply_fact
from ..stored_data_check import fits_form
from ..visibility.known_journal import track_secret_items
from ..visibility.players_state import SecretItemKeys
from ..visibility.secret_picks import entry_numbers_left_undone
from . import file_access
from .journal import START, Journal, line_hash
from .journal_entry_format import Position
from .session_index import Session, entries_of_session_if_any, read_sessions_and_update_index

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry
    from .campaign import Campaign

LARGEST = 64 * 1024 * 1024
"""The most bytes of a stored state."""
MIN_ENTRIES_TO_STORE = 1000
"""The number of earlier entries from which on a session's state is stored."""


class BeforeSession(NamedTuple):
    """The state before a session, and the parts of it that were secret then."""

    state: State
    secret: SecretItemKeys


def entries_in_effect(
    journal: Journal, on_progress: Callable[[float], None] = lambda share: None, until: Position | None = None
) -> Iterator[JournalEntry]:
    """Yield the entries in effect, oldest first.

    Entries that were undone are left out, and so are undo and redo themselves. With `until`, only entries
    before that position are yielded.

    `on_progress` is called with the share of the whole journal that has been read, from 0 to 1. With `until`,
    the share may stay far below 1.
    """
    # Undo and redo are found without reading the rest.
    undone = entry_numbers_left_undone(journal.entries_with_bytes(b'"head"', until))
    begins, before = {}, 0
    for name in journal.file_names():
        begins[name] = before
        before += journal.file_size(name)
    for entry, start, (name, offset) in journal.entries_since(START):
        if until and start >= until:
            break
        on_progress((begins.get(name, before) + offset) / max(1, before))
        if entry["seq"] not in undone and "head" not in entry:
            yield entry


def is_self_contained(sessions: Mapping[int, Session], session: Session) -> bool:
    """Return whether a session's own journal entries are enough to retell the session.

    They are enough if three things are true:

    - No earlier session goes on after the start of this session.
    - The session's entries follow one another without a gap.
    - No undo or redo in the session reaches back before its start, and none in a later session reaches back
      into this session or before it.

    `sessions` has all sessions of the journal.
    """
    if any(
        one.first_entry_number < session.first_entry_number and one.end > session.start
        for one in sessions.values()
    ):
        return False  # its beginning was undone, so the earlier one goes on
    later = [one for one in sessions.values() if one.first_entry_number > session.first_entry_number]
    next_begins = min(
        (one.first_entry_number for one in later), default=session.first_entry_number + session.entry_count
    )
    reaching = [
        one.lowest_undone_number
        for one in (session, *later)
        if 0 < one.lowest_undone_number < one.first_entry_number
    ]
    return next_begins == session.first_entry_number + session.entry_count and not any(
        reaches < next_begins for reaches in reaching
    )


def read_or_store_state_before_session(
    campaign: Campaign, session: Session, on_progress: Callable[[float], None] = lambda share: None
) -> BeforeSession:
    """Return the state before a session, from its stored file or by a replay of the journal.

    If the journal had to be replayed, the state is stored for the next time. It isn't stored if only few
    entries come before the session. The session must be one for which `is_self_contained` is True.

    During a replay, `on_progress` is called with the share of the whole journal that has been read. The
    replay ends where the session starts, so the share may stay far below 1.
    """
    journal = campaign.journal
    if session.first_entry_number == 1:
        return BeforeSession({}, set())
    line = journal.line_before(session.start)
    after = line_hash(line[0]) if line else ""
    found = _read_snapshot(campaign, session, after)
    if found is None:
        found = _state_and_secrets_after(entries_in_effect(journal, on_progress, session.start))
        if session.first_entry_number > MIN_ENTRIES_TO_STORE:
            _write_snapshot(journal, session, after, found)
    return found


class SecretItemFinder:
    """Finds the items that characters got in secret.

    Finding them needs a replay of the journal, which is slow. So the first call looks through the journal for
    a secret change to a character. Later calls only look through new entries. The journal is replayed only
    after such a change was found, and then at every call.
    """

    def __init__(self) -> None:
        self._read_to, self._seq, self._is_any = START, 0, False

    def find_secret_items(self, campaign: Campaign) -> SecretItemKeys:
        """Return the secret items of all characters.

        The journal is replayed only if there may be secret items.
        """
        journal, head = campaign.journal, campaign.head
        if head.seq < self._seq:  # another branch of the journal was kept
            self._read_to = START
        if self._read_to == START:
            new = journal.entries_with_bytes(_SECRET)
        else:
            new = (entry for entry, *_ in journal.entries_since(self._read_to))
        self._read_to, self._seq = head.end, head.seq
        self._is_any = self._is_any or any(
            entry.get("secret") and any(path.startswith("characters") for path, *_ in fact["changes"])
            for entry in new
            for fact in entry["facts"]
        )
        return _state_and_secrets_after(entries_in_effect(journal)).secret if self._is_any else set()


_SECRET = b'"secret":true'


def _state_and_secrets_after(entries: Iterable[JournalEntry]) -> BeforeSession:
    """Return the state after all `entries` are replayed, and which parts of it were secret then."""
    state: State = {}
    secret = set[tuple[str, str]]()
    for entry in entries:
        for fact in entry["facts"]:
            earlier, state = state, apply_fact(state, fact)
            track_secret_items(secret, earlier, state, bool(entry.get("secret")))
    return BeforeSession(state, secret)


def state_before_entry_if_long_ago(campaign: Campaign, session_number: int, seq: int) -> State | None:
    """Return the state before the journal entry `seq`, computed from the start of session `session_number`.

    Return None if there is no such session, or if the session isn't self-contained (`is_self_contained`).
    Return None also if at most MIN_ENTRIES_TO_STORE entries come after entry `seq`. In that case, undoing
    them from the present state is quicker.
    """
    if campaign.head.seq - seq <= MIN_ENTRIES_TO_STORE:
        return None
    known = read_sessions_and_update_index(campaign.journal)
    session = known.get(session_number)
    if session is None or not is_self_contained(known, session):
        return None
    state = read_or_store_state_before_session(campaign, session).state
    for entry in entries_of_session_if_any(campaign.journal, session):
        if entry["seq"] >= seq:
            break
        for fact in entry["facts"]:
            state = apply_fact(state, fact)
    return state


def _read_snapshot(campaign: Campaign, session: Session, line_hash_before: str) -> BeforeSession | None:
    """Return the stored state before a session.

    Return None if the file is missing or has another form. Return None, too, if the line before the session
    no longer has the hash `line_hash_before`.
    """
    try:
        raw = file_access.read_plain_file(campaign.journal.folder / _snapshot_name(session), LARGEST)
        text, _, check = raw.rpartition(b"\n")
        table = json.loads(text)
        if (
            check.decode() != line_hash(text)
            or table["after"] != line_hash_before
            or not fits_form(table["secret"], [[str]])
        ):
            return None
        found = BeforeSession(table["state"], {(person, which) for person, which in table["secret"]})
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return None
    from .state_checks import schema_faults

    is_form = type(found.state) is dict and not schema_faults(found.state, campaign.book, found.state)
    return found if is_form else None


def _snapshot_name(session: Session) -> str:
    return f"before-{session.number}.json"


def _write_snapshot(
    journal: Journal, session: Session, line_hash_before: str, snapshot: BeforeSession
) -> None:
    """Store the state before a session, and ignore a failure.

    After a failure, the next command calculates the state again.
    """
    table: dict[str, object] = {
        "after": line_hash_before,
        "state": snapshot.state,
        "secret": sorted(snapshot.secret),
    }
    text = json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    path = journal.folder / _snapshot_name(session)
    with contextlib.suppress(OSError):
        if file_access.folder_exists_refusing_links(journal.folder):
            file_access.replace_file_without_sync(
                file_access.write_scratch(path, text + b"\n" + line_hash(text).encode()), path
            )
