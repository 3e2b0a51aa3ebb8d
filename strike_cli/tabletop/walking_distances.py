"""Walks on a map: their length, and the closed doors in the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..deprecated_api_names import OldName
from ..kernel.state_changes import cached_by_identity
from .doors import with_all_doors_open
from .grid import CLOSED_DOOR, Grid, distance_between_spaces, grid_of
from .squares_and_lines import Square

if TYPE_CHECKING:
    from .data import BoardKept

CLOSED_DOORS_COST = 2
"""How many squares shut doors add to a walk."""
NO_WAY_COST = 1000
"""How many squares are added to the straight distance if one can't get there."""


@cached_by_identity
def grid_with_doors_open(board: BoardKept) -> Grid:
    """Return the grid of a scene's map with every door open."""
    return grid_of(with_all_doors_open(board))


def closed_doors_beside_on_blocked_way(
    grid: Grid, grid_with_doors_open: Grid, here: Square, size: int, there: Square
) -> Iterator[tuple[Square, Square | None]]:
    """Yield the closed doors beside a person on the way to a square, the best first.

    A door that is a square comes as that square and None. A door in a wall comes as the person's square and
    the square beyond the wall. There are none if the person can get there without opening a door.
    `grid_with_doors_open` is the map with every door open.
    """
    plain = grid.plain  # which squares can be reached is the same on rough ground
    if grid_with_doors_open is plain or here in plain.distances_to(
        there, size
    ):  # without doors both maps are one object
        return
    left = grid_with_doors_open.distances_to(there, size)
    if here not in left:
        return
    open_already = set(grid.neighbours(here, size))
    for step in sorted(
        grid_with_doors_open.neighbours(here, size), key=lambda step: left.get(step, left[here])
    ):
        if step not in open_already and left.get(step, left[here]) < left[here]:
            yield (step, None) if grid.sign_at(step) == CLOSED_DOOR else (here, step)


class WalkingDistances:
    """Walking distances on a scene's map: with its doors as they are, and with every door open.

    People never block the way.
    """

    def __init__(self, board: BoardKept) -> None:
        self.grid = grid_of(board)
        self.opened = grid_with_doors_open(board)

    def walking_distance(self, here: Square, size: int, there: Square, size_there: int = 1) -> int:
        """Return the walking distance to the place of a person of the size `size_there`, ignoring people.

        If doors have to be opened on the way, it is the distance with every door open, plus
        CLOSED_DOORS_COST. If there is no way at all, the result is at least NO_WAY_COST.
        """
        left = self.grid.distances_to(there, size).get(here)
        if left is not None:
            return left
        left = self.opened.distances_to(there, size).get(here)
        return (
            left + CLOSED_DOORS_COST
            if left is not None
            else NO_WAY_COST + distance_between_spaces(here, size, there, size_there)
        )

    def closed_doors_ahead(
        self, here: Square, size: int, there: Square
    ) -> Iterator[tuple[Square, Square | None]]:
        """Yield the closed doors next to a person that are on the way to a square, the best first.

        `here` is the person's square, and `there` is the square to reach. A door that fills a square comes as
        that square and None. A door in a wall comes as the person's square and the square behind the wall. If
        the person can get there without opening a door, none is yielded.
        """
        return closed_doors_beside_on_blocked_way(self.grid, self.opened, here, size, there)

    far = OldName("walking_distance")
    doors_ahead = OldName("closed_doors_ahead")


ways_of = cached_by_identity(WalkingDistances)
"""Returns the walks on the map of a scene's table, cached."""
