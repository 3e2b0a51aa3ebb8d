"""Facts are changes: paths in the state with what was there and what is there now. The one place that applies
them, whoever asks: play, undo, redo, overrides, the fold of a journal, a bridge that follows along.

Nothing of the rules is here; a program that follows a journal needs no more than this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

State = dict[str, Any]
"""What play has changed: tables, lists and plain values, as in state.toml. Never changed in place."""

Change = tuple[str, object, object]
"""Path, value before, value after. Absolute, so that it can be undone and sent twice. None is absence."""


Places = Iterable[tuple[int, str]]
"""Of changes that take a key away, where it stood in its table: the number of the change, and the key that
came next. So that what is taken back stands where it did."""


@lru_cache(maxsize=4096)
def keys_of(path: str) -> tuple[str, ...]:
    """The keys of a dotted path: the same few hundred are asked for all the time."""
    return tuple(path.split("."))


def look_up(state: Mapping[str, object], path: str, default: Any = None) -> Any:
    """The value at a dotted path in nested tables, or `default`."""
    at: Any = state
    for key in keys_of(path):
        # A plain dict is told at once; asking for a Mapping is dear, and this is asked all the time.
        if type(at) is not dict and not isinstance(at, Mapping):
            return default
        at = at.get(key)
        if at is None:
            return default
    return at


def apply_changes(state: State, changes: Iterable[Change | list[Any]], places: Places = ()) -> State:
    """A new state with the changes made; what they don't touch is shared with the old one.

    The one place that writes state, whoever asks: play, undo, redo, overrides, the fold of a journal.
    """
    before = dict(places) if places else None
    for number, (path, _, after) in enumerate(changes):
        state = _with(state, keys_of(path), after, before.get(number) if before else None)
    return state


def apply_fact(state: State, fact: Mapping[str, Any]) -> State:
    """A new state in which a fact, as the journal has it, is true."""
    return apply_changes(state, fact["changes"], fact.get("places", ()))


def _with(table: State, keys: tuple[str, ...], value: Any, before: str | None) -> State:
    whole = copy = table.copy()
    for key in keys[:-1]:
        inner = copy.get(key)
        copy[key] = copy = inner.copy() if isinstance(inner, dict) else {}
    key = keys[-1]
    if value is None:
        copy.pop(key, None)
    elif before is not None and before in copy and key not in copy:
        items = list(_inserted(copy, key, value, before))
        copy.clear()
        copy.update(items)
    else:
        copy[key] = value
    return whole


def _inserted(table: State, key: str, value: Any, before: Any) -> Iterator[tuple[str, Any]]:
    for other, there in table.items():
        if other == before:
            yield key, value
        yield other, there


def places_of(state: State, changes: Iterable[Change]) -> list[tuple[int, str]]:
    """Where the keys stood that changes take away: the number of the change, and the key that came next of
    the same sort. A file has plain values before tables, whatever stood first in memory."""
    places = []
    for number, (path, before, after) in enumerate(changes):
        if after is None:
            above, _, key = path.rpartition(".")
            table = look_up(state, above, {}) if above else state
            alike = [each for each, value in table.items() if _is_table(value) == _is_table(before)]
            following = alike[alike.index(key) + 1 :] if key in alike else []
            places += [(number, next_key) for next_key in following[:1]]
        state = apply_changes(state, [(path, None, after)])
    return places


def _is_table(value: Any) -> bool:
    """Whether a file has a value among its tables: a list of tables that hold others is there, too."""
    if isinstance(value, list):
        return any(isinstance(one, dict) and any(isinstance(i, dict) for i in one.values()) for one in value)
    return isinstance(value, dict)


def reversal(facts: Iterable[Mapping[str, Any]]) -> tuple[list[Change], list[tuple[int, str]]]:
    """The changes that take the facts of an entry back, last first, and the places of what comes back."""
    changes: list[Change] = []
    places: list[tuple[int, str]] = []
    for fact in reversed(list(facts)):
        stood = dict(fact.get("places", ()))
        for number in reversed(range(len(fact["changes"]))):
            path, before, after = fact["changes"][number]
            if number in stood:
                places.append((len(changes), stood[number]))
            changes.append((path, after, before))
    return changes, places


def reversed_changes(facts: Iterable[Mapping[str, Any]]) -> list[Change]:
    """The changes that take facts back, last first, for whom the places of keys are nothing."""
    return reversal(facts)[0]
