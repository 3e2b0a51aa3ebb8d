"""Plays a journal again with its own dice and decisions, and compares the results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING

from ..campaign.campaign import Campaign, state_differences
from ..campaign.earlier_campaign_files import load_campaign_version
from ..campaign.journal import START
from ..campaign.state_migration import MIGRATED
from ..campaign.undo_and_repair_facts import Decided
from ..kernel.driver import (
    DrivenPlay,
    RecordedAnswers,
    default_of_decision,
    play_until_open_decision,
    refuse_more_dice,
)
from ..kernel.procedure import CONFIRM, Data, Happened, Procedure, Prose, World
from ..kernel.state_changes import State, apply_changes, apply_fact, look_up
from ..kernel.statements import say, statement_from_fields
from ..problems import Problem
from ..tabletop.characters_and_names import GameMasterSpeaker
from .playable_moves_and_time_limit import find_move

if TYPE_CHECKING:
    from ..content.merged_content import Book
    from ..kernel.journal_types import JournalEntry, StoredFact

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

    def add_difference(self, entry: JournalEntry | None, description: str) -> None:
        """Add a difference in an entry or, if `entry` is None, in state.toml. `description` describes it."""
        seq, name = (entry["seq"], entry["command"]) if entry else (0, "state.toml")
        self.differences.append({"seq": seq, "command": name, "what": description})


def entries_with_book_and_state(campaign: Campaign) -> Iterator[tuple[JournalEntry, Book, State]]:
    """Yield the journal's entries, oldest first, each with the content and the state before it.

    The content is the campaign's as it was at that time.
    """
    state: State = {}
    book = campaign.book
    for entry, _, _ in campaign.journal.entries_since(START):
        if entry["seq"] > campaign.head.seq:
            break  # recorded since the campaign was opened
        if "book" in entry:
            book = load_campaign_version(campaign.folder, entry["book"]) or campaign.book
        yield entry, book, state
        for fact in entry["facts"]:
            state = apply_fact(state, fact)


def procedure_and_world_of_entry(
    entry: JournalEntry, book: Book, state: State
) -> tuple[Procedure[Data], World]:
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
    """Play the recorded commands again, and report each difference from the journal.

    Each command is played with the state and the content that it had at the time. The new facts are compared
    with the recorded facts, by kind, changes and fields. Undo, redo, edits by hand, repairs, and commands
    that still wait for a decision aren't played again.

    In the end, the changes of all recorded facts together must give the present state.
    """
    report = ReplayReport()
    state: State = {}
    holes: list[str] = []
    for entry, book, state in entries_with_book_and_state(campaign):
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
    recorded = RecordedAnswers(entry["answers"], refuse_more_dice, default_of_decision)
    facts = [fact for fact in entry["facts"] if fact["kind"] != Decided.kind]
    try:
        procedure, world = procedure_and_world_of_entry(entry, book, state)
        played: DrivenPlay = play_until_open_decision(
            procedure, world, recorded.replay_dice, recorded.replay_choice
        )
        compared = _FactComparison(GameMasterSpeaker(book, played.states))
        again = [fact for fact in map(compared.as_full_json, played.facts) if _has_text_or_changes(fact)]
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
    facts = [fact for fact in facts if _has_text_or_changes(fact)]
    for now, was in zip_longest(again, facts):
        if now is None or was is None or not compared.compare_recorded_and_note_rewording(now, was):
            report.add_difference(entry, f"has another result now: {now['text'] if now else 'nothing'}")
            return
    report.reworded += compared.reworded


def _has_text_or_changes(fact: Mapping[str, object]) -> bool:
    """Return whether a fact has a text, or changes the state.

    A fact with neither only shows dice. Older versions of strike didn't store such facts.
    """
    return bool(fact["text"] or fact["changes"])


_DERIVED_ROLL_KEYS = ("kept", "total")
"""The parts of a roll that follow from its faces. Older journals count one die of a handful here."""
_NON_FIELD_KEYS = ("kind", "who", "changes")
"""The keys of a fact that aren't fields."""
_WORDING_KEYS = ("text", "without_hp", "lead", "parts", "untold", "names")
"""The keys of a fact for its words, also as older journals have them."""


