"""Plays a journal again with its own dice and decisions, and compares the results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING

from ..campaign.campaign import Campaign, state_differences
from ..campaign.earlier_versions import stored_campaign
from ..campaign.facts import Decided
from ..campaign.journal import START
from ..campaign.migration import MIGRATED
from ..kernel.driver import DrivenPlay, Recorded, default_or_pending, drive, refuse_more_dice
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
"""The entries that no move has made."""


class ReplayReport:
    """The result of playing a journal again: how many commands were played, and what differs."""

    def __init__(self) -> None:
        self.played = 0
        self.folded = 0
        self.reworded = 0
        """How many commands have the same results as in the journal, but in other words."""
        self.differences: list[dict[str, object]] = []
        self.missing: list[str] = []
        """Sentences about the parts of the journal that are missing before the first difference."""

    def differs(self, entry: JournalEntry | None, what: str) -> None:
        """Record that something differs in an entry or, if `entry` is None, in state.toml."""
        seq, name = (entry["seq"], entry["command"]) if entry else (0, "state.toml")
        self.differences.append({"seq": seq, "command": name, "what": what})


def recorded_entries(campaign: Campaign) -> Iterator[tuple[JournalEntry, Book, State]]:
    """Yield the journal's entries, the oldest first, each with the book of its time and the state before."""
    state: State = {}
    book = campaign.book
    for entry, _, _ in campaign.journal.since(START):
        if entry["seq"] > campaign.head.seq:
            break  # recorded since the campaign was opened
        if "book" in entry:
            book = stored_campaign(campaign.folder, entry["book"]) or campaign.book
        yield entry, book, state
        for fact in entry["facts"]:
            state = apply_fact(state, fact)


def procedure_of(entry: JournalEntry, book: Book, state: State) -> tuple[Procedure[Data], World]:
    """Return the procedure that plays an entry again, and the world for it.

    Raises Problem, KeyError, TypeError or ValueError if the command is no longer known.
    """
    for fact in entry["facts"]:
        if fact["kind"] == Decided.kind:
            state = apply_fact(state, fact)
    world = World(book, state, confirms=any(asked == CONFIRM for asked, _ in entry["answers"]))
    return find_move(entry["command"]).with_what_follows(world, entry["args"]), world


def verify_campaign(campaign: Campaign) -> ReplayReport:
    """Play every recorded command again, in the state before it and with the book of its time.

    Facts are compared by kind, changes and fields, and the state with the changes of all facts.
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
    for path, folded, kept in state_differences(state, campaign.state):
        report.differs(None, f"{path} is {kept!r}, and the journal says {folded!r}")
    return report


def _compare(book: Book, state: State, entry: JournalEntry, report: ReplayReport) -> None:
    recorded = Recorded(entry["answers"], refuse_more_dice, default_or_pending)
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
    """Return whether every journal has such a fact: older ones don't have all that only show dice."""
    return bool(fact["text"] or fact["changes"])


_COUNTED = ("kept", "total")
"""The parts of a roll that follow from its faces. Older journals count one die of a handful here."""
_WHOLE = ("kind", "who", "changes")
"""The keys of a fact that aren't fields."""
_WORDS = ("text", "without_hp", "lead", "parts", "untold", "names")
"""The keys of a fact for its words, also as older journals have them."""


class _Compared:
    """Compares facts as they are now with those of a journal, by kind, changes and fields.

    `reworded` says whether any of them had other words.
    """

    def __init__(self, speaker: GameMaster) -> None:
        self.speaker = speaker
        self.reworded = False

    def as_told(self, fact: Happened) -> FactKept:
        """Return a fact as JSON with all its fields, also those that have their default."""
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
        """Return whether a fact is equal to one of the journal, in all that the journal has of it."""
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
        """Return whether values are equal; a reason may be in words, as an older strike stored it."""
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
