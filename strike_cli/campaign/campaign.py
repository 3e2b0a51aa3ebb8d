"""An open campaign folder: its current state, and the recording of commands, undo and redo."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Unpack, cast

import strike_cli.campaign.file_access as files
import strike_cli.campaign.state_file as state_file

from ..content.merged_content import Book, open_book
from ..deprecated_api_names import OldName
from ..file_faults import Faults, Place, check_storable_in_journal, faults_as_text
from ..kernel.procedure import Happened
from ..kernel.state_changes import (
    Change,
    State,
    apply_changes,
    apply_fact,
    changes_and_places_that_undo,
    look_up,
)
from ..problems import CampaignProblem, PluginProblem, Problem, Refused, Usage, pluralize
from ..refusals import NewerSchema
from ..tabletop.characters_and_names import GameMasterSpeaker
from .journal import (
    FOLDER,
    KEY_BYTES,
    START,
    Journal,
    MissingEntries,
    UnreadableLine,
    campaign_version_path,
    entry_or_gap_follows,
    line_hash,
    next_file_name,
)
from .journal_entry_format import (
    Position,
    asked_for_dice,
    encode_entry,
    first_seeded_roll_number,
    is_journal_file_name,
    parse_position,
    seen_dice_after_redo,
    seen_dice_after_undo,
)
from .state_file import STATE_FILE, StateFileContent, StateHead, next_roll_number

if TYPE_CHECKING:
    from ..kernel.journal_types import EntryMarks, JournalEntry, PositionAfterUndo, StoredFact
    from .state_versions import StateVersionMismatch

    NamedEntries = list[tuple[JournalEntry, str]]
    """Entries, each with its name: its number and first text, as in `#12 Vex is Bloodied`."""

MAX_UNSYNCED_SECONDS = 0.1
"""Seconds that a script may play before its entries are synced: syncing a line costs more than playing it."""


class PastCommand(NamedTuple):
    """A command in effect: its entry, the position of this entry, and the state before the command."""

    position: Position
    entry: JournalEntry
    before: State


class MovedOn(Refused):
    """The refusal of a command because another one was recorded after this one had been prepared."""


class Campaign:
    """An open campaign folder. With `writing` it holds the lock until it is closed.

    `notices` are lines for people, such as one about a torn line that was set aside, or about an edit by hand
    that was recorded in the journal.
    """

    def __init__(self, folder: Path, *, writing: bool = False, at: int | None = None) -> None:
        """Open the campaign. Raises MovedOn if `at` is given and isn't the number of the last entry."""
        self.folder = folder
        self._at = at
        self.journal = Journal(folder)
        self.lock = files.Lock(folder)
        self.notices: list[str] = []
        self.state: State = {}
        self._fault = ""
        """The fault in the campaign's files, where an earlier version of them is played."""
        self._book, self._book_of = self._open_book(), self.state
        self.notices += [
            f"{line} Its content can't be played; everything else can." for line in self.book.lacking
        ]
        self.notices += [f"{line}." for line in self.book.doubled]
        self.head = StateHead()
        self.writing = writing
        self.kept_open = False
        self._seed: int | None = None
        self._unsynced: set[str] = set()
        """Files of the journal with entries that a power cut may still lose."""
        self._synced_at = time.monotonic()
        self._behind = False
        """Whether a script's entries are newer than state.toml."""
        self._kept = ""
        """The digest of the campaign that was stored last (`earlier_campaign_files`)."""
        self._recorded: list[int] = []
        """Numbers of the entries recorded through this object."""
        self._entered: list[int] = []
        self.marks: EntryMarks = {}
        """Extra keys for entries, from the caller of the command under way: `by` and `key`."""
        self.reopen()

    @property
    def book(self) -> Book:
        """The campaign's content, together with what the game master made up in play."""
        if self._book_of is not self.state:
            self._book, self._book_of = self._book.with_made_up(self.state), self.state
        return self._book

    @book.setter
    def book(self, book: Book) -> None:
        self._book, self._book_of = book.with_made_up(self.state), self.state

    def __enter__(self) -> Campaign:
        self._entered.append(len(self._recorded))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        recorded = self._recorded[self._entered.pop() :]
        if isinstance(error, Problem) and recorded:
            # A command may have played several, as a bot's turn does.
            first, last = recorded[0], recorded[-1]
            which = f"#{first}" if first == last else f"#{first} to #{last}"
            back = f"`strike undo{f' {len(recorded)}' if len(recorded) > 1 else ''}`"
            hint = re.sub(r" ?Nothing was (recorded|changed|rolled)\.", "", error.hint)
            error.hint = f"{hint} Before that {which} was recorded; {back} takes it back.".strip()
        if isinstance(error, Problem) and self.notices:
            # Only the refusal is shown, so the notices are added to it.
            error.hint = "\n".join([error.hint, *self.notices]).strip()
        self.close()

    def close(self) -> None:
        """Release the lock so that other commands can write; do nothing during `keep_open`."""
        if not self.kept_open:
            self.lock.release()

    def reopen(self) -> None:
        """Read the current state of the campaign again.

        If the campaign is open for writing, the lock is taken first. During `keep_open`, nothing is locked or
        read.

        If the campaign was opened at a certain entry, this entry must still be the last one. Otherwise
        MovedOn is raised.
        """
        if self.kept_open:
            return
        if self.writing and self.lock.file is None:
            self.lock.acquire()
        try:
            self._load_or_rebuild_state()
            if self._at not in (None, self.head.seq):
                raise MovedOn("The game has moved on since.", "Look again.")
        except BaseException:
            self.close()
            raise
        self.notices += [f"{each}. {each.hint}" for each in self.outdated_systems()]

    def outdated_systems(self) -> Sequence[StateVersionMismatch]:
        """Return the systems whose stored state has another version than the installed system uses."""
        if not (self.book.registry.state_versions_above_first or "versions" in self.state):
            return ()
        from .state_versions import find_version_mismatches

        return find_version_mismatches(self.state, self.book)

    @property
    def plays_last_faultless_files(self) -> bool:
        """Whether an earlier version of the campaign's files is played.

        It is True if the present files have a fault.
        """
        return bool(self._fault)

    @property
    def reasons_files_not_played(self) -> list[str]:
        """Reasons why some of the campaign's files aren't used.

        There is one for a fault, for each file that was set aside, and for each missing plugin.
        """
        return [*filter(None, [self._fault and f"{self._fault}."]), *self.book.lacking]

    # Reading

    def _open_book(self) -> Book:
        """Return the content of the campaign's files.

        If the files have a fault, the content that was stored last is returned, and the fault is reported as
        a notice.

        Raises:
            CampaignProblem: The files have a fault, and no earlier content can be read.
            NewerSchema: The files were made for a newer strike.
        """
        try:
            return open_book(self.folder)
        except NewerSchema:
            raise
        except CampaignProblem as problem:
            from .earlier_campaign_files import load_campaign_version

            with contextlib.suppress(CampaignProblem):
                found = state_file.read_state_file(self.folder)
                book = load_campaign_version(self.folder, found.head.book) if found else None
                if book is not None:
                    fault = problem.message.partition("\n")[0].rstrip(".")
                    self._fault = f"{fault}. This is not in effect yet"
                    self.notices.append(
                        f"{self._fault}: the campaign keeps its former settings. `strike doctor` says more."
                    )
                    return book
            raise

    def _load_or_rebuild_state(self) -> None:
        found = state_file.read_state_file(self.folder)
        if found is None:
            self.head, self.state = self._replay_journal()
            self._unsynced.update(self.journal.file_names())
            if state_file.state_has_git_conflict(self.folder):
                self.notices.append(
                    f"{STATE_FILE} had both sides of a merge conflict; it is rebuilt from the journal."
                )
            elif self.head.seq:
                self.notices.append(f"{STATE_FILE} was missing; it is rebuilt from the journal.")
        elif found.edited:
            self._check_and_record_hand_edit(found)
        else:
            self.head, self.state = found.head, found.state
            if not state_file.match_journal_and_note_last_line(self.journal, self.head):
                raise self._foreign_state_problem(self.head)
            self._apply_newer_entries()

    def _foreign_state_problem(self, head: StateHead) -> CampaignProblem:
        """Return the problem of a state.toml that doesn't belong to the journal.

        `head` is the head of that state.toml.
        """
        name, offset = head.end
        if self.journal.file_size(name) < offset:
            return _shorter_journal_problem(name)
        return CampaignProblem(
            f"{STATE_FILE} belongs to another journal: entry {head.seq}, which it follows, isn't in {FOLDER}/"
            f"{name}.",
            "If this journal is right, `strike doctor --mend` makes state.toml from it. If not, restore the "
            "right journal. Nothing was changed.",
        )

    def _apply_newer_entries(self) -> None:
        """Apply journal entries that are newer than state.toml, as after a command that was killed.

        Raises CampaignProblem if the journal is shorter than state.toml says, and MissingEntries if entries
        are missing.
        """
        name, offset = self.head.end
        size = self.journal.file_size(name)
        if size == offset and self.journal.file_size(next_file_name(name)) == 0:
            return
        if size < offset:
            raise _shorter_journal_problem(name)
        for entry, start, end, line in self.journal.entries_with_hashes(
            self.head.end, self.head.seq, self.head.after
        ):
            if not entry_or_gap_follows(entry, self.head.seq):
                raise MissingEntries(entry, start, self.head.seq)
            self.state = apply_facts(self.state, entry["facts"])
            self.head.include_entry(entry, start, end, line)
            self._unsynced.add(start[0])  # its writer was killed, perhaps before it synced

    def _replay_journal(self, until: int | None = None, last_hash: str = "") -> tuple[StateHead, State]:
        """Replay the journal and return the resulting head and state.

        The replay ends after entry `until`, or after the entry whose line has the hash `last_hash`. Without
        these, it ends with the newest entry. Raises MissingEntries if entries are missing.
        """
        head, state = StateHead(self._configured_or_random_seed()), dict[str, object]()
        for entry, start, end, line in self.journal.entries_with_hashes(START):
            if until is not None and entry["seq"] > until:
                break
            if not entry_or_gap_follows(entry, head.seq):
                raise MissingEntries(entry, start, head.seq)
            state = apply_facts(state, entry["facts"])
            head.include_entry(entry, start, end, line)
            if line == last_hash:
                break
        return head, state

    def _configured_or_random_seed(self) -> int:
        if self.book.seed is not None:
            return self.book.seed
        if self._seed is None:  # kept: dice that were shown must not change
            self._seed = int.from_bytes(os.urandom(4), "big")
        return self._seed

    def _check_and_record_hand_edit(self, state_read: StateFileContent) -> None:
        """Check an edit of state.toml by hand, and record its changes in the journal.

        They are recorded only if the campaign is open for writing. Edits in the table [strike] of the file,
        which belongs to the tool, are ignored. Raises CampaignProblem for an edit with faults.
        """
        from .state_checks import state_faults

        after = state_read.head.after
        self.head, self.state = self._replay_journal(
            until=None if after else state_read.head.seq, last_hash=after
        )
        if after and self.head.after != after:
            raise self._foreign_state_problem(state_read.head)
        if self.head.seq < state_read.head.seq:
            raise _shorter_journal_problem(self.head.end[0])
        edits = list(state_differences(self.state, state_read.state))
        self._apply_newer_entries()
        # Commands that the edited file didn't include may have been recorded: the edit comes after them.
        edited = apply_changes(self.state, edits)
        changes = list(state_differences(self.state, edited))
        faults = []
        if edits:
            faults = state_faults(state_read.state, self.book) or state_faults(edited, self.book, self.state)
        if faults:
            raise CampaignProblem(
                f"{STATE_FILE} was edited, and this can't be right:\n" + faults_as_text(faults),
                "Fix it, or move it away: strike then rebuilds it from the journal. Nothing was changed.",
            )
        if not changes:
            return
        if not self.writing:
            self.state = edited
            return
        from .undo_and_repair_facts import Edited

        told = Edited([path for path, _, _ in changes[:4]], more=len(changes) > 4)
        fact = Happened(told, tuple(changes)).as_json(GameMasterSpeaker(self.book))
        self.commit("hand edit", {}, [], [fact], edited)
        self.notices.append(f"{fact['text']} The edit is journaled; `strike undo` takes it back.")

    # Writing

    def commit(
        self,
        command: str,
        args: Mapping[str, object],
        answers: Iterable[list[object]],
        facts: Sequence[StoredFact],
        state: State,
        *,
        pending: bool = False,
        head: PositionAfterUndo | None = None,
        names: Mapping[str, str] | None = None,
        **more: Unpack[EntryMarks],
    ) -> int:
        """Record a played command and the state after it; return the entry's number in the journal.

        `pending` is True if the command waits for a decision. `head` is the new position in the journal after
        an undo or redo. `names` are the names to store with the entry, and `more` are further keys of the
        entry.

        If anything fails, nothing is changed, with one exception. If the journal has the entry but state.toml
        can't be replaced, the command counts as recorded, and the next command replaces state.toml.
        """
        entry: JournalEntry = {
            "after": self.head.after,
            "seq": self.head.seq + 1,
            "at": current_utc_time(),
            "session": look_up(state, "session.number", 0),
            "n": self.head.rolls,
            "command": command,
            "args": dict(args),
            "answers": list(answers),
            "facts": facts,
        }
        if pending:
            entry["pending"] = True
        elif head is None and not asked_for_dice(entry):
            entry["rolled"] = False
        if head is not None:
            entry["head"] = head
        if names is not None:
            entry["names"] = names
        entry.update(cast("JournalEntry", {**more, **self.marks}))  # a part of its keys
        if head is None and self.head.seen and (n := first_seeded_roll_number(entry)) in self.head.seen:
            entry["seen"] = self.head.seen[n]
        if self.head.seq == 0:
            entry["seed"] = self.head.seed
        if self.head.book != self.book.digest:
            entry["book"] = self.book.digest
        if not self.head.has_identity:
            entry["identity"] = os.urandom(KEY_BYTES).hex()
        if "head" not in entry and self.head.last != self.head.start:
            entry["prev"] = self.head.last and list(self.head.last)  # left out where it is the line before
        return self._append_entry(entry, state)

    def _append_entry(self, entry: JournalEntry, state: State) -> int:
        self._set_torn_lines_aside()
        start = (next_file_name(self.head.end[0]), 0) if entry.get("new_file") else self.head.end
        if not is_journal_file_name(start[0]):
            raise Refused("A campaign has at most 9998 sessions.", "Start a new campaign.")
        line = self._encode_and_check_entry(entry, state)
        end = (start[0], start[1] + len(line))
        after = self.head.copy()
        after.include_entry(entry, start, end, line_hash(line))
        record = self._record_with_few_syncs if self.kept_open else self._record_with_state
        try:
            with files.delay_interrupts():
                if not self.kept_open or self._unsynced - {start[0]}:
                    self.sync_journal()  # a power cut may never lose an entry and keep a later one
                record(after, state, start, line)
        except OSError as error:
            raise files.unwritable_problem(self.folder, error) from None
        if self._kept != self.book.digest:
            if not os.path.lexists(campaign_version_path(self.folder, self.book.digest)):
                from .earlier_campaign_files import store_campaign_version

                store_campaign_version(self.folder, self.book)
            self._kept = self.book.digest
        self._recorded.append(after.seq)
        return after.seq

    def _set_torn_lines_aside(self) -> None:
        """Move incomplete lines that an interrupted command left in the journal into files of their own.

        Such a line can be at the end of the newest file, or at the start of the file that comes next.
        """
        name, end = self.head.end
        for torn, start in ((name, end), (next_file_name(name), 0)):
            if self.journal.file_size(torn) > start:
                try:
                    aside = self.journal.set_torn_tail_aside(torn, start)
                except OSError as error:
                    raise files.unwritable_problem(self.folder, error) from None
                self.notices.append(
                    f"A command was cut off while it was being recorded; what it left is in journal/{aside}."
                )

    @contextlib.contextmanager
    def mark_entries(self, marks: EntryMarks) -> Iterator[None]:
        """Add the keys of `marks` to the entries that are recorded during the block."""
        before = self.marks
        self.marks = {**before, **marks}
        try:
            yield
        finally:
            self.marks = before

    def _encode_and_check_entry(self, entry: JournalEntry, state: State) -> bytes:
        """Return the journal line for an entry, after a check that it is read back the same.

        Raises Problem, before anything is written, if the line would be read back differently, or if the
        entry doesn't lead to `state`.
        """
        try:
            line = encode_entry(entry)
            read = self.journal.decode_line(line, self.head.end[0])
            fault = _describe_unstorable_change(read["facts"])
            if not fault and apply_facts(self.state, read["facts"]) != state:
                fault = "its changes are not those it led to"
        except UnicodeEncodeError:
            raise Usage(
                f"`{entry['command']}` holds bytes that are not text.",
                "Write it in UTF-8. Nothing was changed.",
            ) from None
        except UnreadableLine as hole:
            fault = hole.fault
        except (TypeError, ValueError) as error:
            fault = str(error)
        if fault:
            raise unrecordable_problem(entry["command"], fault, str(entry.get("origin", entry.get("by", ""))))
        return line

    def sync_journal(self) -> None:
        """Sync the journal files whose newest entries a power cut could still lose. Raises OSError."""
        if self._unsynced:
            self.journal.sync_files(self._unsynced)
            self._mark_synced()

    def _mark_synced(self) -> None:
        self._unsynced = set()
        self._synced_at = time.monotonic()

    def _record_with_few_syncs(self, head: StateHead, state: State, start: Position, line: bytes) -> None:
        """Append a line to the journal, and leave state.toml as it is.

        The line is synced only if the last sync was at least `MAX_UNSYNCED_SECONDS` seconds ago.
        """
        due = time.monotonic() - self._synced_at >= MAX_UNSYNCED_SECONDS
        files.append_at(self.journal.folder / start[0], start[1], line, sync=due)
        self.head, self.state, self._behind = head, state, True
        if due:
            self._mark_synced()
        else:
            self._unsynced.add(start[0])

    def _record_with_state(self, head: StateHead, state: State, start: Position, line: bytes) -> None:
        """Append the line to the journal, and replace state.toml by a new version.

        The new version is first written to a scratch file; then the line is appended; then state.toml is
        replaced. Raises OSError if the line was not recorded. A failure to replace state.toml gives only a
        notice.
        """
        path = self.folder / STATE_FILE
        scratch = files.write_scratch(path, state_file.render_state(head, state))
        try:
            files.append_at(self.journal.folder / start[0], start[1], line)
        except OSError:
            files.remove_if_possible(scratch)
            raise
        self.head, self.state = head, state
        self._replace_state_file(scratch, path)

    def _replace_state_file(self, scratch: Path, path: Path) -> None:
        try:
            files.replace_file_without_sync(scratch, path)
        except OSError as error:
            files.remove_if_possible(scratch)
            self._note_stale_state(error)

    def _note_stale_state(self, error: OSError) -> None:
        self.notices.append(
            f"Recorded, but {STATE_FILE} could not be replaced ({files.error_reason(error)}); "
            "the next command catches it up."
        )

    @contextlib.contextmanager
    def keep_open(self) -> Iterator[None]:
        """Keep the campaign open for the many commands of a script, which is faster.

        The commands are played under one lock, with few syncs, and state.toml is written once at the end.
        When a command returns, its line is in the journal, so that a script that is killed loses no command.
        A power cut may lose only the entries of the last moment (`MAX_UNSYNCED_SECONDS`).
        """
        try:
            self.sync_journal()
        except OSError as error:
            raise files.unwritable_problem(self.folder, error) from None
        self.kept_open = True
        try:
            yield
        finally:
            self.kept_open = False
            if self._behind:
                self._sync_after_script()

    def _sync_after_script(self) -> None:
        """Make a script's commands safe on disk: sync the journal, then write state.toml.

        The commands are already in the journal's files. After the sync, they also survive a power cut. Raises
        CampaignProblem if the journal can't be synced.
        """
        self._behind = False
        try:
            self.sync_journal()
        except OSError as error:
            raise CampaignProblem(
                f"{error.filename} could not be synced: {files.error_reason(error)}.",
                "Every command is in the journal, but a power cut may lose the last ones: check the disk.",
            ) from None
        path = self.folder / STATE_FILE
        try:
            scratch = files.write_scratch(path, state_file.render_state(self.head, self.state))
        except OSError as error:
            self._note_stale_state(error)
        else:
            self._replace_state_file(scratch, path)

    # Undo and redo

    def commands_in_effect(self) -> Iterator[PastCommand]:
        """Yield the commands in effect, newest first. Undone commands are left out."""
        state, at = self.state, self.head.last
        while at is not None:
            entry = self.journal.entry_at(at)
            for fact in reversed(entry["facts"]):
                _refuse_overwritten_last_change(state, fact["changes"], entry)
                state = apply_changes(state, *changes_and_places_that_undo([fact]))
            yield PastCommand(at, entry, state)
            at = parse_position(entry["prev"]) if "prev" in entry else None

    def undo(self, count: int = 1) -> NamedEntries:
        """Undo the last `count` commands in effect.

        Return their entries, newest first, each with its name. Raises UndoCountTooLow for a count below 1.
        Raises Refused if fewer than `count` commands are in effect.
        """
        if count < 1:
            from strike_cli.refusals import UndoCountTooLow

            raise UndoCountTooLow(count)
        past = list(islice(self.commands_in_effect(), count))
        if len(past) < count:
            raise too_few_to_undo_refusal(len(past))
        return self.take_back(past)

    def take_back(self, commands: Sequence[PastCommand]) -> NamedEntries:
        """Undo the commands in `commands`, and return their entries, each with its name.

        `commands` is not empty, and begins with the newest command. The returned entries have the same order.
        """
        taken, first = [one.entry for one in commands], commands[-1].entry
        at = parse_position(first["prev"]) if "prev" in first else None
        state, positions = commands[-1].before, [one.position for one in commands]
        changes, places = changes_and_places_that_undo(
            fact for entry in reversed(taken) for fact in entry["facts"]
        )
        return self._record_undo_or_redo(
            "undo",
            taken,
            changes,
            places,
            state,
            {
                "last": at,
                "redo": [*self.head.redo, *positions],
                "commands": self.head.commands - len(commands),
                "rolls": first["n"],
                "seen": [*seen_dice_after_undo(self.head.seen, taken).items()],
            },
        )

    def redo(self, count: int = 1) -> NamedEntries:
        """Restore the last `count` undone commands.

        Return their entries, oldest first, each with its name. Raises Usage for a count below 1, and Refused
        if fewer than `count` commands can be redone.
        """
        if count < 1:
            raise Usage(f"redo {count}: give a number of 1 or more.")
        if count > len(self.head.redo):
            have = len(self.head.redo)
            raise Refused(
                f"Only {pluralize(have, 'command')} can be redone." if have else "There is nothing to redo.",
                "Redo restores undone commands until something else is played.",
            )
        positions = self.head.redo[::-1][:count]
        entries = [self.journal.entry_at(position) for position in positions]
        state = self.state
        changes: list[Change] = []
        for entry in entries:
            for fact in entry["facts"]:
                state = apply_fact(state, fact)
                changes += [(path, before, after) for path, before, after in fact["changes"]]
        return self._record_undo_or_redo(
            "redo",
            entries,
            changes,
            [],
            state,
            {
                "last": positions[-1],
                "redo": self.head.redo[: len(self.head.redo) - count],
                "commands": self.head.commands + count,
                "rolls": next_roll_number(entries[-1]),
                "seen": [*seen_dice_after_redo(self.head.seen, entries).items()],
            },
        )

    def _record_undo_or_redo(
        self,
        command: str,
        entries: list[JournalEntry],
        changes: list[Change],
        places: list[tuple[int, str]],
        state: State,
        head: PositionAfterUndo,
    ) -> NamedEntries:
        numbers = [entry["seq"] for entry in entries]
        from .undo_and_repair_facts import (
            Redone,
            Undone,
            entries_with_numbered_headlines,
            speaker_naming_entries,
        )

        told, language = Undone(numbers) if command == "undo" else Redone(numbers), self.book.locale()
        moved = entries_with_numbered_headlines(entries, language)
        fact = Happened(told, tuple(changes), tuple(places)).as_json(speaker_naming_entries(moved, language))
        # The names for players are made from what they were shown (`heard`), so none is stored.
        self.commit(command, {"count": len(entries)}, [], [fact], state, head=head, names={})
        return moved

    # Old names

    outdated, is_former = OldName("outdated_systems"), OldName("plays_last_faultless_files")
    not_in_play, marked = OldName("reasons_files_not_played"), OldName("mark_entries")
    sync = OldName("sync_journal")
    history = OldName("commands_in_effect")
    reasons_not_in_play = OldName("reasons_files_not_played")


