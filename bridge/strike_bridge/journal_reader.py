"""Reads a campaign's journal and state for the bridge: new entries, and the states before and after them.

Nothing is written here, except that entries are synced to disk before they are sent. A reader never waits for
a writer. The journal only grows, and state.toml is always replaced as a whole. So what is read may be
slightly out of date, but it is never half written.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator
from functools import reduce
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.campaign.change_stamp import journal_and_state_stamp
from strike_cli.campaign.journal import FOLDER, START, Journal, line_hash
from strike_cli.campaign.journal_entry_format import Position
from strike_cli.campaign.state_file import STATE_FILE, match_journal_and_note_last_line
from strike_cli.campaign.state_file import read_state_file as read_state
from strike_cli.kernel.state_changes import Change, State, apply_changes, cached_in_block, changes_that_undo
from strike_cli.problems import CampaignProblem
from strike_cli.registry import installed_plugins

if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import JournalEntry, StoredFact

_PENDING = "pending"


class LocatedEntry(NamedTuple):
    """A journal entry, the position where it ends, and the hash of its line."""

    entry: JournalEntry
    end: Position
    line_hash: str


class Backlog(NamedTuple):
    """The journal entries that a target hasn't got yet, with the state before them and the state now.

    `acknowledged` is the number of the last entry that the target has got. `position` is the place in the
    journal where that entry ends. If the journal was replaced by a copy, they may differ from the arguments
    of `read_backlog`.
    """

    entries: list[LocatedEntry]
    before: State
    now: State
    position: Position
    acknowledged: int


class JournalReader:
    """Reads the journal and the state of the campaign in `folder`, and remembers what it read last."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = Journal(folder)
        self._known: Backlog | None = None
        """The last reading: a long backlog is read once, and then only new entries."""
        self._lasting: tuple[str, int] = ("", 0)
        """The newest journal file, and how much of it is known to survive a power cut."""

    def stamp(self) -> object:
        """Return a value that differs whenever something was played or edited.

        It is cheap: it looks at two files' attributes and reads neither.
        """
        return journal_and_state_stamp(self.folder)

    def read_backlog(self, position: Position, acknowledged: int) -> Backlog:
        """Return the backlog: the journal entries after entry `acknowledged`, with the states.

        The states are those before and after these entries. `position` is the place in the journal where
        entry `acknowledged` ends.

        Raises:
            CampaignProblem: The journal or the state can't be read.
        """
        state, seq, end = (
            self._read_shown_state_and_head()
        )  # before the journal, which then includes all of it
        position, acknowledged = self._end_and_number_of_last_acknowledged(position, acknowledged)
        known = self._extend_last_reading(position, acknowledged) if acknowledged <= seq else None
        if known is None:
            known = self._read_from_journal(position, acknowledged, (state, seq, end))
        now = state if acknowledged <= seq else known.before
        for entry, *_ in known.entries:
            if entry["seq"] > seq:
                now = apply_facts_to_shown_tables(now, entry["facts"])
        self._known = known._replace(now=now)
        return self._known

    def hash_of_line_ending_at(self, position: Position) -> str:
        """Return the hash of the journal line that ends at a position; "" if no line ends there."""
        if self.journal.file_size(position[0]) < position[1]:
            return ""
        found = self.journal.line_before(position)
        return line_hash(found[0]) if found else ""

    def has_other_entry_of_same_number(
        self, position: Position, acknowledged: int, expected_hash: str
    ) -> bool:
        """Return whether this journal belongs to another copy of the campaign.

        The journal's entry `acknowledged` should have the hash `expected_hash`. If the journal has the entry
        with another hash, the result is True.

        The result is False if `expected_hash` is "". It is False also if the journal ends before that entry:
        such a journal was restored from an earlier copy.
        """
        if not expected_hash or self.hash_of_line_ending_at(position) == expected_hash:
            return False
        position, found = self._end_and_number_of_last_acknowledged(position, acknowledged)
        return found == acknowledged and self.hash_of_line_ending_at(position) != expected_hash

    def fsync_journal_from(self, position: Position) -> None:
        """Sync the journal to disk from `position` on.

        A running script syncs its lines only now and then. Without this sync, a power cut could remove
        entries that were already sent. Raises OSError.
        """
        names = [name for name in self.journal.file_names() if name >= position[0]]
        newest = (names[-1], self.journal.file_size(names[-1])) if names else self._lasting
        if newest != self._lasting:
            self.journal.sync_files(names)
            self._lasting = newest

    def _read_from_journal(
        self, position: Position, acknowledged: int, stored: tuple[State, int, Position]
    ) -> Backlog:
        state, seq, end = stored
        entries = list(self._entries_from(min(position, end)))
        before = state
        for entry, *_ in reversed(entries):
            if acknowledged < entry["seq"] <= seq:
                before = undo_facts_in_shown_tables(before, entry["facts"])
        for entry, *_ in entries:
            if seq < entry["seq"] <= acknowledged:
                before = apply_facts_to_shown_tables(before, entry["facts"])
        untold = [each for each in entries if each.entry["seq"] > acknowledged]
        return Backlog(untold, before, state, position, acknowledged)

    def _extend_last_reading(self, position: Position, acknowledged: int) -> Backlog | None:
        """Return the backlog after entry `acknowledged`, without reading known entries again.

        The entries of the last reading are used again, and only newer ones are added. `position` is where
        entry `acknowledged` ends. Return None if there was no reading, or if the last reading doesn't include
        this position. Also return None if the journal has been replaced.
        """
        known = self._known
        if known is None or acknowledged < known.acknowledged:
            return None
        count = acknowledged - known.acknowledged
        passed, entries = known.entries[:count], known.entries[count:]
        if (passed[-1].end if passed else known.position) != position or len(passed) < count:
            return None
        if entries:
            last = entries[-2].end if len(entries) > 1 else position
            if next(self._entries_from(last), None) != entries[-1]:
                return None  # the journal was replaced
        before = apply_facts_to_shown_tables(
            known.before, (fact for each in passed for fact in each.entry["facts"])
        )
        newer = self._entries_from(entries[-1].end if entries else position)
        return Backlog([*entries, *newer], before, known.now, position, acknowledged)

    def count_entries_after(self, acknowledged: int) -> int:
        """Return the number of journal entries after entry number `acknowledged`."""
        return max(0, *(int(entry["seq"]) - acknowledged for entry in self.journal.newest_entries(1)), 0)

    def entries_up_to(self, acknowledged: int) -> Iterator[LocatedEntry]:
        """Yield the journal's entries from the first to number `acknowledged`."""
        return takewhile(lambda each: each.entry["seq"] <= acknowledged, self._entries_from(START))

    def entry_beginning_at(self, position: Position) -> JournalEntry:
        """Return the entry that begins at a position. Raises CampaignProblem if none does."""
        for each in self._entries_from(position):
            return each.entry
        raise CampaignProblem(f"{FOLDER}/{position[0]} has no entry at byte {position[1]}.", _REPAIR)

    def start_of_newest_session(self) -> tuple[Position, int]:
        """Return the position where the newest session begins, and the number of the last entry before it.

        Every session has its own journal file, so the position is the beginning of the newest file.
        """
        files = self.journal.file_names()
        start = (files[-1], 0) if files else START
        for each in self._entries_from(start):
            return start, int(each.entry["seq"]) - 1
        return start, max((int(each.entry["seq"]) for each in self._entries_from(START)), default=0)

    def _end_and_number_of_last_acknowledged(
        self, position: Position, acknowledged: int
    ) -> tuple[Position, int]:
        """Return the position of the next journal entry to deliver, and the number of the entry before it.

        `acknowledged` is the number of the last entry that the target has, and `position` is where the next
        entry should begin. If the journal has that entry there, or has no entry there yet, both are returned
        unchanged. Otherwise the journal was replaced or cut, and the entry is searched from the start.
        """
        name, offset = position
        with contextlib.suppress(CampaignProblem):
            if offset <= self.journal.file_size(name):
                following = next(self._entries_from(position), None)
                if following is None or following.entry["seq"] == acknowledged + 1:
                    return position, acknowledged
        found, last = START, 0
        for entry, end, _ in self._entries_from(START):
            if entry["seq"] > acknowledged:
                break
            found, last = end, int(entry["seq"])
        return found, last

    def _entries_from(self, position: Position) -> Iterator[LocatedEntry]:
        return (
            LocatedEntry(entry, end, line)
            for entry, _, end, line in self.journal.entries_with_hashes(position)
        )

    def _read_shown_state_and_head(self) -> tuple[State, int, Position]:
        """Return the tables of state.toml that tabletops show, and the last journal entry that they include.

        The entry is given by its number, and by the position in the journal where it ends. If there is no
        state.toml, the tables are empty. Raises CampaignProblem if state.toml belongs to another journal.
        """
        found = read_state(self.folder)
        if found is None:
            return {}, 0, START
        if not match_journal_and_note_last_line(self.journal, found.head):
            raise CampaignProblem(f"{STATE_FILE} belongs to another journal than this one.", _REPAIR)
        shown = {
            key: found.state[key] for key in _shown_table_names() if isinstance(found.state.get(key), dict)
        }
        return shown, found.head.seq, found.head.end


