"""`strike log`: what was played, for the game master or as players may hear of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from ..campaign.heard import Again, as_heard, heard_entries
from ..campaign.index import entries_of, newest_of, sessions
from ..campaign.journal import START
from ..problems import Usage
from ..registry.outside import ASSISTANT
from ..terminal.clock import time_of_day
from ..terminal.options import Options, command, new_app
from ..terminal.result import Items, Line, Result, fact_lines, spans
from ..visibility.audience import GM, PLAYERS, Audience
from ..visibility.face_down import each_for, undone_by
from ..visibility.heard import Banner, heard

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.kept import HeardEntry, JournalEntry

app = new_app()

ForPlayers = Annotated[
    bool, typer.Option("--player", help="For the players: nothing secret or hidden, no notes, no overrides.")
]


@app.callback()
def _group() -> None:
    """What was played."""


@command(app, "log", kind="reads")
def log(
    options: Options,
    last: Annotated[
        int | None, typer.Option("--last", metavar="N", help="How many entries; 20, if not named.", min=1)
    ] = None,
    session_number: Annotated[
        int | None, typer.Option("--session", metavar="N", help="All of one session, or the last of it.")
    ] = None,
    gm: Annotated[
        bool, typer.Option("--gm", help="With what was picked in secret and not revealed yet.")
    ] = False,
    player: ForPlayers = False,
) -> Result:
    """Shows what was played, oldest first. A secret pick of the round under way shows with --gm alone.

    Undone entries are marked, times are local. With --player it is what players may hear of.

    Example: `strike log --last 5`
    """
    with options.campaign() as campaign:
        if session_number and session_number not in sessions(campaign.journal):
            raise Usage(f"There is no session {session_number} yet.", "`strike session list` shows them.")
        if player and (last or session_number is None):
            return _heard(campaign, session_number, last or 20)
        again = (
            _of_session(campaign, session_number, last)
            if session_number is not None
            else _last(campaign, last or 20)
        )
        audience = PLAYERS if player or not gm else GM
        undone = undone_by(again())
        entries = (as_heard if player else _whole)(campaign, again, audience, undone)
        return _shown(campaign, entries, undone)


def _shown(
    campaign: Campaign, entries: Iterable[JournalEntry | HeardEntry], undone: Collection[int]
) -> Result:
    told = (([*entry_lines(entry, undone=is_undone(entry, undone))], dict(entry)) for entry in entries)
    nothing: list[Line] = [("Nothing was played yet.", "dim")]
    return Result("log", {}, [], notices=campaign.notices, items=Items("entries", told, nothing))


def _heard(campaign: Campaign, number: int | None, count: int) -> Result:
    """The last entries that players hear of, of one session or of all."""
    journal = campaign.journal
    session = None if number is None else sessions(journal).get(number)
    newest = journal.newest if number is None else partial(newest_of, journal, session)
    return _shown(campaign, heard_entries(campaign, count, PLAYERS, newest), ())


def _last(campaign: Campaign, count: int) -> Again:
    if count <= _KEPT:
        entries = campaign.journal.newest(count)
        return lambda: entries
    first = campaign.head.seq - count + 1
    return lambda: (entry for entry, _, _ in campaign.journal.since(START) if entry["seq"] >= first)


def _of_session(campaign: Campaign, number: int, last: int | None) -> Again:
    journal = campaign.journal
    session = sessions(journal).get(number)
    if last is None:
        return lambda: entries_of(journal, session)
    entries = newest_of(journal, session, last)
    return lambda: entries


_KEPT = 1000
"""Entries that are kept rather than read again."""


def _whole(
    campaign: Campaign, again: Again, audience: Audience, undone: Collection[int]
) -> Iterator[JournalEntry]:
    return each_for(again, audience, undone)


def told_entries(campaign: Campaign, count: int, audience: Audience = GM) -> list[list[Line]]:
    """The newest entries, oldest first, as lines for an audience."""
    return [lines for _, lines in numbered_entries(campaign, count, audience)]


def numbered_entries(campaign: Campaign, count: int, audience: Audience = GM) -> list[tuple[int, list[Line]]]:
    """The newest entries, oldest first: the number of each, 0 where
    players aren't told it, and its lines for an audience."""
    newest = campaign.journal.newest(count) if count > 0 else []
    undone = undone_by(newest)
    told: list[tuple[int, JournalEntry | HeardEntry]] = [(entry["seq"], entry) for entry in newest]
    if not audience.gm and count > 0:
        told = [(0, entry) for entry in heard_entries(campaign, count, audience)]
    return [
        (
            number,
            entry_lines(entry, undone=is_undone(entry, undone), headlines=_headlines(entry, audience)),
        )
        for number, entry in told
    ]


def _headlines(entry: JournalEntry | HeardEntry, audience: Audience) -> Line:
    """What stands out of an entry, in a few words each: a critical hit, a fall, a save, a Cost."""
    if "seq" in entry:
        banners = [told.banner for told in heard(entry, {}, audience)]
    else:
        banners = [Banner(**fact["banner"]) if "banner" in fact else None for fact in entry["facts"]]
    found = dict.fromkeys(one for one in banners if one is not None and one.stands_out)
    return [(("; " if n else "") + one.text, TONES.get(one.tone, "strong")) for n, one in enumerate(found)]


TONES = {"good": "good", "bad": "bad"}
"""The style of a headline that is good or bad for whom it is about."""


def is_undone(entry: JournalEntry | HeardEntry, undone: Collection[int]) -> bool:
    """Whether an entry is taken back; one without a number says so itself."""
    return entry["seq"] in undone if "seq" in entry else entry.get("undone", False)


_MARGIN = " " * 6
"""In front of what an entry tells."""


def entry_lines(
    entry: JournalEntry | HeardEntry, *, undone: bool = False, headlines: Line = ""
) -> list[Line]:
    """A journal entry for people: its number, unless players see it, the time here, what stands out of it or
    else the first thing it tells; then the others. The command stands for one that tells nothing."""
    told = fact_lines(entry["facts"])
    first: Line = headlines or (told.pop(0) if told else [(entry["command"], "command")])
    number = f"#{entry['seq']} " if "seq" in entry else ""
    lines: list[Line] = [_head(entry, number, undone, first)]
    for line in told:
        lines.append([_MARGIN, *_set_in(line)])
    if "seq" in entry and entry.get("note"):
        lines.append([_MARGIN, ("Note: ", "dim"), *_set_in(str(entry["note"]))])
    return lines


def _head(entry: JournalEntry | HeardEntry, number: str, undone: bool, first: Line) -> Line:
    marks = [*(_marks(entry) if "seq" in entry else ()), *(["undone"] if undone else [])]
    mark = f"({', '.join(marks)}) " if marks else ""
    return [(f"{number}{time_of_day(str(entry['at']))} {mark}", "dim"), *_set_in(first)]


def _marks(entry: JournalEntry) -> Iterator[str]:
    """What there is to say of how a command was played."""
    if entry.get("secret"):
        yield "secret"
    if entry.get("reroll"):
        yield "dice rolled anew"
    if entry.get("player"):
        yield f"by {entry['player']}'s player"
    if entry.get("by") == ASSISTANT:
        yield "by an assistant"


def _set_in(line: Line) -> Iterator[tuple[str, str]]:
    for text, style in spans(line):
        yield text.replace("\n", f"\n{_MARGIN}"), style
