"""An encounter's map, read into the tables of a fight: ground, walls, doors, zones and places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.problems import Refused
from strike_cli.tabletop.grid import DIFFICULT, FLOOR, LEGEND, WALL, Square, format_square, parse_area
from strike_cli.tabletop.squares import WALL_KINDS, by_what_they_stop
from strike_cli.tabletop.zones import free_id

if TYPE_CHECKING:
    from strike_cli.tabletop.data import (
        BoardKept,
        DoorKept,
        EncounterWritten,
        GroundWritten,
        Points,
        ZoneKept,
    )

BUILT_IN: Mapping[str, GroundWritten] = {
    ":": {"name": "Obscured", "obscured": True},
    "%": {"name": "Dark", "dark": True},
}
"""Signs of ground that hides, unless an encounter gives them another meaning."""

OF_THE_MAP = ("one_way_walls", "doors", "lights", "ambient", "image")
"""What a fight keeps of an encounter's map as it is written."""


class Layout(NamedTuple):
    """A map that has been read.

    `place` maps each sign to the creature it stands for, `squares` to its squares; creatures placed by `at`
    have signs of more than one letter. `zones` are keyed by id.
    """

    board: BoardKept
    place: dict[str, str]
    squares: dict[str, list[Square]]
    zones: dict[str, ZoneKept]


def read_layout(encounter: EncounterWritten) -> Layout:
    """Return the layout of an encounter.

    Raises ValueError for text that is no square, and Refused where there is no map.
    """
    if not rows_of(encounter):
        name = encounter.get("name", "The encounter")
        raise Refused(f"{name} has no map.", "A fight on squares needs one: `map` in campaign.toml.")
    terrain = terrain_of(encounter)
    place = dict(encounter.get("place", {}))
    found: dict[str, list[Square]] = {}
    rows = []
    for y, line in enumerate(rows_of(encounter)):
        row = ""
        for x, sign in enumerate(line.rstrip()):
            if sign not in LEGEND or sign in place:
                found.setdefault(sign, []).append((x, y))
            row += _ground(sign, terrain) if sign not in place else FLOOR
        rows.append(row)
    written: Mapping[str, object] = encounter
    kept = {
        **by_what_they_stop(encounter.get("walls", ())),
        **{key: written[key] for key in OF_THE_MAP if written.get(key)},
    }
    if doors := encounter.get("doors"):
        kept |= {kind: _without_doors(kept[kind], doors) for kind in WALL_KINDS if kind in kept}
    board = cast("BoardKept", {"rows": rows, **kept})
    if isinstance(image := encounter.get("image"), str) and image:
        board["image"] = {"file": image}
    for ref, squares in encounter.get("at", {}).items():
        sign = f"at {ref}"
        place[sign] = ref
        found[sign] = areas(squares)
    return Layout(board, place, found, _zones(encounter, terrain, found))


def _without_doors(walls: object, doors: Sequence[DoorKept]) -> list[Points]:
    """Return the walls without the stretches in which a door sits, so that an open door lets through.

    Other walls stay as they are written.
    """
    from strike_cli.tabletop.map_lines import Cutter, kept_doors

    found: list[Points] = []
    cutter = Cutter(kept_doors(doors))
    for wall in cast("Sequence[Points]", walls):
        whole = [(x, y) for x, y in wall]
        left = cutter.cut(whole)
        found += [wall] if left == [whole] else [[[x, y] for x, y in piece] for piece in left]
    return found


def rows_of(encounter: EncounterWritten) -> list[str]:
    """Return the map's lines as written."""
    return str(encounter["map"]).strip("\n").splitlines()


def terrain_of(encounter: EncounterWritten) -> dict[str, GroundWritten]:
    """Return every sign for ground other than the common ones, with what it means; creatures' signs aside."""
    signs = {**BUILT_IN, **encounter.get("terrain", {})}
    return {sign: meaning for sign, meaning in signs.items() if sign not in encounter.get("place", {})}


def areas(texts: Sequence[str]) -> list[Square]:
    """Return the squares out of `C3` and rectangles like `C3:F6`, each once."""
    return list(dict.fromkeys(square for text in texts for square in parse_area(text)))


def _ground(sign: str, terrain: Mapping[str, GroundWritten]) -> str:
    """Return the common sign that stands for a square in the state."""
    meaning = terrain.get(sign)
    if meaning and meaning.get("wall"):
        return WALL
    if meaning and meaning.get("difficult"):
        return DIFFICULT
    return sign if sign in LEGEND else FLOOR


def _zones(
    encounter: EncounterWritten, terrain: Mapping[str, GroundWritten], letters: Mapping[str, list[Square]]
) -> dict[str, ZoneKept]:
    written: list[tuple[GroundWritten, list[Square]]] = [
        ({**meaning, "difficult": False}, letters[sign])
        for sign, meaning in terrain.items()
        if sign in letters
    ]
    written += [(zone, areas(zone["squares"])) for zone in encounter.get("zones", ())]
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
            key = free_id(meaning["name"], zones, meaning.get("gm", False))
            zone = {"name": meaning["name"], "squares": names, "ends": "encounter", **does}
            zones[key] = cast("ZoneKept", zone)
    return zones