def unrecordable_problem(command: str, fault: str, plugin: str = "") -> Problem:
    """Return the problem of a command whose results can't be stored.

    The problem names the plugin that plays the command, if a plugin does.
    """
    whose, kind = (f" of {plugin}", PluginProblem) if plugin else ("", CampaignProblem)
    return kind(
        f"`{command}`{whose} can't be recorded: {fault}.",
        f"Please tell {'its author' if plugin else 'the authors of strike'}. Nothing was changed.",
    )


def _describe_unstorable_change(facts: Sequence[StoredFact]) -> str:
    """Return a text on the first change whose new value TOML can't store; "" if there is none."""
    faults: Faults = []
    for number, fact in enumerate(facts, 1):
        for path, _, after in fact["changes"]:
            if after is not None:
                check_storable_in_journal(after, Place(path), faults)
        if faults:
            return f"facts[{number}], {fact['kind']}: {faults[0]}"
    return ""


def too_few_to_undo_refusal(available: int) -> Refused:
    """Return the refusal of an undo that asks for more commands than can be undone.

    `available` is the number of commands that can be undone.
    """
    says = (
        f"Only {pluralize(available, 'command')} can be undone." if available else "There is nothing to undo."
    )
    return Refused(says, "`strike log` shows what was played.")


def _shorter_journal_problem(name: str) -> CampaignProblem:
    return CampaignProblem(
        f"journal/{name} is shorter than {STATE_FILE} remembers.",
        "Put the journal back from a copy: `strike restore` lists backups. If git checked out an older one, "
        "or it is lost for good, move state.toml away: strike makes it again from the journal. "
        "Nothing was changed.",
    )


