"""Stored state whose version isn't the version of the installed system (`System.migrations`).

Such state is found here and converted in `state_migration`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..content.merged_content import Book
from ..kernel.procedure import Procedure, World
from ..kernel.state_changes import State, look_up
from ..registry import load_system, registry_of
from ..registry.installed_plugins import Installed, load_object
from ..schemas_from_types import declared_fields
from ..tabletop.people import characters_in
from .bookkeeping_facts import StateVersion

VERSIONS = "versions"
"""The table of the state with the version of each system's tables; 1 for a system that isn't in it."""
CHARACTERS = "characters"


class Outdated(NamedTuple):
    """A system whose stored state has another version than the installed code reads.

    `kept` is the version of the state, and `read` is the version that the code reads.
    """

    system: str
    plugin: Installed
    kept: int
    read: int

    def __str__(self) -> str:
        word = f"version {self.kept}, and {self.plugin.origin} reads version {self.read}"
        return f"state.toml has {self.system!r} in the form of {word}"

    @property
    def hint(self) -> str:
        """The advice: install a newer plugin, or upgrade the state."""
        if self.kept > self.read:
            return (
                f"Install the newer {self.plugin.distribution} again. Until then everything else can be "
                "played."
            )
        return "`strike doctor --upgrade` upgrades it. Until then everything else can be played."


def find_outdated(state: State, book: Book) -> list[Outdated]:
    """Return the systems whose stored state has another version than the installed system reads."""
    kept_versions: Mapping[str, int] = look_up(state, VERSIONS, {})
    known = book.registry
    names = [name for name in known.systems if name in kept_versions or name in known.state_versions]
    found = []
    for name in names:
        kept, read = kept_versions.get(name, 1), known.state_versions.get(name, 1)
        plugin = known.plugin_of_system(name)
        if kept != read and plugin is not None and next(state_paths_of_system(name, state, book), None):
            found.append(Outdated(name, plugin, kept, read))
    return found


def state_paths_of_system(name: str, state: State, book: Book) -> Iterator[tuple[str, str]]:
    """Yield the paths in the state that belong to a system, each with the key of its schema.

    For a table of `System.state` it is the table's own key. For a parked scene it is the key of the scene.
    For the system's part of a character it is "characters".
    """
    known = book.registry.systems[name]
    yield from ((key, key) for key in known.tables if key in state)
    parked: Mapping[str, object] = look_up(state, known.parked, {}) if known.scene else {}
    yield from ((f"{known.parked}.{id}", known.scene) for id in parked)
    sheets = load_system(name).sheets.state
    if sheets:
        own = declared_fields(load_object(load_system(name).absolute(sheets)), book).keys()
        for person, kept in characters_in(state).items():
            if own & kept.keys():
                yield f"{CHARACTERS}.{person}", CHARACTERS


def note_state_version(name: str, world: World) -> Procedure[None]:
    """Record the version of a system's state as soon as the system has any state.

    If the version is recorded already, nothing happens.
    """
    read = registry_of(world).state_versions.get(name)
    noted = read is None or world.get(f"{VERSIONS}.{name}") == read
    if not noted and next(state_paths_of_system(name, world.state, world.book), None):
        yield world.tell(StateVersion(), {f"{VERSIONS}.{name}": read})
