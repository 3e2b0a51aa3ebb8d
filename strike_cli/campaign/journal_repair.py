"""Repair of a journal: every readable entry is kept, and nothing is deleted.

Begin with `repair_journal`. If the journal has two branches, one branch is kept (`diverged_copies.py`). If
another program has changed the line ends, they are restored. If lines are damaged, missing, doubled or out of
order, the readable lines are put in order and linked again.

A new entry fills each gap. It changes the state to the one with which the next readable entries fit. These
entries name the old values of what they change, so that part of the state is known. If state.toml was written
in the gap or after it, the rest of the state is computed from state.toml. Otherwise the rest stays as it was
before the gap.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from ..kernel.procedure import Happened
from ..kernel.state_changes import State, apply_changes, changes_and_places_that_undo, look_up
from ..problems import CampaignProblem, pluralize
from ..registry.installed_plugins import plugin_index
from ..tabletop.characters_and_names import GameMasterSpeaker
from . import diverged_copies, file_access
from . import state_file as state_file
from .campaign import apply_facts, current_utc_time, entry_fits_state, state_differences
from .journal import FOLDER, Journal, UnreadableLine, entry_or_gap_follows, line_hash, next_file_name
from .journal_entry_format import (
    FIRST,
    PENDING,
    Line,
    Place,
    Position,
    encode_entry,
    encode_line,
    open_decision_of,
    parse_position,
    replace_references_to_decisions,
)
from .state_file import match_journal_and_note_last_line, next_roll_number
from .undo_and_repair_facts import EntriesLost, SceneLost

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry, StoredFact
    from ..kernel.state_changes import Change
    from ..kernel.statements import Fact

REPAIR_COMMAND = "mend"
"""The command of the entry that marks a hole."""


def repair_journal(folder: Path) -> list[str]:
    """Save every readable entry of a damaged journal; return a line for each thing done.

    Raises CampaignProblem where something can't be read or written.
    """
    lock = file_access.Lock(folder)
    lock.acquire()
    try:
        journal = Journal(folder)
        done = _replace_windows_line_ends(journal)
        found = _read_state_or_none(folder)
        copies, marked = (
            diverged_copies.find_conflict_copies(folder),
            diverged_copies.journal_files_with_git_markers(folder),
        )
        if copies or marked or _needs_repair(journal, found):
            tree = diverged_copies.BranchTree(folder)
            if copies or marked or tree.has_forks:
                try:
                    done += diverged_copies.keep_branch_and_script_others(
                        folder, tree, found.head.after if found else ""
                    )
                except CampaignProblem:
                    done += diverged_copies.move_conflict_copies_aside(folder)
        if _needs_repair(journal, found):
            done += _JournalRepair(journal, found).write_repaired_journal_files(folder)
        done += _set_torn_tail_of_last_file_aside(journal)
        if _is_state_foreign_or_conflicted(folder, journal):
            done.append(diverged_copies.set_state_aside_and_report(folder))
        return done
    finally:
        lock.release()


def describe_repair(folder: Path) -> str:
    """Return a sentence on the entries that a repair would keep, and on those that are lost.

    It is "" for a sound journal. It is also "" for a journal with conflict copies or git's conflict markers.
    """
    journal, found = Journal(folder), _read_state_or_none(folder)
    if (
        diverged_copies.find_conflict_copies(folder)
        or diverged_copies.journal_files_with_git_markers(folder)
        or not _needs_repair(journal, found)
    ):
        return ""
    return _JournalRepair(journal, found).describe()


def _replace_windows_line_ends(journal: Journal) -> list[str]:
    """Replace Windows line ends in the journal's files; return a line of report for each changed file.

    A file is changed only if all of its lines have such ends. A program such as git must have put them there.
    strike itself never writes them, and counts positions in bytes.
    """
    lines = []
    for name in journal.file_names():
        path = journal.folder / name
        try:
            raw = file_access.read_plain_file(path, sys.maxsize)
            if raw.endswith(b"\r\n") and raw.count(b"\n") == raw.count(b"\r\n"):
                file_access.replace_file_without_sync(
                    file_access.write_scratch(path, raw.replace(b"\r\n", b"\n")), path
                )
                lines.append(f"{FOLDER}/{name}: Windows line ends are replaced by strike's own.")
        except OSError as error:
            raise file_access.unwritable_problem(path, error) from None
    return lines


def _needs_repair(journal: Journal, stored: state_file.StateFileContent | None) -> bool:
    """Return whether a journal needs a repair.

    It needs one if an entry can't be read, doesn't follow the one before it, or doesn't fit the state. It
    needs one if a file is missing, or if any file but the last ends in the middle of a line. It also needs
    one if `stored`, the content of state.toml, includes entries that the journal lacks.
    """
    seq, names = 0, journal.file_names()
    state = State()
    try:
        for entry, _, _ in journal.checked_entries():
            if not entry_fits_state(entry, state):
                return True
            seq, state = entry["seq"], apply_facts(state, entry["facts"])
        torn = any(journal.read_torn_tail(name) for name in names[:-1])
    except CampaignProblem:
        return True
    whole = names == [f"{number:04d}.jsonl" for number in range(1, len(names) + 1)]
    return torn or not whole or (stored is not None and stored.head.seq > seq)


def _read_state_or_none(folder: Path) -> state_file.StateFileContent | None:
    """Return the content of state.toml; None if there is none, or if it can't be understood."""
    try:
        return state_file.read_state_file(folder)
    except CampaignProblem:
        return None


