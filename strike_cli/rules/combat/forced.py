"""Being moved by somebody else."""

from __future__ import annotations

from ..grid import footprint, format_square, gap
from ..procedure import Procedure, World
from .fight import Fight, path_of


def displace(world: World, who: str, by: str, squares: int, kind: str) -> Procedure[None]:
    """Move `who` by up to so many squares, as `by` wills. Kinds: push, square by square away from `by`, as
    straight as the way is free. Raises ValueError for another kind."""
    if kind != "push":
        raise ValueError(kind)
    fight = Fight(world)
    start = fight.at(who)
    here = start
    taken = fight.occupied(skip=who)
    source, size = fight.at(by), fight.size(who)
    for _ in range(squares):
        apart = gap(source, fight.size(by), here, size)
        onward = [
            square
            for square in fight.grid.neighbours(here, size)
            if gap(source, fight.size(by), square, size) > apart
            and not any(part in taken for part in footprint(square, size))
        ]
        if not onward:
            break
        here = min(onward, key=lambda square: _off_line(source, start, square))
    if here != start:
        text = f"{fight.name(who)} is pushed to {format_square(here)}."
        yield world.happen("pushed", who, text, {path_of(who, "at"): format_square(here)})


def _off_line(source: tuple[int, int], start: tuple[int, int], square: tuple[int, int]) -> int:
    """How far a square is off the line from the source through the start."""
    across = (start[0] - source[0]) * (square[1] - source[1]) - (start[1] - source[1]) * (
        square[0] - source[0]
    )
    return abs(across)
