"""The command `strike log`: the entries of the journal, for the game master or for players."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from ..campaign.journal import START
from ..campaign.redacted_journal import ReadEntries, newest_redacted_entries, redacted_entries
from ..campaign.session_index import (
    entries_of_session_if_any,
    newest_entries_in_session,
    read_sessions_and_update_index,
)
from ..problems import Usage
from ..terminal.command_output import Line, Result, StreamedItems
from ..terminal.commands_and_options import Options, command, new_app
from ..terminal.journal_lines import entry_text_or_command_lines, is_undone_by_number_or_own_mark
from ..visibility.audiences import GM, PLAYERS, Audience
from ..visibility.secret_picks import conceal_picks_in_entries, entry_numbers_left_undone

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.journal_types import JournalEntry, RedactedEntry

app = new_app("The log of the campaign.")

ForPlayers = Annotated[
    bool, typer.Option("--player", help="For players: nothing secret or hidden, no notes, no overrides.")
]


@command(app, "log", kind="reads")
def log(
    options: Options,
    last: Annotated[
        int | None, typer.Option("--last", metavar="N", help="How many entries. Default: 20.", min=1)
    ] = None,
    session_number: Annotated[
        int | None, typer.Option("--session", metavar="N", help="Entries of one session alone.")
    ] = None,
    gm: Annotated[bool, typer.Option("--gm", help="With secret picks not revealed yet.")] = False,
    player: ForPlayers = False,
) -> Result:
    """Show what was played, oldest first.

    Undone entries are marked, and times are local. If a secret pick isn't revealed yet, only --gm shows it.
    --player shows the players' version.

    Example: `strike log --last 5`
    """
    with options.open_campaign() as campaign:
        if session_number and session_number not in read_sessions_and_update_index(campaign.journal):
            raise Usage(f"There is no session {session_number} yet.", "`strike session list` shows them.")
        if player and (last or session_number is None):
            journal = campaign.journal
            session = (
                None
                if session_number is None
                else read_sessions_and_update_index(journal).get(session_number)
            )
            newest = (
                journal.newest_entries
                if session_number is None
                else partial(newest_entries_in_session, journal, session)
            )
            return _log_result(campaign, newest_redacted_entries(campaign, last or 20, PLAYERS, newest), ())
        again = (
            _reader_of_session(campaign, session_number, last)
            if session_number is not None
            else _reader_of_last_entries(campaign, last or 20)
        )
        audience = (PLAYERS if player or not gm else GM)._replace(language=campaign.book.locale())
        undone = entry_numbers_left_undone(again())
        entries = (redacted_entries if player else _entries_with_picks_concealed)(
            campaign, again, audience, undone
        )
        return _log_result(campaign, entries, undone)


def _log_result(
    campaign: Campaign, entries: Iterable[JournalEntry | RedactedEntry], undone: Collection[int]
) -> Result:
    told = (
        (
            [*entry_text_or_command_lines(entry, undone=is_undone_by_number_or_own_mark(entry, undone))],
            dict(entry),
        )
        for entry in entries
    )
    nothing: list[Line] = [("Nothing has been played yet.", "dim")]
    return Result("log", {}, [], notices=campaign.notices, items=StreamedItems("entries", told, nothing))


def _reader_of_last_entries(campaign: Campaign, count: int) -> ReadEntries:
    if count <= MOST_IN_MEMORY:
        entries = campaign.journal.newest_entries(count)
        return lambda: entries
    first = campaign.head.seq - count + 1
    return lambda: (entry for entry, _, _ in campaign.journal.entries_since(START) if entry["seq"] >= first)


def _reader_of_session(campaign: Campaign, number: int, count: int | None) -> ReadEntries:
    journal = campaign.journal
    session = read_sessions_and_update_index(journal).get(number)
    if count is None:
        return lambda: entries_of_session_if_any(journal, session)
    entries = newest_entries_in_session(journal, session, count)
    return lambda: entries


MOST_IN_MEMORY = 1000
"""The entries that are kept in memory rather than read again."""


def _entries_with_picks_concealed(
    campaign: Campaign, read_entries: ReadEntries, audience: Audience, undone: Collection[int]
) -> Iterator[JournalEntry]:
    return conceal_picks_in_entries(read_entries, audience, undone)
