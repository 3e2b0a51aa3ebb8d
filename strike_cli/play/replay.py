"""The recorded driver: a journal played again from its own dice and choices, and compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING

from ..campaign.campaign import Campaign, differences
from ..campaign.earlier_versions import campaign_of_then
from ..campaign.facts import Decided
from ..campaign.journal import START
from ..campaign.migration import MIGRATED
from ..kernel.driver import DrivenPlay, Recorded, drive, no_more_dice, undecided
from ..kernel.facts import State, apply_changes, apply_fact, look_up
from ..kernel.procedure import CONFIRM, Data, Happened, Procedure, Prose, World
from ..kernel.statements import say, statement_of
from ..problems import Problem
from ..tabletop.people import GameMaster
from .moves import find_move

if TYPE_CHECKING:
    from ..content.book import Book
    from ..kernel.journal_types import FactKept, JournalEntry

NOT_PLAYED = ("undo", "redo", "hand edit", "mend", MIGRATED)
"""Entries that no procedure has produced."""


class ReplayReport:
    """The result of a replay: the number of commands replayed, and the differences."""

    def __init__(self) -> None:
        self.played = 0
        self.folded = 0
        self.reworded = 0
        """The commands with the same results, but other words than in the journal."""
        self.differences: list[dict[str, object]] = []
        self.missing: list[str] = []
        """Descriptions of the journal's holes before the first difference."""

    def differs(self, entry: JournalEntry | None, what: str) -> None:
        """Record a difference."""
        seq, name = (entry["seq"], entry["command"]) if entry else (0, "state.toml")
        self.differences.append({"seq": seq, "command": name, "what": what})


def recorded_entries(campaign: Campaign) -> Iterator[tuple[JournalEntry, Book, State]]:
    """Yield the journal's entries, oldest first, each with the campaign of its time and the state before."""
    state: State = {}
    book = campaign.book
    for entry, _, _ in campaign.journal.since(START):
        if entry["seq"] > campaign.head.seq:
            break  # recorded since the campaign was opened
        if "book" in entry:
            book = campaign_of_then(campaign.folder, entry["book"]) or campaign.book
        yield entry, book, state
        for fact in entry["facts"]:
            state = apply_fact(state, fact)


def procedure_of(entry: JournalEntry, book: Book, state: State) -> tuple[Procedure[Data], World]:
    """Return the procedure that plays an entry again, and the world in which it plays.

    Raises Problem, KeyError, TypeError or ValueError where the entry's command is no longer known.
    """
    for fact in entry["facts"]:
        if fact["kind"] == Decided.kind:
            state = apply_fact(state, fact)
    world = World(book, state, confirms=any(asked == CONFIRM for asked, _ in entry["answers"]))
    return find_move(entry["command"]).with_what_follows(world, entry["args"]), world


def verify(campaign: Campaign) -> ReplayReport:
    """Play every recorded command again in the state before it, with the campaign of that time.

    The facts are compared by kind, changes and fields; then the result of all facts with the state.
    """
    report = ReplayReport()
    state: State = {}
    holes: list[str] = []
    for entry, book, state in recorded_entries(campaign):
        report.folded += 1
        known = len(report.differences)
        if "missing_from" in entry:
            holes.append(entry["facts"][0]["text"])
        if not (entry.get("pending") or entry["command"] in NOT_PLAYED):
            _compare(book, state, entry, report)
        for fact in entry["facts"]:
            before = state
            for path, was, after in fact["changes"]:
                if look_up(before, path) != was:
                    report.differs(entry, f"{path} was not {was!r} before it")
                before = apply_changes(before, [(path, was, after)])
            state = apply_fact(state, fact)
        if len(report.differences) > known:
            report.missing = list(holes)
    for path, folded, kept in differences(state, campaign.state):
        report.differs(None, f"{path} is {kept!r}, and the journal says {folded!r}")
    return report


