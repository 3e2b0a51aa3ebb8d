"""Universal VTT files (`.dd2vtt`, `.uvtt`, `.df2vtt`): a map's walls, doors, lights and picture as JSON.

Lengths are squares. Everything in a file counts from its `map_origin`; what is read counts from the map's top
left corner. A portal that is closed is a door that is shut; walls stop where a door sits. Walls
stop sight and steps from both sides: the format has none that does so from one, so one-way walls of ours are
written as such.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

from ..problems import CampaignProblem
from ..tabletop.grid import Grid
from ..tabletop.map_file import (
    FARTHEST,
    LARGEST,
    Ambient,
    Light,
    MapDoor,
    MapFile,
    MapFormat,
    Point,
    check_extent,
    finite,
    is_color,
)
from ..tabletop.map_lines import cut_at_doors, outlines, square_doors
from ..tabletop.pictures import media_type_of

if TYPE_CHECKING:
    from typing import NotRequired, TypedDict

    from ..tabletop.data import BoardKept

    class UvttPortal(TypedDict):
        """A door as such a file has it."""

        bounds: Sequence[Mapping[str, object]]
        closed: NotRequired[bool]

    class UvttLight(TypedDict):
        """A light as such a file has it."""

        position: Mapping[str, object]
        range: float
        color: NotRequired[str]
        intensity: NotRequired[float]
        shadows: NotRequired[bool]


FORMAT = 0.3
WHITE = Ambient().color


# --- reading


def read(raw: bytes, name: str) -> MapFile:
    """A file's map. Raises CampaignProblem, saying what in the file is not as it should be."""
    try:
        data = json.loads(raw, parse_constant=_no_constant)
        resolution = data["resolution"]
        origin = _point(resolution.get("map_origin", {"x": 0, "y": 0}))
        size = _point(resolution["map_size"])
        pixels = round(finite(resolution.get("pixels_per_grid", 70)))
        if not (0 < size[0] <= LARGEST and 0 < size[1] <= LARGEST and 0 < pixels <= 10_000):
            raise ValueError(f"{size[0]:g} x {size[1]:g} squares of {pixels} pixels are no map to play on")
        doors = [_door(portal, origin) for portal in data.get("portals") or ()]
        lines = [*(data.get("line_of_sight") or ()), *(data.get("objects_line_of_sight") or ())]
        check_extent(sum(map(len, lines)), len(doors), len(data.get("lights") or ()))
        walls = [[_from(origin, _point(point)) for point in line] for line in lines]
        lights = [_light(light, origin) for light in data.get("lights") or ()]
        ambient = _ambient(data.get("environment") or {})
        image, notes = _picture(data.get("image"))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        what = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        what = "it is nested too deeply" if isinstance(error, RecursionError) else what
        raise CampaignProblem(
            f"{name} is no Universal VTT file that can be read: {what}.",
            "Export it anew from the map editor.",
        ) from None
    walls = cut_at_doors(walls, doors)
    return MapFile(ceil(size[0]), ceil(size[1]), pixels, walls, doors, image, lights, ambient, notes=notes)


def _no_constant(text: str) -> float:
    raise ValueError(f"{text} is no number of squares")


def _point(value: Mapping[str, object]) -> Point:
    return finite(value["x"]), finite(value["y"])


def _from(origin: Point, point: Point) -> Point:
    return round(point[0] - origin[0], 2), round(point[1] - origin[1], 2)


def _door(portal: UvttPortal, origin: Point) -> MapDoor:
    start, end = (_from(origin, _point(point)) for point in portal["bounds"])
    return MapDoor(start, end, not portal.get("closed", True))


def _light(light: UvttLight, origin: Point) -> Light:
    at = _from(origin, _point(light["position"]))
    reach, intensity = finite(light["range"]), finite(light.get("intensity", 1))
    if not (0 <= reach <= FARTHEST and 0 <= intensity <= FARTHEST):
        raise ValueError(f"a light that reaches {reach:g} squares at {intensity:g} is none")
    return Light(at, reach, _color(light.get("color")), intensity, bool(light.get("shadows", True)))


def _ambient(environment: Mapping[str, object]) -> Ambient:
    return Ambient(_color(environment.get("ambient_light")), bool(environment.get("baked_lighting", True)))


def _color(text: object) -> str:
    """AARRGGBB out of that or of RRGGBB; white where there is none."""
    given = str(text or WHITE).removeprefix("#").lower()
    color = given if len(given) == 8 else f"ff{given}"
    if not is_color(color):
        raise ValueError(f"{text!r} is no colour")
    return color


def _picture(text: str | None) -> tuple[bytes, list[str]]:
    """A picture's content, and what is to be said where it can't be read: its walls are worth having."""
    from base64 import b64decode

    if not text:
        return b"", []
    try:
        image = b64decode(text.partition("base64,")[2] or text, validate=False)
    except (ValueError, TypeError, AttributeError):
        image = b""
    if not image_kind(image):
        return b"", ["Its picture can't be read, and is left out."]
    return image, []


def image_kind(image: bytes) -> str:
    """The ending for a picture's file: png, jpg or webp; nothing for what is none of them."""
    return media_type_of(image).partition("/")[2].replace("jpeg", "jpg")


# --- writing


def write(board: BoardKept, image: bytes, pixels: int) -> bytes:
    """A map as the state or an encounter keeps it, as a file's content: `MapFormat` says with which keys."""
    from base64 import b64encode

    grid = Grid(board["rows"])
    doors = [MapDoor((a[0], a[1]), (b[0], b[1]), door["open"]) for door in board.get("doors", ())
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
        "portals": [_portal(door) for door in [*doors, *square_doors(grid)]],
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


def _portal(door: MapDoor) -> dict[str, object]:
    from math import atan2

    (ax, ay), (bx, by) = door.start, door.end
    return {
        "position": {"x": round((ax + bx) / 2, 3), "y": round((ay + by) / 2, 3)},
        "bounds": [{"x": ax, "y": ay}, {"x": bx, "y": by}],
        "rotation": round(atan2(by - ay, bx - ax), 6),
        "closed": not door.open,
        "freestanding": False,
    }


UVTT = MapFormat("Universal VTT", read, write)
