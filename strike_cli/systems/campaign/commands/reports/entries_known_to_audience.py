"""The journal entries in effect, read one at a time, since a campaign may be larger than memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.campaign import Campaign
from strike_cli.campaign.session_index import entries_of_session_if_any, read_sessions_and_update_index
from strike_cli.campaign.session_snapshot import (
    BeforeSession,
    entries_in_effect,
    is_self_contained,
    read_or_store_state_before_session,
)
from strike_cli.content.merged_content import Book
from strike_cli.problems import Refused
from strike_cli.terminal.progress_line import Progress
from strike_cli.visibility.audiences import Audience
from strike_cli.visibility.known_journal import KnownEntry, KnownJournal
from strike_cli.visibility.secret_picks import entry_numbers_left_undone

if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import JournalEntry


def with_note_if_journal_damaged(heading: str, missing: int) -> str:
    """Return a heading; if part of the journal is missing, a note is added.

    `missing` is the number of holes in a damaged journal.
    """
    return f"{heading} (part of it is missing: the journal was damaged)" if missing else heading


def session_must_have_been_played(number: int, played: Collection[int]) -> None:
    """Raise Refused for a session that was never played."""
    if number not in played:
        known = sorted(set(played) - {0})
        have = (
            (f"Sessions so far: {', '.join(map(str, known))}.")
            if known
            else "No session has been played yet."
        )
        raise Refused(f"There is no session {number}.", f"{have} `strike session list` shows them.")


class KnownPast(NamedTuple):
    """The past of a campaign, as far as an audience may know it.

    `entries` yields the known journal entries one by one. After each of them, `journal` has the state right
    after that entry. `book` is the campaign's book, with the characters' sheets.
    """

    book: Book
    journal: KnownJournal
    entries: Iterator[KnownEntry]

    @property
    def for_players(self) -> bool:
        """Whether the audience is the players, so that nothing secret is included."""
        return not self.journal.audience.gm


def campaign_past_without_undone(
    campaign: Campaign, audience: Audience, last_session: int | None = None
) -> KnownPast:
    """Return all sessions of the campaign, or those up to number `last_session`, without undone commands.

    A progress bar is shown on a terminal if reading takes a while.
    """

    def entries_in_effect_up_to_last() -> Iterator[JournalEntry]:
        with closing(Progress(_READING)) as progress:
            for entry in entries_in_effect(campaign.journal, progress.show_if_due):
                if last_session is None or entry["session"] <= last_session:
                    yield entry

    return _known_past(campaign, audience, BeforeSession({}, set()), entries_in_effect_up_to_last())


def past_needed_for_session(campaign: Campaign, number: int, audience: Audience) -> KnownPast:
    """Return one session, without undone commands.

    If the session can't be read by itself, the entries begin with those of the sessions before it. Raises
    Refused for a session that was never played.
    """
    journal = campaign.journal
    known = read_sessions_and_update_index(journal)
    session_must_have_been_played(number, known)
    if not is_self_contained(known, known[number]):
        return campaign_past_without_undone(campaign, audience, number)
    with closing(Progress(_READING)) as progress:
        before = read_or_store_state_before_session(campaign, known[number], progress.show_if_due)
    undone = entry_numbers_left_undone(entries_of_session_if_any(journal, known[number]))
    own = entries_of_session_if_any(journal, known[number])
    entries = (entry for entry in own if entry["seq"] not in undone and "head" not in entry)
    return _known_past(campaign, audience, before, entries)


def _known_past(
    campaign: Campaign, audience: Audience, before: BeforeSession, entries: Iterator[JournalEntry]
) -> KnownPast:
    journal = KnownJournal(audience._replace(language=campaign.book.locale()), *before)
    known = (entry for entry in map(journal.take_entry, entries) if entry is not None)
    return KnownPast(campaign.book, journal, known)


_READING = "Reading the journal"
