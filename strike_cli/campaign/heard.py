"""What players may hear of what was played: the journal's entries without what is kept from them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from ..kernel.facts import State, apply_changes, apply_fact, reversal
from ..visibility.audience import Audience
from ..visibility.entry_words import as_headline
from ..visibility.face_down import each_for, unchanging, undone_by
from ..visibility.heard import RedactedFact, heard
from .facts import Redone, Undone

if TYPE_CHECKING:
    from ..kernel.kept import FactKept, HeardEntry, JournalEntry
    from .campaign import Campaign

Again = Callable[[], "Iterable[JournalEntry]"]
"""Entries, oldest first, as often as they are asked for: there may be more than memory has room for."""


def as_heard(
    campaign: Campaign, again: Again, audience: Audience, undone: Collection[int]
) -> Iterator[HeardEntry]:
    """Entries as players may hear of them; those that they hear nothing of are left out."""
    first = next(iter(again()), None)
    if first is None:
        return
    state, known = _state_before(campaign, first), iter(again())
    said: dict[int, str] = {}
    for entry in each_for(again, audience, undone):
        whole = next(known)
        told = map(_with_banner, heard(_as_they_call_it(whole, said), state, audience))
        facts = [_without_numbers(fact) for fact in told if fact is not None]
        for fact in whole["facts"]:
            state = apply_fact(state, fact)
        if texts := [str(fact["text"]) for fact in facts if fact["text"]]:
            # Without its number: the journal counts what is secret, too.
            left: HeardEntry = {
                "at": entry["at"],
                "session": entry["session"],
                "command": entry["command"],
                "undone": True,
                "facts": facts,
            }
            if whole["seq"] not in undone:
                del left["undone"]
            said[whole["seq"]] = as_headline(texts[0])
            yield left


def _with_banner(told: RedactedFact) -> FactKept | None:
    """What is left of a fact, with what it is to a screen."""
    banner = told.banner
    if told.fact is None or banner is None:
        return told.fact
    return {**told.fact, "banner": banner._asdict()}


def _as_they_call_it(entry: JournalEntry, said: Mapping[int, str]) -> JournalEntry:
    """An entry; where it takes others back or puts them back these are called by what was `said` of them
    first, those that players have heard of alone."""
    named = [seq for fact in entry["facts"] if fact["kind"] in _MOVES for seq in fact.get("of", ())]
    names = {f"entry:{seq}": said[seq] for seq in named if seq in said}
    return {**entry, "names": {**entry.get("names", {}), **names}} if named else entry


def _without_numbers(fact: FactKept) -> FactKept:
    """A fact without what it changes, and without the numbers of entries."""
    left = unchanging(fact)
    if fact["kind"] in _MOVES:
        left.pop("of", None)
    return left


_MOVES = (Undone.kind, Redone.kind)


def _state_before(campaign: Campaign, first: JournalEntry) -> State:
    """The state before an entry: from when its session began on, or back from now."""
    from .before import state_in

    known = state_in(campaign, first["session"], first["seq"])
    if known is not None:
        return known
    state = campaign.state
    for entry in campaign.journal.backwards():
        if entry["seq"] < first["seq"]:
            break
        if entry["seq"] <= campaign.head.seq:
            state = apply_changes(state, *reversal(entry["facts"]))
    return state


def heard_entries(
    campaign: Campaign,
    count: int,
    audience: Audience,
    newest: Callable[[int], list[JournalEntry]] | None = None,
) -> list[HeardEntry]:
    """The newest entries that players hear anything of, oldest first, as they may hear of them. `newest` are
    the last of those that they are taken from, else of all."""
    newest = newest or campaign.journal.newest
    looked_at = count
    while True:
        kept = newest(looked_at)
        found = list(as_heard(campaign, partial(iter, kept), audience, undone_by(kept)))
        if len(found) >= count or len(kept) < looked_at:
            return found[-count:]
        looked_at *= 4
