"""What a command has changed, in the words in which others have read it: whose sheets, which scenes, what the
party owes and has tried. While a decision is open, nothing that its command has read may change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..facts import State

SCENES = ("fight", "conflict", "chase")
ALL = "all"
"""What everything rests on: the session."""
UNREAD = frozenset(["awesome_given"])
"""Of a sheet, what no roll has anything to do with."""


def sheet_of(who: str) -> str:
    """Somebody's sheet, in that language; also the scene of their rolls."""
    return f"roll {who}".replace(".", "-")


def asked_of(party: str) -> str:
    """What the party owes somebody."""
    return f"owed {party.strip().lower()}"


def tried_for(task: str, intent: str) -> str:
    """Whether the party has tried that (STR-CORE-15)."""
    return f"tried {task.strip().lower()} {intent.strip().lower()}"


def touched(before: State, after: State) -> set[str]:
    """All that is otherwise in one state than in the other."""
    found = {scene for scene in SCENES if before.get(scene) != after.get(scene)}
    if before.get("session") != after.get("session"):
        found.add(ALL)
    tried = {_key(item) for item in before.get("tasks", ())} ^ {_key(item) for item in after.get("tasks", ())}
    found |= {tried_for(task, intent) for task, intent in tried}
    was, now = before.get("characters", {}), after.get("characters", {})
    for who in {**was, **now}:
        if was.get(who) is not now.get(who):
            found |= set(_touched_of(who, was.get(who, {}), now.get(who, {})))
    return found


def _key(task: Mapping[str, Any]) -> tuple[str, str]:
    return str(task["task"]), str(task["intent"])


def _touched_of(who: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    if any(was.get(key) != now.get(key) for key in {**was, **now}.keys() - UNREAD):
        yield sheet_of(who)
    owed, owes = was.get("favors", []), now.get("favors", [])
    for favor in (*(item for item in owed if item not in owes), *(item for item in owes if item not in owed)):
        yield from map(asked_of, (favor["to"], *favor.get("associates", ())))
