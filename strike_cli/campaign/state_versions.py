"""State written by another version of its system than the installed one (`System.migrations`).

It is found here and converted in `migration`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..content.book import Book
from ..kernel.facts import State, look_up
from ..kernel.procedure import Procedure, World
from ..registry import load_system, registry_of
from ..registry.installed import Installed, load_object
from ..tabletop.people import characters_in
from ..type_forms import fields_at
from .facts import StateVersion

VERSIONS = "versions"
"""The table of the state with the version of each system's tables; 1 for a system that isn't in it."""
CHARACTERS = "characters"


class Outdated(NamedTuple):
    """State of another version (`kept`) than its system's present one (`read`)."""

    system: str
    plugin: Installed
    kept: int
    read: int

    def __str__(self) -> str:
        word = f"version {self.kept}, and {self.plugin.origin} reads version {self.read}"
        return f"state.toml has {self.system!r} in the form of {word}"

    @property
    def hint(self) -> str:
        """The advice on updating the file."""
        if self.kept > self.read:
            return (
                f"Install the newer {self.plugin.distribution} again. Until then everything else can be "
                "played."
            )
        return "`strike doctor --upgrade` upgrades it. Until then everything else can be played."


def find_outdated(state: State, book: Book) -> list[Outdated]:
    """Return the systems of a campaign whose state has another version than their present one."""
    kept_versions: Mapping[str, int] = look_up(state, VERSIONS, {})
    known = book.registry
    names = [name for name in known.systems if name in kept_versions or name in known.state_versions]
    found = []
    for name in names:
        kept, read = kept_versions.get(name, 1), known.state_versions.get(name, 1)
        plugin = known.bringer_of(name)
        if kept != read and plugin is not None and next(paths_of(name, state, book), None):
            found.append(Outdated(name, plugin, kept, read))
    return found


def paths_of(name: str, state: State, book: Book) -> Iterator[tuple[str, str]]:
    """Yield the path of each part of a state that belongs to a system, with the key of its form.

    For a table of `System.state` the key is its own, for a parked scene that of the scene under way, for a
    sheet "characters".
    """
    known = book.registry.systems[name]
    yield from ((key, key) for key in known.tables if key in state)
    parked: Mapping[str, object] = look_up(state, known.parked, {}) if known.scene else {}
    yield from ((f"{known.parked}.{id}", known.scene) for id in parked)
    sheets = load_system(name).sheets.state
    if sheets:
        own = fields_at(load_object(load_system(name).absolute(sheets)), book).keys()
        for person, kept in characters_in(state).items():
            if own & kept.keys():
                yield f"{CHARACTERS}.{person}", CHARACTERS


def version_noted(name: str, world: World) -> Procedure[None]:
    """Record the version of a system's state as soon as the state has a part of it."""
    read = registry_of(world).state_versions.get(name)
    noted = read is None or world.get(f"{VERSIONS}.{name}") == read
    if not noted and next(paths_of(name, world.state, world.book), None):
        yield world.tell(StateVersion(), {f"{VERSIONS}.{name}": read})
