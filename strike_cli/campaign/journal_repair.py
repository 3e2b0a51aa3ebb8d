"""Repair of a journal: everything readable is kept, nothing is deleted.

Of two branches one is kept (`diverged_copies.py`). Line ends that a program has changed are restored. Where a
line is damaged, missing, doubled or out of its place, the others are put in order and linked again. A gap is
marked by an entry of its own that changes the state to the one that later entries met: they have the previous
values, and state.toml has the rest. Begin with `mend`.
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

from ..kernel.facts import State, apply_changes, look_up, reverse_facts
from ..kernel.procedure import Happened
from ..problems import CampaignProblem, pluralize
from ..registry.installed import index
from ..tabletop.people import GameMaster
from . import diverged_copies, files
from . import state as state_file
from .campaign import apply_facts, current_time, entry_fits, state_differences
from .entry import (
    FIRST,
    PENDING,
    Line,
    Place,
    Position,
    decision_of,
    encode_entry,
    encode_line,
    find_decisions,
    position_of,
)
from .facts import EntriesLost, SceneLost
from .journal import FOLDER, Hole, Journal, entry_follows, file_after, link
from .state import head_follows_journal, rolls_after

if TYPE_CHECKING:
    from ..kernel.facts import Change
    from ..kernel.journal_types import FactKept, JournalEntry
    from ..kernel.statements import Fact

MEND = "mend"
"""The command of the entry that marks a hole."""


def mend_journal(folder: Path) -> list[str]:
    """Save every readable entry of a damaged journal; return a line for each thing done.

    Raises CampaignProblem where something can't be read or written.
    """
    lock = files.Lock(folder)
    lock.acquire()
    try:
        journal = Journal(folder)
        done = _put_line_ends_back(journal)
        found = _state(folder)
        copies, marked = diverged_copies.copies(folder), diverged_copies.find_conflicted_files(folder)
        if copies or marked or _is_broken(journal, found):
            tree = diverged_copies.Tree(folder)
            if copies or marked or tree.forks:
                try:
                    done += diverged_copies.keep_one_branch(folder, tree, found.head.after if found else "")
                except CampaignProblem:
                    done += diverged_copies.move_copies(folder)
        if _is_broken(journal, found):
            done += _Healing(journal, found).heal(folder)
        done += _set_the_end_aside(journal)
        if _is_state_foreign(folder, journal):
            done.append(diverged_copies.set_state_aside(folder))
        return done
    finally:
        lock.release()


def describe_repair(folder: Path) -> str:
    """Return which entries `mend` would save and which are lost; "" where the journal isn't damaged."""
    journal, found = Journal(folder), _state(folder)
    if (
        diverged_copies.copies(folder)
        or diverged_copies.find_conflicted_files(folder)
        or not _is_broken(journal, found)
    ):
        return ""
    return _Healing(journal, found).told()


def _put_line_ends_back(journal: Journal) -> list[str]:
    """Restore the line ends of files all of whose lines end as on Windows.

    A program such as git has changed them: no entry ends so, and positions in the journal are counted in
    bytes.
    """
    lines = []
    for name in journal.files():
        path = journal.folder / name
        try:
            raw = files.read_plain(path, sys.maxsize)
            if raw.endswith(b"\r\n") and raw.count(b"\n") == raw.count(b"\r\n"):
                files.replace(files.write_scratch(path, raw.replace(b"\r\n", b"\n")), path)
                lines.append(f"{FOLDER}/{name}: Windows line ends are replaced by strike's own.")
        except OSError as error:
            raise files.unwritable_problem(path, error) from None
    return lines


def _is_broken(journal: Journal, stored: state_file.ReadState | None) -> bool:
    """Return whether an entry can't be read or doesn't follow, or the journal ends before state.toml does."""
    seq, names = 0, journal.files()
    state = State()
    try:
        for entry, _, _ in journal.checked():
            if not entry_fits(entry, state):
                return True
            seq, state = entry["seq"], apply_facts(state, entry["facts"])
        torn = any(journal.torn_tail(name) for name in names[:-1])
    except CampaignProblem:
        return True
    whole = names == [f"{number:04d}.jsonl" for number in range(1, len(names) + 1)]
    return torn or not whole or (stored is not None and stored.head.seq > seq)


def _state(folder: Path) -> state_file.ReadState | None:
    """Return state.toml; None where it can't be understood."""
    try:
        return state_file.read_state_file(folder)
    except CampaignProblem:
        return None


