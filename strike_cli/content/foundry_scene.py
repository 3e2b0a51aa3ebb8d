"""Scenes as Foundry VTT exports them (`fvtt-Scene-*.json`): a map's walls, doors and lights, in the forms of
its versions 8 to 14.

Lengths there are pixels of the canvas, from the corner of the padding around the picture; what is read counts
squares from the map's top left corner. A wall whose `dir` is 1 stops from the left of its direction, as our
one-way walls do; 2 is the right. What a wall or light of ours can't say is read as the nearest thing, and
`notes` tell of it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from math import ceil
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote

from ..problems import CampaignProblem
from ..tabletop.map_file import (
    FARTHEST,
    LARGEST,
    Ambient,
    Light,
    MapDoor,
    MapFile,
    MapFormat,
    Point,
    Polyline,
    check_extent,
    finite,
    is_color,
)

_SNAP = 0.06
"""Squares between a point and the side of a square that it is meant to lie on."""
_PADDING = 0.25
"""Of a scene's width and height around it, where the scene doesn't say."""
_ON_SQUARES = 1
_OPEN, _LOCKED = 1, 2
_SECRET = 2
_FROM_RIGHT = 2
_LONGEST_NAME = 100
_WHOLLY = (1, 20)
"""What stops all of a kind, up to version 8 and since."""
_BY_DISTANCE = (30, 40)
"""Windows: what is near is seen through them, or what is far."""
_SOME, _FROM_AFAR = 0.5, 0.25
"""How far a wall stops sight that is neither open nor closed to it."""
_DARKEST = 0x30
"""Red, green and blue of the dark where Foundry's is complete."""
Table = Mapping[str, object]

_TOLD = {
    "hexes": ("Its hexes are squares here, of the same size.",) * 2,
    "shifted": ("Its picture lies off the squares by less than one: here it begins at a square's corner.",)
    * 2,
    "limited": (
        "1 wall is seen past until there are two (a terrain wall): here it stops sight at once.",
        "{} walls are seen past until there are two (terrain walls): here they stop sight at once.",
    ),
    "near": (
        "1 window is seen through from nearby alone: here from everywhere.",
        "{} windows are seen through from nearby alone: here from everywhere.",
    ),
    "one-way half": (
        "1 one-way wall stops steps alone, or sight alone: here it stops both.",
        "{} one-way walls stop steps alone, or sight alone: here they stop both.",
    ),
    "nothing": (
        "1 wall that stops neither steps nor sight is left out.",
        "{} walls that stop neither steps nor sight are left out.",
    ),
    "outside": ("1 wall beyond the map's edge is left out.", "{} walls beyond the map's edge are left out."),
    "secret": (
        "1 secret door is a wall, as players are shown doors: once it is found, write it among `doors`.",
        "{} secret doors are walls, as players are shown doors: once one is found, write it among `doors`.",
    ),
    "locked": (
        "1 locked door is shut: nothing is locked here.",
        "{} locked doors are shut: nothing is locked here.",
    ),
    "one-way door": (
        "1 one-way door is a door from both sides.",
        "{} one-way doors are doors from both sides.",
    ),
    "dark light": (
        "1 light that is switched off, or spreads darkness, is left out.",
        "{} lights that are switched off, or spread darkness, are left out.",
    ),
    "beam": (
        "1 light that shines one way shines all around.",
        "{} lights that shine one way shine all around.",
    ),
}
"""What is said of what was simplified: for one, for several."""


def read(raw: bytes, name: str) -> MapFile:
    """A scene's map. Raises CampaignProblem, saying what in the file is not as it should be."""
    try:
        return _Reader(json.loads(raw, parse_constant=_no_constant)).map_file()
    except (ValueError, RecursionError) as error:
        what = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise CampaignProblem(
            f"{name} is no scene of Foundry's that can be read: {what}.",
            "In Foundry, right-click the scene, choose Export Data, and take that file.",
        ) from None


def _no_constant(text: str) -> float:
    raise ValueError(f"{text} is no number")


class _GridOrigin(NamedTuple):
    """Where the squares are: the pixels of the first one's corner, and of a side."""

    left: float
    top: float
    side: float
    columns: int
    rows: int

    def at(self, x: float, y: float) -> Point:
        """A point of the canvas in squares; what is meant to lie on a square's side lies on it."""
        return _snapped((x - self.left) / self.side), _snapped((y - self.top) / self.side)

    def within(self, a: Point, b: Point) -> tuple[Point, Point] | None:
        """The piece of a straight line that lies on the map; None where none does."""
        first, last = 0.0, 1.0
        for start, end, most in ((a[0], b[0], self.columns), (a[1], b[1], self.rows)):
            run = end - start
            if run == 0:
                if not 0 <= start <= most:
                    return None
                continue
            enters, leaves = sorted(((0 - start) / run, (most - start) / run))
            first, last = max(first, enters), min(last, leaves)
        if first >= last:
            return None
        return _along(a, b, first), _along(a, b, last)


