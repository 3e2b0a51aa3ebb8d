"""The state as players know it, for trying their possible moves in it."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, cast

from ..kernel.facts import State, table_under_way, waiting_in
from ..registry.scenes import asked_of, scenes_of
from ..tabletop.people import characters_in, others_in
from ..tabletop.scene import Scene
from .audience import PLAYERS, is_secret, is_secret_zone
from .decisions import asked_for
from .scenes import is_begun_unseen
from .secret_picks import table_for

if TYPE_CHECKING:
    from ..tabletop.data import SceneKept
    from .free_text_redaction import Kept

Secret = AbstractSet[tuple[str, str]]
"""The owner of an item that came in secret, and the item's id, or the item itself."""


def item_id(item: object) -> str:
    """Return the identity of an item in somebody's list: its id, or the item itself."""
    return str(item["id"] if isinstance(item, Mapping) and "id" in item else item)


PEOPLE = ("characters", "others")
"""The tables of the state with people's gains in play, by owner."""


def people_in(state: State) -> dict[str, Mapping[str, object]]:
    """Return the state's tables of characters, then of creatures, by id."""
    return {**characters_in(state), **others_in(state)}


def without_items(state: State, kept: Kept, secret: Secret) -> State:
    """Return a state without people's items that came in secret, or that name somebody hidden."""
    if kept.is_nothing and not secret:
        return state

    def is_known(person: str, item: object) -> bool:
        return (person, item_id(item)) not in secret and not kept.told_in(person, item)

    found = dict(state)
    for table in PEOPLE:
        known = dict[str, object]()
        for person, own in cast("Mapping[str, Mapping[str, object]]", state.get(table, {})).items():
            left = dict[str, object]()
            for key, items in own.items():
                few = [one for one in items if is_known(person, one)] if isinstance(items, list) else items
                if few or not items:  # without known items the list is left out, too
                    left[key] = few
            known |= {person: left} if left else {}
        if known:
            found[table] = known
        else:
            found.pop(table, None)
    return found


def known_state(state: State) -> State:
    """Return the state as players know it, for trying their possible moves in it.

    It has no hidden people, secret zones, squares in the fog, picks that lie face down, or decisions that
    players don't know of. So the result of a move in it reveals nothing about them.
    A rule may fail over a missing key: the caller then treats the result as unknown.
    """
    scenes = scenes_of(state)
    known = dict(state)
    for scene in scenes:
        gone = {person for person, one in scene.people.items() if is_secret(one)}
        zones = scene.board.zones if scene.board else ()
        secret = {zone.id for zone in zones if is_secret_zone(zone, scene.people)}
        whole = table_under_way(state, scene.key)
        table = _limit_to_seen(scene, table_for(scene, whole, PLAYERS))
        if is_begun_unseen(scene):
            table = {**table, "round": scene.round - 1}
        if gone or secret or table != whole:
            known[scene.key] = _without_people_and_zones(table, frozenset(gone), frozenset(secret))
    pending = waiting_in(state)
    open_ = {key: item for key, item in pending.items() if asked_for(asked_of(item), scenes, PLAYERS)}
    if len(open_) < len(pending):
        known.pop("pending")
        known |= {"pending": open_} if open_ else {}
    return known if any(known.get(key) is not value for key, value in state.items()) else state


def _limit_to_seen(scene: Scene, stored: Mapping[str, object]) -> Mapping[str, object]:
    """Return a scene's table with its map and the squares of zones as far as the party has seen them."""
    seen = scene.board.seen if scene.board else None
    if seen is None:
        return stored
    table = cast("SceneKept", stored)
    from ..tabletop.fog import ground_on, squares_on

    zones = {
        key: {**zone, "squares": [*squares_on(seen, zone.get("squares", ()))]}
        for key, zone in table.get("zones", {}).items()
    }
    return {**table, "map": ground_on(seen, table["map"]), **({"zones": zones} if zones else {})}


_OWN_WORDS = ("id", "ref", "name", "status", "power", "sight")
"""Keys that hold a thing's own name, which may be the same as a hidden person's."""


def _without_people_and_zones(
    value: object, gone: frozenset[str], zones: frozenset[str], under: str = ""
) -> object:
    """Return a part of a state, which is under the key `under`, without some people and zones.

    It has no keys and no values that are ids of people who are `gone` or of these `zones`. A zone may have
    the id of a hidden person, and the other way round.
    """
    if not gone and not zones:
        return value
    if isinstance(value, Mapping):
        hidden = zones if under == "zones" else gone
        return {
            key: _without_people_and_zones(inner, gone, zones, key)
            for key, inner in value.items()
            if key not in hidden and (key in _OWN_WORDS or not _is_one(inner, gone, zones))
        }
    if isinstance(value, list):
        return [_without_people_and_zones(one, gone, zones) for one in value if not _is_one(one, gone, zones)]
    return value


def _is_one(value: object, gone: frozenset[str], zones: frozenset[str]) -> bool:
    return isinstance(value, str) and (value in gone or value in zones)