def apply_facts(state: State, facts: Iterable[StoredFact]) -> State:
    """Return the state after the changes of these facts."""
    for fact in facts:
        state = apply_fact(state, fact)
    return state


def entry_fits_state(entry: JournalEntry, state: State) -> bool:
    """Return whether the changes of a journal entry can be applied to `state`.

    Each change records the value that it replaces. The result is True if the state has these values.
    """
    for fact in entry["facts"]:
        for path, before, after in fact["changes"]:
            if look_up(state, path) != before:
                return False
            state = apply_changes(state, [(path, None, after)])
    return True


def _refuse_overwritten_last_change(state: State, changes: Iterable[Change], entry: JournalEntry) -> None:
    """Raise CampaignProblem if `state` no longer has the value that an entry's last change set.

    Something else has then overwritten the value, and an undo of the entry would lose the newer value.
    `changes` are the changes of the entry.
    """
    for path, _, after in list(changes)[-1:]:
        if look_up(state, path) != after:
            raise CampaignProblem(
                f"#{entry['seq']} set {path} to {after!r}, but it is {look_up(state, path)!r} now.",
                "`strike doctor` compares state.toml with the journal.",
            )


def state_differences(
    before: Mapping[str, object], after: Mapping[str, object], path: str = ""
) -> Iterable[Change]:
    """Yield the changes that lead from the state `before` to the state `after`.

    Tables are compared key by key. `path` is where `before` and `after` are within the whole state.
    """
    for key in [*before, *(key for key in after if key not in before)]:
        inner = f"{path}.{key}" if path else key
        old, new = before.get(key), after.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from state_differences(old, new, inner)
        elif old != new:
            yield inner, old, new


def current_utc_time() -> str:
    """Return the present time in UTC, as journal entries contain it, such as "2026-01-31T19:30:00Z"."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