def _set_the_end_aside(journal: Journal) -> Iterator[str]:
    """Move the remains of an interrupted command from the journal's end into a file beside it."""
    for name in journal.files()[-1:]:
        if torn := journal.torn_tail(name):
            try:
                aside = journal.set_aside(name, journal.size(name) - len(torn))
            except OSError as error:
                raise files.unwritable_problem(journal.folder / name, error) from None
            yield f"{FOLDER}/{name} ended in an interrupted command, which is in {FOLDER}/{aside} now."


def _is_state_foreign(folder: Path, journal: Journal) -> bool:
    """Return whether a state.toml follows from no entry of this journal, or has both sides of a conflict."""
    try:
        found = state_file.read_state_file(folder)
        if found is not None:
            return not head_follows_journal(journal, found.head)
    except CampaignProblem:
        return False  # reported by its reader
    return os.path.lexists(folder / state_file.STATE_FILE)


class _Kept:
    """A readable entry: its line, its position, and the entry with everything that its line says."""

    __slots__ = ("entry", "hash", "name", "position", "raw")

    def __init__(self, raw: bytes, position: Position, entry: JournalEntry) -> None:
        self.raw, self.position, self.entry = raw, position, entry
        self.name = position[0]
        self.hash = link(raw)


class _Step(NamedTuple):
    """A command in effect: its entry's position, its range of numbers, and the states before and after it."""

    position: Position
    first: int
    seq: int
    before: State
    after: State


class _Steps:
    """The commands in effect after each entry, and those taken back.

    Undo and redo name positions of other entries, which may be lost. An undo or redo that doesn't lead to the
    state before, or after, the commands that it names is treated as an ordinary command.
    """

    def __init__(self) -> None:
        self.done: list[_Step] = []
        self.undone: list[_Step] = []
        self.rolls = self.seq = 0
        self.start: Position | None = None
        """The position of the previous entry."""

    def take(self, entry: JournalEntry, position: Position, before: State, after: State) -> Line:
        """Add an entry. Return its references to other entries' positions, as these are now."""
        last, start = self._last(), self.start
        self.start, self.seq = position, entry["seq"]
        if "head" in entry and self._moves(entry, after):
            head, last = entry["head"], self._last()
            self.rolls = head.get("rolls", head["commands"])
            redo = [list(step.position) for step in self.undone]
            places = {"commands": len(self.done), "last": last and list(last), "redo": redo}
            return {"head": {**head, **places}}
        self.rolls = rolls_after(entry)
        self.done.append(
            _Step(position, entry.get("missing_from", entry["seq"]), entry["seq"], before, after)
        )
        self.undone = []
        # The line has it where it isn't the line before; lines without a hash always have it.
        is_said = last != start if "after" in entry else last is not None
        return {"prev": last and list(last)} if is_said else {}

    def _moves(self, entry: JournalEntry, after: State) -> bool:
        """Apply an undo or redo; return whether that leads to the state `after`."""
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

    def _last(self) -> Position | None:
        return self.done[-1].position if self.done else None