_REPAIR = "`strike doctor` checks the campaign."


# The state at any entry is calculated from the present state, forwards or backwards, since changes have
# absolute values before and after.


def apply_facts_to_shown_tables(state: State, facts: Iterable[StoredFact]) -> State:
    """Return a state with the changes of some facts, in the tables that a tabletop shows.

    Changes to other tables are left out.
    """
    return reduce(apply_fact_to_shown_tables, facts, state)


def apply_fact_to_shown_tables(state: State, fact: StoredFact) -> State:
    """Return the state after one fact. Only the tables that a tabletop shows are changed."""
    return _apply_shown_changes(state, fact) if fact["changes"] else state


@cached_in_block
def _apply_shown_changes(state: State, fact: StoredFact) -> State:
    return apply_changes(state, _filter_shown_changes(fact["changes"]))


def undo_facts_in_shown_tables(state: State, facts: Iterable[StoredFact]) -> State:
    """Undo facts in the tables that the bridge shows, and return the resulting state.

    `facts` are the latest facts of `state`. All other tables stay as they are.
    """
    return apply_changes(state, _filter_shown_changes(changes_that_undo(facts)))


def _filter_shown_changes(changes: Iterable[Change]) -> list[Change]:
    followed = _shown_table_names()
    return [change for change in changes if change[0].partition(".")[0] in followed]


def _shown_table_names() -> Collection[str]:
    """Return the names of the state's tables that tabletops show: scenes, exhibits and open decisions."""
    return {_PENDING, *installed_plugins.plugin_index().tables_shown_on_screens}
