"""Universal VTT files (`.dd2vtt`, `.uvtt`, `.df2vtt`): a map's walls, doors, lights and picture as JSON.

Lengths are squares. Everything in a file counts from its `map_origin`; what is read counts from the map's top
left corner. A portal that is closed is a door that is shut; walls stop where a door sits. Walls
stop sight and steps from both sides: the format has none that does so from one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, hypot, inf, isfinite
from typing import Any

from ..problems import CampaignProblem
from ..tabletop.grid import CLOSED_DOOR, NOTHING, OPEN_DOOR, WALL, Grid, Square
from ..tabletop.map_file import (
    FARTHEST,
    LARGEST,
    Ambient,
    Door,
    Light,
    MapFile,
    MapFormat,
    Point,
    Polyline,
    is_color,
)
from ..tabletop.pictures import media_type_of

FORMAT = 0.3
WHITE = Ambient().color
_NEAR = 0.15
"""Squares between a wall and a door that still sits in it."""


# --- reading


def read(raw: bytes, name: str) -> MapFile:
    """A file's map. Raises CampaignProblem, saying what in the file is not as it should be."""
    try:
        data = json.loads(raw, parse_constant=_no_constant)
        resolution = data["resolution"]
        origin = _point(resolution.get("map_origin", {"x": 0, "y": 0}))
        size = _point(resolution["map_size"])
        pixels = round(_finite(resolution.get("pixels_per_grid", 70)))
        if not (0 < size[0] <= LARGEST and 0 < size[1] <= LARGEST and 0 < pixels <= 10_000):
            raise ValueError(f"{size[0]:g} x {size[1]:g} squares of {pixels} pixels are no map to play on")
        doors = [_door(portal, origin) for portal in data.get("portals") or ()]
        lines = [*(data.get("line_of_sight") or ()), *(data.get("objects_line_of_sight") or ())]
        walls = [[_from(origin, _point(point)) for point in line] for line in lines]
        lights = [_light(light, origin) for light in data.get("lights") or ()]
        ambient = _ambient(data.get("environment") or {})
        image = _decoded(data.get("image") or "")
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        what = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        raise CampaignProblem(
            f"{name} is no Universal VTT file that can be read: {what}.",
            "Export it anew from the map editor.",
        ) from None
    walls = cut_at_doors(walls, doors)
    return MapFile(ceil(size[0]), ceil(size[1]), pixels, walls, doors, image, lights, ambient)


def _no_constant(text: str) -> float:
    raise ValueError(f"{text} is no number of squares")


def _finite(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"{value!r} is no number of squares")
    return float(value)


def _point(value: Mapping[str, Any]) -> Point:
    return _finite(value["x"]), _finite(value["y"])


def _from(origin: Point, point: Point) -> Point:
    return round(point[0] - origin[0], 2), round(point[1] - origin[1], 2)


def _door(portal: Mapping[str, Any], origin: Point) -> Door:
    start, end = (_from(origin, _point(point)) for point in portal["bounds"])
    return Door(start, end, not portal.get("closed", True))


def _light(light: Mapping[str, Any], origin: Point) -> Light:
    at = _from(origin, _point(light["position"]))
    reach, intensity = _finite(light["range"]), _finite(light.get("intensity", 1))
    if not (0 <= reach <= FARTHEST and 0 <= intensity <= FARTHEST):
        raise ValueError(f"a light that reaches {reach:g} squares at {intensity:g} is none")
    return Light(at, reach, _color(light.get("color")), intensity, bool(light.get("shadows", True)))


def _ambient(environment: Mapping[str, Any]) -> Ambient:
    return Ambient(_color(environment.get("ambient_light")), bool(environment.get("baked_lighting", True)))


def _color(text: Any) -> str:
    """AARRGGBB out of that or of RRGGBB; white where there is none."""
    given = str(text or WHITE).removeprefix("#").lower()
    color = given if len(given) == 8 else f"ff{given}"
    if not is_color(color):
        raise ValueError(f"{text!r} is no colour")
    return color


def _decoded(text: str) -> bytes:
    from base64 import b64decode

    return b64decode(text.partition("base64,")[2] or text, validate=False)


def image_kind(image: bytes) -> str:
    """The ending for a picture's file: png, jpg or webp; nothing for what is none of them."""
    return media_type_of(image).partition("/")[2].replace("jpeg", "jpg")


# --- walls and doors


def cut_at_doors(walls: Iterable[Sequence[Point]], doors: Sequence[Door]) -> list[Polyline]:
    """The walls without the stretches in which a door sits, so that an open one lets through."""
    found: list[Polyline] = []
    for wall in walls:
        run: Polyline = []
        for a, b in pairwise(wall):
            for start, end in _left_of(a, b, doors):
                if run and run[-1] == start:
                    run.append(end)
                else:
                    found.append(run)
                    run = [start, end]
        found.append(run)
    return [run for run in found if len(run) > 1]


