"""Remembering what was made of parts of a state, for as long as they are the same parts.

A state is never changed in place, and one that came of another shares with it all that is as it was. So what
was made of a table holds for as long as the table is the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, TypeVar, TypeVarTuple

if TYPE_CHECKING:
    from .procedure import World

Made = TypeVar("Made")
Parts = TypeVarTuple("Parts")

MOST = 8192
"""Things remembered of one kind; then all are forgotten, rather than let memory grow."""


class ByIdentity(Generic[Made]):
    """What `make` makes of its arguments, made once for the same ones: objects that nobody changes."""

    __slots__ = ("known", "make")

    def __init__(self, make: Callable[..., Made]) -> None:
        self.make = make
        self.known: dict[tuple[int, ...], tuple[Made, tuple[Any, ...]]] = {}

    def __call__(self, *parts: object) -> Made:
        """What is made of these."""
        key = tuple(map(id, parts))
        found = self.known.get(key)
        if found is None:
            if len(self.known) >= MOST:
                self.known.clear()
            # The parts are kept, too: no other object has their ids meanwhile.
            found = self.known[key] = self.make(*parts), parts
        return found[0]


MOST_IN_PASSING = 256
"""Things that are remembered on the way through states."""

_passing: ContextVar[dict[tuple[Any, ...], tuple[Any, tuple[Any, ...]]] | None] = ContextVar(
    "remembered in passing", default=None
)


@contextmanager
def remembering() -> Iterator[None]:
    """In the block what is `remembered` is made once of the very same parts. For whoever goes through many
    states one after the other; nothing of it outlasts the block."""
    before = _passing.set({})
    try:
        yield
    finally:
        _passing.reset(before)


def remembered(make: Callable[[*Parts], Made]) -> Callable[[*Parts], Made]:
    """A function that makes something of objects that nobody changes, for blocks of `remembering`."""

    @wraps(make)
    def known(*parts: *Parts) -> Made:
        memory = _passing.get()
        if memory is None:
            return make(*parts)
        key = (make, *map(id, parts))
        found = memory.get(key)
        if found is None:
            if len(memory) >= MOST_IN_PASSING:
                memory.clear()
            # The parts are kept, too: no other object has their ids meanwhile.
            found = memory[key] = make(*parts), parts
        made: Made = found[0]
        return made

    return known


MOST_STATES = 256
"""States of which anything is remembered; then it is forgotten of all of them."""


class _Memory:
    """What was found out about worlds as they are, the latest of them at hand: its state, its book, and what
    was found out. One value, so that threads can't see half of it."""

    __slots__ = ("latest", "states")

    def __init__(self) -> None:
        self.states: dict[int, tuple[Any, Any, dict[Any, Any]]] = {}
        self.latest: tuple[Any, Any, dict[Any, Any]] = None, None, {}

    def about(self, world: World) -> dict[Any, Any]:
        """What was found out about a world in just this state, by what was asked; to be added to."""
        state, book = world.state, world.book
        latest = self.latest
        if latest[0] is state and latest[1] is book:
            return latest[2]
        known = self.states.get(id(state))
        if known is None or known[0] is not state or known[1] is not book:
            if len(self.states) >= MOST_STATES:
                self.states.clear()
            known = self.states[id(state)] = state, book, {}
        self.latest = known
        return known[2]


about = _Memory().about
