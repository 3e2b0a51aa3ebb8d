"""A map as another program's file holds it, and the formats that read and write such files.

A plugin may bring a format (`Plugin(map_formats=...)`); those that come with strike stand in
`content/uvtt.py` and `content/foundry_scene.py`. Lengths are squares, from the map's top left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .data import BoardKept

Point = tuple[float, float]
Polyline = list[Point]

LARGEST_FILE = 64 * 1024 * 1024
"""Bytes of a file with a map, its picture in it."""
MOST_POINTS, MOST_DOORS, MOST_LIGHTS = 50_000, 2_000, 2_000
"""What a map may have: points of walls, doors, lights."""
_MOST_TRIED = 4_000_000
"""How many times a stretch of wall is held against a door."""


def check_extent(points: int, doors: int, lights: int) -> None:
    """Refuse a map that is too large to process in seconds, with ValueError."""
    for count, most, what in (
        (points, MOST_POINTS, "points of walls"),
        (doors, MOST_DOORS, "doors"),
        (lights, MOST_LIGHTS, "lights"),
        (points * doors, _MOST_TRIED, "walls by doors"),
    ):
        if count > most:
            raise ValueError(f"it has {count:,} {what}; at most {most:,} are allowed")


def finite(value: object) -> float:
    """Return a number out of a file. Raises ValueError for anything else, and for a huge number."""
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
    """A light that shines so many squares far; its colour is AARRGGBB in hexadecimal."""

    at: Point
    range: float
    color: str
    intensity: float = 1.0
    shadows: bool = True


class Ambient(NamedTuple):
    """The light that is everywhere, AARRGGBB, and whether the picture shows the lights already."""

    color: str = "ffffffff"
    baked: bool = True


class MapFile(NamedTuple):
    """A map that has been read: size in squares, pixels to a square, walls already cut at doors.

    Lights are passed on to programs that show the map: no rule of a fight asks for them.

    A one-way wall stops whatever comes from the left of its direction; a see-through wall stops only steps, a
    walk-through wall only sight; a terrain wall is seen past until there is a second one, and stops no steps.
    `picture` names a file beside this one, where the picture isn't in it; it lies at `place` (x, y, width and
    height in squares from A1's corner), else from A1's corner on with `pixels` to a square. `name` is the
    map's name in the file. `notes` are sentences about what differs from the file. `maybe_windows`: its open
    doors may be windows. `rows` are the map's squares where they aren't all floor. `level` is this floor of
    the building, `levels` are all of them, this one among them.
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
    """Squares from which one gets to other levels."""

    to: Sequence[str]
    squares: Sequence[str]


class MapFormat(NamedTuple):
    """A kind of map file. One that only reads or only writes leaves the other out.

    `read` gets a file's content and its name, and raises CampaignProblem for what it can't read. `write` gets
    a map as the state or an encounter keeps it (`rows`, `walls`, `one_way_walls`, `see_through_walls`,
    `walk_through_walls`, `terrain_walls`, `doors`, `lights`, `ambient`), its picture and that one's pixels to
    a square, and gives a file's content. With `one_way`, its files can say that a wall is one-way; else it
    gets these among its `walls`. So with `half` for walls that stop steps or sight alone. `plain_elsewhere`:
    they can, and other programs read them as plain walls. `picture_beside`: a file only names its picture, by
    the map's `image`. `recognizes` says of a file's content whether it is
    of this kind, whatever the file is called.
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
        """Return what `read` makes of a file. Raises TypeError where that is no map."""
        found: object = self.read(raw, name) if self.read else None
        if not isinstance(found, MapFile):
            raise TypeError(f"`read` of {self.title} returned {found!r:.60}, not a MapFile")
        return found

    def content_of(self, board: BoardKept, image: bytes, pixels: float) -> bytes:
        """Return what `write` makes of a map. Raises TypeError where that is no file's content."""
        content: object = self.write(board, image, pixels) if self.write else None
        if not isinstance(content, bytes):
            raise TypeError(f"`write` of {self.title} returned {content!r:.60}, not bytes")
        return content
