"""Scenes exported by Foundry VTT 8 to 14 (`fvtt-Scene-*.json`): walls, doors and lights.

`read_foundry_scene` reads a scene, and `encode_foundry_scene` writes one. Foundry's lengths are pixels of the
canvas, from the corner of the padding around the picture. strike's lengths are squares, from the top left
corner of the map.

A wall of Foundry can have a direction. If its `dir` is 1, it stops movement from the left, as our one-way
walls do. If its `dir` is 2, it stops movement from the right. If something has no exact counterpart, it
becomes the nearest thing, and `notes` says so.

A scene is a building if it has `levels` (version 14), or the flags of the modules Levels and Wall Height.
Each level becomes a map of its own.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, inf
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from ..problems import CampaignProblem
from ..tabletop.campaign_pictures import is_argb_color_without_hash, picture_place_on_map
from ..tabletop.foreign_map_files import (
    Ambient,
    Light,
    MapDoor,
    MapFile,
    MapFormat,
    Point,
    Polyline,
    Stairs,
    check_map_complexity,
    require_finite,
)
from ..tabletop.foundry_walls_and_lights import light_documents, wall_and_door_documents
from ..tabletop.squares_and_lines import FARTHEST, LARGEST, format_square
from ..tabletop.wall_and_door_lines import append_or_extend_wall_line, clip_line_to_map
from .foreign_json import (
    Table,
    list_at,
    number_at,
    parse_json_table,
    require_number,
    require_table,
    short_printable_name,
    shorten_value,
    table_at,
)

if TYPE_CHECKING:
    from ..tabletop.data import BoardKept

_SNAP = 0.02
"""The greatest distance, in squares, at which a point is snapped to the side of a square."""
_PADDING = 0.25
"""The default padding, as a share of a scene's width and height."""
_ON_SQUARES = 1
_OPEN, _LOCKED = 1, 2
_SECRET = 2
_FROM_RIGHT = 2
_WHOLLY = (1, 20)
"""The value for a wall that stops everything: up to version 8, and since."""
_BY_DISTANCE = (30, 40)
"""The settings of a Foundry wall that make it a window: transparent from near, or from afar."""
_SOME, _FROM_AFAR = 0.5, 0.25
"""The share of sight that walls stop which are neither open nor closed to it."""
_DARKEST = 0x30
"""Red, green and blue of the darkness at Foundry's full darkness level."""

_NOTES = {
    "hexes": ("Its hexes become squares of the same size.",) * 2,
    "near": (
        "1 window that is transparent only from nearby is always transparent here.",
        "{} windows that are transparent only from nearby are always transparent here.",
    ),
    "one-way half": (
        "1 one-way wall that stops only steps or only sight stops both here.",
        "{} one-way walls that stop only steps or only sight stop both here.",
    ),
    "nothing": (
        "1 wall that stops neither steps nor sight is left out.",
        "{} walls that stop neither steps nor sight are left out.",
    ),
    "outside": ("1 wall beyond the map's edge is left out.", "{} walls beyond the map's edge are left out."),
    "light outside": (
        "1 light beyond the map's edge is left out.",
        "{} lights beyond the map's edge are left out.",
    ),
    "turned": ("Its picture is rotated or mirrored in Foundry; here it is not.",) * 2,
    "secret": (
        "1 secret door becomes a wall, since players see doors: when it is found, add it to `doors`.",
        "{} secret doors become walls, since players see doors: when one is found, add it to `doors`.",
    ),
    "locked": (
        "1 locked door is only closed: strike has no locks.",
        "{} locked doors are only closed: strike has no locks.",
    ),
    "one-way door": ("1 one-way door works from both sides.", "{} one-way doors work from both sides."),
    "dark light": (
        "1 light that is switched off, or spreads darkness, is left out.",
        "{} lights that are switched off, or spread darkness, are left out.",
    ),
    "beam": (
        "1 light that shines one way shines all around.",
        "{} lights that shine one way shine all around.",
    ),
}
"""The notes about simplified things: in the singular, in the plural."""


