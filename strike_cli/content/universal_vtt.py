"""Reads and writes Universal VTT files: a map's walls, doors, lights and picture as JSON.

The files end in `.dd2vtt`, `.uvtt` or `.df2vtt`. `read_uvtt` reads a file, and `encode_uvtt` writes one.
Lengths are in squares. In a file, positions are counted from the file's `map_origin`. In the map, they are
counted from the top left corner of the map and of its picture.

Portals become doors. A closed portal becomes a shut door. Objects such as trees, rocks and columns
(`objects_line_of_sight`) become terrain walls.

The format has no one-way walls, windows or curtains. strike writes these in a table of its own. It reads this
table only if the rest of the file is unchanged.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, cast

from ..problems import CampaignProblem, pluralize
from ..tabletop.campaign_pictures import is_argb_color_without_hash, media_type_or_empty, picture_place_on_map
from ..tabletop.foreign_map_files import (
    Ambient,
    Light,
    MapDoor,
    MapFile,
    MapFormat,
    Point,
    Polyline,
    check_map_complexity,
)
from ..tabletop.grid import LEGEND, Grid
from ..tabletop.squares_and_lines import FARTHEST, LARGEST, SEE_THROUGH, TERRAIN, WALK_THROUGH, WALL_KINDS
from ..tabletop.wall_and_door_lines import (
    append_or_extend_wall_line,
    clip_line_to_map,
    cut_walls_at_doors,
    door_lines,
    lines_of_square_doors,
    wall_sides_facing_rooms,
)
from .foreign_json import (
    Table,
    list_at,
    number_at,
    parse_json_table,
    require_list,
    require_table,
    shorten_value,
    table_at,
)

if TYPE_CHECKING:
    from ..tabletop.data import BoardKept

FORMAT = 0.3
WHITE = Ambient().color
_OWN_KEY = "strike"
_LINES = ("line_of_sight", "objects_line_of_sight", "portals")
"""The keys of a file that show whether it is still as strike wrote it."""


def looks_like_uvtt(raw: bytes) -> bool:
    """Return whether a file's content looks like Universal VTT."""
    return b'"pixels_per_grid"' in raw


def read_uvtt(raw: bytes, name: str) -> MapFile:
    """Return the map in a Universal VTT file. Raises CampaignProblem with the fault in the file."""
    try:
        return _UvttReader(parse_json_table(raw)).build_map_file()
    except ValueError as error:
        raise CampaignProblem(
            f"{name} is not a readable Universal VTT file: {error}.", "Export it again from the map editor."
        ) from None


