"""Facts and their changes: paths in the state, with the value before and after.

Begin with `apply_fact`. Changes are applied only here, for every caller: play, undo, redo, overrides, reading
a journal, the bridge. No rule is known here. A state is never changed in place; a state made from another
shares all unchanged tables with it. So what was computed from a table is valid as long as the table is the
same object, and is cached by its identity (`cached_by_identity`, `cached_values_of`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, wraps
from itertools import islice
from threading import local
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple, cast, overload

from .statements import OWN_KEYS

if TYPE_CHECKING:
    from typing import Protocol

    from .journal_types import StoredFact, StoredSession, WaitingDecision

    class StateAndBook(Protocol):
        """A state, and the book with which it is played, such as a `World`."""

        @property
        def state(self) -> State:
            """The current state."""

        @property
        def book(self) -> object:
            """The content of the campaign."""

    ComputedValues = dict[object, Any]  # type: ignore[explicit-any]  # the caller knows the type of its answer
    """What was computed from one state of a world, by question."""


State = dict[str, object]
"""What has come of play: tables, lists and plain values, as in state.toml. It is never changed in place.

The module that owns a part of it has a function that reads it and says its type: `open_or_last_session_in`,
`fight_in`.
"""

Found = TypeVar("Found")

Change = tuple[str, object, object]
"""A path, the value before, and the value after; None means that the key isn't there.

The values are whole ones and not differences, so that a change can be undone, and sent twice.
"""


MADE_UP = "made_up"
"""The table of the state for creatures and encounters that the game master makes up in play.

It has things by kind and id, in the form of the book. An argument of any move has the same name.
"""
FIELDS = "fields"
"""The table that has a fact's fields in the journal, apart from the keys that all facts have."""


def move_fact_fields_to_table(fact: Mapping[str, object]) -> dict[str, object]:
    """Return a fact in the form of the journal: its own fields are in the table FIELDS."""
    fields = {key: value for key, value in fact.items() if key not in OWN_KEYS}
    own = {key: value for key, value in fact.items() if key in OWN_KEYS}
    return {**own, FIELDS: fields}


def unpack_fact_fields(stored: Mapping[str, object]) -> dict[str, object]:
    """Return a fact from the journal with its fields as keys of the fact itself.

    The journal stores these fields in a table of their own. Raises ValueError if a field has the name of a
    key that every fact has.
    """
    fields = stored[FIELDS]
    if type(fields) is not dict or not OWN_KEYS.isdisjoint(fields):
        raise ValueError(FIELDS)
    whole = dict(stored)
    del whole[FIELDS]
    whole.update(fields)
    return whole


Places = Iterable[tuple[int, str]]
"""Where keys stood that changes remove, or whose lists move to another part of the file.

Each is the number of the change, and the key that came next. With these undo can put a key back in its place.
"""


@lru_cache(maxsize=4096)
def split_path(path: str) -> tuple[str, ...]:
    """Return the keys in a dotted path.

    The result is cached, since the same few hundred paths are asked for all the time.
    """
    return tuple(path.split("."))


@overload
def look_up(state: Mapping[str, object], path: str) -> object: ...
@overload
def look_up(state: Mapping[str, object], path: str, default: Found) -> Found: ...
def look_up(state: Mapping[str, object], path: str, default: object = None) -> object:
    """Return the value at a dotted path in nested tables, or `default`. Its type isn't checked."""
    at: object = state
    for key in split_path(path):
        # Checking for a plain dict is fast, for a Mapping slow, and this is called all the time.
        if type(at) is not dict and not isinstance(at, Mapping):
            return default
        at = at.get(key)
        if at is None:
            return default
    return at


def pending_decisions_in(state: Mapping[str, object]) -> Mapping[str, WaitingDecision]:
    """Return the decisions that wait in a state, by their scenes."""
    return cast("Mapping[str, WaitingDecision]", state.get("pending", {}))


