"""The parts of a campaign's encounter that systems read: its map, and the people and their squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..kernel.procedure import World
from ..problems import Refused, listed
from ..refusals import NoEncounter, StillGoingOn
from ..tabletop.encounters import ENEMIES, PARTY, Entering
from ..tabletop.grid import format_square
from ..tabletop.reinforcements import name_creatures

if TYPE_CHECKING:
    from ..tabletop.data import BoardKept, EncounterWritten, PersonKept, ZoneKept

__all__ = ["Setting", "begin", "set_up", "somebody", "with_sheets"]


class Setting(NamedTuple):
    """An encounter as it begins.

    `board` and `zones` have the form of `map` and `zones` in a scene's table. Each of `people` has `name`,
    `ref`, `side`, `at` and `size` and, if the sheet says so, `hidden` and `image`. Without a map, `board` is
    empty and nobody has `at`.
    """

    board: BoardKept
    zones: dict[str, ZoneKept]
    people: dict[str, PersonKept]


def begin(
    world: World, key: str, id: str, party: Sequence[str] = (), more: Mapping[str, int] | None = None
) -> Setting:
    """Set up the encounter `id` for a new fight of the game with the key `key`.

    `key` is the key of the game's scene, and also of the game's table on sheets. If `party` is empty, every
    character whose sheet has that table comes. `more` has the number of each additional creature, by id.
    Raises Refused if a fight is under way, and for an unknown encounter, character or creature.
    """
    if world.get(key):
        raise StillGoingOn(world.get(f"{key}.name", ""), f"`strike {key} end` ends it.")
    if id not in world.book.encounters:
        raise NoEncounter(repr(id), f"There is {listed(world.book.encounters)}.")
    for kind, ids in (("character", party), ("creature", more or {})):
        known = world.book.table(f"{kind}s")
        if unknown := [each for each in ids if each not in known]:
            raise Refused(f"{listed(unknown)}: no such {kind}.", f"There is {listed(known)}.")
    return set_up(world, id, list(dict.fromkeys(party or with_sheets(world, key))), more)


def with_sheets(world: World, key: str) -> list[str]:
    """Return the characters whose sheets have the game's table, which is under `key`."""
    return [person for person, sheet in world.book.characters.items() if key in sheet]


def set_up(world: World, id: str, party: Sequence[str], more: Mapping[str, int] | None = None) -> Setting:
    """Set up an encounter with these characters of the party, in the order of the map's party squares.

    `more` has the number of each additional creature, by id. Raises Refused if there is no room.
    """
    encounter: EncounterWritten = world.book.encounters[id]
    if not encounter["map"]:
        return _set_up_without_map(world, encounter, party, more or {})
    entering = Entering(
        world, encounter, lambda ref, name, side, at: somebody(world, ref, name, side, format_square(at))
    )
    entering.place_party(party)
    entering.place_enemies(entering.creatures_without_place(more or {}))
    entering.check_room()
    return Setting(entering.layout.board, entering.layout.zones, entering.people)


def _set_up_without_map(
    world: World, encounter: EncounterWritten, party: Sequence[str], more: Mapping[str, int]
) -> Setting:
    people = {
        person: somebody(world, person, world.book.characters[person]["name"], PARTY) for person in party
    }
    own = encounter.get("creatures", {})
    for ref in {**own, **more}:
        for person, name in name_creatures(world, ref, own.get(ref, 0) + more.get(ref, 0), people):
            people[person] = somebody(world, ref, name, ENEMIES)
    return Setting({}, {}, people)


def somebody(world: World, ref: str, name: str, side: str, at: str = "") -> PersonKept:
    """Return the entry of a character or creature in a scene's table, made from its sheet `ref`.

    Without `at`, it has no square.
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
