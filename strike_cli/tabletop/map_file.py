"""A map in another program's file, and the formats that read and write such files.

A plugin may add a format (`Plugin(map_formats=...)`); strike's own are in `content/uvtt.py` and
`content/foundry_scene.py`. Lengths are squares, from the map's top left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .data import BoardKept

Point = tuple[float, float]
Polyline = list[Point]

LARGEST_FILE = 64 * 1024 * 1024
"""The most bytes of a file with a map, including its picture."""
MOST_POINTS, MOST_DOORS, MOST_LIGHTS = 50_000, 2_000, 2_000
"""The most that a map may have: points of walls, doors, lights."""
_MOST_TRIED = 4_000_000
"""The most comparisons between stretches of walls and doors."""


def check_extent(points: int, doors: int, lights: int) -> None:
    """Refuse a map that is too large to process within seconds, with ValueError."""
    for count, most, what in (
        (points, MOST_POINTS, "points of walls"),
        (doors, MOST_DOORS, "doors"),
        (lights, MOST_LIGHTS, "lights"),
        (points * doors, _MOST_TRIED, "walls by doors"),
    ):
        if count > most:
            raise ValueError(f"it has {count:,} {what}; at most {most:,} are allowed")


def finite(value: object) -> float:
    """Return a number from a file. Raises ValueError for anything else, and for a huge number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _HUGE:
        raise ValueError(f"{value!r} is not a number")
    return float(value)


_HUGE = 1e12


class MapDoor(NamedTuple):
    """A door from one point of a wall to another."""

    start: Point
    end: Point
    open: bool


class Light(NamedTuple):
    """A light with its range in squares; its colour is AARRGGBB in hexadecimal."""

    at: Point
    range: float
    color: str
    intensity: float = 1.0
    shadows: bool = True


class Ambient(NamedTuple):
    """The ambient light, AARRGGBB, and whether the picture shows the lights already."""

    color: str = "ffffffff"
    baked: bool = True


class MapFile(NamedTuple):
    """A map read from a file: size in squares, pixels to a square, walls already cut at doors.

    Lights are only for programs that show the map: no rule of a fight uses them. A one-way wall stops
    movement and sight from the left of its direction; a see-through wall stops only steps, a walk-through
    wall only sight; people see past one terrain wall, but not past a second one, and walk through it.
    `picture` names a file beside this one, where the picture isn't in it; it lies at `place` (x, y, width and
    height in squares from A1's corner), else from A1's corner on with `pixels` to a square. `name` is the
    map's name in the file. `notes` are sentences about differences from the file. `maybe_windows`: its open
    doors may be windows. `rows` are the map's squares where they aren't all floor. `level` is this floor of
    the building, `levels` are all of them.
    """

    width: int
    height: int
    pixels: float
    walls: list[Polyline]
    doors: list[MapDoor]
    image: bytes
    lights: Sequence[Light] = ()
    ambient: Ambient = Ambient()
    one_way_walls: Sequence[Polyline] = ()
    picture: str = ""
    name: str = ""
    notes: Sequence[str] = ()
    see_through_walls: Sequence[Polyline] = ()
    walk_through_walls: Sequence[Polyline] = ()
    terrain_walls: Sequence[Polyline] = ()
    place: tuple[float, float, float, float] | None = None
    maybe_windows: bool = False
    rows: Sequence[str] = ()
    level: str = ""
    levels: Sequence[MapFile] = ()
    stairs: Sequence[Stairs] = ()


class Stairs(NamedTuple):
    """Squares that lead to other levels."""

    to: Sequence[str]
    squares: Sequence[str]


class MapFormat(NamedTuple):
    """A kind of map file. A format that only reads or only writes leaves the other function out.

    `read` takes a file's content and its name, and raises CampaignProblem for an unreadable file. `write`
    takes a map in the form of the state or an encounter (`rows`, `walls`, `one_way_walls`,
    `see_through_walls`, `walk_through_walls`, `terrain_walls`, `doors`, `lights`, `ambient`), its picture and
    the picture's pixels to a square, and returns a file's content. With `one_way`, its files have one-way
    walls; else `write` gets these among its `walls`. `half` is the same for walls that stop only steps or
    only sight. `plain_elsewhere`: its files have both, but other programs read them as plain walls.
    `picture_beside`: a file only names its picture, by the map's `image`. `recognizes` tests whether a file's
    content is of this kind, whatever the file's name is.
    """

    title: str
    read: Callable[[bytes, str], MapFile] | None = None
    write: Callable[[BoardKept, bytes, float], bytes] | None = None
    one_way: bool = False
    half: bool = False
    plain_elsewhere: bool = False
    picture_beside: bool = False
    recognizes: Callable[[bytes], bool] | None = None

    def map_of(self, raw: bytes, name: str) -> MapFile:
        """Return the result of `read`. Raises TypeError where that is no map."""
        found: object = self.read(raw, name) if self.read else None
        if not isinstance(found, MapFile):
            raise TypeError(f"`read` of {self.title} returned {found!r:.60}, not a MapFile")
        return found

    def content_of(self, board: BoardKept, image: bytes, pixels: float) -> bytes:
        """Return the result of `write`. Raises TypeError where that is no file's content."""
        content: object = self.write(board, image, pixels) if self.write else None
        if not isinstance(content, bytes):
            raise TypeError(f"`write` of {self.title} returned {content!r:.60}, not bytes")
        return content
