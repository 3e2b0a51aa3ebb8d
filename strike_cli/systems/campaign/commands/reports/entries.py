"""What was played and is in effect, an entry at a time: a campaign may be longer than memory is large."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from strike_cli.campaign import Campaign
from strike_cli.campaign.index import entries_of, sessions
from strike_cli.campaign.session_snapshot import BeforeSession, before_session, stands_alone
from strike_cli.campaign.session_snapshot import in_effect as effective
from strike_cli.problems import Refused
from strike_cli.terminal.progress import Progress
from strike_cli.visibility.concealed import undone_by

if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import JournalEntry


def with_what_lacks(heading: str, missing: int) -> str:
    """Return a heading that says where holes of a damaged journal are in what it is about."""
    return f"{heading} (part of it is missing: the journal was damaged)" if missing else heading


def must_be_played(number: int, played: Collection[int]) -> None:
    """Refuse a session that isn't among those that were played."""
    if number not in played:
        known = sorted(set(played) - {0})
        have = f"Sessions so far: {', '.join(map(str, known))}." if known else "No session was played yet."
        raise Refused(f"There is no session {number}.", f"{have} `strike session list` shows them.")


def in_effect(campaign: Campaign) -> Iterator[JournalEntry]:
    """Yield the entries, oldest first, without what was undone.

    On a terminal a bar shows the progress where it takes a while.
    """
    with closing(Progress(_READING)) as progress:
        yield from effective(campaign.journal, progress.show)


def of_session(campaign: Campaign, number: int) -> tuple[BeforeSession, Iterator[JournalEntry]]:
    """Return the situation before a session, and its entries, without what was undone.

    Some entries may be of earlier sessions: the situation is that before the first. Raises Refused where
    there was no such session.
    """
    journal = campaign.journal
    known = sessions(journal)
    must_be_played(number, known)
    if not stands_alone(known, known[number]):
        entries = (entry for entry in in_effect(campaign) if entry["session"] <= number)
        return BeforeSession({}, set()), entries
    with closing(Progress(_READING)) as progress:
        before = before_session(campaign, known[number], progress.show)
    undone = undone_by(entries_of(journal, known[number]))
    own = entries_of(journal, known[number])
    return before, (entry for entry in own if entry["seq"] not in undone and "head" not in entry)


_READING = "Reading what was played"
