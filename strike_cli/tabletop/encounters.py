"""Convert the encounters of a campaign to scenes: their maps, zones and people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast

from ..kernel.procedure import World
from ..problems import Refused
from ..refusals import TooFewPartySquares
from .grid import (
    DIFFICULT,
    FLOOR,
    LEGEND,
    WALL,
    Square,
    distance,
    footprint,
    format_square,
    grid_of,
    parse_area,
    parse_square,
)
from .new_creatures_and_made_up_content import find_squares_on_spots_or_near_first, new_creature_ids_and_names
from .squares_and_lines import WALL_KINDS, map_walls_of_encounter
from .zones import free_zone_id_marked_if_secret

if TYPE_CHECKING:
    from .data import BoardKept, DoorKept, EncounterWritten, GroundWritten, PersonKept, Points, ZoneKept

BUILT_IN_TERRAIN: Mapping[str, GroundWritten] = {
    ":": {"name": "Obscured", "obscured": True},
    "%": {"name": "Dark", "dark": True},
}
"""The signs for ground that hides people, unless an encounter says otherwise."""

COPIED_MAP_KEYS = ("one_way_walls", "doors", "lights", "ambient", "image")
"""The keys of an encounter that a fight takes over into its map as they are."""


class Layout(NamedTuple):
    """The parsed map of an encounter.

    `place` has a person or a side for each sign, and `squares` has the squares of each sign. People from the
    encounter's `at` get a made-up sign of several letters. `zones` has the zones by id.
    """

    board: BoardKept
    place: dict[str, str]
    squares: dict[str, list[Square]]
    zones: dict[str, ZoneKept]


def read_layout(encounter: EncounterWritten) -> Layout:
    """Return the layout of an encounter's map.

    Raises ValueError for text that names no square, and Refused if there is no map.
    """
    if not unpadded_map_rows(encounter):
        name = encounter.get("name", "The encounter")
        raise Refused(f"{name} has no map.", "Squares need one: `map` in campaign.toml.")
    terrain = terrain_by_sign_with_built_in(encounter)
    place = dict(encounter.get("place", {}))
    found: dict[str, list[Square]] = {}
    rows = []
    for y, line in enumerate(unpadded_map_rows(encounter)):
        row = ""
        for x, sign in enumerate(line.rstrip()):
            if sign not in LEGEND or sign in place:
                found.setdefault(sign, []).append((x, y))
            row += _scene_sign_for_encounter_sign(sign, terrain) if sign not in place else FLOOR
        rows.append(row)
    written: Mapping[str, object] = encounter
    kept = {
        **map_walls_of_encounter(encounter.get("walls", ())),
        **{key: written[key] for key in COPIED_MAP_KEYS if written.get(key)},
    }
    if doors := encounter.get("doors"):
        kept |= {kind: _cut_walls_at_doors(kept[kind], doors) for kind in WALL_KINDS if kind in kept}
    board = cast("BoardKept", {"rows": rows, **kept})
    if isinstance(image := encounter.get("image"), str) and image:
        board["image"] = {"file": image}
    for ref, squares in encounter.get("at", {}).items():
        sign = f"at {ref}"
        place[sign] = ref
        found[sign] = parse_areas(squares)
    return Layout(board, place, found, _make_zones(encounter, terrain, found))


def _cut_walls_at_doors(walls: object, doors: Sequence[DoorKept]) -> list[Points]:
    from .wall_and_door_lines import DoorCutter, door_lines

    found: list[Points] = []
    cutter = DoorCutter(door_lines(doors))
    for wall in cast("Sequence[Points]", walls):
        whole = [(x, y) for x, y in wall]
        left = cutter.cut_wall(whole)
        found += [wall] if left == [whole] else [[[x, y] for x, y in piece] for piece in left]
    return found


def unpadded_map_rows(encounter: EncounterWritten) -> list[str]:
    """Return the lines of an encounter's map as written."""
    return str(encounter["map"]).strip("\n").splitlines()