class _Healing:
    """The repair of one journal: it puts the entries in order, marks holes and links the lines anew."""

    def __init__(self, journal: Journal, state: state_file.ReadState | None) -> None:
        self.journal, self.found = journal, state
        self.own = {name: _read_raw(journal.folder / name) for name in journal.files()}
        self.unreadable = 0
        """Lines at the end that can't be read."""
        self.kept = self._unique_in_order(list(self._readable()))
        self.holes: list[tuple[int, int]] = []
        """The first and last number of each run of lost entries."""
        seq = 0
        for one in self.kept:
            if not entry_follows(one.entry, seq):
                self.holes.append((seq + 1, one.entry["seq"] - 1))
            seq = one.entry["seq"]
        last = max(seq + self.unreadable, state.head.seq if state else 0)
        if last > seq:
            self.holes.append((seq + 1, last))
        self.at: dict[Position, JournalEntry] = {one.position: one.entry for one in self.kept}
        for one in self.kept:
            find_decisions(one.entry, self._item_at)
        self.begun: set[str] = set()
        """Scenes that began in lost entries, known only from later entries."""
        self.edited = {
            one.position: one.entry["seq"]
            for one, later in pairwise(self.kept)
            if later.entry["seq"] == one.entry["seq"] + 1 and later.entry.get("after", one.hash) != one.hash
        }
        """Entries, with their numbers, that were changed after later ones were recorded."""

    def told(self) -> str:
        """Describe what is saved, and what is lost."""
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

    def heal(self, folder: Path) -> list[str]:
        """Write the repaired journal; return a line for each thing done."""
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
            return [*edited, self.told(), *diverged_copies.put_in_place(folder, self.journal, contents)]
        except OSError as error:
            raise files.unwritable_problem(folder, error) from None

    def _readable(self) -> Iterator[_Kept]:
        for name, raw in self.own.items():
            offset = 0
            for line in raw.splitlines(keepends=True) if b"\r" not in raw else raw.split(b"\n"):
                ended = line.endswith(b"\n") or b"\r" in raw
                line = line if line.endswith(b"\n") else line + b"\n"
                found = self._entry_in(line, name)
                if found is not None:
                    self.unreadable = 0
                    yield _Kept(found[0], (name, offset + len(line) - len(found[0])), found[1])
                elif ended and line.strip():
                    self.unreadable += 1
                offset += len(line)

    def _entry_in(self, line: bytes, name: str) -> tuple[bytes, JournalEntry] | None:
        """Return the entry of a line, or the one at the end of a line whose beginning is damaged."""
        line = line.replace(b"\r\n", b"\n")
        for start in sorted({0, max(0, line.rfind(b'{"after":"')), max(0, line.rfind(b'{"seq":'))}):
            try:
                return line[start:], self.journal.read_line(line[start:], name)
            except Hole:
                continue
        return None

    def _unique_in_order(self, entries: Sequence[_Kept]) -> list[_Kept]:
        """Return one entry for each number, in order: of two, the one that other entries follow."""
        named = {str(one.entry.get("after", "")) for one in entries}
        named.add(self.found.head.after if self.found else "")
        by_seq: dict[int, _Kept] = {}
        for one in entries:
            known = by_seq.get(one.entry["seq"])
            if known is None or (one.hash in named and known.hash not in named):
                by_seq[one.entry["seq"]] = one
        return [by_seq[seq] for seq in sorted(by_seq)]

    def _new_contents(self) -> dict[str, bytes]:
        """Return the new contents of the journal's files, by name, without files that have become empty."""
        lines: dict[str, list[bytes]] = {}
        name, file, offset, after = FIRST, "", 0, ""
        state, steps = State(), _Steps()
        holes = dict(self.holes)
        found: list[_Kept | tuple[int, int]] = []
        seq = 0
        for one in self.kept:
            if not entry_follows(one.entry, seq):
                found.append((seq + 1, holes.pop(seq + 1)))
            found.append(one)
            seq = one.entry["seq"]
        queue = [*found, *holes.items()]
        for number, item in enumerate(queue):
            if isinstance(item, _Kept) and item.name > file:
                if file and lines:
                    name, offset = file_after(name), 0
                file = item.name
            position = name, offset
            if isinstance(item, _Kept):
                if item.position in self.edited or not entry_fits(item.entry, state):
                    self.edited.setdefault(item.position, item.entry["seq"])
                    self._reconcile(item, state, queue[number + 1 :])
                raw, state = self._rewritten(item, after, position, state, steps)
            else:
                behind, is_known = self._state_behind(item, state, queue[number + 1 :])
                entry = self._marker(item, state, behind, after, steps)
                if not is_known:
                    self.begun |= set(index().scenes) & behind.keys() - state.keys()
                entry.update(cast("JournalEntry", steps.take(entry, position, state, behind)))
                raw, state = encode_entry(entry), behind
            offset, after = offset + len(raw), link(raw)
            lines.setdefault(name, []).append(raw)
        if begun := sorted(self.begun & state.keys()):
            places = [path for key in begun for path in (key, f"pending.{key}") if look_up(state, path)]
            without = apply_changes(state, [(path, None, None) for path in places])
            entry = self._repair_entry(SceneLost(begun), state, without, after, steps)
            entry.update(cast("JournalEntry", steps.take(entry, (name, offset), state, without)))
            lines[name].append(encode_entry(entry))
        return {name: b"".join(each) for name, each in lines.items()}

    def _reconcile(self, entry: _Kept, before: State, following: Sequence[_Kept | tuple[int, int]]) -> None:
        """Make an edited entry lead from the state before it to the one that later entries start from."""
        facts = entry.entry["facts"]
        state = apply_changes(before, [(path, None, after) for path, _, after in _changes_in(facts)])
        seq = entry.entry["seq"]
        behind, _ = self._state_behind((seq + 1, seq), state, following)
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

    def _rewritten(
        self, entry: _Kept, after: str, position: Position, before: State, steps: _Steps
    ) -> tuple[bytes, State]:
        """Return an entry's line with the present positions of others, and the state that it leads to."""
        line = json.loads(entry.raw)
        was = json.dumps(line)
        if entry.position in self.edited:
            for fact, told in zip(line["facts"], entry.entry["facts"], strict=True):
                if told["changes"]:
                    fact["changes"] = told["changes"]
        if "after" in line:
            line["after"] = after
        if b'"pending' in entry.raw:
            _settle_references(entry.entry, before)
            find_decisions(line, self._item_at)
            _settle_references(line, before)
        state = apply_facts(before, entry.entry["facts"])
        self.begun -= {
            path for fact in entry.entry["facts"] for path, was, _ in fact["changes"] if was is None
        }
        places = steps.take(entry.entry, position, before, state)
        for key in ("prev", "head"):
            if key not in places:
                line.pop(key, None)
        line.update(places)
        if json.dumps(line) == was:
            return entry.raw, state
        return encode_line(line), state

    def _item_at(self, place: Place, scene: str) -> object:
        try:
            found = self.at.get(position_of(place))
        except ValueError:
            return place
        return decision_of(found, scene) or place if found is not None else place

    def _state_behind(
        self, hole: tuple[int, int], before: State, following: Sequence[_Kept | tuple[int, int]]
    ) -> tuple[State, bool]:
        """Return the state after a hole, and whether it is known.

        It is the state that the entries up to the next hole were recorded in, completed from state.toml. It
        is known where state.toml was written during the hole or after one of these entries.
        """
        segment: list[_Kept] = []
        for one in following:
            if isinstance(one, tuple):
                break
            segment.append(one)
        known = self._state_in_hole(hole, segment)
        state, begin = known or (before, 0)
        for one in segment[begin:]:
            state = apply_facts(state, one.entry["facts"])
        for one in reversed(segment):
            changes, places = reverse_facts(one.entry["facts"])
            met = [(path, None, look_up(before, path) if _is_place(was) else was) for path, _, was in changes]
            state = apply_changes(state, met, places)
        return state, known is not None

    def _state_in_hole(self, hole: tuple[int, int], segment: Sequence[_Kept]) -> tuple[State, int] | None:
        """Return the state in state.toml, and the number of the entries after the hole that it includes.

        None unless state.toml was written during the hole, or after one of the entries in `segment`.
        """
        found = self.found
        if found is None or found.head.seq < hole[0]:
            return None
        if found.head.seq <= hole[1]:
            return found.state, 0
        hashes = [one.hash for one in segment]
        return (found.state, hashes.index(found.head.after) + 1) if found.head.after in hashes else None

    def _marker(
        self, hole: tuple[int, int], before: State, behind: State, after: str, steps: _Steps
    ) -> JournalEntry:
        """Return the entry to write in a hole."""
        first, end = hole
        entry = self._repair_entry(EntriesLost(first, end), before, behind, after, steps)
        entry["seq"], entry["missing_from"] = end, first
        next_ = next((one.entry for one in self.kept if one.entry["seq"] > end), None)
        entry["n"] = next_["n"] if next_ else self.found.head.rolls if self.found else steps.rolls
        if next_:
            entry["at"] = next_["at"]
        if first == 1:
            entry["seed"] = self.found.head.seed if self.found else int.from_bytes(os.urandom(4), "big")
        return entry

    def _repair_entry(
        self, report: Fact, before: State, behind: State, after: str, steps: _Steps
    ) -> JournalEntry:
        """Return an entry that records a repair."""
        fact: FactKept = Happened(report, tuple(state_differences(before, behind))).as_json(GameMaster())
        return {
            "after": after, "seq": steps.seq + 1,
            "at": self.kept[-1].entry["at"] if self.kept else current_time(),
            "session": look_up(behind, "session.number", 0), "n": steps.rolls, "rolled": False,
            "command": MEND, "args": {}, "answers": [], "facts": [fact], "names": {},
        }  # fmt: skip


def _is_place(value: object) -> bool:
    """Return whether a value is the position of an entry that asked a decision, in the short form."""
    return isinstance(value, list) and len(value) == 2 and str(value[0]).endswith(".jsonl")


def _settle_references(entry: JournalEntry | Line, state: State) -> None:
    """Replace references to decisions whose entries are lost by the known parts of these decisions."""
    find_decisions(entry, lambda _, scene: look_up(state, f"{PENDING}.{scene}"))


def _changes_in(facts: Iterable[FactKept]) -> Iterator[Change]:
    return (change for fact in facts for change in fact["changes"])


def _read_raw(path: Path) -> bytes:
    try:
        return files.read_plain(path, sys.maxsize)
    except OSError as error:
        raise files.unreadable_problem(path, error) from None
