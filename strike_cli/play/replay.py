"""The recorded driver: a journal played again from its own dice and choices, and compared."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any

from ..campaign.campaign import Campaign, differences
from ..campaign.journal import START, Entry
from ..kernel.drive import Played, Recorded, drive, no_more_dice, undecided
from ..kernel.facts import State, apply_changes, apply_fact, look_up
from ..kernel.procedure import World
from ..problems import Problem
from ..tabletop.naming import GameMaster
from .moves import find_move

NOT_PLAYED = ("undo", "redo", "hand edit")
"""Entries that no procedure made."""


class Report:
    """What a replay found: how many commands were played again, and where they came out otherwise."""

    def __init__(self) -> None:
        self.played = 0
        self.folded = 0
        self.differences: list[dict[str, Any]] = []

    def differs(self, entry: Entry | None, what: str) -> None:
        """Note a difference."""
        seq, name = (entry["seq"], entry["command"]) if entry else (0, "state.toml")
        self.differences.append({"seq": seq, "command": name, "what": what})


def verify(campaign: Campaign) -> Report:
    """Play every recorded command again from the state it met, and compare the facts; then the fold of
    all facts with the state."""
    report = Report()
    state: State = {}
    for entry, _, _ in campaign.journal.since(START):
        if entry["seq"] > campaign.head.seq:
            break  # recorded since the campaign was opened
        report.folded += 1
        if not (entry.get("pending") or entry["command"] in NOT_PLAYED):
            _compare(campaign, state, entry, report)
        for fact in entry["facts"]:
            before = state
            for path, was, after in fact["changes"]:
                if look_up(before, path) != was:
                    report.differs(entry, f"{path} was not {was!r} before it")
                before = apply_changes(before, [(path, was, after)])
            state = apply_fact(state, fact)
    for path, folded, kept in differences(state, campaign.state):
        report.differs(None, f"{path} is {kept!r}, and the journal says {folded!r}")
    return report


def _compare(campaign: Campaign, state: State, entry: Entry, report: Report) -> None:
    recorded = Recorded(entry["answers"], no_more_dice, undecided)
    facts = _as_of_old(fact for fact in entry["facts"] if fact["kind"] != "decided")
    for fact in entry["facts"]:
        if fact["kind"] == "decided":
            state = apply_fact(state, fact)
    world = World(campaign.book, state)
    try:
        procedure = find_move(entry["command"]).with_what_follows(world, entry["args"])
        played: Played = drive(procedure, world, recorded.dice, recorded.choices)
    except Problem as problem:
        by = f" {entry['by']} recorded it." if "by" in entry else ""
        report.differs(entry, problem.message + by)
        return
    except (KeyError, TypeError, ValueError) as error:
        report.differs(entry, f"can't be played again: {type(error).__name__} {error}")
        return
    report.played += 1
    speaker = GameMaster(campaign.book, played.states)
    again = json.loads(json.dumps(_as_of_old(fact.as_json(speaker) for fact in played.facts)))
    again = _as_far_as_told(again, facts)
    if again != facts:
        number = next((n for n, (a, b) in enumerate(zip(again, facts, strict=False)) if a != b), -1)
        shown = again[number]["text"] if again else "nothing"
        how = "is worded" if _deeds(again) == _deeds(facts) else "comes out"
        report.differs(entry, f"{how} otherwise now: {shown}")


_COUNTED = ("kept", "total")
"""What of a roll follows from its faces: of handfuls, older journals say that one die was kept."""


def _as_of_old(facts: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Facts as far as every journal has them: what only shows dice is told more often than it was."""
    found = []
    for fact in facts:
        if fact["text"] or fact["changes"]:
            left = dict(fact)
            left["text"] = left["text"].replace("\N{MINUS SIGN}", "-")  # which they have in HP below 0
            for at in ("roll", "against"):
                if isinstance(roll := left.get(at), Mapping):
                    left[at] = {key: value for key, value in roll.items() if key not in _COUNTED}
            found.append(left)
    return found


def _as_far_as_told(again: list[dict[str, Any]], facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Facts of today without what was not told of them when they were recorded: a newer strike says more."""
    told = zip_longest(again, facts[: len(again)], fillvalue=None)
    return [
        fact if was is None else {key: value for key, value in fact.items() if key in was}
        for fact, was in told
        if fact is not None
    ]


def _deeds(facts: list[dict[str, Any]]) -> list[tuple[Any, Any, Any]]:
    """What facts did, whatever words and details they have: a newer strike may say more."""
    return [(fact["kind"], fact["who"], fact["changes"]) for fact in facts if fact["changes"]]