def scene_table(state: Mapping[str, object], key: str) -> Mapping[str, object] | None:
    """Return the table of a scene in a state; None if no such scene is under way."""
    return cast("Mapping[str, object] | None", state.get(key))


def require_scene_table(state: Mapping[str, object], scene: str) -> Mapping[str, object]:
    """Return the table of a scene in the state. Raises KeyError if the state has no such scene."""
    return cast("Mapping[str, object]", state[scene])


def open_or_last_session_in(state: Mapping[str, object]) -> StoredSession:
    """Return the session in a state, open or closed; {} before the first one."""
    return cast("StoredSession", state.get("session", {}))


def apply_changes(state: State, changes: Iterable[Change], places: Places = ()) -> State:
    """Return a new state with the changes made. The old state stays as it is.

    The new state shares all unchanged parts with the old state. Play, undo, redo, overrides and the reading
    of a journal all use this function to change the state.

    Args:
        state: The old state.
        changes: The changes, in order.
        places: The places at which undo puts removed keys back (`places_to_restore`).

    Returns:
        The new state.
    """
    before = dict(places) if places else None
    for number, (path, _, after) in enumerate(changes):
        state = _set_or_remove_value(state, split_path(path), after, before.get(number) if before else None)
    return state


def apply_fact(state: State, fact: StoredFact) -> State:
    """Return a new state with the changes of a fact from the journal."""
    return apply_changes(state, fact["changes"], fact.get("places", ()))


def _set_or_remove_value(table: State, keys: tuple[str, ...], value: object, next_key: str | None) -> State:
    whole = copy = table.copy()
    for key in keys[:-1]:
        inner = copy.get(key)
        if value is None and inner is None:
            return table  # nothing to remove, so no table is made
        copy[key] = copy = inner.copy() if type(inner) is dict else {}
    key = keys[-1]
    if value is None:
        copy.pop(key, None)
        return whole
    if type(value) is list and _changes_toml_form(copy.get(key), value):
        # Its position in the file changes: after all others of its sort, or back to the former one.
        del copy[key]
        next_key = (
            next_key
            if next_key in copy and _is_written_as_table(copy[next_key]) == _is_written_as_table(value)
            else None
        )
    if next_key is not None and key not in copy and next_key in copy:
        items = list(_insert_before(copy, key, value, next_key))
        copy.clear()
        copy.update(items)
    else:
        copy[key] = value
    return whole


def _insert_before(table: State, key: str, value: object, next_key: str) -> Iterator[tuple[str, object]]:
    for other, there in table.items():
        if other == next_key:
            yield key, value
        yield other, there


def places_to_restore(state: State, changes: Iterable[Change]) -> list[tuple[int, str]]:
    """Return the places to which undo must put keys back.

    These are keys that the changes remove from the state, or move within state.toml. A place is a pair: the
    number of the change, and the next key after the removed key. Undo puts the removed key back before this
    next key.

    If the removed key has a plain value, the next key is the next one with a plain value. If it has a table,
    the next key is the next one with a table. The reason is that state.toml writes plain values before
    tables.

    Args:
        state: The state before the changes.
        changes: The changes, in order.

    Returns:
        The places, in the order of the changes. A key without such a next key has no place.
    """
    places: list[tuple[int, str]] = []
    changes = list(changes)
    if not any(change_removes_or_moves_key(before, after) for _, before, after in changes):
        return places
    for number, (path, before, after) in enumerate(changes):
        if change_removes_or_moves_key(before, after):
            above, _, key = path.rpartition(".")
            table = look_up(state, above, {}) if above else state
            rest = iter(table.items())
            if key in (each for each, _ in rest):  # `rest` now has the keys after it
                sort = _is_written_as_table(before)
                places += islice(
                    ((number, each) for each, value in rest if _is_written_as_table(value) == sort), 1
                )
        state = apply_changes(state, [(path, None, after)])
    return places


def change_removes_or_moves_key(before: object, after: object) -> bool:
    """Return whether a change of a value removes its key from state.toml, or moves the key within the file.

    `before` and `after` are the value before and after the change.
    """
    return after is None or (type(after) is list and _changes_toml_form(before, after))


