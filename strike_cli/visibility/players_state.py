"""The state as players may know it. Strike tries the players' possible moves in this state."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, cast

from ..kernel.state_changes import State, pending_decisions_in, require_scene_table
from ..registry.scenes_and_decisions_in_state import decision_to_show, scenes_of
from ..tabletop.characters_and_names import changes_of_others_and_sides_in, character_changes_in
from ..tabletop.scene import Scene
from .audiences import PLAYERS, is_person_secret, is_secret_zone
from .known_decisions import decision_for_audience
from .known_scene import has_round_begun_unseen
from .secret_picks import scene_table_without_face_down_picks

if TYPE_CHECKING:
    from ..tabletop.data import SceneKept
    from .hidden_name_search import HiddenNameSearch

SecretItemKeys = AbstractSet[tuple[str, str]]
"""The owner of an item that came in secret, and the item's id, or the item itself."""


def item_id_or_text(item: object) -> str:
    """Return what identifies an item in a person's list: its id or, without one, the item as text."""
    return str(item["id"] if isinstance(item, Mapping) and "id" in item else item)


PEOPLE_TABLES = ("characters", "others")
"""The tables of the state with people's gains in play, by owner."""


def stored_gains_by_owner_id(state: State) -> dict[str, Mapping[str, object]]:
    """Return what the state stores about characters, and then about others, by id.

    The others are people without a sheet, and whole sides.
    """
    return {**character_changes_in(state), **changes_of_others_and_sides_in(state)}


def without_secret_items(state: State, name_search: HiddenNameSearch, secret: SecretItemKeys) -> State:
    """Return a state in which people have only the items that players may know of.

    An item is left out if it is in `secret`. It is also left out if `name_search` finds in it a hidden
    person, a secret zone or a square in the fog.
    """
    if name_search.is_empty and not secret:
        return state

    def is_known(person: str, item: object) -> bool:
        return (person, item_id_or_text(item)) not in secret and not name_search.finds_in(person, item)

    found = dict(state)
    for table in PEOPLE_TABLES:
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
    """Return a state that contains only what players may know; `state` itself if that is all of it.

    Left out are hidden people, secret zones, squares in the fog, face-down picks, and decisions that players
    may not know of. Players' possible moves are tried in this copy, so that the result reveals nothing
    secret. A rule may fail in it because a key is missing. Then the caller must treat the result as unknown.
    """
    scenes = scenes_of(state)
    known = dict(state)
    for scene in scenes:
        gone = {person for person, one in scene.people.items() if is_person_secret(one)}
        zones = scene.board.zones if scene.board else ()
        secret = {zone.id for zone in zones if is_secret_zone(zone, scene.people)}
        whole = require_scene_table(state, scene.key)
        table = _limit_to_seen(scene, scene_table_without_face_down_picks(scene, whole, PLAYERS))
        if has_round_begun_unseen(scene):
            table = {**table, "round": scene.round - 1}
        if gone or secret or table != whole:
            known[scene.key] = _without_hidden_ids(table, frozenset(gone), frozenset(secret))
    pending = pending_decisions_in(state)
    open_ = {
        key: item
        for key, item in pending.items()
        if decision_for_audience(decision_to_show(item), scenes, PLAYERS)
    }
    if len(open_) < len(pending):
        known.pop("pending")
        known |= {"pending": open_} if open_ else {}
    return known if any(known.get(key) is not value for key, value in state.items()) else state


def _limit_to_seen(scene: Scene, stored: Mapping[str, object]) -> Mapping[str, object]:
    """Return a scene's table with its map and zones reduced to the squares that the party has seen."""
    seen = scene.board.seen if scene.board else None
    if seen is None:
        return stored
    table = cast("SceneKept", stored)
    from ..tabletop.fog import names_of_seen_among, seen_part_of_map

    zones = {
        key: {**zone, "squares": [*names_of_seen_among(seen, zone.get("squares", ()))]}
        for key, zone in table.get("zones", {}).items()
    }
    return {**table, "map": seen_part_of_map(seen, table["map"]), **({"zones": zones} if zones else {})}


_OWN_WORDS = ("id", "ref", "name", "status", "power", "sight")
"""Keys that hold a thing's own name, which may be the same as a hidden person's."""


def _without_hidden_ids(
    value: object, hidden_people: frozenset[str], secret_zones: frozenset[str], parent_key: str = ""
) -> object:
    """Return a part of the state without keys and values that would reveal something hidden.

    Args:
        value: The part of the state.
        hidden_people: The ids of hidden people.
        secret_zones: The ids of secret zones. A zone may have the same id as a hidden person.
        parent_key: The key under which the state has `value`. It tells zones from people.
    """
    if not hidden_people and not secret_zones:
        return value
    if isinstance(value, Mapping):
        hidden = secret_zones if parent_key == "zones" else hidden_people
        return {
            key: _without_hidden_ids(inner, hidden_people, secret_zones, key)
            for key, inner in value.items()
            if key not in hidden
            and (key in _OWN_WORDS or not _is_hidden_id(inner, hidden_people, secret_zones))
        }
    if isinstance(value, list):
        return [
            _without_hidden_ids(one, hidden_people, secret_zones)
            for one in value
            if not _is_hidden_id(one, hidden_people, secret_zones)
        ]
    return value


def _is_hidden_id(value: object, hidden_people: frozenset[str], secret_zones: frozenset[str]) -> bool:
    return isinstance(value, str) and (value in hidden_people or value in secret_zones)
