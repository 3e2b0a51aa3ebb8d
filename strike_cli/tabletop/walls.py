"""Walls that run along or across squares as straight lines, and what they cut off.

Points are whole hundredths of a square, so that everything is exact: the square (x, y) spans 100x to
100x + 100. To touch a wall is to be stopped by it.

A one-way wall stops whoever comes from the left hand of somebody who walks along it from its first point to
its last: drawn from left to right on the map it stops what comes from above, and lets through what comes from
below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

UNIT = 100
"""Points to a square."""

Point = tuple[int, int]
Segment = tuple[Point, Point]
Box = tuple[int, int, int, int]
"""Left, right, top and bottom."""


SEE_THROUGH, WALK_THROUGH = "see_through_walls", "walk_through_walls"
"""Of a map: the walls that stop steps alone (a window, a railing), and sight alone (a curtain, a hedge)."""


def by_what_they_stop(walls: Iterable[object]) -> dict[str, list[object]]:
    """The walls of an encounter, each a line or `{line, sight, steps}`, as a map keeps them: `walls`, which
    stop both, and the others; only kinds that there are."""
    found: dict[str, list[object]] = {}
    for wall in walls:
        kind, line = "walls", wall
        if isinstance(wall, Mapping):
            line = wall["line"]
            kind = SEE_THROUGH if wall.get("sight") is False else kind
            kind = WALK_THROUGH if wall.get("steps") is False else kind
        found.setdefault(kind, []).append(line)
    return found


def segments_of(polylines: Iterable[Sequence[Sequence[float]]]) -> list[Segment]:
    """The straight pieces of lines through points in squares, as in `[[0, 2], [3.5, 2], [3.5, 4]]`."""
    found = []
    for polyline in polylines:
        points = [(round(x * UNIT), round(y * UNIT)) for x, y in polyline]
        found += [(a, b) for a, b in pairwise(points) if a != b]
    return found


class Walls:
    """Straight walls; they never change. `segments` stop from both sides, `one_way` from their left."""

    __slots__ = ("_boxed_one_way", "boxed", "one_way", "segments")

    def __init__(self, segments: Iterable[Segment], one_way: Iterable[Segment] = ()) -> None:
        self.segments = tuple(segments)
        self.one_way = tuple(one_way)
        self.boxed = [(segment, *_box(*segment)) for segment in self.segments]
        self._boxed_one_way = [(wall, *_box(*wall)) for wall in self.one_way] if self.one_way else []

    def __bool__(self) -> bool:
        return bool(self.segments or self.one_way)

    def near(self, points: Iterable[Point]) -> Walls:
        """Those that may lie between any two of these points, or between leaning out there."""
        columns, rows = zip(*points, strict=True)
        box = min(columns) - UNIT, max(columns) + UNIT, min(rows) - UNIT, max(rows) + UNIT
        found = _within(box, self.boxed)
        return Walls(found, _within(box, self._boxed_one_way)) if self.one_way else Walls(found)

    def facing(self, a: Point, b: Point) -> Walls:
        """Those that there are for who looks or steps from `a` to `b`, each as if it stopped from both sides:
        a one-way wall is there for who stands left of its line, and isn't for who stands right of it. Whoever
        is on the line may go on past it, and not back."""
        if not self.one_way:
            return self
        return Walls([*self.segments, *(wall for wall in self.one_way if _faces(wall, a, b))])

    def stop(self, a: Point, b: Point) -> bool:
        """Whether a wall stops what goes straight from `a` to `b`."""
        if not self.one_way:
            return self.cut(a, b)
        return self.cut(a, b) or any(_faces(wall, a, b) and Walls((wall,)).cut(a, b) for wall in self.one_way)

    def turned(self) -> Walls:
        """The same with one-way walls that stop from their other side."""
        return Walls(self.segments, [(end, start) for start, end in self.one_way])

    def cut(self, a: Point, b: Point) -> bool:
        """Whether a wall touches the straight line from `a` to `b`; one-way walls are none before it is said
        who they are `facing`."""
        left, right, top, bottom = _box(a, b)
        for (c, d), begins, ends, above, below in self.boxed:
            if begins > right or ends < left or above > bottom or below < top:
                continue
            if _side(a, b, c) * _side(a, b, d) <= 0 and _side(c, d, a) * _side(c, d, b) <= 0:
                return True
        return False


def _within(box: Box, boxed: Iterable[tuple[Segment, int, int, int, int]]) -> list[Segment]:
    """Those whose own box touches one."""
    left, right, top, bottom = box
    return [
        segment
        for segment, begins, ends, above, below in boxed
        if begins <= right and ends >= left and above <= bottom and below >= top
    ]


def _faces(wall: Segment, a: Point, b: Point) -> bool:
    """Whether a one-way wall stops what goes from `a` to `b`, if it touches it."""
    return (_side(*wall, a) or -_side(*wall, b)) <= 0


def _box(a: Point, b: Point) -> Box:
    """Left, right, top and bottom of two points."""
    (ax, ay), (bx, by) = a, b
    left, right = (ax, bx) if ax < bx else (bx, ax)
    top, bottom = (ay, by) if ay < by else (by, ay)
    return left, right, top, bottom


def _side(a: Point, b: Point, point: Point) -> int:
    """On which side of the line through `a` and `b` a point lies: below 0, above 0, or 0 on it."""
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
