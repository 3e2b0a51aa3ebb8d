"""Fog: the squares of a map that the party has seen, and the ground on them.

A scene's table stores these squares. This module doesn't compute what the party sees, since that depends on
the rules of the scene's system.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING

from .grid import NOTHING
from .squares_and_lines import WALL_KINDS, Square, column_name, parse_square

if TYPE_CHECKING:
    from .data import BoardKept, Points

Point = Sequence[float]
Seen = Collection[Square]


# --- as the state has it: rows by their numbers, each with its columns in runs, `{"5": "C-F K"}`


def parse_seen_squares(rows: Mapping[str, str]) -> frozenset[Square]:
    """Return the squares that are recorded in a scene's `seen`.

    `rows` has the columns for each row number, such as `{"5": "C-F K"}`. Raises ValueError for anything else.
    """
    return _parse_seen_rows(tuple(rows.items()))


@lru_cache(maxsize=16)
def _parse_seen_rows(rows: tuple[tuple[str, str], ...]) -> frozenset[Square]:
    found: set[Square] = set()
    for number, runs in rows:
        for run in runs.split():
            first, _, last = run.partition("-")
            left, y = parse_square(f"{first}{number}")
            right, _ = parse_square(f"{last or first}{number}")
            found.update((x, y) for x in range(left, right + 1))
    return frozenset(found)


def squares_to_rows(squares: Iterable[Square]) -> dict[str, str]:
    """Return squares in the form of a scene's `seen`.

    Each key is the number of a row. Its value has the columns of the squares in that row, as in `B-D F`.
    """
    rows: dict[int, list[int]] = {}
    for x, y in sorted(squares):
        rows.setdefault(y, []).append(x)
    return {str(y + 1): " ".join(_column_runs(rows[y])) for y in sorted(rows)}


def _column_runs(columns: Sequence[int]) -> Iterator[str]:
    first = last = columns[0]
    for x in (*columns[1:], None):
        if x != last + 1:
            yield column_name(first) + (f"-{column_name(last)}" if last > first else "")
            first = x if x is not None else first
        last = x if x is not None else last


# --- what lies on them


def seen_part_of_map(seen: Seen, ground: BoardKept) -> BoardKept:
    """Return a map reduced to the `seen` squares, with the keys of a scene's `map`.

    It keeps walls and doors on these squares or along their sides, and lights on these squares. The picture
    is left out, since it shows the whole map.
    """
    rows = [
        "".join(sign if (x, y) in seen else NOTHING for x, sign in enumerate(row)).rstrip(NOTHING)
        for y, row in enumerate(ground.get("rows", ()))
    ]
    of: Mapping[str, Iterable[Points]] = ground  # type: ignore[assignment]  # read by those keys alone
    walls = {
        kind: [part for line in of.get(kind, ()) for part in _seen_parts_of_line(seen, line)]
        for kind in WALL_KINDS
    }
    left: BoardKept = {
        **ground,
        "rows": [*map(str.ljust, rows, map(len, ground.get("rows", ())))],
        **walls,  # type: ignore[typeddict-item]  # its keys
        "doors": [door for door in ground.get("doors", ()) if any(_seen_parts_of_line(seen, door["at"]))],
        "lights": [light for light in ground.get("lights", ()) if _is_point_seen(seen, light["at"])],
    }
    left.pop("image", None)
    return left


def names_of_seen_among(seen: Seen, squares: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the squares that have been seen, out of `squares`."""
    return tuple(square for square in squares if parse_square(square) in seen)


def _seen_parts_of_line(seen: Seen, line: Sequence[Point]) -> Iterator[list[Point]]:
    """Yield the parts of a line that lie in a seen square or along a side of one."""
    part: list[Point] = []
    for start, end in pairwise(line):
        for here, there in _cut_at_grid_lines(start, end):
            if not _is_point_seen(seen, [(here[0] + there[0]) / 2, (here[1] + there[1]) / 2]):
                continue
            if part and part[-1] != here:
                yield part
                part = []
            part = [*part, there] if part else [here, there]
    if part:
        yield part


def _cut_at_grid_lines(start: Point, end: Point) -> Iterator[tuple[Point, Point]]:
    """Yield the pieces of a straight line, cut where the line crosses from one square to the next."""
    steps = {0.0, 1.0}
    for a, b in zip(start, end, strict=True):
        if a != b:
            steps.update((whole - a) / (b - a) for whole in range(ceil(min(a, b)), floor(max(a, b)) + 1))
    along = sorted(step for step in steps if 0 <= step <= 1)
    points = [[round(a + (b - a) * step, 4) for a, b in zip(start, end, strict=True)] for step in along]
    points[0], points[-1] = list(start), list(end)
    yield from pairwise(points)


_NEAR = 0.001
"""How far from a side a point may be to count as on it, in squares."""


def _is_point_seen(seen: Seen, point: Point) -> bool:
    """Return whether a point is in a seen square, or on a side of one."""
    columns, rows = ({floor(at - _NEAR), floor(at + _NEAR)} for at in point)
    return any((x, y) in seen for x in columns for y in rows)
