"""An encounter of a campaign, set up for a system: its map, its people and their squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..deprecated_api_names import make_module_getattr_for_old_names
from ..kernel.procedure import World
from ..problems import Refused, listed
from ..refusals import NoEncounter, SceneStillUnderWay
from ..tabletop.encounters import ENEMIES, PARTY, EncounterPlacement
from ..tabletop.grid import format_square
from ..tabletop.new_creatures_and_made_up_content import new_creature_ids_and_names

if TYPE_CHECKING:
    from ..tabletop.data import BoardKept, EncounterWritten, PersonKept, ZoneKept

__all__ = [
    "EncounterSetup",
    "characters_with_game_table",
    "new_person_entry",
    "set_up_encounter",
    "set_up_new_fight",
]


class EncounterSetup(NamedTuple):
    """An encounter as it begins.

    `board` and `zones` have the form of `map` and `zones` in a scene's table. Each of `people` has `name`,
    `ref`, `side`, `at` and `size` and, if the sheet says so, `hidden` and `image`. Without a map, `board` is
    empty and nobody has `at`.
    """

    board: BoardKept
    zones: dict[str, ZoneKept]
    people: dict[str, PersonKept]


def set_up_new_fight(
    world: World, key: str, id: str, party: Sequence[str] = (), more: Mapping[str, int] | None = None
) -> EncounterSetup:
    """Return the encounter `id`, set up for a new fight of a game.

    Nothing is recorded: the game's own move stores the result.

    Args:
        world: The world to read.
        key: The key of the game's scene, and also of the game's table on sheets.
        id: The encounter's id.
        party: The ids of the characters; if it is empty, every character with the game's table comes.
        more: The number of each additional creature, by id.

    Returns:
        The map, zones and people of the encounter.

    Raises:
        Refused: A fight is under way, an encounter, character or creature is unknown, or the map has no room.
    """
    if world.get(key):
        raise SceneStillUnderWay(world.get(f"{key}.name", ""), f"`strike {key} end` ends it.")
    if id not in world.book.encounters:
        raise NoEncounter(repr(id), f"There is {listed(world.book.encounters)}.")
    for kind, ids in (("character", party), ("creature", more or {})):
        known = world.book.table(f"{kind}s")
        if unknown := [each for each in ids if each not in known]:
            raise Refused(f"{listed(unknown)}: no such {kind}.", f"There is {listed(known)}.")
    return set_up_encounter(
        world, id, list(dict.fromkeys(party or characters_with_game_table(world, key))), more
    )


def characters_with_game_table(world: World, key: str) -> list[str]:
    """Return the characters whose sheets have the game's table, which is under `key`."""
    return [person for person, sheet in world.book.characters.items() if key in sheet]


def set_up_encounter(
    world: World, id: str, party: Sequence[str], more: Mapping[str, int] | None = None
) -> EncounterSetup:
    """Return an encounter set up with these characters.

    Args:
        world: The world to read.
        id: The encounter's id.
        party: The ids of the characters, in the order of the map's party squares.
        more: The number of each additional creature, by id.

    Returns:
        The map, zones and people of the encounter.

    Raises:
        Refused: There is no room on the map.
    """
    encounter: EncounterWritten = world.book.encounters[id]
    if not encounter["map"]:
        return _set_up_encounter_without_map(world, encounter, party, more or {})
    entering = EncounterPlacement(
        world,
        encounter,
        lambda ref, name, side, at: new_person_entry(world, ref, name, side, format_square(at)),
    )
    entering.place_party_and_everybody_with_sign(party)
    entering.place_enemies_without_sign(entering.creatures_without_place(more or {}))
    entering.must_have_people_on_free_squares()
    return EncounterSetup(entering.layout.board, entering.layout.zones, entering.people)


def _set_up_encounter_without_map(
    world: World, encounter: EncounterWritten, party: Sequence[str], more: Mapping[str, int]
) -> EncounterSetup:
    people = {
        person: new_person_entry(world, person, world.book.characters[person]["name"], PARTY)
        for person in party
    }
    own = encounter.get("creatures", {})
    for ref in {**own, **more}:
        for person, name in new_creature_ids_and_names(
            world, ref, own.get(ref, 0) + more.get(ref, 0), people
        ):
            people[person] = new_person_entry(world, ref, name, ENEMIES)
    return EncounterSetup({}, {}, people)


def new_person_entry(world: World, ref: str, name: str, side: str, at: str = "") -> PersonKept:
    """Return a new entry for a scene's table of people, made from a sheet.

    Args:
        world: The world that has the sheet.
        ref: The id of the character or creature.
        name: The name that the entry gets.
        side: The side that the entry gets.
        at: The square, such as "C7"; without it the entry has none.

    Returns:
        The entry, with the sheet's size and, if the sheet has them, `hidden` and `image`.
    """
    sheet = world.book.characters.get(ref) or world.book.creatures[ref]
    one: PersonKept = {"name": name, "ref": ref, "side": side}
    if at:
        one["at"] = at
    one["size"] = sheet.get("size", 1)
    if sheet.get("hidden"):
        one["hidden"] = sheet["hidden"]
    if sheet.get("image"):
        one["image"] = sheet["image"]
    return one


_NEW_NAMES = {
    "Setting": "EncounterSetup",
    "begin": "set_up_new_fight",
    "set_up": "set_up_encounter",
    "somebody": "new_person_entry",
    "with_sheets": "characters_with_game_table",
}
"""The new names of exported objects, by their old names, which go on for a version."""
__getattr__ = make_module_getattr_for_old_names(__name__, _NEW_NAMES)