class _UvttReader:
    """The parser of one Universal VTT file."""

    def __init__(self, data: Table) -> None:
        self.data = data
        if "resolution" not in data:
            raise ValueError("`resolution` is missing")
        resolution = table_at(data, "resolution")
        self.origin = _parse_point(resolution.get("map_origin", {"x": 0, "y": 0}), "resolution.map_origin")
        self.size = _parse_point(resolution.get("map_size"), "resolution.map_size")
        self.pixels = number_at(resolution, "pixels_per_grid", "resolution.pixels_per_grid", 70)
        if not (min(self.size) > 0 and max(self.size) <= LARGEST):
            wide, high = self.size
            raise ValueError(
                f"resolution.map_size is {wide:g} x {high:g} squares, and {LARGEST} a side is the most"
            )
        if not 0 < self.pixels <= 10_000:
            raise ValueError(f"resolution.pixels_per_grid is {self.pixels:g}, and should be from 1 to 10000")
        self.left_out: Counter[str] = Counter()
        self.notes: list[str] = []

    def build_map_file(self) -> MapFile:
        data = self.data
        walls, objects = self._read_lines("line_of_sight"), self._read_lines("objects_line_of_sight")
        portals, lamps = list_at(data, "portals"), list_at(data, "lights")
        check_map_complexity(sum(map(len, [*walls, *objects])), len(portals), len(lamps))
        doors = [*filter(None, map(self._read_door, range(len(portals)), portals))]
        lights = [*filter(None, map(self._read_light, range(len(lamps)), lamps))]
        gone = [pluralize(count, what) for what, count in self.left_out.items() if count]
        if gone:
            self.notes.append(f"Left out, since beyond the map's edge: {', '.join(gone)}.")
        image = self._decode_picture(data.get("image"))
        columns, rows = map(ceil, self.size)
        found = MapFile(
            columns, rows, self.pixels, cut_walls_at_doors(self._clip_to_map(walls), doors), doors, image,
            lights, self._read_ambient_and_whether_baked(), place=(0, 0, *self.size),
            maybe_windows=any(door.open for door in doors),
        )  # fmt: skip
        if rocks := cut_walls_at_doors(self._clip_to_map(objects), doors):
            found = found._replace(see_through_walls=rocks, terrain_walls=rocks)
            self.notes.append(
                f"{pluralize(len(rocks), 'outline')} of objects (trees, rocks): "
                "you see into them, not through."
            )
        return _with_own_additions_if_unchanged(found, data)._replace(notes=self.notes)

    def _read_lines(self, key: str) -> list[list[Point]]:
        return [
            [
                self._point_from_map_corner(point, f"{key}[{n}][{at}]")
                for at, point in enumerate(require_list(line, f"{key}[{n}]"))
            ]
            for n, line in enumerate(list_at(self.data, key))
        ]

    def _point_from_map_corner(self, value: object, where: str) -> Point:
        x, y = _parse_point(value, where)
        return round(x - self.origin[0], 2), round(y - self.origin[1], 2)

    def _clip_to_map(self, lines: Sequence[Sequence[Point]]) -> list[Polyline]:
        """Return the parts of lines that are on the map; count the lines that are wholly outside."""
        found: list[Polyline] = []
        for line in lines:
            pieces = [clip_line_to_map(a, b, *self.size) for a, b in pairwise(line) if a != b]
            for number_, piece in enumerate(pieces):
                if piece and (number_ == 0 or not found):
                    found.append([*piece])
                elif piece:
                    append_or_extend_wall_line(found, piece)
            self.left_out["wall"] += bool(pieces) and not any(pieces)
        return found

    def _read_door(self, n: int, portal: object) -> MapDoor | None:
        where = f"portals[{n}]"
        of = require_table(portal, where)
        if "bounds" not in of:
            raise ValueError(f"there is no {where}.bounds")
        bounds = list_at(of, "bounds", where)
        if len(bounds) != 2:
            raise ValueError(f"{where}.bounds has {pluralize(len(bounds), 'point')}, not two")
        start, end = (
            self._point_from_map_corner(point, f"{where}.bounds[{at}]") for at, point in enumerate(bounds)
        )
        if not (self._is_on_map(start) or self._is_on_map(end)):
            self.left_out["door"] += 1
            return None
        return MapDoor(start, end, not of.get("closed", True))

    def _is_on_map(self, point: Point) -> bool:
        return 0 <= point[0] <= self.size[0] and 0 <= point[1] <= self.size[1]

    def _read_light(self, n: int, light: object) -> Light | None:
        where = f"lights[{n}]"
        try:
            of = require_table(light, where)
            at = self._point_from_map_corner(of.get("position"), f"{where}.position")
            reach, intensity = (number_at(of, key, f"{where}.{key}", 1) for key in ("range", "intensity"))
            for key, value in (("range", reach), ("intensity", intensity)):
                if not 0 <= value <= FARTHEST:
                    raise ValueError(f"{where}.{key} is {value:g}, and should be from 0 to {FARTHEST}")
        except ValueError as error:
            self.notes.append(f"A light is left out, since it can't be read: {error}.")
            return None
        if not self._is_on_map(at):
            self.left_out["light"] += 1
            return None
        color = self._read_argb_or_white(of.get("color"), f"{where}.color")
        return Light(at, reach, color, intensity, bool(of.get("shadows", True)))

    def _read_ambient_and_whether_baked(self) -> Ambient:
        of = table_at(self.data, "environment")
        color = self._read_argb_or_white(of.get("ambient_light"), "environment.ambient_light")
        return Ambient(color, bool(of.get("baked_lighting", True)))

    def _read_argb_or_white(self, value: object, where: str) -> str:
        """Return a colour of the file in the form AARRGGBB; white if there is no colour.

        A colour in the form RRGGBB becomes opaque. An invalid colour becomes white, and is noted.
        """
        given = str(value or WHITE).removeprefix("#").lower()
        color = given if len(given) == 8 else f"ff{given}"
        if is_argb_color_without_hash(color):
            return color
        self.notes.append(
            f"{where} is {shorten_value(value)}, not a colour such as AARRGGBB; the light is white."
        )
        return WHITE

    def _decode_picture(self, text: object) -> bytes:
        """Return the content of the file's picture; b"" if there is none, or if it can't be read.

        A picture that can't be read is only noted, since the walls are useful without it.
        """
        from base64 import b64decode

        if not text:
            return b""
        try:
            written = text if isinstance(text, str) else ""
            image = b64decode(written.partition("base64,")[2] or written, validate=False)
        except ValueError:
            image = b""
        if not image_extension(image):
            self.notes.append("Its picture can't be read, and is left out.")
            return b""
        return image


def _parse_point(value: object, where: str) -> Point:
    if isinstance(value, list) and len(value) == 2:
        value = dict(zip("xy", value, strict=True))
    of = require_table(value, where)
    return number_at(of, "x", f"{where}.x"), number_at(of, "y", f"{where}.y")


def image_extension(image: bytes) -> str:
    """Return the extension for a picture's file: png, jpg or webp; "" for any other picture."""
    return media_type_or_empty(image).partition("/")[2].replace("jpeg", "jpg")