def _along(a: Point, b: Point, part: float) -> Point:
    return round(a[0] + (b[0] - a[0]) * part, 2), round(a[1] + (b[1] - a[1]) * part, 2)


def _snapped(squares: float) -> float:
    return float(round(squares)) if abs(squares - round(squares)) <= _SNAP else round(squares, 2)


class _Reader:
    """One scene, key by key. Every ValueError names the key."""

    def __init__(self, scene: object) -> None:
        self.scene = _table(scene, "the file")
        self.told: Counter[str] = Counter()
        self.place = self._place()
        self.walls: list[Polyline] = []
        self.one_way: list[Polyline] = []
        self.see_through: list[Polyline] = []
        self.walk_through: list[Polyline] = []
        self.doors: list[MapDoor] = []

    def map_file(self) -> MapFile:
        walls = _list(self.scene, "walls")
        check_extent(2 * len(walls), 0, len(_list(self.scene, "lights")))
        for number, wall in enumerate(walls):
            self._wall(_table(wall, f"walls[{number}]"), f"walls[{number}]")
        lights = [*self._lights()]
        place = self.place
        return MapFile(
            place.columns, place.rows, round(place.side), self.walls, self.doors, b"", lights,
            self._ambient(bool(lights)), self.one_way, self._picture(), _plain(self.scene.get("name")),
            tuple(_TOLD[what][count > 1].format(count) for what, count in self.told.items()),
            self.see_through, self.walk_through,
        )  # fmt: skip

    # --- where things are

    def _place(self) -> _GridOrigin:
        scene = self.scene
        grid, background = self._grid(), _inner(scene, "background")
        side = _number(grid, "size", "grid.size", 100)
        width, height = _number(scene, "width", "width"), _number(scene, "height", "height")
        if not 10 <= side <= 10_000:
            raise ValueError(f"grid is {side:g} pixels, which are no square's")
        padding = _number(scene, "padding", "padding", _PADDING)
        corners = []
        for long, axis in ((width, "X"), (height, "Y")):
            offset = _number(background, f"offset{axis}", f"background.offset{axis}", 0)
            offset = offset or _number(scene, f"shift{axis}", f"shift{axis}", 0)
            begins = ceil(padding * long / side) * side - offset
            corners.append(round(begins / side) * side)
            self._tell("shifted", abs(begins - corners[-1]) > _SNAP * side)
        columns, rows = (ceil(long / side - _SNAP) for long in (width, height))
        if not (0 < columns <= LARGEST and 0 < rows <= LARGEST):
            raise ValueError(f"width and height make {columns} x {rows} squares; {LARGEST} are the most")
        self._tell("hexes", _number(grid, "type", "grid.type", 1) > _ON_SQUARES)
        left, top = corners
        return _GridOrigin(left, top, side, columns, rows)

    def _grid(self) -> Table:
        """What there is of squares; up to version 9 it stood in keys of the scene's own."""
        scene, grid = self.scene, self.scene.get("grid")
        if isinstance(grid, Mapping):
            return grid
        return {"size": grid, "type": scene.get("gridType"), "distance": scene.get("gridDistance")}

    def _picture(self) -> str:
        levels = _list(self.scene, "levels")  # since version 14
        of_level = _inner(_table(levels[0], "levels[0]"), "background") if levels else {}
        for path in (_inner(self.scene, "background").get("src"), of_level.get("src"), self.scene.get("img")):
            if path and isinstance(path, str):
                return _plain(PurePosixPath(unquote(path)).name)
        return ""

    # --- walls and doors

    def _wall(self, wall: Table, where: str) -> None:
        ends = wall.get("c")
        if not isinstance(ends, list) or len(ends) != 4:
            raise ValueError(f"{where}.c is {_short(ends)}, not four numbers")
        x, y, far_x, far_y = (_checked(each, f"{where}.c") for each in ends)
        a, b = self.place.at(x, y), self.place.at(far_x, far_y)
        inside = self.place.within(a, b)
        if a == b:
            return
        if inside is None or inside[0] == inside[1]:
            self._tell("outside")
            return
        kind, way, state = (int(_number(wall, key, f"{where}.{key}", 0)) for key in ("door", "dir", "ds"))
        if kind and (kind != _SECRET or state == _OPEN):
            self._tell("locked", state == _LOCKED)
            self._tell("one-way door", way != 0)
            self.doors.append(MapDoor(*inside, state == _OPEN))
            return
        steps, sight = (_stops(wall, keys, where) for keys in (("move",), ("sight", "sense")))
        if not kind and not steps and not sight:
            self._tell("nothing")
            return
        self._tell("secret", kind != 0)
        if not kind:
            self._tell("limited", sight == _SOME)
            self._tell("near", sight == _FROM_AFAR)
        lines = self._lines(kind, way, steps, sight)
        _add(lines, inside[::-1] if way == _FROM_RIGHT else inside)

    def _lines(self, kind: int, way: int, steps: float, sight: float) -> list[Polyline]:
        """Where a wall goes, by what it stops. A secret door is a wall whatever else it is."""
        through = not kind and sight in (0, _FROM_AFAR)
        half = not kind and (through or not steps)
        self._tell("one-way half", bool(half and way))
        if way:
            return self.one_way
        return (self.see_through if through else self.walk_through) if half else self.walls

    def _tell(self, what: str, so: bool = True) -> None:
        """Note one of a kind that is simplified, if it is so."""
        if so:
            self.told[what] += 1

    # --- light

    def _lights(self) -> Iterator[Light]:
        units = _number(self._grid(), "distance", "grid.distance", 1) or 1
        for number, light in enumerate(_list(self.scene, "lights")):
            where = f"lights[{number}]"
            if found := self._light(_table(light, where), where, units):
                yield found

    def _light(self, light: Table, where: str, units: float) -> Light | None:
        at = self.place.at(*(_number(light, key, f"{where}.{key}") for key in ("x", "y")))
        own = f"{where}.config" if "config" in light else where
        config = _inner(light, "config", where) if "config" in light else light
        far = [_number(config, key, f"{own}.{key}", 0) for key in ("dim", "bright")]
        reach = max(far) / units
        if light.get("hidden") is True or config.get("negative") is True or min(far) < 0:
            self._tell("dark light")
            return None
        if reach <= 0 or not (0 <= at[0] <= self.place.columns and 0 <= at[1] <= self.place.rows):
            return None
        if reach > FARTHEST:
            raise ValueError(f"{own}.dim reaches {reach:g} squares; {FARTHEST} are the most")
        self._tell("beam", _number(config, "angle", f"{own}.angle", 360) < 360)
        alpha = "tintAlpha" if "tintAlpha" in config else "alpha"
        strength = min(max(_number(config, alpha, f"{own}.{alpha}", 0.5), 0), 1) * 2
        color = _color(config.get("color") or config.get("tintColor"), f"{own}.color")
        return Light(at, round(reach, 2), color, round(strength, 2), light.get("walls") is not False)

    def _ambient(self, lit: bool) -> Ambient:
        """The dark of a scene, and that its picture shows none of its lights."""
        of_old, environment = self.scene.get("darkness"), _inner(self.scene, "environment")
        dark = _number(environment, "darknessLevel", "environment.darknessLevel", 0)
        if not environment and of_old is not None:
            dark = _checked(of_old, "darkness")
        if not 0 <= dark <= 1:
            raise ValueError(f"darkness is {dark:g}, and goes from 0 to 1")
        shade = f"{round(255 - dark * (255 - _DARKEST)):02x}"
        return Ambient(f"ff{shade * 3}", baked=not (lit or dark))