def _set_torn_tail_of_last_file_aside(journal: Journal) -> Iterator[str]:
    """Move an incomplete last line of the journal into a file beside the journal.

    Yield a line of text that says so.
    """
    for name in journal.file_names()[-1:]:
        if torn := journal.read_torn_tail(name):
            try:
                aside = journal.set_torn_tail_aside(name, journal.file_size(name) - len(torn))
            except OSError as error:
                raise file_access.unwritable_problem(journal.folder / name, error) from None
            yield f"{FOLDER}/{name} ended in an interrupted command, which is in {FOLDER}/{aside} now."


def _is_state_foreign_or_conflicted(folder: Path, journal: Journal) -> bool:
    """Return whether state.toml can't be used with this journal.

    It is True if state.toml belongs to no entry of the journal, or has both sides of a git conflict.
    """
    try:
        found = state_file.read_state_file(folder)
        if found is not None:
            return not match_journal_and_note_last_line(journal, found.head)
    except CampaignProblem:
        return False  # reported by its reader
    return os.path.lexists(folder / state_file.STATE_FILE)


class _ReadableEntry:
    """A readable entry of a damaged journal, with its line and its old position."""

    __slots__ = ("entry", "hash", "name", "position", "raw")

    def __init__(self, raw: bytes, position: Position, entry: JournalEntry) -> None:
        self.raw, self.position, self.entry = raw, position, entry
        self.name = position[0]
        self.hash = line_hash(raw)


class _EffectiveCommand(NamedTuple):
    """A command that is in effect, while the journal is repaired.

    `position` is the new position of its journal entry. `before` and `after` are the states before and after
    the command. `seq` is the entry's number. An entry that stands for a gap in the journal covers several
    numbers: they are `first` to `seq`. For any other entry, `first` equals `seq`.
    """

    position: Position
    first: int
    seq: int
    before: State
    after: State