def terrain_by_sign_with_built_in(encounter: EncounterWritten) -> dict[str, GroundWritten]:
    """Return the meaning of each sign for ground on an encounter's map.

    The usual signs are left out, and so are the signs of people.
    """
    signs = {**BUILT_IN_TERRAIN, **encounter.get("terrain", {})}
    return {sign: meaning for sign, meaning in signs.items() if sign not in encounter.get("place", {})}


def parse_areas(texts: Sequence[str]) -> list[Square]:
    """Return the squares in texts, each square once.

    A text is a square, like `C3`, or a rectangle, like `C3:F6`. Raises ValueError for any other text.
    """
    return list(dict.fromkeys(square for text in texts for square in parse_area(text)))


def _scene_sign_for_encounter_sign(sign: str, terrain: Mapping[str, GroundWritten]) -> str:
    """Return the sign that stands on a scene's map for a sign on an encounter's map.

    An encounter can define signs of its own: `terrain` has their meanings, such as a wall. A sign that
    neither the encounter nor strike defines stands for floor.
    """
    meaning = terrain.get(sign)
    if meaning and meaning.get("wall"):
        return WALL
    if meaning and meaning.get("difficult"):
        return DIFFICULT
    return sign if sign in LEGEND else FLOOR


def _make_zones(
    encounter: EncounterWritten,
    terrain: Mapping[str, GroundWritten],
    squares_by_sign: Mapping[str, list[Square]],
) -> dict[str, ZoneKept]:
    written: list[tuple[GroundWritten, list[Square]]] = [
        ({**meaning, "difficult": False}, squares_by_sign[sign])
        for sign, meaning in terrain.items()
        if sign in squares_by_sign
    ]
    written += [(zone, parse_areas(zone["squares"])) for zone in encounter.get("zones", ())]
    zones: dict[str, ZoneKept] = {}
    for meaning, squares in written:
        does: dict[str, object] = {
            "damage": meaning.get("damage"),
            "difficult": meaning.get("difficult"),
            "sight": "dark" if meaning.get("dark") else "obscured" if meaning.get("obscured") else "",
            "secret": meaning.get("gm"),
            "status": meaning.get("status"),
        }
        does = {key: value for key, value in does.items() if value}
        if does or "squares" in meaning:
            names = [format_square(square) for square in squares]
            key = free_zone_id_marked_if_secret(meaning["name"], zones, meaning.get("gm", False))
            zone = {"name": meaning["name"], "squares": names, "ends": "encounter", **does}
            zones[key] = cast("ZoneKept", zone)
    return zones


# People on the map

PARTY, ENEMIES = "party", "enemies"
"""The two sides. On a map the words also stand for squares on which any of their people may stand."""

PersonT = TypeVar("PersonT", bound="PersonKept")