def _left_of(a: Point, b: Point, doors: Sequence[Door]) -> Iterator[tuple[Point, Point]]:
    """The stretches of a straight wall that no door takes."""
    length = hypot(b[0] - a[0], b[1] - a[1])
    if length == 0:
        return
    at = 0.0
    for first, last in sorted(_stretch(a, b, length, door) for door in doors):
        if first - at > 0.005:
            yield _along(a, b, at / length), _along(a, b, min(first, length) / length)
        at = max(at, last)
        if at >= length:
            return
    yield _along(a, b, at / length), b


def _stretch(a: Point, b: Point, length: float, door: Door) -> tuple[float, float]:
    """From where to where along a wall a door sits, in squares from `a`; beyond its end where it doesn't."""
    across, along = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    marks = []
    for x, y in (door.start, door.end):
        right, down = x - a[0], y - a[1]
        if abs(across * down - along * right) > _NEAR:
            return inf, inf
        marks.append(across * right + along * down)
    first, last = max(min(marks), 0.0), min(max(marks), length)
    return (first, last) if last - first > 0.005 else (inf, inf)


def _along(a: Point, b: Point, part: float) -> Point:
    return round(a[0] + (b[0] - a[0]) * part, 2), round(a[1] + (b[1] - a[1]) * part, 2)


# --- writing


def write(board: Mapping[str, Any], image: bytes, pixels: int) -> bytes:
    """A map as the state or an encounter keeps it, as a file's content: `MapFormat` says with which keys."""
    from base64 import b64encode

    grid = Grid(board["rows"])
    doors = [Door((a[0], a[1]), (b[0], b[1]), door["open"]) for door in board.get("doors", ())
             for a, b in [(door["at"][0], door["at"][-1])]]  # fmt: skip
    walls = [[(x, y) for x, y in wall] for wall in board.get("walls", ())]
    lines = [*cut_at_doors(walls, doors), *outlines(grid)]
    ambient = board.get("ambient", {})
    data = {
        "format": FORMAT,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": grid.width, "y": grid.height},
            "pixels_per_grid": pixels,
        },
        "line_of_sight": [[{"x": x, "y": y} for x, y in wall] for wall in lines],
        "objects_line_of_sight": [],
        "portals": [_portal(door) for door in [*doors, *_square_doors(grid)]],
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
    }
    return json.dumps(data, allow_nan=False).encode()


def _portal(door: Door) -> dict[str, Any]:
    from math import atan2

    (ax, ay), (bx, by) = door.start, door.end
    return {
        "position": {"x": round((ax + bx) / 2, 3), "y": round((ay + by) / 2, 3)},
        "bounds": [{"x": ax, "y": ay}, {"x": bx, "y": by}],
        "rotation": round(atan2(by - ay, bx - ax), 6),
        "closed": not door.open,
        "freestanding": False,
    }


def _square_doors(grid: Grid) -> Iterator[Door]:
    """Doors that are squares, as a line across their middle."""
    for y in range(grid.height):
        for x in range(grid.width):
            sign = grid.char((x, y))
            if sign in (CLOSED_DOOR, OPEN_DOOR):
                beside = [grid.char((x + step, y)) in (WALL, NOTHING) for step in (-1, 1)]
                level = (x, y + 0.5), (x + 1, y + 0.5)
                upright = (x + 0.5, y), (x + 0.5, y + 1)
                start, end = level if all(beside) else upright
                yield Door(start, end, sign == OPEN_DOOR)


def outlines(grid: Grid) -> list[Polyline]:
    """The sides on which walls of whole squares face the room, each as long a straight line as can be. The
    edge of the map is none."""

    def rock(square: Square) -> bool:
        return grid.char(square) in (WALL, NOTHING)

    level = {
        (x, y) for y in range(1, grid.height) for x in range(grid.width) if rock((x, y - 1)) != rock((x, y))
    }
    upright = {
        (x, y) for y in range(grid.height) for x in range(1, grid.width) if rock((x - 1, y)) != rock((x, y))
    }
    lines: list[Polyline] = []
    for x, y in sorted(level, key=lambda edge: (edge[1], edge[0])):
        if (x - 1, y) not in level:
            end = next(right for right in range(x, grid.width + 1) if (right, y) not in level)
            lines.append([(x, y), (end, y)])
    for x, y in sorted(upright):
        if (x, y - 1) not in upright:
            end = next(down for down in range(y, grid.height + 1) if (x, down) not in upright)
            lines.append([(x, y), (x, end)])
    return lines


UVTT = MapFormat("Universal VTT", read, write)
