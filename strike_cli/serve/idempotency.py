"""What was answered under a key before this process began, told again from the journal: nothing is played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..campaign import Campaign
from ..campaign.facts import Decided
from ..campaign.journal import START
from ..kernel.drive import Recorded, Scripted, drive, no_more_dice
from ..kernel.facts import State, apply_fact
from ..kernel.procedure import World
from ..play.execute import Performed
from ..play.moves import find_move
from ..play.replay import NOT_PLAYED
from ..problems import PENDING_EXIT_CODE, Problem
from ..terminal.result import SCHEMA, played

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry
    from ..terminal.data import Envelope


def keyed_entries(campaign: Campaign) -> Iterator[tuple[str, JournalEntry]]:
    """Yield the entries that were requested under a key, oldest first."""
    for entry, _, _ in campaign.journal.since(START):
        if isinstance(key := entry.get("key"), str):
            yield key, entry


def retold(campaign: Campaign, key: str) -> Envelope:
    """Return the envelope of what was recorded under a key.

    For a command that recorded several entries (`next`, `auto`), and for `undo` and `redo`, `data` is null;
    their facts are all there.
    """
    state: State = {}
    found: list[JournalEntry] = []
    before: State = {}
    for entry, _, _ in campaign.journal.since(START):
        if entry.get("key") == key:
            before = before if found else state
            found.append(entry)
        elif found:
            break
        for fact in entry["facts"]:
            state = apply_fact(state, fact)
    if len(found) == 1 and found[0]["command"] not in NOT_PLAYED:
        again = _played_again(campaign, before, found[0])
        if again is not None:
            return again
    return {
        "schema": SCHEMA,
        "ok": True,
        "command": found[-1]["command"],
        "seq": found[-1]["seq"],
        "data": None,
        "facts": [fact for entry in found for fact in entry["facts"]],
        "pending": None,
        "exit": PENDING_EXIT_CODE if found[-1].get("pending") else 0,
    }


def _played_again(campaign: Campaign, state: State, entry: JournalEntry) -> Envelope | None:
    """Return the envelope of an entry, by its own dice and choices; None where the rules have changed."""
    from .game import envelope_of

    for fact in entry["facts"]:
        if fact["kind"] == Decided.kind:
            state = apply_fact(state, fact)
    world = World(campaign.book, state)
    recorded = Recorded(entry["answers"], no_more_dice, Scripted((), asking=True))
    try:
        procedure = find_move(entry["command"]).with_what_follows(world, entry["args"])
        came = drive(procedure, world, recorded.dice, recorded.choices)
    except (Problem, KeyError, TypeError, ValueError):
        return None
    if bool(came.pending) != bool(entry.get("pending")):
        return None
    performed = Performed(entry["command"], came, entry["seq"], campaign.book)
    if not came.pending:
        performed.facts = list(entry["facts"])
    return envelope_of(played(performed, campaign))