# --- what is written there


def _stops(wall: Table, keys: tuple[str, ...], where: str) -> float:
    """How far a wall stops steps or sight: 1 does, 0 doesn't; what lies between stops some of it, or what is
    far off alone."""
    key = next((key for key in keys if key in wall), "")
    if not key:
        return 1
    kind = _number(wall, key, f"{where}.{key}", 0)
    return 0 if kind == 0 else 1 if kind in _WHOLLY else _FROM_AFAR if kind in _BY_DISTANCE else _SOME


def _add(lines: list[Polyline], piece: tuple[Point, Point]) -> None:
    """A straight wall; one that begins where the last has ended goes on from it."""
    if lines and lines[-1][-1] == piece[0]:
        lines[-1].append(piece[1])
    else:
        lines.append([*piece])


def _table(value: object, where: str) -> Table:
    if not isinstance(value, Mapping):
        raise ValueError(f"{where} is {_short(value)}, not a table")
    return value


def _inner(table: Table, key: str, where: str = "") -> Table:
    value = table.get(key)
    return {} if value is None else _table(value, f"{where}.{key}".lstrip("."))


def _list(table: Table, key: str) -> list[object]:
    value = table.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError(f"{key} is {_short(value)}, not a list")
    return value


def _number(table: Table, key: str, where: str, otherwise: float | None = None) -> float:
    value = table.get(key)
    if value is None:
        if otherwise is None:
            raise ValueError(f"there is no {where}")
        return otherwise
    return _checked(value, where)


def _checked(value: object, where: str) -> float:
    try:
        return finite(value)
    except ValueError:
        raise ValueError(f"{where} is {_short(value)}, not a number") from None


def _color(value: object, where: str) -> str:
    """AARRGGBB out of `#rrggbb`; white where there is none."""
    if not value:
        return "ffffffff"
    color = f"ff{str(value).removeprefix('#').lower()}"
    if not is_color(color):
        raise ValueError(f"{where} is {_short(value)}, not a colour")
    return color


def _plain(name: object) -> str:
    """A name by its letters alone; none where it is no text."""
    return "".join(filter(str.isprintable, name))[:_LONGEST_NAME] if isinstance(name, str) else ""


def _short(value: object) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}..."


FOUNDRY_SCENE = MapFormat("Foundry VTT scene", read)