def _compare(book: Book, state: State, entry: JournalEntry, report: ReplayReport) -> None:
    recorded = Recorded(entry["answers"], no_more_dice, undecided)
    facts = [fact for fact in entry["facts"] if fact["kind"] != Decided.kind]
    try:
        procedure, world = procedure_of(entry, book, state)
        played: DrivenPlay = drive(procedure, world, recorded.dice, recorded.choices)
        compared = _Compared(GameMaster(book, played.states))
        again = [fact for fact in map(compared.as_told, played.facts) if _is_always_told(fact)]
    except Problem as problem:
        by = f" {entry.get('origin', entry['by'])} recorded it." if "by" in entry else ""
        report.differs(entry, problem.message + by)
        return
    except Exception as error:
        if "by" not in entry and not isinstance(error, KeyError | TypeError | ValueError):
            raise  # strike's own fault
        report.differs(entry, f"can't be replayed: {type(error).__name__} {error}")
        return
    report.played += 1
    facts = [fact for fact in facts if _is_always_told(fact)]
    for now, was in zip_longest(again, facts):
        if now is None or was is None or not compared.is_same_fact(now, was):
            report.differs(entry, f"has another result now: {now['text'] if now else 'nothing'}")
            return
    report.reworded += compared.reworded


def _is_always_told(fact: Mapping[str, object]) -> bool:
    """Return whether every journal has this fact: older ones have fewer of those that only show dice."""
    return bool(fact["text"] or fact["changes"])


_COUNTED = ("kept", "total")
"""The parts of a roll that follow from its faces: older journals say of handfuls that one die counts."""
_WHOLE = ("kind", "who", "changes")
"""The keys of a fact that are no fields."""
_WORDS = ("text", "without_hp", "lead", "parts", "untold", "names")
"""The keys for a fact's words, in the forms that older journals used."""


class _Compared:
    """A fact as it is recorded now beside one of a journal: by kind, changes and fields.

    `reworded` says whether any of its words differ.
    """

    def __init__(self, speaker: GameMaster) -> None:
        self.speaker = speaker
        self.reworded = False

    def as_told(self, fact: Happened) -> FactKept:
        """Return a fact with all its fields as JSON, including those at their defaults."""
        told: Mapping[str, object] = fact.as_json(self.speaker)
        if not isinstance(fact.told, Prose):
            values = ((name, sort, getattr(fact.told, name)) for name, sort in fact.told.sorts().items())
            fields = {
                name: None if value is None else sort.to_json(value, self.speaker)
                for name, sort, value in values
            }
            told = {**fields, **told}
        found: FactKept = json.loads(json.dumps(told))
        return found

    def is_same_fact(self, now: FactKept, was: FactKept) -> bool:
        """Return whether a fact equals one of the journal in everything that the journal has of it."""
        # Older journals have a hyphen in HP below 0.
        if now["text"].replace("\N{MINUS SIGN}", "-") != was["text"].replace("\N{MINUS SIGN}", "-"):
            self.reworded = True
        lost = [each for each in was.get("places", ()) if each not in now.get("places", ())]
        own: Mapping[str, object] = now
        return not lost and all(
            key in own and (self._is_equal if key in _WHOLE else self._is_same)(own[key], value)
            for key, value in was.items()
            if key not in (*_WORDS, "places")  # older journals have fewer places
        )

    def _is_equal(self, now: object, was: object) -> bool:
        """Return whether values are equal, except for a reason that an older strike stored in words."""
        if isinstance(was, list) and isinstance(now, list):
            return len(now) == len(was) and all(map(self._is_equal, now, was))
        if isinstance(was, Mapping) and isinstance(now, Mapping) and now.keys() == was.keys():
            return all(self._is_equal(now[key], was[key]) for key in was)
        if isinstance(was, str) and isinstance(now, Mapping) and "clause" in now:
            return self._is_same(now, was)
        return bool(now == was)

    def _is_same(self, now: object, was: object) -> bool:
        if isinstance(was, list) and isinstance(now, list):
            return len(now) == len(was) and all(map(self._is_same, now, was))
        if isinstance(was, str) and isinstance(now, list):  # several, in one line
            said = [say(statement_of(one["clause"], one), self.speaker) or "" for one in now]
            self._must_be_worded(", ".join(said), was)
            return True
        if isinstance(was, str) and isinstance(now, Mapping) and "clause" in now:
            self._must_be_worded(say(statement_of(now["clause"], now), self.speaker), was)
            return True
        if not (isinstance(was, Mapping) and isinstance(now, Mapping)):
            return bool(now == was)
        if "because" in now and "reason" in was:
            self._must_be_worded(now["reason"], was["reason"])
            was = {key: value for key, value in was.items() if key != "reason"}
        return all(key in now and self._is_same(now[key], was[key]) for key in was if key not in _COUNTED)

    def _must_be_worded(self, now: str | None, was: str) -> None:
        if now != was:
            self.reworded = True
