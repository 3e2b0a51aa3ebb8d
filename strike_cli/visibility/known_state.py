"""The state as players know it, for trying what they may do in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.facts import State
from ..registry.scenes import asked_of, scenes_of
from ..tabletop.scene import Scene
from .audience import PLAYERS, is_secret, is_secret_zone
from .decisions import asked_for
from .face_down import table_for


def known_state(state: State) -> State:
    """The state as players know it, for trying what they may do in it: without whoever is hidden, secret
    zones, what is in the fog, what lies face down, and decisions that they aren't told of. What comes of a
    move in it tells nothing of them.

    A rule may fail over a word that is missing: whoever tries something takes that for "nobody knows".
    """
    scenes = scenes_of(state)
    known = dict(state)
    for scene in scenes:
        gone = {who for who, one in scene.people.items() if is_secret(one)}
        zones = scene.board.zones if scene.board else ()
        gone |= {zone.id for zone in zones if is_secret_zone(zone, scene.people)}
        table = _on_seen_ground(scene, table_for(scene, state[scene.key], PLAYERS))
        known[scene.key] = _forgotten(table, frozenset(gone))
    pending = state.get("pending", {})
    open_ = {key: item for key, item in pending.items() if asked_for(asked_of(item), scenes, PLAYERS)}
    if open_ != pending:
        known["pending"] = open_
    return known


def _on_seen_ground(scene: Scene, table: dict[str, Any]) -> dict[str, Any]:
    """A scene's table with its map and the squares of zones as far as the party has seen them."""
    seen = scene.board.seen if scene.board else None
    if seen is None:
        return table
    from ..tabletop.fog import ground_on, squares_on

    zones = {
        key: {**zone, "squares": [*squares_on(seen, zone.get("squares", ()))]}
        for key, zone in table.get("zones", {}).items()
    }
    return {**table, "map": ground_on(seen, table["map"]), **({"zones": zones} if zones else {})}


_OWN_WORDS = ("id", "ref", "name")
"""Keys under which stands what somebody is called, who may be called as somebody hidden is."""


def _forgotten(value: Any, gone: frozenset[str]) -> Any:
    """A part of a state without what stands under these names, or is one of them."""
    if not gone:
        return value
    if isinstance(value, Mapping):
        return {
            key: _forgotten(inner, gone)
            for key, inner in value.items()
            if key not in gone and (key in _OWN_WORDS or not (isinstance(inner, str) and inner in gone))
        }
    if isinstance(value, list):
        return [_forgotten(one, gone) for one in value if not (isinstance(one, str) and one in gone)]
    return value