class EncounterPlacement(Generic[PersonT]):
    """The map of an encounter, and the people who have been placed on it so far.

    `enter` is a function that makes the stored table of a person. It gets the id of a sheet, a name, a side
    and a square. Several creatures of one kind usually get numbers in their names. If `uncounted` is true, as
    in a scene with fog, they get words instead, so that players can't count them.
    """

    def __init__(
        self,
        world: World,
        encounter: EncounterWritten,
        enter: Callable[[str, str, str, Square], PersonT],
        *,
        uncounted: bool = False,
    ) -> None:
        self.world = world
        self.encounter = encounter
        self.enter = enter
        self.uncounted = uncounted
        self.layout = read_layout(encounter)
        self.grid = grid_of(self.layout.board)
        self.people: dict[str, PersonT] = {}

    def place_party_and_everybody_with_sign(self, party: Sequence[str]) -> None:
        """Place the party, and everybody who has a sign on the map.

        - A party member without a sign gets one of the squares for the party. These squares are given out in
          order.
        - A character with a sign is placed on the first square of the sign. If the character is on the
          party's side, this only happens if `party` has the character.
        - A creature with a sign is placed on each square of the sign. If the encounter's `counts` has the
          sign, it says how many creatures there are. Those that don't fit are placed nearby.

        Raises TooFewPartySquares if there are too few squares for the party.
        """
        loose = [who for who in party if who not in self.layout.place.values()]
        squares = self._squares_with_sign_of(PARTY)
        if len(squares) < len(loose):
            raise TooFewPartySquares(len(squares), len(loose))
        for who, square in zip(loose, squares, strict=False):
            self._place_character(who, PARTY, square)
        for sign, ref in self.layout.place.items():
            own = self.layout.squares.get(sign, [])
            if ref in self.world.book.characters:
                side = self.encounter["side"].get(sign, PARTY)
                if own and (side != PARTY or ref in party):
                    self._place_character(ref, side, own[0])
            elif ref not in (PARTY, ENEMIES):
                count = self.encounter.get("counts", {}).get(sign)
                own = self._find_room(ref, count, own) if count else own
                self._place_creatures(ref, self.encounter["side"].get(sign, ENEMIES), own)

    def creatures_without_place(self, more: Mapping[str, int]) -> dict[str, int]:
        """Return how many creatures of each kind enter without a place on the map.

        They are the encounter's creatures without a place, and those in `more`.
        """
        own = self.encounter.get("creatures", {})
        return {ref: own.get(ref, 0) + more.get(ref, 0) for ref in {**own, **more}}

    def place_enemies_without_sign(self, wanted: Mapping[str, int]) -> None:
        """Place enemies that have no sign of their own on the map.

        `wanted` has the number of enemies of each kind. They are placed on the squares that are marked for
        enemies, and near these. If no square is marked, they are placed near the enemies who are already on
        the map. If there are none, they are placed far from everybody.
        """
        there = [parse_square(one["at"]) for one in self.people.values() if one["side"] == ENEMIES]
        spots = (
            self._squares_with_sign_of(ENEMIES)
            or there
            or ([self._square_farthest_from_people()] if wanted else [])
        )
        for ref, count in wanted.items():
            self._place_creatures(ref, ENEMIES, self._find_room(ref, count, spots))

    def must_have_people_on_free_squares(self) -> None:
        """Raise Refused if a person stands on a blocked square, or on a square of another person."""
        taken: dict[Square, str] = {}
        for one in self.people.values():
            square, size, name = parse_square(one["at"]), one["size"], one["name"]
            needs = f"{size} x {size} squares" if size > 1 else "a free square"
            there = [taken[part] for part in footprint(square, size) if part in taken]
            if there or not self.grid.fits(square, size):
                raise Refused(
                    f"{name} at {one['at']} needs {needs}, and {[*there, 'a wall or the edge'][0]} is there.",
                    "Move it on the encounter's map: a sign stands for the top left square.",
                )
            taken |= dict.fromkeys(footprint(square, size), name)

    def _squares_with_sign_of(self, ref: str) -> list[Square]:
        signs = [sign for sign, who in self.layout.place.items() if who == ref]
        return [square for sign in signs for square in self.layout.squares.get(sign, [])]

    def _place_character(self, character: str, side: str, square: Square) -> None:
        self.people[character] = self.enter(
            character, self.world.book.characters[character]["name"], side, square
        )

    def _place_creatures(self, ref: str, side: str, squares: Sequence[Square]) -> None:
        named = new_creature_ids_and_names(
            self.world, ref, len(squares), self.people, words_for_numbers=self.uncounted
        )
        for (who, name), square in zip(named, squares, strict=True):
            self.people[who] = self.enter(ref, name, side, square)

    def _find_room(self, ref: str, count: int, spots: Sequence[Square]) -> list[Square]:
        sheet = self.world.book.creatures[ref]
        taken = {
            part for one in self.people.values() for part in footprint(parse_square(one["at"]), one["size"])
        }
        return find_squares_on_spots_or_near_first(
            self.grid, sheet.get("size", 1), count, spots, taken, sheet["name"]
        )

    def _square_farthest_from_people(self) -> Square:
        others = [parse_square(one["at"]) for one in self.people.values()]
        grid = self.grid
        floor = [(x, y) for y in range(grid.height) for x in range(grid.width) if grid.fits((x, y))]
        return max(floor, key=lambda square: min((distance(square, other) for other in others), default=0))
