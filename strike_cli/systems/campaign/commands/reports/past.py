"""What was played and is in effect, an entry at a time: a campaign may be longer than memory is large."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing

from strike_cli.campaign import Campaign
from strike_cli.campaign.journal import START, Entry
from strike_cli.problems import Refused
from strike_cli.terminal.progress import Progress
from strike_cli.visibility.face_down import undone_by


def must_be_played(number: int, sessions: Collection[int]) -> None:
    """Raises Refused for a session that isn't among those that were played."""
    if number not in sessions:
        known = sorted(set(sessions) - {0})
        have = f"Sessions so far: {', '.join(map(str, known))}." if known else "No session was played yet."
        raise Refused(f"There is no session {number}.", f"{have} `strike session list` shows them.")


def in_effect(campaign: Campaign, sessions: set[int] | None = None) -> Iterator[Entry]:
    """Entries, oldest first, without what was undone. The numbers of all sessions that there were come into
    `sessions`. On a terminal where it takes a while a bar shows how far it has come."""
    journal = campaign.journal
    # Undo and redo are found without reading the rest.
    undone = undone_by(journal.with_bytes(b'"head"'))
    sizes = {name: journal.size(name) for name in journal.files()}
    begins, before = {}, 0
    for name, size in sizes.items():
        begins[name] = before
        before += size
    with closing(Progress("Reading what was played")) as progress:
        for entry, _, (name, offset) in journal.since(START):
            progress.show((begins.get(name, before) + offset) / max(1, before))
            if sessions is not None:
                sessions.add(entry["session"])
            if entry["seq"] not in undone and "head" not in entry:
                yield entry