class _EffectiveCommands:
    """The commands in effect and the undone commands, up to the entry that a repair has reached.

    The repair adds one entry after another. An undo or redo refers to positions of other entries, and these
    may be lost. If its result doesn't fit the state after it, it is treated as an ordinary command.
    """

    def __init__(self) -> None:
        self.done: list[_EffectiveCommand] = []
        self.undone: list[_EffectiveCommand] = []
        self.rolls = self.seq = 0
        self.start: Position | None = None
        """The position of the previous entry."""

    def add_entry_and_return_new_links(
        self, entry: JournalEntry, position: Position, before: State, after: State
    ) -> Line:
        """Add an entry to the commands in effect.

        Args:
            entry: The entry.
            position: The entry's new position in the journal.
            before: The state before the entry.
            after: The state after the entry.

        Returns:
            The keys of the entry's line that refer to other entries, with the new positions of those entries.
            For an undo or a redo this is `head`. For any other entry it is `prev`, or nothing if the line
            needs no `prev`.
        """
        last, start = self._last_position(), self.start
        self.start, self.seq = position, entry["seq"]
        if "head" in entry and self._undo_or_redo_if_it_fits(entry, after):
            head, last = entry["head"], self._last_position()
            self.rolls = head.get("rolls", head["commands"])
            redo = [list(step.position) for step in self.undone]
            places = {"commands": len(self.done), "last": last and list(last), "redo": redo}
            return {"head": {**head, **places}}
        self.rolls = next_roll_number(entry)
        self.done.append(
            _EffectiveCommand(position, entry.get("missing_from", entry["seq"]), entry["seq"], before, after)
        )
        self.undone = []
        # The line has it where it isn't the line before; lines without a hash always have it.
        is_said = last != start if "after" in entry else last is not None
        return {"prev": last and list(last)} if is_said else {}

    def _undo_or_redo_if_it_fits(self, entry: JournalEntry, after: State) -> bool:
        """Apply an undo or redo if it leads to the state `after`; return whether it does."""
        source, goal = self.done, self.undone
        if entry["command"] == "redo":
            source, goal = goal, source
        numbers = {seq for fact in entry["facts"] for seq in fact.get("of", ())}
        newest = source[max(0, len(source) - len(numbers)) :]
        count = sum(any(each.first <= seq <= each.seq for seq in numbers) for each in newest)
        moved = source[len(source) - count :][::-1]
        if not moved or (moved[-1].before if goal is self.undone else moved[-1].after) != after:
            return False
        del source[len(source) - count :]
        goal += moved
        return True

    def _last_position(self) -> Position | None:
        return self.done[-1].position if self.done else None


