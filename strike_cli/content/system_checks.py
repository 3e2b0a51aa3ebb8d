"""Systems' own checks, for faults that no schema can find: the base class, and the loader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..deprecated_api_names import HasOldNames, OldName
from ..file_faults import Fault, Place
from ..kernel.state_changes import State
from ..registry import shared_instance_of_class_or_base
from ..registry.system_declaration import System

if TYPE_CHECKING:
    from .merged_content import Book

Tables = Mapping[str, Mapping[str, object]]
"""All content by kind and full id."""


class ContentWithoutEffect(NamedTuple):
    """A part of the content that has no effect.

    `place` is, for example, `Place("statuses", "fuse", "reactions", 1)`. `what` describes the fault. If
    `never` is True, the part can't ever have an effect, so it is a mistake and not just a warning.
    """

    place: Place
    what: str
    never: bool = False


class CheckResult(NamedTuple):
    """The result of one check in a campaign's folder.

    `ok` says whether all is well. `what` describes the result, and `hint` the remedy. `warning` marks a
    result that may be intended.
    """

    ok: bool
    what: str
    hint: str = ""
    warning: bool = False


class Checks(HasOldNames):
    """Checks for faults that no schema can find.

    Subclass it, write the methods that you need, and name the class in `System.checks`. A method that you
    leave out finds nothing.
    """

    def check_tables(self) -> None:
        """Read the system's tables of numbers, for `strike doctor`.

        Raises PluginProblem with a table's fault.
        """

    def content_faults(self, kind: str, id: str, tables: Tables) -> Iterable[Fault]:
        """Return the faults of one item, once all names in it are resolved.

        Each fault names its own place within the item.
        """
        return ()

    def content_without_effect(self, book: Book) -> Iterable[ContentWithoutEffect]:
        """Return the parts of a book's content that have no effect, for `strike doctor`."""
        return ()

    def campaign_results(self, book: Book, folder: Path) -> Iterable[CheckResult]:
        """Check anything else in a campaign, for `strike doctor`, and return the results.

        `folder` is the campaign's folder. The default checks nothing.
        """
        return ()

    def state_faults(self, state: State) -> Iterable[Fault]:
        """Return the faults of the state that the system's schema can't find.

        This is called only while the system's scene is in the state. Each fault names its place in the state.
        """
        return ()

    tables = OldName("check_tables")
    content = OldName("content_faults")
    idle = OldName("content_without_effect")
    campaign = OldName("campaign_results")
    state = OldName("state_faults")


def load_checks(system: System) -> Checks:
    """Return the object with a system's own checks. Raises PluginProblem if its class can't be imported."""
    return shared_instance_of_class_or_base(system.absolute(system.checks), Checks)
