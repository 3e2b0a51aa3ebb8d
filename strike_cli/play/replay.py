"""Plays a journal again with its own dice and decisions, and compares the results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING

from ..campaign.bookkeeping_facts import Decided
from ..campaign.campaign import Campaign, state_differences
from ..campaign.campaign_file_versions import stored_campaign
from ..campaign.journal import START
from ..campaign.state_migration import MIGRATED
from ..kernel.driver import DrivenPlay, RecordedAnswers, default_or_pending, drive, refuse_more_dice
from ..kernel.procedure import CONFIRM, Data, Happened, Procedure, Prose, World
from ..kernel.state_changes import State, apply_changes, apply_fact, look_up
from ..kernel.statements import say, statement_from_fields
from ..problems import Problem
from ..tabletop.people import GameMaster
from .playable_moves import find_move

if TYPE_CHECKING:
    from ..content.merged_content import Book
    from ..kernel.journal_types import FactKept, JournalEntry

NOT_PLAYED = ("undo", "redo", "hand edit", "mend", MIGRATED)
"""The entries that no move has made."""


class ReplayReport:
    """The result of playing a journal again: how many commands were played, and the differences found."""

    def __init__(self) -> None:
        self.played = 0
        self.folded = 0
        self.reworded = 0
        """How many commands have the same results as in the journal, but in other words."""
        self.differences: list[dict[str, object]] = []
        self.missing: list[str] = []
        """Sentences about the parts of the journal that are missing before the first difference."""

    def add_difference(self, entry: JournalEntry | None, what: str) -> None:
        """Add a difference in an entry or, if `entry` is None, in state.toml. `what` describes it."""
        seq, name = (entry["seq"], entry["command"]) if entry else (0, "state.toml")
        self.differences.append({"seq": seq, "command": name, "what": what})


def recorded_entries(campaign: Campaign) -> Iterator[tuple[JournalEntry, Book, State]]:
    """Yield the journal's entries, oldest first, each with the content and the state before it.

    The content is the campaign's as it was at that time.
    """
    state: State = {}
    book = campaign.book
    for entry, _, _ in campaign.journal.entries_since(START):
        if entry["seq"] > campaign.head.seq:
            break  # recorded since the campaign was opened
        if "book" in entry:
            book = stored_campaign(campaign.folder, entry["book"]) or campaign.book
        yield entry, book, state
        for fact in entry["facts"]:
            state = apply_fact(state, fact)


def procedure_of_entry(entry: JournalEntry, book: Book, state: State) -> tuple[Procedure[Data], World]:
    """Return the procedure that plays an entry again, and the world for it.

    `state` is the state before the entry. Raises Problem, KeyError, TypeError or ValueError if the command is
    no longer known.
    """
    for fact in entry["facts"]:
        if fact["kind"] == Decided.kind:
            state = apply_fact(state, fact)
    world = World(book, state, confirms=any(asked == CONFIRM for asked, _ in entry["answers"]))
    return find_move(entry["command"]).play_with_consequences(world, entry["args"]), world


def verify_campaign(campaign: Campaign) -> ReplayReport:
    """Play every recorded command again, with the state and content before it, and compare.

    Each new fact is compared with the recorded one by kind, changes and fields. The changes of all recorded
    facts together must give the present state.
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
            _compare_entry(book, state, entry, report)
        for fact in entry["facts"]:
            before = state
            for path, was, after in fact["changes"]:
                if look_up(before, path) != was:
                    report.add_difference(entry, f"{path} was not {was!r} before it")
                before = apply_changes(before, [(path, was, after)])
            state = apply_fact(state, fact)
        if len(report.differences) > known:
            report.missing = list(holes)
    for path, folded, kept in state_differences(state, campaign.state):
        report.add_difference(None, f"{path} is {kept!r}, and the journal says {folded!r}")
    return report