class _JournalRepair:
    """The repair of one journal: it orders the readable entries, marks the gaps and links the lines anew."""

    def __init__(self, journal: Journal, state: state_file.StateFileContent | None) -> None:
        self.journal, self.found = journal, state
        self.own = {name: file_access.read_whole(journal.folder / name) for name in journal.file_names()}
        self.unreadable = 0
        """Lines at the end that can't be read."""
        self.kept = self._sort_and_deduplicate(list(self._readable_entries()))
        self.holes: list[tuple[int, int]] = []
        """The first and last number of each run of lost entries."""
        seq = 0
        for one in self.kept:
            if not entry_or_gap_follows(one.entry, seq):
                self.holes.append((seq + 1, one.entry["seq"] - 1))
            seq = one.entry["seq"]
        last = max(seq + self.unreadable, state.head.seq if state else 0)
        if last > seq:
            self.holes.append((seq + 1, last))
        self.at: dict[Position, JournalEntry] = {one.position: one.entry for one in self.kept}
        for one in self.kept:
            replace_references_to_decisions(one.entry, self._open_decision_or_given_position)
        self.begun: set[str] = set()
        """Scenes that began in lost entries, known only from later entries."""
        self.edited = {
            one.position: one.entry["seq"]
            for one, later in pairwise(self.kept)
            if later.entry["seq"] == one.entry["seq"] + 1 and later.entry.get("after", one.hash) != one.hash
        }
        """Entries, with their numbers, that were changed after later ones were recorded."""

    def describe(self) -> str:
        """Return a sentence that says how many entries are kept, and which are lost."""
        if not self.kept and not self.holes:
            return "No entry can be read, and there is no state.toml: nothing is left to keep."
        many = len(self.kept)
        words = f"{pluralize(many, 'entry', 'entries')} can be read and {'is' if many == 1 else 'are'} kept"
        lost = [f"#{first}" if first == last else f"#{first} to #{last}" for first, last in self.holes]
        return (
            f"{words}; {', '.join(lost)} can't be read; the gaps are marked."
            if lost
            else f"{words}, all of them."
        )

    def write_repaired_journal_files(self, folder: Path) -> list[str]:
        """Write the repaired journal; return a line for each thing done.

        Raises CampaignProblem if no entry can be read and there is no state.toml, or if a file can't be
        written.
        """
        if not self.kept and not self.holes:
            raise CampaignProblem(
                f"No entry of {FOLDER} can be read, and there is no state.toml.",
                "Move the folder journal away: strike begins a new one.",
            )
        contents = self._new_contents()
        try:
            edited = [
                f"Entry {seq} was edited by hand; what follows is linked to it again."
                for seq in self.edited.values()
            ]
            return [
                *edited,
                self.describe(),
                *diverged_copies.replace_journal_files_and_report(folder, self.journal, contents),
            ]
        except OSError as error:
            raise file_access.unwritable_problem(folder, error) from None

    def _readable_entries(self) -> Iterator[_ReadableEntry]:
        for name, raw in self.own.items():
            offset = 0
            for line in raw.splitlines(keepends=True) if b"\r" not in raw else raw.split(b"\n"):
                ended = line.endswith(b"\n") or b"\r" in raw
                line = line if line.endswith(b"\n") else line + b"\n"
                found = self._salvage_entry(line, name)
                if found is not None:
                    self.unreadable = 0
                    yield _ReadableEntry(found[0], (name, offset + len(line) - len(found[0])), found[1])
                elif ended and line.strip():
                    self.unreadable += 1
                offset += len(line)

    def _salvage_entry(self, line: bytes, name: str) -> tuple[bytes, JournalEntry] | None:
        """Return the part of a line that is a readable entry, and that entry; None if there is none.

        This part is the whole line or, if the beginning of the line is damaged, its end.
        """
        line = line.replace(b"\r\n", b"\n")
        for start in sorted({0, max(0, line.rfind(b'{"after":"')), max(0, line.rfind(b'{"seq":'))}):
            try:
                return line[start:], self.journal.decode_line(line[start:], name)
            except UnreadableLine:
                continue
        return None

    def _sort_and_deduplicate(self, entries: Sequence[_ReadableEntry]) -> list[_ReadableEntry]:
        """Return the entries in the order of their numbers, with only one entry for each number.

        If several entries have the same number, keep the first whose hash is named in another entry or in
        state.toml. If none of their hashes is named, keep the first of these entries.
        """
        named = {str(one.entry.get("after", "")) for one in entries}
        named.add(self.found.head.after if self.found else "")
        by_seq: dict[int, _ReadableEntry] = {}
        for one in entries:
            known = by_seq.get(one.entry["seq"])
            if known is None or (one.hash in named and known.hash not in named):
                by_seq[one.entry["seq"]] = one
        return [by_seq[seq] for seq in sorted(by_seq)]

    def _new_contents(self) -> dict[str, bytes]:
        """Return the new contents of the journal's files, by name; files that would be empty are left out."""
        lines: dict[str, list[bytes]] = {}
        name, file, offset, after = FIRST, "", 0, ""
        state, steps = State(), _EffectiveCommands()
        holes = dict(self.holes)
        found: list[_ReadableEntry | tuple[int, int]] = []
        seq = 0
        for one in self.kept:
            if not entry_or_gap_follows(one.entry, seq):
                found.append((seq + 1, holes.pop(seq + 1)))
            found.append(one)
            seq = one.entry["seq"]
        queue = [*found, *holes.items()]
        for number, item in enumerate(queue):
            if isinstance(item, _ReadableEntry) and item.name > file:
                if file and lines:
                    name, offset = next_file_name(name), 0
                file = item.name
            position = name, offset
            if isinstance(item, _ReadableEntry):
                if item.position in self.edited or not entry_fits_state(item.entry, state):
                    self.edited.setdefault(item.position, item.entry["seq"])
                    self._reconcile_edited_entry(item, state, queue[number + 1 :])
                raw, state = self._rewrite_line(item, after, position, state, steps)
            else:
                behind, is_known = self._state_after_gap(item, state, queue[number + 1 :])
                entry = self._make_gap_entry(item, state, behind, after, steps)
                if not is_known:
                    self.begun |= set(plugin_index().scenes) & behind.keys() - state.keys()
                entry.update(
                    cast("JournalEntry", steps.add_entry_and_return_new_links(entry, position, state, behind))
                )
                raw, state = encode_entry(entry), behind
            offset, after = offset + len(raw), line_hash(raw)
            lines.setdefault(name, []).append(raw)
        if begun := sorted(self.begun & state.keys()):
            places = [path for key in begun for path in (key, f"pending.{key}") if look_up(state, path)]
            without = apply_changes(state, [(path, None, None) for path in places])
            entry = self._make_repair_entry(SceneLost(begun), state, without, after, steps)
            entry.update(
                cast(
                    "JournalEntry",
                    steps.add_entry_and_return_new_links(entry, (name, offset), state, without),
                )
            )
            lines[name].append(encode_entry(entry))
        return {name: b"".join(each) for name, each in lines.items()}

    def _reconcile_edited_entry(
        self, entry: _ReadableEntry, before: State, following: Sequence[_ReadableEntry | tuple[int, int]]
    ) -> None:
        """Correct the changes of an entry that was edited by hand.

        The corrected changes lead from the state `before` the entry to the state that the later entries,
        `following`, expect.
        """
        facts = entry.entry["facts"]
        state = apply_changes(before, [(path, None, after) for path, _, after in _changes_in(facts)])
        seq = entry.entry["seq"]
        behind, _ = self._state_after_gap((seq + 1, seq), state, following)
        left = Counter(path for path, _, _ in _changes_in(facts))
        state = before
        for fact in facts:
            changes: list[Change] = []
            for path, _, after in fact["changes"]:
                left[path] -= 1
                changes.append((path, look_up(state, path), after if left[path] else look_up(behind, path)))
                state = apply_changes(state, changes[-1:])
            fact["changes"] = changes
        for fact in facts[-1:]:
            fact["changes"] = [*fact["changes"], *state_differences(state, behind)]

    def _rewrite_line(
        self,
        entry: _ReadableEntry,
        previous_hash: str,
        position: Position,
        before: State,
        steps: _EffectiveCommands,
    ) -> tuple[bytes, State]:
        """Return an entry's line for the repaired journal, and the state after the entry.

        `previous_hash` is the hash of the line before. `position` is the new position of this entry, and
        `before` is the state before it. Positions of other entries in the line become the new positions of
        those entries.
        """
        line = json.loads(entry.raw)
        was = json.dumps(line)
        if entry.position in self.edited:
            for fact, told in zip(line["facts"], entry.entry["facts"], strict=True):
                if told["changes"]:
                    fact["changes"] = told["changes"]
        if "after" in line:
            line["after"] = previous_hash
        if b'"pending' in entry.raw:
            _replace_lost_decision_positions(entry.entry, before)
            replace_references_to_decisions(line, self._open_decision_or_given_position)
            _replace_lost_decision_positions(line, before)
        state = apply_facts(before, entry.entry["facts"])
        self.begun -= {
            path for fact in entry.entry["facts"] for path, was, _ in fact["changes"] if was is None
        }
        places = steps.add_entry_and_return_new_links(entry.entry, position, before, state)
        for key in ("prev", "head"):
            if key not in places:
                line.pop(key, None)
        line.update(places)
        if json.dumps(line) == was:
            return entry.raw, state
        return encode_line(line), state

    def _open_decision_or_given_position(self, place: Place, scene: str) -> object:
        try:
            found = self.at.get(parse_position(place))
        except ValueError:
            return place
        return open_decision_of(found, scene) or place if found is not None else place

    def _state_after_gap(
        self, gap: tuple[int, int], before: State, following: Sequence[_ReadableEntry | tuple[int, int]]
    ) -> tuple[State, bool]:
        """Return the state right after a gap in the journal, and whether it is certain.

        First, the state after the last entry before the next gap is computed. It starts from state.toml if
        state.toml was written within the gap or after one of these entries. In this case the result is
        certain. Otherwise it starts from `before`, the state before the gap. Then the changes of these
        entries are taken back.
        """
        segment: list[_ReadableEntry] = []
        for one in following:
            if isinstance(one, tuple):
                break
            segment.append(one)
        known = self._stored_state_and_entries_included(gap, segment)
        state, begin = known or (before, 0)
        for one in segment[begin:]:
            state = apply_facts(state, one.entry["facts"])
        for one in reversed(segment):
            changes, places = changes_and_places_that_undo(one.entry["facts"])
            met = [
                (path, None, look_up(before, path) if _is_json_position(was) else was)
                for path, _, was in changes
            ]
            state = apply_changes(state, met, places)
        return state, known is not None

    def _stored_state_and_entries_included(
        self, gap: tuple[int, int], segment: Sequence[_ReadableEntry]
    ) -> tuple[State, int] | None:
        """Return the state in state.toml and the number of `segment`'s entries that it already includes.

        `gap` has the first and last number of the entries that are missing from the journal. `segment` has
        the entries after the gap. If state.toml was written before the gap, or after an entry that isn't in
        `segment`, it is of no use: then return None.
        """
        found = self.found
        if found is None or found.head.seq < gap[0]:
            return None
        if found.head.seq <= gap[1]:
            return found.state, 0
        hashes = [one.hash for one in segment]
        return (found.state, hashes.index(found.head.after) + 1) if found.head.after in hashes else None

    def _make_gap_entry(
        self,
        gap: tuple[int, int],
        before: State,
        state_after: State,
        previous_hash: str,
        steps: _EffectiveCommands,
    ) -> JournalEntry:
        """Return the entry that takes the place of lost entries in the journal.

        Its changes lead from the state `before` the lost entries to the state `state_after` them. `gap` has
        the numbers of the first and the last lost entry. `previous_hash` is the hash of the line before the
        new entry.
        """
        first, end = gap
        entry = self._make_repair_entry(EntriesLost(first, end), before, state_after, previous_hash, steps)
        entry["seq"], entry["missing_from"] = end, first
        next_ = next((one.entry for one in self.kept if one.entry["seq"] > end), None)
        entry["n"] = next_["n"] if next_ else self.found.head.rolls if self.found else steps.rolls
        if next_:
            entry["at"] = next_["at"]
        if first == 1:
            entry["seed"] = self.found.head.seed if self.found else int.from_bytes(os.urandom(4), "big")
        return entry

    def _make_repair_entry(
        self,
        reported_fact: Fact,
        before: State,
        state_after: State,
        previous_hash: str,
        steps: _EffectiveCommands,
    ) -> JournalEntry:
        """Return an entry that records a repair.

        It has the fact `reported_fact`, and changes the state `before` to the state `state_after`.
        `previous_hash` is the hash of the line before.
        """
        fact: StoredFact = Happened(reported_fact, tuple(state_differences(before, state_after))).as_json(
            GameMasterSpeaker()
        )
        return {
            "after": previous_hash, "seq": steps.seq + 1,
            "at": self.kept[-1].entry["at"] if self.kept else current_utc_time(),
            "session": look_up(state_after, "session.number", 0), "n": steps.rolls, "rolled": False,
            "command": REPAIR_COMMAND, "args": {}, "answers": [], "facts": [fact], "names": {},
        }  # fmt: skip


def _is_json_position(value: object) -> bool:
    """Return whether a value is a position in the journal.

    Older entries refer to a decision by such a position.
    """
    return isinstance(value, list) and len(value) == 2 and str(value[0]).endswith(".jsonl")


def _replace_lost_decision_positions(entry: JournalEntry | Line, state: State) -> None:
    """Replace positions of decisions in an entry by the decisions themselves.

    A position says where in the journal the decision is stored, and the entries there are lost. The decisions
    are taken from `state`, in which they are still open.
    """
    replace_references_to_decisions(entry, lambda _, scene: look_up(state, f"{PENDING}.{scene}"))


def _changes_in(facts: Iterable[StoredFact]) -> Iterator[Change]:
    return (change for fact in facts for change in fact["changes"])
