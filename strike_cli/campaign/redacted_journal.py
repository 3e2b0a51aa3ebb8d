"""The journal for players: its entries without anything hidden from them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from ..kernel.facts import State, apply_changes, remember_results, reverse_facts
from ..visibility.audience import Audience
from ..visibility.known_journal import KnownEntry, KnownJournal
from ..visibility.secret_picks import undone_by
from .facts import Redone
from .journal import START

if TYPE_CHECKING:
    from ..kernel.journal_types import HeardEntry, JournalEntry
    from .campaign import Campaign

Again = Callable[[], "Iterable[JournalEntry]"]
"""A function that returns the entries again, oldest first: they may be more than memory can store."""


def redacted_entries(
    campaign: Campaign, again: Again, audience: Audience, undone: Collection[int]
) -> Iterator[HeardEntry]:
    """Yield entries as players may see them, without those that are wholly hidden."""
    first = next(iter(again()), None)
    if first is None:
        return
    audience = audience._replace(language=campaign.book.locale())
    journal = KnownJournal(audience, _state_before(campaign, first))
    for entry in again():
        left = _redacted_entry(journal.take(entry))
        if left is not None:
            if entry["seq"] in undone:
                left["undone"] = True
            yield left


def _redacted_entry(known: KnownEntry | None) -> HeardEntry | None:
    """Return the parts of an entry that players see; None for none."""
    return known.as_json() if known and any(one.fact["text"] for one in known.facts) else None


class PlayersJournal:
    """The entries that players may see, with numbers of their own.

    It remembers where it has read to, and goes on from there.
    """

    def __init__(self, audience: Audience) -> None:
        self._audience = audience
        self._begin()

    def _begin(self) -> None:
        self._known = KnownJournal(self._audience, {})
        self._read_to, self._seq, self._count = START, 0, 0
        self._newest: dict[int, HeardEntry] = {}

    def after(self, campaign: Campaign, number: int, most: int) -> list[HeardEntry]:
        """Return up to `most` of the newest entries after a number, oldest first."""
        self._follow(campaign)
        return [each for each in self._newest.values() if each["number"] > number][-most:]

    @remember_results()
    def _follow(self, campaign: Campaign) -> None:
        if campaign.head.seq < self._seq:  # another branch of the journal was kept
            self._begin()
        for entry, _, end in campaign.journal.since(self._read_to):
            self._read_to = end
            self._take(entry)

    def _take(self, entry: JournalEntry) -> None:
        self._seq = entry["seq"]
        for seq in undone_by([entry]) & self._newest.keys():
            self._newest[seq]["undone"] = True
        for fact in entry["facts"] if "head" in entry else ():
            for seq in fact.get("of", ()) if fact["kind"] == Redone.kind else ():
                if seq in self._newest:
                    self._newest[seq].pop("undone", None)
        left = _redacted_entry(self._known.take(entry))
        if left is not None:
            self._count += 1
            self._newest[entry["seq"]] = {**left, "number": self._count}
            if len(self._newest) > MOST_KEPT:
                del self._newest[next(iter(self._newest))]


class NewestForPlayers(PlayersJournal):
    """The newest entries of the players' journal.

    The first call starts as far back as necessary; later ones go on from there.
    """

    def __init__(self, audience: Audience, count: int) -> None:
        super().__init__(audience)
        self._wanted = count
        self._last: JournalEntry | None = None

    def of(self, campaign: Campaign) -> list[HeardEntry]:
        """Return the newest entries, oldest first, as many as this object was made for."""
        return self.after(campaign, 0, self._wanted)

    def _follow(self, campaign: Campaign) -> None:
        looked_at = self._wanted
        kept = campaign.journal.newest(looked_at)
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
                self._begin()
                self._known = KnownJournal(self._audience, _state_before(campaign, kept[0]))
            for entry in new:
                self._take(entry)
            if known or len(self._newest) >= self._wanted or len(kept) < looked_at:
                break
            looked_at *= 4
            new = kept = campaign.journal.newest(looked_at)
        self._last = kept[-1] if kept else None


MOST_KEPT = 500
"""The most entries of the players' journal that are remembered."""


def _state_before(campaign: Campaign, first: JournalEntry) -> State:
    """Return the state before an entry, calculated from its session's start or backwards from now."""
    from .session_snapshot import state_in

    known = state_in(campaign, first["session"], first["seq"])
    if known is not None:
        return known
    state = campaign.state
    for entry in campaign.journal.backwards():
        if entry["seq"] < first["seq"]:
            break
        if entry["seq"] <= campaign.head.seq:
            state = apply_changes(state, *reverse_facts(entry["facts"]))
    return state


@remember_results()
def newest_redacted_entries(
    campaign: Campaign,
    count: int,
    audience: Audience,
    newest: Callable[[int], list[JournalEntry]] | None = None,
) -> list[HeardEntry]:
    """Return the newest entries of which players may see anything, oldest first, in the form for players.

    `newest` returns the last entries of the part to take them from, by default of the whole journal.
    """
    newest = newest or campaign.journal.newest
    looked_at = count
    while True:
        kept = newest(looked_at)
        found = list(redacted_entries(campaign, partial(iter, kept), audience, undone_by(kept)))
        if len(found) >= count or len(kept) < looked_at:
            return found[-count:]
        looked_at *= 4
