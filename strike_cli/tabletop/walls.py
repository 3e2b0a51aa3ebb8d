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

    __slots__ = ("boxed", "segments")

    def __init__(self, segments: Iterable[Segment]) -> None:
        self.segments = tuple(segments)
        self.boxed = [(segment, *_box(*segment)) for segment in self.segments]

    def __bool__(self) -> bool:
        return bool(self.segments)

    def near(self, points: Iterable[Point]) -> Walls:
        """Those that may lie between any two of these points, or between leaning out there."""
        columns, rows = zip(*points, strict=True)
        left, right = min(columns) - UNIT, max(columns) + UNIT
        top, bottom = min(rows) - UNIT, max(rows) + UNIT
        return Walls([
            segment
            for segment, begins, ends, above, below in self.boxed
            if begins <= right and ends >= left and above <= bottom and below >= top
        ])  # fmt: skip

    def cut(self, a: Point, b: Point) -> bool:
        """Whether a wall touches the straight line from `a` to `b`."""
        left, right, top, bottom = _box(a, b)
        for (c, d), begins, ends, above, below in self.boxed:
            if begins > right or ends < left or above > bottom or below < top:
                continue
            if _side(a, b, c) * _side(a, b, d) <= 0 and _side(c, d, a) * _side(c, d, b) <= 0:
                return True
        return False


def _box(a: Point, b: Point) -> tuple[int, int, int, int]:
    """Left, right, top and bottom of two points."""
    (ax, ay), (bx, by) = a, b
    left, right = (ax, bx) if ax < bx else (bx, ax)
    top, bottom = (ay, by) if ay < by else (by, ay)
    return left, right, top, bottom


def _side(a: Point, b: Point, point: Point) -> int:
    """On which side of the line through `a` and `b` a point lies: below 0, above 0, or 0 on it."""
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