def looks_like_foundry_scene(raw: bytes) -> bool:
    """Return whether a file's content looks like a Foundry scene."""
    return b'"walls"' in raw and b'"grid"' in raw and b'"pixels_per_grid"' not in raw


def read_foundry_scene(raw: bytes, name: str) -> MapFile:
    """Return the map in a Foundry scene.

    If the scene has several levels, the map is that of the initial level. If no level is marked as the
    initial one, it is the map of the ground floor. `levels` of the result then has the maps of all levels. If
    the file is faulty, CampaignProblem is raised and names the fault.
    """
    try:
        scene = parse_json_table(raw)
        levels = _read_levels_of_building(scene)
        if len(levels) < 2:
            return _SceneReader(scene, levels[0] if levels else None).build_map_file()
        files = [_SceneReader(scene, level, levels).build_map_file() for level in levels]
        first = next((n for n, level in enumerate(levels) if level.id == scene.get("initialLevel")), None)
        if first is None:  # the lowest that isn't below the ground
            ground = [n for n, level in enumerate(levels) if level.bottom >= 0] or [len(levels) - 1]
            first = min(ground, key=lambda n: levels[n].bottom)
        return files[first]._replace(levels=files)
    except ValueError as error:
        raise CampaignProblem(
            f"{name} is not a readable Foundry scene: {error}.",
            "In Foundry, right-click the scene, choose Export Data, and use that file.",
        ) from None


class _Level(NamedTuple):
    """A level of a building in a Foundry scene: its name, its lowest and its highest height.

    `picture` is the table in the scene's file that contains the level's picture. If `by_id` is True, walls
    and lights name their level by its id; Foundry does so since its version 14. If `by_id` is False, the
    heights of a wall or light decide.
    """

    id: str
    name: str
    bottom: float
    top: float
    by_id: bool
    picture: Table


def _read_levels_of_building(scene: Table) -> list[_Level]:
    """Return the levels of a Foundry scene; [] if it isn't divided into levels.

    The levels of Foundry 14 are in the file's order. Levels of a Foundry module are sorted from the lowest to
    the highest.
    """
    found = []
    for n, each in enumerate(list_at(scene, "levels")):
        level = require_table(each, f"levels[{n}]")
        heights = table_at(level, "elevation", f"levels[{n}]")
        bottom, top = (_lenient_number_at(heights, key, end) for key, end in (("bottom", -inf), ("top", inf)))
        name = short_printable_name(level.get("name")) or f"Level {n + 1}"
        found.append(_Level(str(level.get("_id", "")), name, bottom, top, True, level))
    if found:
        return found
    told = _module_flags(scene, "levels").get(
        "sceneLevels"
    )  # of the module Levels: [[bottom, top, name], ...]
    for each in told if isinstance(told, list) else ():
        bottom, top, name = (*each[:3], "", "", "")[:3] if isinstance(each, list) else ("", "", "")
        heights = {"bottom": bottom, "top": top}
        low, high = _lenient_number_at(heights, "bottom", -inf), _lenient_number_at(heights, "top", inf)
        found.append(_Level("", short_printable_name(name) or f"{low:g} to {high:g}", low, high, False, {}))
    if not found:  # of Wall Height alone: walls say how high they begin
        begins = {
            _height_range_of_document(wall)[0]
            for wall in list_at(scene, "walls")
            if isinstance(wall, Mapping)
        } - {-inf}
        for low, high in pairwise([*sorted(begins), inf]) if len(begins) > 1 else ():
            found.append(_Level("", f"From {low:g} up", low, high, False, {}))
    return sorted(found, key=lambda level: level.bottom)


def _lenient_number_at(table: Table, key: str, otherwise: float) -> float:
    """Return the height under a key, which modules may write as text.

    If the value isn't a sensible number, return `otherwise`.
    """
    try:
        value = float(str(table.get(key, "")))
    except ValueError:
        return otherwise
    return value if abs(value) < 1e9 else otherwise