def _changes_toml_form(before: object, after: list[object]) -> bool:
    """Return whether a change makes state.toml write a list in another form.

    A list is written either as a plain value or as tables.
    """
    return type(before) is list and _is_written_as_table(before) != _is_written_as_table(after)


ON_A_LINE = 95
"""How many characters a table in a list may have for state.toml to write it on one line, in braces."""


def _is_written_as_table(value: object) -> bool:
    """Return whether state.toml has a value among its tables, and not among its plain values.

    It is True for a table. It is also True for a list of tables if one of them is too long for a line.
    """
    if isinstance(value, list):
        return _is_list_of_tables(value) and not all(0 < _width_of_item(one) <= ON_A_LINE for one in value)
    return isinstance(value, dict)


def _is_list_of_tables(items: list[object]) -> bool:
    return bool(items) and all(isinstance(one, dict) for one in items)


def _width_on_line(value: object) -> int:
    """Return the number of characters that a value takes on a line of state.toml.

    It is 0 for a value that takes several lines: a list with items, or a table with such a list.
    """
    if isinstance(value, dict):
        inner = [_width_on_line(each) for each in value.values()]
        names = sum(len(key) if is_bare_key(key) else _toml_text_width(key) for key in value)
        # "{ a = 1, b = 2 }": what stands between is 5 characters for each key, and two more.
        return (names + sum(inner) + 5 * len(inner) + 2 if inner else 2) if all(inner) else 0
    if isinstance(value, list):
        return 0 if value else 2
    return _toml_text_width(value) if isinstance(value, str) else len(str(value))


def is_bare_key(key: str) -> bool:
    """Return whether TOML writes a key without quotes."""
    return key.isascii() and key.replace("-", "a").replace("_", "a").isalnum()


def _toml_text_width(text: str) -> int:
    if text.isprintable() and '"' not in text and "\\" not in text:
        return len(text) + 2
    # JSON has two characters for a tab, and one for DEL; TOML one and six.
    return len(json.dumps(text.replace("\t", " ").replace("\x7f", "\0"), ensure_ascii=False))


def changes_and_places_that_undo(facts: Iterable[StoredFact]) -> tuple[list[Change], list[tuple[int, str]]]:
    """Return the changes that take facts back, and the places to which removed keys return.

    The changes go from the last fact to the first. Each place is a pair: the number of a change in this list,
    and the place that the change's key had in its table.
    """
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


def changes_that_undo(facts: Iterable[StoredFact]) -> list[Change]:
    """Return the changes that take facts back.

    The changes of the last fact come first. To learn where removed keys have to return to, call
    `changes_and_places_that_undo`.
    """
    return changes_and_places_that_undo(facts)[0]


Made = TypeVar("Made")
Parts = TypeVarTuple("Parts")

MOST = 8192
"""How many values of one kind are cached; then all are dropped, so that memory doesn't grow."""
MOST_BOOKS = 16
"""How many books have cached values: each holds all that a campaign defines."""


def cached_by_identity(make: Callable[[*Parts], Made]) -> Callable[[*Parts], Made]:
    """Decorate a function so that it remembers its results.

    If the function is called again with the same objects, the remembered result is returned. Therefore the
    objects must not change. When the memory is full, it is emptied.

    If the function has several arguments, the first must be the campaign's book, or something that belongs to
    only one book.

    Args:
        make: The function.

    Returns:
        The function with a memory of its results.
    """
    known: dict[tuple[int, ...], tuple[Made, tuple[*Parts]]] = {}
    books: set[int] = set()

    @wraps(make)
    def cached_call(*parts: *Parts) -> Made:
        key = tuple(map(id, parts))
        found = known.get(key)
        if found is None:
            books.update(key[:1] if len(key) > 1 else ())
            if len(known) >= MOST or len(books) > MOST_BOOKS:
                known.clear()
                books.clear()
            # The parts are kept, too: no other object has their ids meanwhile.
            found = known[key] = make(*parts), parts
        return found[0]

    return cached_call


