"""The walls and doors of a map as lines, for programs in which walls and doors aren't squares."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from math import floor, hypot, inf
from typing import TYPE_CHECKING

from .foreign_map_files import MapDoor, Point, Polyline
from .grid import CLOSED_DOOR, NOTHING, OPEN_DOOR, WALL, Grid
from .squares_and_lines import Square

if TYPE_CHECKING:
    from .data import DoorKept

_NEAR = 0.15
"""How far a door may be from a wall and still be in it, in squares."""


def door_lines(doors: Iterable[DoorKept]) -> list[MapDoor]:
    """Return the doors of a scene's map as lines."""
    ends = ((door["at"][0], door["at"][-1], bool(door["open"])) for door in doors)
    return [MapDoor((a[0], a[1]), (b[0], b[1]), is_open) for a, b, is_open in ends]


def cut_walls_at_doors(walls: Iterable[Sequence[Point]], doors: Sequence[MapDoor]) -> list[Polyline]:
    """Return walls with gaps at the doors, so that people can go through an open door."""
    cutter = DoorCutter(doors)
    return [run for wall in walls for run in cutter.cut_wall(wall)]


class DoorCutter:
    """The doors of a map, which cut gaps into its walls.

    The doors are indexed by rows of squares, so that the doors near a wall are found quickly.
    """

    def __init__(self, doors: Iterable[MapDoor]) -> None:
        self._rows: dict[int, list[MapDoor]] = {}
        for door in doors:
            for row in _rows_near(door.start, door.end):
                self._rows.setdefault(row, []).append(door)

    def cut_wall(self, wall: Sequence[Point]) -> list[Polyline]:
        """Return the parts of a wall that remain between its doors, as lines."""
        found, run = list[Polyline](), Polyline()
        for a, b in pairwise(wall):
            near = (
                {door for row in _rows_near(a, b) for door in self._rows.get(row, ())} if self._rows else ()
            )
            for start, end in _stretches_without_doors(a, b, near):
                if run and run[-1] == start:
                    run.append(end)
                else:
                    found.append(run)
                    run = [start, end]
        return [run for run in [*found, run] if len(run) > 1]


def _rows_near(a: Point, b: Point) -> range:
    """Return the rows of squares that a straight line goes through or comes near."""
    low, high = sorted((a[1], b[1]))
    return range(floor(low - _NEAR), floor(high + _NEAR) + 1)


def _stretches_without_doors(a: Point, b: Point, doors: Collection[MapDoor]) -> Iterator[tuple[Point, Point]]:
    length = hypot(b[0] - a[0], b[1] - a[1])
    if length == 0:
        return
    at = 0.0
    for first, last in sorted(_door_stretch_in_squares_or_inf(a, b, length, door) for door in doors):
        if first - at > 0.005:
            yield _point_along(a, b, at / length), _point_along(a, b, min(first, length) / length)
        at = max(at, last)
        if at >= length:
            return
    yield _point_along(a, b, at / length), b


def _door_stretch_in_squares_or_inf(a: Point, b: Point, length: float, door: MapDoor) -> tuple[float, float]:
    """Return the begin and the end of a door along the wall from `a` to `b`, in squares from `a`.

    `length` is the length of the wall. If the door isn't in the wall, the result is infinity twice.
    """
    across, along = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    marks = []
    for x, y in (door.start, door.end):
        right, down = x - a[0], y - a[1]
        if abs(across * down - along * right) > _NEAR:
            return inf, inf
        marks.append(across * right + along * down)
    first, last = max(min(marks), 0.0), min(max(marks), length)
    return (first, last) if last - first > 0.005 else (inf, inf)


def _point_along(a: Point, b: Point, share: float) -> Point:
    return round(a[0] + (b[0] - a[0]) * share, 2), round(a[1] + (b[1] - a[1]) * share, 2)


def clip_line_to_map(a: Point, b: Point, columns: float, rows: float) -> tuple[Point, Point] | None:
    """Return the part of a straight line on a map of this size, or None if no part is on the map."""
    first, last = 0.0, 1.0
    for start, end, most in ((a[0], b[0], columns), (a[1], b[1], rows)):
        run = end - start
        if run == 0:
            if not 0 <= start <= most:
                return None
            continue
        enters, leaves = sorted(((0 - start) / run, (most - start) / run))
        first, last = max(first, enters), min(last, leaves)
    if first >= last:
        return None
    piece = _point_along(a, b, first), _point_along(a, b, last)
    return None if piece[0] == piece[1] else piece


def append_or_extend_wall_line(lines: list[Polyline], piece: tuple[Point, Point]) -> None:
    """Add a straight piece of wall to `lines`; if it begins where the last line ends, extend that line."""
    if lines and lines[-1][-1] == piece[0]:
        lines[-1].append(piece[1])
    else:
        lines.append([*piece])


def lines_of_square_doors(grid: Grid) -> Iterator[MapDoor]:
    """Yield the doors that are squares, each as a line through the middle of its square."""
    for y in range(grid.height):
        for x in range(grid.width):
            sign = grid.sign_at((x, y))
            if sign in (CLOSED_DOOR, OPEN_DOOR):
                beside = [grid.sign_at((x + step, y)) in (WALL, NOTHING) for step in (-1, 1)]
                level = (x, y + 0.5), (x + 1, y + 0.5)
                upright = (x + 0.5, y), (x + 0.5, y + 1)
                start, end = level if all(beside) else upright
                yield MapDoor(start, end, sign == OPEN_DOOR)


def wall_sides_facing_rooms(grid: Grid) -> list[Polyline]:
    """Return the sides of wall squares that face a room, as straight lines.

    Squares with nothing count as walls. Sides that continue each other are joined to one line. Sides at the
    edge of the map are left out.
    """

    def is_wall_or_nothing(square: Square) -> bool:
        return grid.sign_at(square) in (WALL, NOTHING)

    level = {
        (x, y)
        for y in range(1, grid.height)
        for x in range(grid.width)
        if is_wall_or_nothing((x, y - 1)) != is_wall_or_nothing((x, y))
    }
    upright = {
        (x, y)
        for y in range(grid.height)
        for x in range(1, grid.width)
        if is_wall_or_nothing((x - 1, y)) != is_wall_or_nothing((x, y))
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
