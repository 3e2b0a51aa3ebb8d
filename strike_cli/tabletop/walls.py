"""Walls that run along or across squares as straight lines, and what they cut off.

Points are whole hundredths of a square, so that everything is exact: the square (x, y) spans 100x to
100x + 100. To touch a wall is to be stopped by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

UNIT = 100
"""Points to a square."""

Point = tuple[int, int]
Segment = tuple[Point, Point]


def segments_of(polylines: Iterable[Sequence[Sequence[float]]]) -> list[Segment]:
    """The straight pieces of lines through points in squares, as in `[[0, 2], [3.5, 2], [3.5, 4]]`."""
    found = []
    for polyline in polylines:
        points = [(round(x * UNIT), round(y * UNIT)) for x, y in polyline]
        found += [(a, b) for a, b in pairwise(points) if a != b]
    return found


class Walls:
    """Straight walls; they never change."""

    __slots__ = ("segments",)

    def __init__(self, segments: Iterable[Segment]) -> None:
        self.segments = tuple(segments)

    def __bool__(self) -> bool:
        return bool(self.segments)

    def near(self, points: Iterable[Point]) -> Walls:
        """Those that may lie between any two of these points, or between leaning out there."""
        columns, rows = zip(*points, strict=True)
        left, right = min(columns) - UNIT, max(columns) + UNIT
        top, bottom = min(rows) - UNIT, max(rows) + UNIT
        return Walls(
            ((ax, ay), (bx, by))
            for (ax, ay), (bx, by) in self.segments
            if (ax <= right or bx <= right)
            and (ax >= left or bx >= left)
            and (ay <= bottom or by <= bottom)
            and (ay >= top or by >= top)
        )

    def cut(self, a: Point, b: Point) -> bool:
        """Whether a wall touches the straight line from `a` to `b`."""
        return any(_meet(a, b, c, d) for c, d in self.segments)


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
        return False
    if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
        return False
    return _side(a, b, c) * _side(a, b, d) <= 0 and _side(c, d, a) * _side(c, d, b) <= 0


def _side(a: Point, b: Point, point: Point) -> int:
    """On which side of the line through `a` and `b` a point lies: below 0, above 0, or 0 on it."""
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
