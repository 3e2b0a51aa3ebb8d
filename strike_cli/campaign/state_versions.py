"""Versions of the stored state of systems, and how they differ from the versions that the code reads.

`state_migration` converts state of an earlier version with the functions of `System.migrations`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..content.merged_content import Book
from ..kernel.procedure import Procedure, Rulebook, World
from ..kernel.state_changes import State, look_up
from ..registry import known_systems, load_known_system, plugin_index_of
from ..registry.installed_plugins import InstalledPlugin, import_object
from ..tabletop.characters_and_names import character_changes_in
from ..validation_schemas_from_types import declared_fields
from .undo_and_repair_facts import StateVersion

VERSIONS = "versions"
"""The table of the state with the version of each system's tables; 1 for a system that isn't in it."""
CHARACTERS = "characters"


class StateVersionMismatch(NamedTuple):
    """A system whose stored state has another version than the installed code reads.

    `kept` is the version of the stored state. `read` is the version that the installed code reads.
    """

    system: str
    plugin: InstalledPlugin
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


def find_version_mismatches(state: State, book: Book) -> list[StateVersionMismatch]:
    """Return the systems whose stored state has another version than the installed system reads."""
    kept_versions: Mapping[str, int] = look_up(state, VERSIONS, {})
    known = book.registry
    names = [
        name for name in known.systems if name in kept_versions or name in known.state_versions_above_first
    ]
    found = []
    for name in names:
        kept, read = kept_versions.get(name, 1), known.state_versions_above_first.get(name, 1)
        plugin = known.plugin_of_system(name)
        if kept != read and plugin is not None and next(state_paths_of_system(name, state, book), None):
            found.append(StateVersionMismatch(name, plugin, kept, read))
    return found


def state_paths_of_system(system: str, state: State, book: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield the paths in the state that belong to a system, each with the key of its schema.

    There are three sorts of paths:

    - One of the system's tables. The schema has the table's own key.
    - A parked scene. The schema has the key of the system's scene.
    - A character with values of the system. The schema has the key "characters".
    """
    known = known_systems()[system]
    yield from ((key, key) for key in known.tables if key in state)
    parked: Mapping[str, object] = look_up(state, known.parked, {}) if known.scene else {}
    yield from ((f"{known.parked}.{id}", known.scene) for id in parked)
    sheets = load_known_system(system).sheets.state
    if sheets:
        own = declared_fields(import_object(load_known_system(system).absolute(sheets)), book).keys()
        for person, kept in character_changes_in(state).items():
            if own & kept.keys():
                yield f"{CHARACTERS}.{person}", CHARACTERS


def record_state_version_if_missing(system: str, world: World) -> Procedure[None]:
    """Record the version of a system's state, once the system has stored any state.

    Nothing happens if the state already has this version on record, or if the system declares no version.
    """
    read = plugin_index_of(world).state_versions_above_first.get(system)
    noted = read is None or world.get(f"{VERSIONS}.{system}") == read
    if not noted and next(state_paths_of_system(system, world.state, world.book), None):
        yield world.tell(StateVersion(), {f"{VERSIONS}.{system}": read})