class _FactComparison:
    """A comparison of the facts of a replay with those of a journal, by kind, changes and fields.

    `reworded` says whether any fact of the replay has other words than in the journal.
    """

    def __init__(self, speaker: GameMasterSpeaker) -> None:
        self.speaker = speaker
        self.reworded = False

    def as_full_json(self, fact: Happened) -> StoredFact:
        """Return a fact as JSON with all its fields, including those at their default."""
        told: Mapping[str, object] = fact.as_json(self.speaker)
        if not isinstance(fact.told, Prose):
            values = (
                (name, sort, getattr(fact.told, name)) for name, sort in fact.told.field_types().items()
            )
            fields = {
                name: None if value is None else sort.to_json(value, self.speaker)
                for name, sort, value in values
            }
            told = {**fields, **told}
        found: StoredFact = json.loads(json.dumps(told))
        return found

    def compare_recorded_and_note_rewording(self, replayed: StoredFact, recorded: StoredFact) -> bool:
        """Return whether a replayed fact equals the fact recorded in the journal.

        Only the fields of the recorded fact are compared. A difference in wording doesn't count, but sets
        `reworded`.
        """
        # Older journals have a hyphen in HP below 0.
        if replayed["text"].replace("\N{MINUS SIGN}", "-") != recorded["text"].replace("\N{MINUS SIGN}", "-"):
            self.reworded = True
        lost = [each for each in recorded.get("places", ()) if each not in replayed.get("places", ())]
        own: Mapping[str, object] = replayed
        return not lost and all(
            key in own
            and (self._is_equal if key in _NON_FIELD_KEYS else self._compare_value_and_note_rewording)(
                own[key], value
            )
            for key, value in recorded.items()
            if key not in (*_WORDING_KEYS, "places")  # older journals have fewer places
        )

    def _is_equal(self, replayed: object, recorded: object) -> bool:
        """Return whether a replayed value equals the recorded value.

        Older versions recorded a reason as plain words. Such words count as equal to any replayed reason, and
        a difference in wording is noted.
        """
        if isinstance(recorded, list) and isinstance(replayed, list):
            return len(replayed) == len(recorded) and all(map(self._is_equal, replayed, recorded))
        if (
            isinstance(recorded, Mapping)
            and isinstance(replayed, Mapping)
            and replayed.keys() == recorded.keys()
        ):
            return all(self._is_equal(replayed[key], recorded[key]) for key in recorded)
        if isinstance(recorded, str) and isinstance(replayed, Mapping) and "clause" in replayed:
            return self._compare_value_and_note_rewording(replayed, recorded)
        return bool(replayed == recorded)

    def _compare_value_and_note_rewording(self, replayed: object, recorded: object) -> bool:
        if isinstance(recorded, list) and isinstance(replayed, list):
            return len(replayed) == len(recorded) and all(
                map(self._compare_value_and_note_rewording, replayed, recorded)
            )
        if isinstance(recorded, str) and isinstance(replayed, list):  # several, in one line
            said = [say(statement_from_fields(one["clause"], one), self.speaker) or "" for one in replayed]
            self._note_rewording(", ".join(said), recorded)
            return True
        if isinstance(recorded, str) and isinstance(replayed, Mapping) and "clause" in replayed:
            self._note_rewording(
                say(statement_from_fields(replayed["clause"], replayed), self.speaker), recorded
            )
            return True
        if not (isinstance(recorded, Mapping) and isinstance(replayed, Mapping)):
            return bool(replayed == recorded)
        if "because" in replayed and "reason" in recorded:
            self._note_rewording(replayed["reason"], recorded["reason"])
            recorded = {key: value for key, value in recorded.items() if key != "reason"}
        return all(
            key in replayed and self._compare_value_and_note_rewording(replayed[key], recorded[key])
            for key in recorded
            if key not in _DERIVED_ROLL_KEYS
        )

    def _note_rewording(self, replayed: str | None, recorded: str) -> None:
        if replayed != recorded:
            self.reworded = True
