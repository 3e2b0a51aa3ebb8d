"""Walls, doors and lights as Foundry VTT stores them, for scene files and for its API."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from .grid import Grid
from .squares_and_lines import SEE_THROUGH, TERRAIN, WALK_THROUGH, WALL_KINDS
from .wall_and_door_lines import DoorCutter, door_lines, lines_of_square_doors, wall_sides_facing_rooms

if TYPE_CHECKING:
    from .data import BoardKept

_LIKE: Mapping[str, Mapping[str, int]] = {
    "walls": {},
    "one_way_walls": {"dir": 1},
    SEE_THROUGH: {"sight": 0, "light": 0},
    WALK_THROUGH: {"move": 0},
    TERRAIN: {"sight": 10, "light": 10},
}
"""For each kind of wall, the keys in which it differs from a plain one."""


def wall_and_door_documents(
    board: BoardKept, to_pixels: Callable[[Sequence[float]], Sequence[int]]
) -> Iterator[dict[str, object]]:
    """Yield a document for each straight piece of a map's walls, and for each door.

    `to_pixels` converts a point of the map to pixels. A document has the ends of the piece (`c`). For a plain
    wall it has nothing else. Other walls and doors have more keys, such as `door`.
    """
    of: Mapping[str, Sequence[Sequence[Sequence[float]]]] = board  # type: ignore[assignment]  # keys of walls
    grid = Grid(board["rows"])
    doors = [*door_lines(board.get("doors", ())), *lines_of_square_doors(grid)]
    cutter, panes, terrain = DoorCutter(doors), of.get(SEE_THROUGH, ()), of.get(TERRAIN, ())
    for kind in WALL_KINDS:
        for line in [*of.get(kind, ()), *(wall_sides_facing_rooms(grid) if kind == "walls" else ())]:
            if kind == SEE_THROUGH and line in terrain:
                continue
            like = {**_LIKE[kind], **({"move": 0} if kind == TERRAIN and line not in panes else {})}
            for piece in cutter.cut_wall([(x, y) for x, y in line]):
                yield from ({**like, "c": [*to_pixels(a), *to_pixels(b)]} for a, b in pairwise(piece))
    for door in doors:
        yield {"door": 1, "ds": int(door.open), "c": [*to_pixels(door.start), *to_pixels(door.end)]}


def light_documents(
    board: BoardKept, to_pixels: Callable[[Sequence[float]], Sequence[int]], square_side: float = 1
) -> Iterator[dict[str, object]]:
    """Yield a document for each light of a map.

    Half of a light's reach is bright. `to_pixels` converts a point of the map to pixels. The side of a square
    is `square_side` long.
    """
    for light in board.get("lights", ()):
        yield {
            **dict(zip("xy", to_pixels(light["at"]), strict=True)),
            "walls": light.get("shadows", True),
            "config": {
                "dim": light["range"] * square_side,
                "bright": light["range"] * square_side / 2,
                "color": f"#{light.get('color', 'ffffffff')[2:]}",
                "alpha": min(1, light.get("intensity", 1) / 2),
            },
        }