_width_of_item = cached_by_identity(_width_on_line)
"""Returns `_width_on_line` for an item of a list, cached: lists made from one another share their items."""

MOST_IN_PASSING = 256
"""How many values are cached in a block of `block_cache`."""


class _BlockCache(local):
    """The cache of a `block_cache` block; each thread has its own.

    Outside such a block, `memory` is None.
    """

    memory: dict[tuple[object, ...], tuple[object, tuple[object, ...]]] | None = None


_passing = _BlockCache()


@contextmanager
def block_cache() -> Iterator[None]:
    """Cache the results of functions decorated with `cached_in_block`, until the end of the block.

    Within the block, such a function runs only once for the same objects. Use it around code that goes
    through many states.
    """
    before = _passing.memory
    _passing.memory = {}
    try:
        yield
    finally:
        _passing.memory = before


def cached_in_block(make: Callable[[*Parts], Made]) -> Callable[[*Parts], Made]:
    """Return a version of a function that caches its results within a `block_cache` block.

    Within a block, a call with the same argument objects returns the cached result. So these objects must not
    be modified. Outside a block, the function runs at each call.

    Args:
        make: The function.

    Returns:
        The function with a cache.
    """

    @wraps(make)
    def cached_call(*parts: *Parts) -> Made:
        memory = _passing.memory
        if memory is None:
            return make(*parts)
        key = (make, *map(id, parts))
        found = memory.get(key)
        if found is None:
            if len(memory) >= MOST_IN_PASSING:
                memory.clear()
            # The parts are kept, too: no other object has their ids meanwhile.
            found = memory[key] = make(*parts), parts
        made: Made = found[0]  # type: ignore[assignment]  # it stands under what makes it
        return made

    return cached_call


MOST_STATES = 1024
"""How many states have cached values; then all are dropped."""


class _WorldCache:
    """A cache of values computed from worlds, by state and book.

    `latest` has the state, the book and the values of the latest request. It is a single attribute, so that
    another thread never sees half of it.
    """

    __slots__ = ("books", "latest", "states")

    def __init__(self) -> None:
        self.states: dict[int, tuple[State, object, ComputedValues]] = {}
        self.books: set[int] = set()
        self.latest: tuple[State | None, object, ComputedValues] = None, None, {}

    def values_of(self, world: StateAndBook) -> ComputedValues:
        """Return the values computed so far for exactly this state and book of a world.

        Callers add new values to the result.
        """
        state, book = world.state, world.book
        latest = self.latest
        if latest[0] is state and latest[1] is book:
            return latest[2]
        known = self.states.get(id(state))
        if known is None or known[0] is not state or known[1] is not book:
            self.books.add(id(book))
            if len(self.states) >= MOST_STATES or len(self.books) > MOST_BOOKS:
                self.states.clear()
                self.books.clear()
            known = self.states[id(state)] = state, book, {}
        self.latest = known
        return known[2]


cached_values_of = _WorldCache().values_of


def state_after_changes(world: StateAndBook, changes: Sequence[Change]) -> State:
    """Return the world's state after changes.

    If the same changes were made to the same state before, the same object is returned. So plays that begin
    alike share what is cached about their states.
    """
    if not changes:
        return world.state
    known: list[tuple[Sequence[Change], State]] = cached_values_of(world).setdefault(state_after_changes, [])
    for made, state in known:
        if made == changes and all(
            _equal_in_type_and_order(one[2], other[2]) for one, other in zip(made, changes, strict=True)
        ):
            return state
    state = apply_changes(world.state, changes)
    known.append((changes, state))
    return state


def _equal_in_type_and_order(one: object, other: object) -> bool:
    """Return whether two values are equal, including the types of their parts and the order of keys."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return len(one) == len(other) and all(map(_equal_in_type_and_order, one.items(), other.items()))
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_equal_in_type_and_order, one, other))
    return repr(one) == repr(other) if isinstance(one, float) else one == other
