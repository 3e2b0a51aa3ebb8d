"""Checks for faults that no schema can find: the class that systems subclass, and its loader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..faults import Fault, Place
from ..kernel.state_changes import State
from ..registry import single_object_of
from ..registry.system_declaration import System

if TYPE_CHECKING:
    from .merged_content import Book

Tables = Mapping[str, Mapping[str, object]]
"""All content by kind and full id."""


class Idle(NamedTuple):
    """A part of the content that has no effect.

    `place` is, for example, `Place("statuses", "fuse", "reactions", 1)`, and `what` describes the fault.
    `never` says that the part can never have an effect. Then it is a mistake and not just a warning.
    """

    place: Place
    what: str
    never: bool = False


class LookedAt(NamedTuple):
    """The result of one check in a campaign's folder: whether it is `ok`, what was found, and what to do.

    A `warning` concerns something that may be intended.
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
        """Return the faults of one item, once all names in it are resolved.

        Each fault names its own place within the item.
        """
        return ()

    def idle(self, book: Book) -> Iterable[Idle]:
        """Return the parts of a book's content that have no effect, for `strike doctor`."""
        return ()

    def campaign(self, book: Book, folder: Path) -> Iterable[LookedAt]:
        """Return the results of other checks by `strike doctor` in a campaign's folder."""
        return ()

    def state(self, state: State) -> Iterable[Fault]:
        """Return faults of the state, beyond its schema, while the system's scene is under way.

        Each fault names its place in the state.
        """
        return ()


def load_checks(system: System) -> Checks:
    """Return the object with a system's own checks. Raises PluginProblem if its class can't be imported."""
    return single_object_of(system.absolute(system.checks), Checks)
