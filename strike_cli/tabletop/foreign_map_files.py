"""Maps in the files of other programs, and the formats that read and write such files.

A plugin can add a format by `Plugin(map_formats=...)`. The formats that come with strike are in
`content/universal_vtt.py` and `content/foundry_scene.py`. Lengths are in squares, from the top left corner of
the map.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .data import BoardKept

Point = tuple[float, float]
Polyline = list[Point]

LARGEST_FILE = 64 * 1024 * 1024
"""How many bytes a file with a map may have, its picture included."""
MOST_POINTS, MOST_DOORS, MOST_LIGHTS = 50_000, 2_000, 2_000
"""How many points of walls, doors and lights a map may have."""
_MOST_TRIED = 4_000_000
"""How many comparisons between stretches of walls and doors are made."""


def check_map_complexity(points: int, doors: int, lights: int) -> None:
    """Raise ValueError for a map with too many points, doors or lights to process within seconds."""
    for count, most, what in (
        (points, MOST_POINTS, "points of walls"),
        (doors, MOST_DOORS, "doors"),
        (lights, MOST_LIGHTS, "lights"),
        (points * doors, _MOST_TRIED, "walls by doors"),
    ):
        if count > most:
            raise ValueError(f"it has {count:,} {what}; at most {most:,} are allowed")


def require_finite(value: object) -> float:
    """Return a number from a file as a float.

    Raises ValueError for a huge or infinite number, and for a value that isn't a number.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _HUGE:
        raise ValueError(f"{value!r} is not a number")
    return float(value)


_HUGE = 1e12


class MapDoor(NamedTuple):
    """A door, from one point of a wall to another."""

    start: Point
    end: Point
    open: bool


class Light(NamedTuple):
    """A light: its place, its range in squares, and its colour as AARRGGBB in hexadecimal.

    An `intensity` of 1 is normal. `shadows` is true if walls stop the light.
    """

    at: Point
    range: float
    color: str
    intensity: float = 1.0
    shadows: bool = True


class Ambient(NamedTuple):
    """The ambient light of a map: its colour as AARRGGBB in hexadecimal.

    `baked` is true if the picture of the map already shows the lights.
    """

    color: str = "ffffffff"
    baked: bool = True


class MapFile(NamedTuple):
    """A map read from a file: its size in squares, its walls, its doors and its picture.

    The walls have gaps at the doors. Plain walls (`walls`) stop movement and sight. Other walls differ from
    them:

    - A one-way wall stops movement and sight only from the left of its direction.
    - A see-through wall stops only movement.
    - A walk-through wall stops only sight.
    - A terrain wall doesn't stop movement. It stops sight only together with another terrain wall.

    If the picture isn't in the file, `picture` names another file beside it. The picture is at `place` (x, y,
    width and height in squares from the corner of A1). Without a `place`, the picture begins at the corner of
    A1 and has `pixels` for each square.

    `name` is the map's name in the file. `notes` has sentences about differences from the file. `rows` has
    the squares of the map, if they aren't all floor. Lights are only for programs that show the map; no rule
    uses them. If `maybe_windows` is true, open doors may really be windows. If the map is a floor of a
    building, `level` is that floor, and `levels` has all floors.
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
    """Squares of a map that lead to other floors. `to` has the names of these floors."""

    to: Sequence[str]
    squares: Sequence[str]


class MapFormat(NamedTuple):
    """A file format of another program that contains maps.

    - `read` takes a file's content and name, and returns the map. It raises CampaignProblem if the content
      can't be read. It is None if strike can't read the format.
    - `write` takes a map, its picture, and the number of the picture's pixels to a square. It returns the
      file's content. It is None if strike can't write the format. The map has the same keys as a map in the
      state or in an encounter, such as `rows` and `walls`.
    - `one_way` is true if the format has one-way walls. If it is false, `write` gets one-way walls as plain
      walls.
    - `half` is true if the format has walls that stop only steps or only sight. If it is false, `write` gets
      these as plain walls.
    - `plain_elsewhere` is true if other programs treat one-way walls and half walls in such a file as plain
      walls.
    - `picture_beside` is true if the file only names the picture and doesn't contain it.
    - `recognizes` takes a file's content, and returns whether it has this format.
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
        """Return the map in a file's content.

        Raises TypeError if `read` is missing, or if it returns anything but a MapFile.
        """
        found: object = self.read(raw, name) if self.read else None
        if not isinstance(found, MapFile):
            raise TypeError(f"`read` of {self.title} returned {found!r:.60}, not a MapFile")
        return found

    def content_of(self, board: BoardKept, image: bytes, pixels: float) -> bytes:
        """Return the content of a file in this format, made from a map and its picture.

        `board` is the map, `image` is the picture, and `pixels` is the number of the picture's pixels to a
        square. Raises TypeError if the format has no `write`, or if `write` returns anything but bytes.
        """
        content: object = self.write(board, image, pixels) if self.write else None
        if not isinstance(content, bytes):
            raise TypeError(f"`write` of {self.title} returned {content!r:.60}, not bytes")
        return content
