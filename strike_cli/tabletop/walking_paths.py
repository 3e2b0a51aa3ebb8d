"""Walks on a map: their length, and the closed doors in the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..kernel.state_changes import remember_by_identity
from .doors import with_all_doors_open
from .grid import CLOSED_DOOR, Grid, gap, grid_of
from .squares_and_lines import Square

if TYPE_CHECKING:
    from .data import BoardKept

SHUT = 2
"""How many squares shut doors add to a walk."""
NO_WAY = 1000
"""How many squares are added to the straight distance if one can't get there."""


@remember_by_identity
def opened_grid(board: BoardKept) -> Grid:
    """Return the grid of a scene's map with every door open."""
    return grid_of(with_all_doors_open(board))


def doors_ahead(
    grid: Grid, opened: Grid, here: Square, size: int, there: Square
) -> Iterator[tuple[Square, Square | None]]:
    """Yield the closed doors beside a person that are in the way to a square, the best first.

    A door that is a square is given as that square and None; a door in a wall is given as the person's square
    and the square beyond the wall. Nothing is yielded if the person can get there without opening a door.
    `opened` is the map with every door open.
    """
    plain = grid.plain  # which squares can be reached is the same on rough ground
    if opened is plain or here in plain.distances_to(there, size):  # without doors both maps are one object
        return
    left = opened.distances_to(there, size)
    if here not in left:
        return
    open_already = set(grid.neighbours(here, size))
    for step in sorted(opened.neighbours(here, size), key=lambda step: left.get(step, left[here])):
        if step not in open_already and left.get(step, left[here]) < left[here]:
            yield (step, None) if grid.char(step) == CLOSED_DOOR else (here, step)


class Ways:
    """The ways to walk on a scene's map, as the map is and with every door open.

    People are never in the way.
    """

    def __init__(self, board: BoardKept) -> None:
        self.grid = grid_of(board)
        self.opened = opened_grid(board)

    def far(self, here: Square, size: int, there: Square, as_large: int = 1) -> int:
        """Return the walking distance to the place of a person of the size `as_large`, ignoring people.

        If doors have to be opened on the way, the distance with every door open counts, and SHUT is added. If
        there is no way at all, the result is at least NO_WAY.
        """
        left = self.grid.distances_to(there, size).get(here)
        if left is not None:
            return left
        left = self.opened.distances_to(there, size).get(here)
        return left + SHUT if left is not None else NO_WAY + gap(here, size, there, as_large)

    def doors_ahead(self, here: Square, size: int, there: Square) -> Iterator[tuple[Square, Square | None]]:
        """Yield the closed doors beside a person on the way to a square (see the function `doors_ahead`)."""
        return doors_ahead(self.grid, self.opened, here, size, there)


ways_of = remember_by_identity(Ways)
"""Returns the walks on the map of a scene's table, cached."""
