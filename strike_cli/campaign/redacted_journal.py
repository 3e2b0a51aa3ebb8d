"""The journal for players: its entries without anything hidden from them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from ..kernel.state_changes import State, apply_changes, block_cache, changes_and_places_that_undo
from ..visibility.audiences import Audience
from ..visibility.known_journal import KnownEntry, KnownJournal
from ..visibility.secret_picks import entry_numbers_left_undone
from .journal import START
from .undo_and_repair_facts import Redone

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry, RedactedEntry
    from .campaign import Campaign

ReadEntries = Callable[[], "Iterable[JournalEntry]"]
"""A function that returns the entries again, oldest first: they may be more than memory can store."""


def redacted_entries(
    campaign: Campaign, read_entries: ReadEntries, audience: Audience, undone: Collection[int]
) -> Iterator[RedactedEntry]:
    """Yield the entries of which the audience may see anything, reduced to what it may see.

    `read_entries` returns the entries, oldest first; it is called twice. An entry whose number is in `undone`
    is marked as undone.
    """
    first = next(iter(read_entries()), None)
    if first is None:
        return
    audience = audience._replace(language=campaign.book.locale())
    journal = KnownJournal(audience, _state_before(campaign, first))
    for entry in read_entries():
        left = _redacted_entry(journal.take_entry(entry))
        if left is not None:
            if entry["seq"] in undone:
                left["undone"] = True
            yield left


def _redacted_entry(known: KnownEntry | None) -> RedactedEntry | None:
    """Return the parts of an entry that players see; None if they see nothing of it."""
    return known.as_json() if known and any(one.fact["text"] for one in known.facts) else None


class PlayersJournal:
    """The entries that players may see, numbered anew, so that gaps don't reveal hidden entries.

    The object remembers how far it has read the journal, and continues from there.
    """

    def __init__(self, audience: Audience) -> None:
        self._audience = audience
        self._reset()

    def _reset(self) -> None:
        self._known = KnownJournal(self._audience, {})
        self._read_to, self._seq, self._count = START, 0, 0
        self._newest: dict[int, RedactedEntry] = {}

    def newest_entries_after(
        self, campaign: Campaign, players_number: int, limit: int
    ) -> list[RedactedEntry]:
        """Return the players' entries numbered above `players_number`, oldest first.

        Only the `limit` newest of them are returned.
        """
        self._read_new_entries(campaign)
        return [each for each in self._newest.values() if each["number"] > players_number][-limit:]

    @block_cache()
    def _read_new_entries(self, campaign: Campaign) -> None:
        if campaign.head.seq < self._seq:  # another branch of the journal was kept
            self._reset()
        for entry, _, end in campaign.journal.entries_since(self._read_to):
            self._read_to = end
            self._add_entry(entry)

    def _add_entry(self, entry: JournalEntry) -> None:
        self._seq = entry["seq"]
        for seq in entry_numbers_left_undone([entry]) & self._newest.keys():
            self._newest[seq]["undone"] = True
        for fact in entry["facts"] if "head" in entry else ():
            for seq in fact.get("of", ()) if fact["kind"] == Redone.kind else ():
                if seq in self._newest:
                    self._newest[seq].pop("undone", None)
        left = _redacted_entry(self._known.take_entry(entry))
        if left is not None:
            self._count += 1
            self._newest[entry["seq"]] = {**left, "number": self._count}
            if len(self._newest) > MAX_REMEMBERED_ENTRIES:
                del self._newest[next(iter(self._newest))]


class NewestPlayersEntries(PlayersJournal):
    """The newest `count` entries that players may see.

    The first call reads back through the journal until it has enough entries. Later calls usually only add
    the entries that are new since the last call.
    """

    def __init__(self, audience: Audience, count: int) -> None:
        super().__init__(audience)
        self._wanted = count
        self._last: JournalEntry | None = None

    def newest_entries(self, campaign: Campaign) -> list[RedactedEntry]:
        """Return the newest entries that players may see, oldest first.

        There are at most as many as the `count` with which this object was made.
        """
        return self.newest_entries_after(campaign, 0, self._wanted)

    def _read_new_entries(self, campaign: Campaign) -> None:
        looked_at = self._wanted
        kept = campaign.journal.newest_entries(looked_at)
        known = [
            at
            for at, entry in enumerate(kept)
            if self._last
            and (entry["seq"], entry["at"], entry["facts"])
            == (self._last["seq"], self._last["at"], self._last["facts"])
        ]
        new = kept[known[0] + 1 :] if known else kept
        while True:
            if not known and kept:
                self._reset()
                self._known = KnownJournal(self._audience, _state_before(campaign, kept[0]))
            for entry in new:
                self._add_entry(entry)
            if known or len(self._newest) >= self._wanted or len(kept) < looked_at:
                break
            looked_at *= 4
            new = kept = campaign.journal.newest_entries(looked_at)
        self._last = kept[-1] if kept else None


MAX_REMEMBERED_ENTRIES = 500
"""The most entries of the players' journal that are remembered."""


def _state_before(campaign: Campaign, first: JournalEntry) -> State:
    """Return the state before an entry.

    It is calculated forwards from the start of the entry's session, or backwards from the present.
    """
    from .session_snapshot import state_before_entry_if_long_ago

    known = state_before_entry_if_long_ago(campaign, first["session"], first["seq"])
    if known is not None:
        return known
    state = campaign.state
    for entry in campaign.journal.entries_backwards():
        if entry["seq"] < first["seq"]:
            break
        if entry["seq"] <= campaign.head.seq:
            state = apply_changes(state, *changes_and_places_that_undo(entry["facts"]))
    return state


@block_cache()
def newest_redacted_entries(
    campaign: Campaign,
    count: int,
    audience: Audience,
    read_newest: Callable[[int], list[JournalEntry]] | None = None,
) -> list[RedactedEntry]:
    """Return the newest `count` entries of which the audience sees anything, oldest first.

    Each entry contains only what the audience may see. The entries are chosen from those that `read_newest`
    returns; `read_newest(n)` must return the last n entries. By default, they are chosen from the whole
    journal.
    """
    read_newest = read_newest or campaign.journal.newest_entries
    looked_at = count
    while True:
        kept = read_newest(looked_at)
        found = list(
            redacted_entries(campaign, partial(iter, kept), audience, entry_numbers_left_undone(kept))
        )
        if len(found) >= count or len(kept) < looked_at:
            return found[-count:]
        looked_at *= 4