def _height_range_of_document(document: Table) -> tuple[float, float]:
    """Return the lowest and the highest height of a wall, light or tile in a Foundry scene.

    They are read from the data of the modules Wall Height and Levels, or else from `elevation`. A height that
    isn't set is infinite.
    """
    own: dict[str, object] = {"bottom": document.get("elevation")}
    for flags, bottom, top in (
        (_module_flags(document, "levels"), "rangeBottom", "rangeTop"),
        (_module_flags(document, "wall-height"), "bottom", "top"),
    ):
        own |= {key: flags[word] for key, word in (("bottom", bottom), ("top", top)) if word in flags}
    return _lenient_number_at(own, "bottom", -inf), _lenient_number_at(own, "top", inf)


class _CanvasGrid(NamedTuple):
    """The grid of squares on the canvas.

    `left` and `top` are its corner in pixels, `side` is the side of a square in pixels. `columns` and `rows`
    are its size in squares.
    """

    left: float
    top: float
    side: float
    columns: int
    rows: int

    def to_squares(self, x: float, y: float) -> Point:
        """Return a point of the canvas in squares, snapped to the side of a square if it is very near."""
        return _snap_to_side((x - self.left) / self.side), _snap_to_side((y - self.top) / self.side)


def _snap_to_side(squares: float) -> float:
    return float(round(squares)) if abs(squares - round(squares)) <= _SNAP else round(squares, 2)


