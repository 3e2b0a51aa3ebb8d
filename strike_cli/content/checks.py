"""Faults that no form finds: the class that a system subclasses, and who asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..faults import Fault, Place
from ..kernel.facts import State
from ..registry import made
from ..registry.declaration import System

if TYPE_CHECKING:
    from .book import Book

Tables = Mapping[str, Mapping[str, object]]
"""All content by kind and full id."""


class Idle(NamedTuple):
    """Something of a book that nothing comes of: its place, as `Place("statuses", "fuse", "reactions", 1)`,
    what is so of it, and whether it can `never` be otherwise, which makes it a mistake, not a warning."""

    place: Place
    what: str
    never: bool = False


class LookedAt(NamedTuple):
    """Something that was looked at in a campaign's folder: whether it is `ok`, what it is or what is wrong,
    and what to do; and whether it is a `warning`, of what may be meant so."""

    ok: bool
    what: str
    hint: str = ""
    warning: bool = False


class Checks:
    """Faults that no form finds. Subclass it, write the methods that you need, and name the class in
    `System.checks`: a method that you leave out finds nothing."""

    def tables(self) -> None:
        """Reads the tables of numbers that come with the system, for `strike doctor`. Raises PluginProblem
        with what is wrong in one."""

    def content(self, kind: str, id: str, tables: Tables) -> Iterable[Fault]:
        """What is wrong with a thing of the book, once all names in it are known: each fault at its place
        within the thing."""
        return ()

    def idle(self, book: Book) -> Iterable[Idle]:
        """What of a whole book nothing comes of, for `strike doctor`."""
        return ()

    def campaign(self, book: Book, folder: Path) -> Iterable[LookedAt]:
        """What else `strike doctor` looks at in a campaign's folder."""
        return ()

    def state(self, state: State) -> Iterable[Fault]:
        """What is wrong with the state while the system's scene is under way, beyond its form: each fault at
        its place in the state."""
        return ()


def checks_of(system: System) -> Checks:
    """The faults that a system finds beyond forms. Raises PluginProblem where its class can't be imported."""
    return made(system.absolute(system.checks), Checks)
