"""Which dice of the seed somebody has seen before: they were rolled, and the roll was taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry, WaitingDecision

    Seen = dict[int, int]
    """Entries that were taken back, by the number of the roll whose dice they had shown."""


def has_dice(entry: JournalEntry) -> bool:
    """Return whether an entry asked for dice."""
    return any(isinstance(answer, list) for _, answer in entry["answers"])


def decision_answered(entry: JournalEntry) -> WaitingDecision | None:
    """Return the decision that an entry answers, whose dice it goes on with; None where it answers none."""
    for fact in entry["facts"]:
        if fact["kind"] == "decided":
            for _, was, rest in fact["changes"]:
                if isinstance(was, Mapping):  # the short form of older journals names an entry
                    left = rest if isinstance(rest, Mapping) else {}
                    return next((item for key, item in was.items() if key not in left), None)
    return None


def number_of(entry: JournalEntry) -> int | None:
    """Return the number of the roll whose dice an entry has.

    None where they are none of the campaign's own: typed by hand, of another seed, or rolled anew.
    """
    answered = decision_answered(entry)
    if not has_dice(entry) or any(entry.get(key) for key in ("entered", "reroll")) or "seeded" in entry:
        return None
    if answered is not None:
        return None if answered["salt"] or answered.get("entered") else answered["n"]
    return entry["n"]


def after_undo(seen: Seen, taken: Iterable[JournalEntry]) -> Seen:
    """Return which dice are seen once entries, newest first, are taken back."""
    return seen | {n: entry["seq"] for entry in taken if (n := number_of(entry)) is not None}


def after_redo(seen: Seen, entries: Iterable[JournalEntry]) -> Seen:
    """Return which dice are seen but not in effect once entries are put back."""
    back = {number_of(entry) for entry in entries}
    return {n: seq for n, seq in seen.items() if n not in back}