class _SceneReader:
    """The reader of one scene, or of one level of it. Every ValueError names the key at fault."""

    def __init__(self, scene: Table, level: _Level | None = None, levels: list[_Level] | None = None) -> None:
        self.scene, self.level, self.levels = scene, level, levels or []
        self.told: Counter[str] = Counter()
        self.odd: list[str] = []
        self.picture = (0.0, 0.0, 0.0, 0.0)
        """The place of the scene's picture: left, top, width and height, in pixels of the canvas."""
        self.place = self._read_grid_and_picture_place()
        self.walls: list[Polyline] = []
        self.one_way: list[Polyline] = []
        self.see_through: list[Polyline] = []
        self.walk_through: list[Polyline] = []
        self.terrain: list[Polyline] = []
        self.doors: list[MapDoor] = []

    def build_map_file(self) -> MapFile:
        walls, lamps = list_at(self.scene, "walls"), list_at(self.scene, "lights")
        check_map_complexity(2 * len(walls), 0, len(lamps))
        for n, each in enumerate(walls):
            wall = require_table(each, f"walls[{n}]")
            if self._is_on_level(wall):
                self._add_wall_or_door(wall, f"walls[{n}]")
        lights = [*self._read_lights(lamps)]
        place = self.place
        picture, lies = self._picture_name_and_place_in_squares()
        notes = [_NOTES[what][count > 1].format(count) for what, count in self.told.items()]
        return MapFile(
            place.columns, place.rows, place.side, self.walls, self.doors, b"", lights,
            self._read_ambient_and_whether_baked(bool(lights)), self.one_way, picture,
            short_printable_name(self.scene.get("name")),
            [*notes, *self.odd], self.see_through, self.walk_through, self.terrain, lies,
            level=self.level.name if self.level else "", stairs=[*self._read_stairs()],
        )  # fmt: skip

    def _is_on_level(self, document: Table) -> bool:
        """Return whether a wall, a light or a region (`document`) is on this level of a building.

        If the scene has no levels, the result is True. If its levels have ids, the document's own list of
        levels decides. A document without such a list is on every level. If the levels have no ids, the
        document's heights decide.
        """
        level = self.level
        if level is None:
            return True
        if level.by_id:
            named = document.get("levels")
            return not isinstance(named, list) or not named or level.id in named
        bottom, top = _height_range_of_document(document)
        return bottom < level.top and (top > level.bottom or bottom == level.bottom)

    def _read_stairs(self) -> Iterator[Stairs]:
        """Yield the stairs of a level: their squares, and the names of the levels to which they lead.

        Stairs are regions of the scene that change the level. Foundry has such regions since version 14. A
        scene without levels has no stairs.
        """
        for each in list_at(self.scene, "regions") if self.level else ():
            region = each if isinstance(each, Mapping) else {}
            deeds = [deed.get("type") for deed in _tables_in(region, "behaviors")]
            if "changeLevel" not in deeds or not self._is_on_level(region) or not self.level:
                continue
            named = region.get("levels")
            named = named if isinstance(named, list) and named else [level.id for level in self.levels]
            to = [level.name for level in self.levels if level.id in named and level is not self.level]
            squares = {
                square for shape in _tables_in(region, "shapes") for square in self._squares_in_box_of(shape)
            }
            if to and squares:
                yield Stairs(to, [*map(format_square, sorted(squares, key=lambda at: at[::-1]))])

    def _squares_in_box_of(self, shape: Table) -> Iterator[tuple[int, int]]:
        """Yield the squares whose middle is in the box around a shape."""
        points = shape.get("points")
        numbers = points if isinstance(points, list) else []
        if not numbers:
            left, top = (_lenient_number_at(shape, key, 0) for key in ("x", "y"))
            wide, high = (
                _lenient_number_at(shape, key, 0) or 2 * _lenient_number_at(shape, f"radius{axis}", 0)
                for key, axis in (("width", "X"), ("height", "Y"))
            )
            centred = 0.5 if "radiusX" in shape else 0
            left, top = left - wide * centred, top - high * centred
            numbers = [left, top, left + wide, top + high]
        if len(numbers) < 2 or not all(isinstance(each, int | float) for each in numbers):
            return
        xs, ys = ([require_finite(each) for each in numbers[begin::2]] for begin in (0, 1))
        (left, top), (right, down) = (
            self.place.to_squares(min(xs), min(ys)),
            self.place.to_squares(max(xs), max(ys)),
        )
        for y in range(self.place.rows):
            for x in range(self.place.columns):
                if left <= x + 0.5 <= right and top <= y + 0.5 <= down:
                    yield x, y

    # --- positions

    def _read_grid_and_picture_place(self) -> _CanvasGrid:
        """Return the grid of squares. A1 begins at the grid line nearest to the picture's corner.

        Also set `self.picture`, the place of the scene's picture.
        """
        scene = self.scene
        grid, background = self._grid_settings(), table_at(scene, "background")
        side = number_at(grid, "size", "grid.size", 100)
        size = number_at(scene, "width", "width"), number_at(scene, "height", "height")
        if not 10 <= side <= 10_000:
            raise ValueError(f"grid is {side:g} pixels, which is not a square's size")
        padding = number_at(scene, "padding", "padding", _PADDING)
        begins = []
        for long, axis in zip(size, "XY", strict=True):
            offset = number_at(background, f"offset{axis}", f"background.offset{axis}", 0)
            offset = offset or number_at(scene, f"shift{axis}", f"shift{axis}", 0)
            begins.append(ceil(padding * long / side) * side - offset)
        self.picture = (begins[0], begins[1], *size)
        left, top = (round(begin / side) * side for begin in begins)
        columns, rows = (
            ceil((begin + long - corner) / side - _SNAP)
            for begin, long, corner in zip(begins, size, (left, top), strict=True)
        )
        if not (0 < columns <= LARGEST and 0 < rows <= LARGEST):
            raise ValueError(
                f"width and height make {columns} x {rows} squares; at most {LARGEST} are allowed"
            )
        self._count_simplification("hexes", number_at(grid, "type", "grid.type", 1) > _ON_SQUARES)
        return _CanvasGrid(left, top, side, columns, rows)

    def _grid_settings(self) -> Table:
        """Return the settings of the scene's grid as a table.

        Up to version 9 of Foundry, these settings were keys of the scene itself.
        """
        scene, grid = self.scene, self.scene.get("grid")
        if isinstance(grid, Mapping):
            return grid
        return {"size": grid, "type": scene.get("gridType"), "distance": scene.get("gridDistance")}

    def _picture_name_and_place_in_squares(self) -> tuple[str, tuple[float, float, float, float]]:
        """Return the name of the picture's file ("" for none), and its place and size in squares."""
        scene, of = self.scene, self.level.picture if self.level else {}
        left, top, wide, high = self.picture
        textures = table_at(of, "textures", "level")
        scales = [number_at(textures, f"scale{axis}", f"textures.scale{axis}", 1) for axis in "XY"]
        self._count_simplification(
            "turned", number_at(textures, "rotation", "textures.rotation", 0) % 360 != 0 or min(scales) < 0
        )
        for axis, scale in zip("XY", map(abs, scales), strict=True):
            away = number_at(textures, f"offset{axis}", f"textures.offset{axis}", 0)
            anchor = number_at(textures, f"anchor{axis}", f"textures.anchor{axis}", 0.5)
            if axis == "X":
                left, wide = left + away + wide * anchor * (1 - scale), wide * scale
            else:
                top, high = top + away + high * anchor * (1 - scale), high * scale
        paths = [table_at(scene, "background").get("src"), scene.get("img")]
        if self.level and self.level.by_id:
            paths = [table_at(of, "background", "level").get("src")]
        elif self.level and (tile := self._floor_tile()):
            paths = [table_at(tile, "texture", "tile").get("src"), tile.get("img")]
            left, top, wide, high = (
                number_at(tile, key, f"tile.{key}") for key in ("x", "y", "width", "height")
            )
        elif self.level:
            height = _lenient_number_at(_module_flags(scene, "levels"), "backgroundElevation", 0)
            paths = paths if self.level.bottom <= height < self.level.top else []
        name = next(
            (
                short_printable_name(PurePosixPath(unquote(path)).name)
                for path in paths
                if path and isinstance(path, str)
            ),
            "",
        )
        place = self.place
        if min(wide, high) <= 0:
            wide, high = self.picture[2:]
        lies = (left - place.left) / place.side, (top - place.top) / place.side
        return name, (*lies, wide / place.side, high / place.side)

    def _floor_tile(self) -> Table | None:
        """Return the largest tile at the height of this level, which is its floor in the module Levels.

        Return None if there is no such tile.
        """
        tiles = [
            tile
            for tile in _tables_in(self.scene, "tiles")
            if self.level and _height_range_of_document(tile)[0] == self.level.bottom > -inf
            and _lenient_number_at(tile, "width", 0) * _lenient_number_at(tile, "height", 0) > 0
        ]  # fmt: skip
        return max(
            tiles,
            key=lambda tile: _lenient_number_at(tile, "width", 0) * _lenient_number_at(tile, "height", 0),
            default=None,
        )

    # --- walls and doors

    def _add_wall_or_door(self, wall: Table, where: str) -> None:
        ends = wall.get("c")
        if not isinstance(ends, list) or len(ends) != 4:
            raise ValueError(f"{where}.c is {shorten_value(ends)}, not four numbers")
        x, y, far_x, far_y = (require_number(each, f"{where}.c") for each in ends)
        a, b = self.place.to_squares(x, y), self.place.to_squares(far_x, far_y)
        inside = clip_line_to_map(a, b, self.place.columns, self.place.rows)
        if a == b:
            return
        if inside is None:
            self._count_simplification("outside")
            return
        kind, way, state = (int(number_at(wall, key, f"{where}.{key}", 0)) for key in ("door", "dir", "ds"))
        if kind and (kind != _SECRET or state == _OPEN):
            self._count_simplification("locked", state == _LOCKED)
            self._count_simplification("one-way door", way != 0)
            self.doors.append(MapDoor(*inside, state == _OPEN))
            return
        steps, sight = (_blocking_share(wall, keys, where) for keys in (("move",), ("sight", "sense")))
        if not kind and not steps and not sight:
            self._count_simplification("nothing")
            return
        self._count_simplification("secret", kind != 0)
        self._count_simplification("near", not kind and sight == _FROM_AFAR)
        for lines in self._line_lists_for_blocking_wall(kind, way, steps, sight):
            append_or_extend_wall_line(lines, inside[::-1] if way == _FROM_RIGHT else inside)

    def _line_lists_for_blocking_wall(
        self, door_kind: int, direction: int, steps_stopped: float, sight_stopped: float
    ) -> list[list[Polyline]]:
        """Return the lists of lines to which a wall is added, chosen by what the wall stops.

        There is one list, except for a terrain wall that also stops steps: it becomes two walls. A secret
        door counts as a wall.

        Args:
            door_kind: 0 for a plain wall, otherwise the kind of door.
            direction: 0 for a wall that isn't one-way.
            steps_stopped: The share of steps that the wall stops (`_blocking_share`).
            sight_stopped: The share of sight that the wall stops.
        """
        through = not door_kind and sight_stopped != 1
        half = not door_kind and (through or not steps_stopped)
        self._count_simplification("one-way half", bool(half and direction))
        if direction:
            return [self.one_way]
        if not half:
            return [self.walls]
        if sight_stopped == _SOME:
            return [self.terrain, *([self.see_through] if steps_stopped else [])]
        return [self.see_through if through else self.walk_through]

    def _count_simplification(self, kind: str, condition: bool = True) -> None:
        """Count a simplification of the kind `kind` for the map's notes, if `condition` is true."""
        if condition:
            self.told[kind] += 1

    # --- light

    def _read_lights(self, lamps: list[object]) -> Iterator[Light]:
        units = number_at(self._grid_settings(), "distance", "grid.distance", 1) or 1
        for n, each in enumerate(lamps):
            where = f"lights[{n}]"
            try:
                light = require_table(each, where)
                if self._is_on_level(light) and (found := self._read_light(light, where, units)):
                    yield found
            except ValueError as error:
                self.odd.append(f"A light is left out, since it can't be read: {error}.")

    def _read_light(self, light: Table, where: str, units: float) -> Light | None:
        at = self.place.to_squares(*(number_at(light, key, f"{where}.{key}") for key in ("x", "y")))
        own = f"{where}.config" if "config" in light else where
        config = table_at(light, "config", where) if "config" in light else light
        far = [number_at(config, key, f"{own}.{key}", 0) for key in ("dim", "bright")]
        reach = max(far) / units
        if light.get("hidden") is True or config.get("negative") is True or min(far) < 0:
            self._count_simplification("dark light")
            return None
        if reach <= 0:
            return None
        if not (0 <= at[0] <= self.place.columns and 0 <= at[1] <= self.place.rows):
            self._count_simplification("light outside")
            return None
        if reach > FARTHEST:
            raise ValueError(f"{own}.dim reaches {reach:g} squares; at most {FARTHEST} are allowed")
        self._count_simplification("beam", number_at(config, "angle", f"{own}.angle", 360) < 360)
        alpha = "tintAlpha" if "tintAlpha" in config else "alpha"
        strength = min(max(number_at(config, alpha, f"{own}.{alpha}", 0.5), 0), 1) * 2
        color = self._read_argb_or_white(config.get("color") or config.get("tintColor"), f"{own}.color")
        return Light(at, round(reach, 2), color, round(strength, 2), light.get("walls") is not False)

    def _read_argb_or_white(self, value: object, where: str) -> str:
        """Return the colour `#rrggbb` as AARRGGBB, or white if there is no colour.

        An invalid colour also becomes white, and is noted.
        """
        color = f"ff{str(value or 'ffffff').removeprefix('#').lower()}"
        if is_argb_color_without_hash(color):
            return color
        self.odd.append(
            f"{where} is {shorten_value(value)}, not a colour such as #rrggbb; the light is white."
        )
        return "ffffffff"

    def _read_ambient_and_whether_baked(self, has_lights: bool) -> Ambient:
        """Return the scene's ambient light; `has_lights` says whether the scene has lights.

        If the scene has lights or is dark, its picture counts as drawn without light.
        """
        of_old, environment = self.scene.get("darkness"), table_at(self.scene, "environment")
        dark = number_at(environment, "darknessLevel", "environment.darknessLevel", 0)
        if not environment and of_old is not None:
            dark = require_number(of_old, "darkness")
        if not 0 <= dark <= 1:
            key = "environment.darknessLevel" if environment else "darkness"
            raise ValueError(f"{key} is {dark:g}, and should be from 0 to 1")
        shade = f"{round(255 - dark * (255 - _DARKEST)):02x}"
        return Ambient(f"ff{shade * 3}", baked=not (has_lights or dark))


