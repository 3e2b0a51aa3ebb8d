"""The scenes under way, read from the state by the systems that play them. The one place that loops over
them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..tabletop.exhibit import Exhibit
from ..tabletop.scene import Asked, Scene, Thrown, read_scene
from . import hooks, scene_systems
from .installed import index, load_object
from .system import System


def scenes_of(state: Mapping[str, Any]) -> list[Scene]:
    """Every scene under way, in the order in which they began."""
    known = scene_systems()
    return [
        scene_of(known[key], key, table, state.get("pending", {}))
        for key, table in state.items()
        if key in known and isinstance(table, Mapping)
    ]


def exhibits_of(state: Mapping[str, Any]) -> list[Exhibit]:
    """All that lies on the table beside scenes. A system that fails over its part of the state shows
    nothing."""
    found: list[Exhibit] = []
    for exhibits in hooks(lambda system: system.exhibits):
        try:
            found += exhibits(state)
        except Exception:
            continue
    return found


FRAME = {"session", "characters", "pending", "plugins"}
"""The tables of the state that no system keeps."""


def without_system(state: Mapping[str, Any]) -> list[str]:
    """The tables of a state that no system keeps which is installed."""
    return [key for key in state if key not in FRAME and key not in index().tables]


def scene_of(system: System, key: str, table: Mapping[str, Any], pending: Mapping[str, Any]) -> Scene:
    """A scene from its table, with the decision that it waits for.

    One whose system fails over it is shown by its name alone: a state that somebody mended, or a broken
    plugin, must not stop whoever shows the rest.
    """
    try:
        read = load_object(system.absolute(system.shows)) if system.shows else read_scene
        found: Scene = read(system.name, key, table)
    except Exception:
        found = Scene(system.name, key, key, str(table.get("name", system.title or key)))
    return found._replace(asked=asked_of(pending[key])) if key in pending else found


def asked_of(item: Mapping[str, Any]) -> Asked:
    """A pending decision of the state."""
    return Asked(
        str(item.get("who") or ""),
        str(item.get("what", "")),
        tuple(item.get("options", ())),
        tuple(item.get("labels", ())),
        tuple(item.get("said", ())),
        bool(item.get("secret") or item.get("hidden")),
        str(item.get("text", "")),
        tuple(_thrown(roll) for roll in item.get("rolls", ())),
    )


def _thrown(roll: Mapping[str, Any]) -> Thrown:
    faces = tuple(int(face) for face in roll.get("faces", ()))
    return Thrown(str(roll.get("who") or ""), str(roll.get("purpose", "")), int(roll.get("sides", 6)), faces)
