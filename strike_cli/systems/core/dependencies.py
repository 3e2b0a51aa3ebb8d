"""What rolls of Strike! rest on besides sheets: what the party owes, and what it has tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from strike_cli.kernel.facts import State
from strike_cli.tabletop.people import characters_in


def owed_to(party: str) -> str:
    """Return the key for what the player characters owe somebody (STR-CORE-25)."""
    return f"owed {party.strip().lower()}"


def tried(task: str, intent: str) -> str:
    """Return whether the party has tried that (STR-CORE-15)."""
    return f"tried {task.strip().lower()} {intent.strip().lower()}"


def _tries(state: State) -> set[tuple[str, str]]:
    return {_key(item) for item in cast("Sequence[Mapping[str, str]]", state.get("tasks", ()))}


def touches(before: State, after: State) -> Iterator[str]:
    """Yield which debts and which tries are otherwise in one state than in the other."""
    tries = _tries(before) ^ _tries(after)
    yield from (tried(task, intent) for task, intent in tries)
    was, now = characters_in(before), characters_in(after)
    for who in {**was, **now}:
        owed, owes = (sheets.get(who, {}).get("favors", []) for sheets in (was, now))
        for favor in [one for one in owed if one not in owes] + [one for one in owes if one not in owed]:
            yield from map(owed_to, (favor["to"], *favor.get("associates", ())))


def _key(task: Mapping[str, object]) -> tuple[str, str]:
    return str(task["task"]), str(task["intent"])