# --- values


def _blocking_share(wall: Table, keys: tuple[str, ...], where: str) -> float:
    """Return how much of a movement or of a view a wall stops, from 0 (nothing) to 1 (all).

    The answer is read from the first of `keys` that the wall has. A wall with none of these keys stops all.
    If the wall stops only a part, the result is `_SOME`. If the distance decides what the wall stops, the
    result is `_FROM_AFAR`.
    """
    key = next((key for key in keys if key in wall), "")
    if not key:
        return 1
    kind = number_at(wall, key, f"{where}.{key}", 0)
    return 0 if kind == 0 else 1 if kind in _WHOLLY else _FROM_AFAR if kind in _BY_DISTANCE else _SOME


def _tables_in(table: Table, key: str) -> list[Table]:
    """Return the tables in the list under a key; [] if there is no list."""
    found = table.get(key)
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []


def _module_flags(document: Table, *keys: str) -> Table:
    """Return a table from a Foundry document's flags, or {} if the document has no such table.

    The first of `keys` is the name of a module. The next keys lead to tables inside the module's flags.
    """
    for key in ("flags", *keys):
        found = document.get(key)
        document = found if isinstance(found, Mapping) else {}
    return document


# --- writing

_SIDE = 100
"""Pixels to a square: a hundredth of a square is a whole pixel, as coordinates of walls have to be."""


