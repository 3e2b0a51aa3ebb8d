"""Facts are changes: paths in the state with what was there and what is there now. The one place that applies
them, whoever asks: play, undo, redo, overrides, the fold of a journal, a bridge that follows along.

Nothing of the rules is here; a program that follows a journal needs no more than this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

State = dict[str, Any]
"""What play has changed: tables, lists and plain values, as in state.toml. Never changed in place."""

Change = tuple[str, Any, Any]
"""Path, value before, value after. Absolute, so that it can be undone and sent twice. None is absence."""


def look_up(state: Mapping[str, Any], path: str, default: Any = None) -> Any:
    """The value at a dotted path in nested tables, or `default`."""
    at: Any = state
    for key in path.split("."):
        # A plain dict is told at once; asking for a Mapping is dear, and this is asked all the time.
        if type(at) is not dict and not isinstance(at, Mapping):
            return default
        at = at.get(key)
        if at is None:
            return default
    return at


def apply_changes(state: State, changes: Iterable[Change | list[Any]]) -> State:
    """A new state with the changes made; what they don't touch is shared with the old one.

    The one place that writes state, whoever asks: play, undo, redo, overrides, the fold of a journal.
    """
    for path, _, after in changes:
        state = _with(state, path.split("."), after)
    return state


def _with(table: State, keys: list[str], value: Any) -> State:
    copy = dict(table)
    key, *rest = keys
    if rest:
        inner = copy.get(key)
        copy[key] = _with(inner if isinstance(inner, dict) else {}, rest, value)
    elif value is None:
        copy.pop(key, None)
    else:
        copy[key] = value
    return copy


def reversed_changes(facts: Iterable[Mapping[str, Any]]) -> list[Change]:
    """The changes that take the facts of an entry back, last first."""
    return [
        (path, after, before)
        for fact in reversed(list(facts))
        for path, before, after in reversed(fact["changes"])
    ]