def _compare_entry(book: Book, state: State, entry: JournalEntry, report: ReplayReport) -> None:
    recorded = RecordedAnswers(entry["answers"], refuse_more_dice, default_or_pending)
    facts = [fact for fact in entry["facts"] if fact["kind"] != Decided.kind]
    try:
        procedure, world = procedure_of_entry(entry, book, state)
        played: DrivenPlay = drive(procedure, world, recorded.replay_dice, recorded.replay_choice)
        compared = _FactComparison(GameMaster(book, played.states))
        again = [fact for fact in map(compared.as_full_json, played.facts) if _is_in_every_journal(fact)]
    except Problem as problem:
        by = f" {entry.get('origin', entry['by'])} recorded it." if "by" in entry else ""
        report.add_difference(entry, problem.message + by)
        return
    except Exception as error:
        if "by" not in entry and not isinstance(error, KeyError | TypeError | ValueError):
            raise  # strike's own fault
        report.add_difference(entry, f"can't be replayed: {type(error).__name__} {error}")
        return
    report.played += 1
    facts = [fact for fact in facts if _is_in_every_journal(fact)]
    for now, was in zip_longest(again, facts):
        if now is None or was is None or not compared.is_same_fact(now, was):
            report.add_difference(entry, f"has another result now: {now['text'] if now else 'nothing'}")
            return
    report.reworded += compared.reworded


def _is_in_every_journal(fact: Mapping[str, object]) -> bool:
    """Return whether journals of every version contain a fact like this one.

    A fact that has neither text nor changes, and so only shows dice, is missing in old journals.
    """
    return bool(fact["text"] or fact["changes"])


_COUNTED = ("kept", "total")
"""The parts of a roll that follow from its faces. Older journals count one die of a handful here."""
_WHOLE = ("kind", "who", "changes")
"""The keys of a fact that aren't fields."""
_WORDS = ("text", "without_hp", "lead", "parts", "untold", "names")
"""The keys of a fact for its words, also as older journals have them."""


class _FactComparison:
    """A comparison of the facts of a replay with those of a journal, by kind, changes and fields.

    `reworded` says whether any fact of the replay has other words than in the journal.
    """

    def __init__(self, speaker: GameMaster) -> None:
        self.speaker = speaker
        self.reworded = False

    def as_full_json(self, fact: Happened) -> FactKept:
        """Return a fact as JSON with all its fields, including those at their default."""
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
        """Return whether a fact equals a journal's, in every field that the journal has.

        A difference in wording alone only sets `reworded`.
        """
        # Older journals have a hyphen in HP below 0.
        if now["text"].replace("\N{MINUS SIGN}", "-") != was["text"].replace("\N{MINUS SIGN}", "-"):
            self.reworded = True
        lost = [each for each in was.get("places", ()) if each not in now.get("places", ())]
        own: Mapping[str, object] = now
        return not lost and all(
            key in own and (self._is_equal if key in _WHOLE else self._is_same_value)(own[key], value)
            for key, value in was.items()
            if key not in (*_WORDS, "places")  # older journals have fewer places
        )

    def _is_equal(self, now: object, was: object) -> bool:
        """Return whether two values are equal.

        A reason may be plain words in `was`, as older versions stored it.
        """
        if isinstance(was, list) and isinstance(now, list):
            return len(now) == len(was) and all(map(self._is_equal, now, was))
        if isinstance(was, Mapping) and isinstance(now, Mapping) and now.keys() == was.keys():
            return all(self._is_equal(now[key], was[key]) for key in was)
        if isinstance(was, str) and isinstance(now, Mapping) and "clause" in now:
            return self._is_same_value(now, was)
        return bool(now == was)

    def _is_same_value(self, now: object, was: object) -> bool:
        if isinstance(was, list) and isinstance(now, list):
            return len(now) == len(was) and all(map(self._is_same_value, now, was))
        if isinstance(was, str) and isinstance(now, list):  # several, in one line
            said = [say(statement_from_fields(one["clause"], one), self.speaker) or "" for one in now]
            self._note_rewording(", ".join(said), was)
            return True
        if isinstance(was, str) and isinstance(now, Mapping) and "clause" in now:
            self._note_rewording(say(statement_from_fields(now["clause"], now), self.speaker), was)
            return True
        if not (isinstance(was, Mapping) and isinstance(now, Mapping)):
            return bool(now == was)
        if "because" in now and "reason" in was:
            self._note_rewording(now["reason"], was["reason"])
            was = {key: value for key, value in was.items() if key != "reason"}
        return all(
            key in now and self._is_same_value(now[key], was[key]) for key in was if key not in _COUNTED
        )

    def _note_rewording(self, now: str | None, was: str) -> None:
        if now != was:
            self.reworded = True