def encode_foundry_scene(board: BoardKept, image: bytes, pixels: float) -> bytes:
    """Return a map as a scene for Foundry, in the format of Foundry 12. Foundry 10 to 14 can import it.

    The scene refers to the map's picture by the file name that the map gives. The picture itself isn't
    included.
    """
    image_ = board.get("image")
    place = picture_place_on_map(board["rows"], image, image_)
    width, height = round(place["width"] * _SIDE), round(place["height"] * _SIDE)
    corner = [ceil(_PADDING * long / _SIDE) * _SIDE for long in (width, height)]
    ambient = board.get("ambient", {}).get("color", "ffffffff")
    darkness = (255 - int(ambient[2:4], 16)) / (255 - _DARKEST)
    name = PurePosixPath(image_["file"]).stem if image_ else "Map"

    def to_pixels(point: Sequence[float]) -> list[int]:
        return [round(start + each * _SIDE) for start, each in zip(corner, point, strict=True)]

    scene = {
        "name": name,
        "width": width,
        "height": height,
        "padding": _PADDING,
        "background": {
            "src": image_["file"] if image_ else None,
            "offsetX": round(-place["x"] * _SIDE),
            "offsetY": round(-place["y"] * _SIDE),
        },
        "grid": {"type": _ON_SQUARES, "size": _SIDE, "distance": 1, "units": "sq"},
        "environment": {"darknessLevel": round(min(1, max(0, darkness)), 3)},
        "walls": [{**_WALL_DEFAULTS, **wall} for wall in wall_and_door_documents(board, to_pixels)],
        "lights": [{**light, "hidden": False} for light in light_documents(board, to_pixels)],
    }
    return json.dumps(scene, allow_nan=False).encode()


_WALL_DEFAULTS = {"move": 20, "sight": 20, "light": 20, "sound": 20, "dir": 0, "door": 0, "ds": 0}


FOUNDRY_SCENE = MapFormat(
    "Foundry VTT scene",
    read_foundry_scene,
    encode_foundry_scene,
    one_way=True,
    half=True,
    picture_beside=True,
    recognizes=looks_like_foundry_scene,
)
