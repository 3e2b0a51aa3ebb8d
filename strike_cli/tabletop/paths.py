"""Paths on foot over a map: their lengths, and the closed doors to open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..kernel.facts import by_identity
from .doors import all_open
from .grid import CLOSED_DOOR, Grid, gap, grid_of
from .squares import Square

if TYPE_CHECKING:
    from .data import BoardKept

SHUT = 2
"""Squares added to a path's length for going through shut doors."""
NO_WAY = 1000
"""Squares added to the straight distance where no path exists."""


@by_identity
def opened_grid(board: BoardKept) -> Grid:
    """Return a scene's map with every door open."""
    return grid_of(all_open(board))


def doors_ahead(
    grid: Grid, opened: Grid, here: Square, size: int, there: Square
) -> Iterator[tuple[Square, Square | None]]:
    """Yield the doors beside a person that are in their way to a square, the best first.

    A door is its square and None, or, in a wall, the person's square and the one beyond. There are none where
    a path exists without opening any. `opened` is the map with every door open.
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
    """Paths over a scene's map as it is, and with every door open.

    People don't block them.
    """

    def __init__(self, board: BoardKept) -> None:
        self.grid = grid_of(board)
        self.opened = opened_grid(board)

    def far(self, here: Square, size: int, there: Square, as_large: int = 1) -> int:
        """Return the length of the path to a person of the size `as_large`, in squares.

        Shut doors add a few, and a missing path very many.
        """
        left = self.grid.distances_to(there, size).get(here)
        if left is not None:
            return left
        left = self.opened.distances_to(there, size).get(here)
        return left + SHUT if left is not None else NO_WAY + gap(here, size, there, as_large)

    def doors_ahead(self, here: Square, size: int, there: Square) -> Iterator[tuple[Square, Square | None]]:
        """Yield the doors beside a person on their way to a square, the best first (`doors_ahead`)."""
        return doors_ahead(self.grid, self.opened, here, size, there)


ways_of = by_identity(Ways)
"""Return the paths over the map of a scene's table, cached."""
