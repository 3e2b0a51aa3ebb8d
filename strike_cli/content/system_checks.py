"""Checks for faults beyond a form: the class that systems subclass, and its callers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..faults import Fault, Place
from ..kernel.facts import State
from ..registry import make_object
from ..registry.declaration import System

if TYPE_CHECKING:
    from .book import Book

Tables = Mapping[str, Mapping[str, object]]
"""All content by kind and full id."""


class Idle(NamedTuple):
    """A thing in a book without effect.

    It has its place, as `Place("statuses", "fuse", "reactions", 1)`, and a description. `never`: it can't
    have an effect at all, and so is a mistake rather than a warning.
    """

    place: Place
    what: str
    never: bool = False


class LookedAt(NamedTuple):
    """The result of a check of something in a campaign's folder.

    It says whether it is `ok`, what was found, and what to do; a `warning` may be intended.
    """

    ok: bool
    what: str
    hint: str = ""
    warning: bool = False


class Checks:
    """Checks for faults that no form finds.

    Subclass it, write the methods that you need, and name the class in `System.checks`. A method that you
    leave out finds nothing.
    """

    def tables(self) -> None:
        """Read the system's tables of numbers, for `strike doctor`.

        Raises PluginProblem with a table's fault.
        """

    def content(self, kind: str, id: str, tables: Tables) -> Iterable[Fault]:
        """Return the faults of a thing of the book, once all names in it are known.

        Each fault names its place within the thing.
        """
        return ()

    def idle(self, book: Book) -> Iterable[Idle]:
        """Return the things in a whole book that have no effect, for `strike doctor`."""
        return ()

    def campaign(self, book: Book, folder: Path) -> Iterable[LookedAt]:
        """Return the results of other checks by `strike doctor` in a campaign's folder."""
        return ()

    def state(self, state: State) -> Iterable[Fault]:
        """Return the faults of the state while the system's scene is under way, beyond its form.

        Each fault names its place in the state.
        """
        return ()


def checks_of(system: System) -> Checks:
    """Return the checks of a system beyond forms. Raises PluginProblem where its class can't be imported."""
    return make_object(system.absolute(system.checks), Checks)
