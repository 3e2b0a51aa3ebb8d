"""`strike log`: what was played, for the game master or as players may hear of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..kernel.facts import State, apply_changes, reversal
from ..terminal.narrate import fact_lines
from ..terminal.options import Options, command, new_app
from ..terminal.result import Line, Result, spans
from ..visibility import GM, PLAYERS, Audience, entries_for, heard, unchanging, undone_by

if TYPE_CHECKING:
    from ..campaign import Campaign

app = new_app()

Entry = Mapping[str, Any]
ForPlayers = Annotated[
    bool, typer.Option("--player", help="For the players: nothing secret or hidden, no notes, no overrides.")
]


@app.callback()
def _group() -> None:
    """What was played."""


@command(app, "log", kind="reads")
def log(
    options: Options,
    last: Annotated[int, typer.Option("--last", metavar="N", help="How many entries.", min=1)] = 20,
    session_number: Annotated[
        int | None, typer.Option("--session", metavar="N", help="All of one session.")
    ] = None,
    gm: Annotated[
        bool, typer.Option("--gm", help="With what was picked in secret and not revealed yet.")
    ] = False,
    player: ForPlayers = False,
) -> Result:
    """What was played, oldest first. A secret pick of the round under way shows with --gm alone.

    What was taken back is marked. With --player it is what players may hear of.

    Example: `strike log --last 5`
    """
    with options.campaign() as campaign:
        entries = _newest(campaign, last) if session_number is None else _of_session(campaign, session_number)
        undone = undone_by(entries)
        if player:
            entries = list(_as_heard(campaign, entries))
        elif not gm:
            entries = entries_for(entries, PLAYERS)
        lines: list[Line] = [
            line for entry in entries for line in entry_lines(entry, undone=entry["seq"] in undone)
        ]
        lines = lines or [("Nothing was played yet.", "dim")]
        return Result("log", {"entries": entries}, lines, notices=campaign.notices)


def _newest(campaign: Campaign, count: int) -> list[dict[str, Any]]:
    return campaign.journal.newest(count)


def _of_session(campaign: Campaign, number: int) -> list[dict[str, Any]]:
    from ..campaign.journal import START

    return [entry for entry, _, _ in campaign.journal.since(START) if entry["session"] == number]


def _as_heard(campaign: Campaign, entries: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    """Entries as players may hear of them; those that they hear nothing of are left out."""
    whole = {entry["seq"]: entry for entry in entries}
    before = _states_before(campaign, min(whole, default=1))
    for entry in entries_for(entries, PLAYERS):
        state = before.get(entry["seq"], {})
        audible = [each.fact for each in heard(whole[entry["seq"]], state, PLAYERS)]
        facts = [unchanging(fact) for fact in audible if fact is not None]
        if any(fact["text"] for fact in facts):
            yield {**{key: entry[key] for key in ("seq", "at", "session", "command")}, "facts": facts}


def _states_before(campaign: Campaign, first: int) -> dict[int, State]:
    """The state before each entry from `first` on, going back from now."""
    found: dict[int, State] = {}
    state = campaign.state
    for entry in reversed(campaign.journal.newest(campaign.head.seq - first + 1)):
        if entry["seq"] <= campaign.head.seq:
            found[entry["seq"]] = state = apply_changes(state, *reversal(entry["facts"]))
    return found


def told_entries(campaign: Campaign, count: int, audience: Audience = GM) -> list[list[Line]]:
    """The newest entries, oldest first, as lines for an audience."""
    entries: Sequence[Entry] = campaign.journal.newest(count) if count > 0 else []
    undone = undone_by(entries)
    if not audience.gm:
        entries = list(_as_heard(campaign, entries))
    return [list(entry_lines(entry, undone=entry["seq"] in undone)) for entry in entries]


def entry_lines(entry: Entry, *, undone: bool = False) -> list[Line]:
    """A journal entry for people: number, command, then its facts."""
    marks = [mark for mark in ("secret", "pending") if entry.get(mark)]
    marks += ["dice rolled anew"] if entry.get("reroll") else []
    marks += ["undone"] if undone else []
    tail = f"  ({', '.join(marks)})" if marks else ""
    when = str(entry["at"])[11:16]
    note = f"  {entry['note']}" if entry.get("note") else ""
    head: Line = [
        (f"#{entry['seq']:<4} {when}  ", "dim"),
        (entry["command"], "command"),
        (tail + note, "dim"),
    ]
    told: list[Line] = [["      ", *spans(line)] for line in fact_lines(entry["facts"])]
    return [head, *told]