def _with_own_additions_if_unchanged(map_file: MapFile, data: Table) -> MapFile:
    """Return a map with the additions that strike stores in the file's own key, such as kinds of walls.

    If another program has changed the walls or doors of the file since, the additions no longer fit. Then
    return `map_file` unchanged.
    """
    ours = data.get(_OWN_KEY)
    if not isinstance(ours, Mapping):
        return map_file
    try:
        board = cast("BoardKept", {key: ours[key] for key in ("rows", "doors", *WALL_KINDS) if key in ours})
        if any(set(row) - LEGEND.keys() for row in board["rows"]) or any(
            json.loads(json.dumps(_walls_and_doors_json(board)[key])) != data.get(key) for key in _LINES
        ):
            return map_file
        doors = door_lines(board.get("doors", ()))
        kinds = {
            kind: cut_walls_at_doors([[(x, y) for x, y in line] for line in ours.get(kind, ())], doors)
            for kind in WALL_KINDS
        }
        rows = tuple(board["rows"])
        x, y, wide, high = map_file.place or (0, 0, 0, 0)
        left, top = (
            number_at(table_at(table_at(data, "resolution"), "map_origin"), axis, axis) for axis in "xy"
        )
        lights = [
            light._replace(at=(round(light.at[0] + left, 2), round(light.at[1] + top, 2)))
            for light in map_file.lights
        ]
        map_file = map_file._replace(
            width=max(map(len, rows)), height=len(rows), rows=rows, doors=doors, lights=lights,
            place=(x + left, y + top, wide, high), maybe_windows=False,
        )  # fmt: skip
        return map_file._replace(
            walls=kinds["walls"], one_way_walls=kinds["one_way_walls"], see_through_walls=kinds[SEE_THROUGH],
            walk_through_walls=kinds[WALK_THROUGH], terrain_walls=kinds[TERRAIN],
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return map_file


# --- writing


def encode_uvtt(board: BoardKept, image: bytes, pixels: float) -> bytes:
    """Return the content of a Universal VTT file with a map and its picture.

    `pixels` is the length of a square's side in the picture.
    """
    from base64 import b64encode

    ambient = board.get("ambient", {})
    # Everything counts from the map's origin, which is the picture's corner.
    place = picture_place_on_map(board["rows"], image, board.get("image"))
    data = {
        "format": FORMAT,
        "resolution": {
            "map_origin": {"x": place["x"], "y": place["y"]},
            "map_size": {"x": place["width"], "y": place["height"]},
            "pixels_per_grid": pixels,
        },
        **_walls_and_doors_json(board),
        "environment": {
            "baked_lighting": ambient.get("baked", True),
            "ambient_light": ambient.get("color", WHITE),
        },
        "lights": [
            {
                "position": {"x": light["at"][0], "y": light["at"][1]},
                "range": light["range"],
                "intensity": light.get("intensity", 1),
                "color": light.get("color", WHITE),
                "shadows": light.get("shadows", True),
            }
            for light in board.get("lights", ())
        ],
        "image": b64encode(image).decode("ascii"),
        _OWN_KEY: {key: value for key, value in board.items() if key in ("rows", "doors", *WALL_KINDS)},
    }
    return json.dumps(data, allow_nan=False).encode()


def _walls_and_doors_json(board: BoardKept) -> dict[str, list[object]]:
    """Return the map's walls and doors as the Universal VTT format has them.

    The format has only plain walls and objects. Terrain walls become objects, and other walls become plain
    walls.
    """
    of = cast("Mapping[str, Sequence[Sequence[Sequence[float]]]]", board)
    grid = Grid(board["rows"])
    doors = door_lines(board.get("doors", ()))
    terrain = of.get(TERRAIN, ())
    plain = [
        [(x, y) for x, y in wall]
        for kind in WALL_KINDS
        for wall in of.get(kind, ())
        if kind != TERRAIN and not (kind == SEE_THROUGH and wall in terrain)
    ]
    objects = cut_walls_at_doors([[(x, y) for x, y in wall] for wall in terrain], doors)
    return {
        "line_of_sight": _point_tables([*cut_walls_at_doors(plain, doors), *wall_sides_facing_rooms(grid)]),
        "objects_line_of_sight": _point_tables(objects),
        "portals": [_portal_table(door) for door in [*doors, *lines_of_square_doors(grid)]],
    }


def _point_tables(lines: Sequence[Polyline]) -> list[object]:
    return [[{"x": x, "y": y} for x, y in line] for line in lines]


def _portal_table(door: MapDoor) -> dict[str, object]:
    from math import atan2

    (ax, ay), (bx, by) = door.start, door.end
    return {
        "position": {"x": round((ax + bx) / 2, 3), "y": round((ay + by) / 2, 3)},
        "bounds": [{"x": ax, "y": ay}, {"x": bx, "y": by}],
        "rotation": round(atan2(by - ay, bx - ax), 6),
        "closed": not door.open,
        "freestanding": False,
    }


UVTT = MapFormat(
    "Universal VTT",
    read_uvtt,
    encode_uvtt,
    one_way=True,
    half=True,
    plain_elsewhere=True,
    recognizes=looks_like_uvtt,
)
