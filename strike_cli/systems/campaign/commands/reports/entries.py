"""The entries in effect, one at a time, since a campaign may be longer than memory is large."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.campaign import Campaign
from strike_cli.campaign.session_index import entries_of, sessions
from strike_cli.campaign.session_snapshot import (
    BeforeSession,
    before_session,
    entries_in_effect,
    stands_alone,
)
from strike_cli.content.book import Book
from strike_cli.problems import Refused
from strike_cli.terminal.progress import Progress
from strike_cli.visibility.audience import Audience
from strike_cli.visibility.known_journal import KnownEntry, KnownJournal
from strike_cli.visibility.secret_picks import undone_by

if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import JournalEntry


def with_missing_note(heading: str, missing: int) -> str:
    """Return a heading with a remark on holes of a damaged journal."""
    return f"{heading} (part of it is missing: the journal was damaged)" if missing else heading


def must_be_played(number: int, played: Collection[int]) -> None:
    """Refuse a session that was never played."""
    if number not in played:
        known = sorted(set(played) - {0})
        have = (
            (f"Sessions so far: {', '.join(map(str, known))}.")
            if known
            else "No session has been played yet."
        )
        raise Refused(f"There is no session {number}.", f"{have} `strike session list` shows them.")


class Past(NamedTuple):
    """The commands played, as an audience may know them, with the book for its sheets.

    `journal` has the state after the `entries` read so far.
    """

    book: Book
    journal: KnownJournal
    entries: Iterator[KnownEntry]

    @property
    def for_players(self) -> bool:
        """Whether it has nothing secret."""
        return not self.journal.audience.gm


def campaign_past(campaign: Campaign, audience: Audience, last: int | None = None) -> Past:
    """Return the whole campaign, or its sessions up to the `last`, without undone commands.

    On a terminal a bar shows the progress where it takes a while.
    """

    def entries() -> Iterator[JournalEntry]:
        with closing(Progress(_READING)) as progress:
            for entry in entries_in_effect(campaign.journal, progress.show):
                if last is None or entry["session"] <= last:
                    yield entry

    return _read_known(campaign, audience, BeforeSession({}, set()), entries())


def session_past(campaign: Campaign, number: int, audience: Audience) -> Past:
    """Return a session, without undone commands.

    Some entries may be of earlier sessions. Raises Refused where there was no such session.
    """
    journal = campaign.journal
    known = sessions(journal)
    must_be_played(number, known)
    if not stands_alone(known, known[number]):
        return campaign_past(campaign, audience, number)
    with closing(Progress(_READING)) as progress:
        before = before_session(campaign, known[number], progress.show)
    undone = undone_by(entries_of(journal, known[number]))
    own = entries_of(journal, known[number])
    entries = (entry for entry in own if entry["seq"] not in undone and "head" not in entry)
    return _read_known(campaign, audience, before, entries)


def _read_known(
    campaign: Campaign, audience: Audience, before: BeforeSession, entries: Iterator[JournalEntry]
) -> Past:
    journal = KnownJournal(audience._replace(language=campaign.book.locale()), *before)
    known = (entry for entry in map(journal.take, entries) if entry is not None)
    return Past(campaign.book, journal, known)


_READING = "Reading the journal"
