"""Checks whether the dice in a journal come from the campaign's seed, in the right order.

For each entry with dice it reports the source of the dice, such as the seed or typed faces. It also reports
whether the entry was undone, and whether an undone entry had already shown the same dice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..campaign.campaign import Campaign
from ..campaign.journal_entry_format import asked_for_dice, decision_answered
from ..campaign.state_file import StateHead
from ..kernel.driver import (
    RecordedAnswers,
    SeededDice,
    default_of_decision,
    play_until_open_decision,
    refuse_more_dice,
)
from ..kernel.procedure import Roll
from ..problems import Problem
from ..visibility.secret_picks import entry_numbers_left_undone
from .replay import NOT_PLAYED, entries_with_book_and_state, procedure_and_world_of_entry

if TYPE_CHECKING:
    from ..content.merged_content import Book
    from ..kernel.journal_types import JournalEntry, StoredDice
    from ..kernel.state_changes import State

SEED, BY_HAND, ANEW, OWN_SEED = "of the seed", "typed by hand", "rolled anew", "of a seed of their own"
UNSAID = "typed by hand or changed, which older entries don't say"
OTHER, OUT_OF_ORDER, UNKNOWN = "changed: not of the seed", "out of order", "not known"
SOUND_SOURCES = (SEED, BY_HAND, ANEW, OWN_SEED, UNSAID)
"""The origins of dice with which everything is in order. Any other should be looked at."""


class DiceOfEntry(NamedTuple):
    """The dice of a journal entry, with their source.

    `source` is one of this module's constants, such as SEED or BY_HAND. If it is UNKNOWN or OUT_OF_ORDER,
    `why` has the reason. `seen` is the number of an earlier entry that showed the same dice, or 0.
    """

    seq: int
    command: str
    faces: list[list[int]]
    source: str
    undone: bool
    seen: int
    why: str = ""


def audit_dice(campaign: Campaign) -> list[DiceOfEntry]:
    """Return the dice of every journal entry that has dice, oldest first, with the source of each."""
    undone = entry_numbers_left_undone(campaign.journal.entries_with_bytes(b'"head"'))
    head = StateHead(campaign.head.seed)
    says = False
    found = []
    for entry, book, state in entries_with_book_and_state(campaign):
        says = says or any(key in entry for key in ("rolled", "entered", "seen"))
        if asked_for_dice(entry) and entry["command"] not in NOT_PLAYED:
            source, why = _source_of_dice(entry, book, state, head)
            source = UNSAID if source == OTHER and not says else source
            faces = [answer for _, answer in entry["answers"] if isinstance(answer, list)]
            is_undone, seen = entry["seq"] in undone, entry.get("seen", 0)
            found.append(DiceOfEntry(entry["seq"], entry["command"], faces, source, is_undone, seen, why))
        head.include_entry(entry, head.end, head.end)
    return found


def _source_of_dice(entry: JournalEntry, book: Book, state: State, head: StateHead) -> tuple[str, str]:
    """Return the source of an entry's dice, and a reason.

    The reason is "" except for the sources UNKNOWN and OUT_OF_ORDER.
    """
    answered = decision_answered(entry)
    start: StoredDice = answered or {
        "n": entry["n"],
        "salt": entry.get("reroll", 0),
        "seed": entry.get("seeded", head.seed),
    }
    if "missing_from" not in entry and entry["n"] != head.rolls:
        return OUT_OF_ORDER, f"number {entry['n']} where {head.rolls} comes"
    if entry.get("entered") or start.get("entered"):
        return BY_HAND, ""
    if answered is None and start["salt"] not in (0, entry["seq"] - 1):
        return OUT_OF_ORDER, "rolled anew as another entry"
    seeded = SeededDice(start["seed"], start["n"], start["salt"])
    recorded = RecordedAnswers(entry["answers"], refuse_more_dice, default_of_decision)
    others: list[Roll] = []

    def replay_and_note_other_faces(roll: Roll) -> list[int]:
        fell = recorded.replay_dice(roll)
        if fell != seeded(roll):
            others.append(roll)
        return fell

    try:
        procedure, world = procedure_and_world_of_entry(entry, book, state)
        play_until_open_decision(procedure, world, replay_and_note_other_faces, recorded.replay_choice)
    except (Problem, KeyError, TypeError, ValueError) as error:
        return UNKNOWN, error.message if isinstance(error, Problem) else f"{type(error).__name__} {error}"
    if others:
        return OTHER, ""
    if start["salt"]:
        return ANEW, ""
    return (OWN_SEED if start["seed"] != head.seed else SEED), ""
