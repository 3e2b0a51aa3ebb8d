"""The grid of a map as a scene's table keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from .grid import NOTHING, WALL, Grid
from .squares import Square
from .walls import SEE_THROUGH, WALK_THROUGH, Segment, Walls, segments_of


@lru_cache(maxsize=32)
def _grid(
    rows: tuple[str, ...],
    rough: frozenset[Square],
    walls: tuple[Segment, ...],
    one_way: tuple[Segment, ...],
    see_through: tuple[Segment, ...],
    walk_through: tuple[Segment, ...],
) -> Grid:
    steps = Walls([*walls, *see_through], one_way)
    if not (see_through or walk_through):
        return Grid(rows, rough, steps)
    return Grid(rows, rough, steps, Walls([*walls, *walk_through], one_way))


def grid_of(
    board: Mapping[str, Any],
    rough: frozenset[Square] = frozenset(),
    blocked: frozenset[Square] = frozenset(),
) -> Grid:
    """The grid of a map as the state keeps it; `rough` are squares that zones make difficult, `blocked` those
    that they make walls."""
    rows = tuple(board["rows"])
    others = [
        tuple(segments_of(board.get(kind, ()))) for kind in ("one_way_walls", SEE_THROUGH, WALK_THROUGH)
    ]
    return _grid(_walled(rows, blocked) if blocked else rows, rough, _segments(board), *others)


def _walled(rows: tuple[str, ...], blocked: frozenset[Square]) -> tuple[str, ...]:
    """The rows with walls on these squares, where there is ground."""
    return tuple(
        "".join(WALL if (x, y) in blocked and sign != NOTHING else sign for x, sign in enumerate(row))
        for y, row in enumerate(rows)
    )


def _segments(board: Mapping[str, Any]) -> tuple[Segment, ...]:
    """The walls that run between squares, and the doors in them that are shut."""
    shut = [door["at"] for door in board.get("doors", ()) if not door["open"]]
    return tuple(segments_of([*board.get("walls", ()), *shut]))
