"""Walls, doors and lights as Foundry VTT stores them, for scene files and for its API."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from .grid import Grid
from .squares_and_lines import SEE_THROUGH, TERRAIN, WALK_THROUGH, WALL_KINDS
from .wall_and_door_lines import DoorCutter, doors_from_map, square_doors, wall_outlines

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


def wall_documents(
    board: BoardKept, at: Callable[[Sequence[float]], Sequence[int]]
) -> Iterator[dict[str, object]]:
    """Yield a document for each straight piece of a map's walls, and for each door.

    A document has only the keys in which it differs from that of a plain wall. `at` converts a point of the
    map to pixels.
    """
    of: Mapping[str, Sequence[Sequence[Sequence[float]]]] = board  # type: ignore[assignment]  # keys of walls
    grid = Grid(board["rows"])
    doors = [*doors_from_map(board.get("doors", ())), *square_doors(grid)]
    cutter, panes, terrain = DoorCutter(doors), of.get(SEE_THROUGH, ()), of.get(TERRAIN, ())
    for kind in WALL_KINDS:
        for line in [*of.get(kind, ()), *(wall_outlines(grid) if kind == "walls" else ())]:
            if kind == SEE_THROUGH and line in terrain:
                continue
            like = {**_LIKE[kind], **({"move": 0} if kind == TERRAIN and line not in panes else {})}
            for piece in cutter.cut_wall([(x, y) for x, y in line]):
                yield from ({**like, "c": [*at(a), *at(b)]} for a, b in pairwise(piece))
    for door in doors:
        yield {"door": 1, "ds": int(door.open), "c": [*at(door.start), *at(door.end)]}


def light_documents(
    board: BoardKept, at: Callable[[Sequence[float]], Sequence[int]], units: float = 1
) -> Iterator[dict[str, object]]:
    """Yield a document for each light of a map.

    Half of a light's reach is bright. `at` converts a point of the map to pixels. The side of a square is
    `units` long.
    """
    for light in board.get("lights", ()):
        yield {
            **dict(zip("xy", at(light["at"]), strict=True)),
            "walls": light.get("shadows", True),
            "config": {
                "dim": light["range"] * units,
                "bright": light["range"] * units / 2,
                "color": f"#{light.get('color', 'ffffffff')[2:]}",
                "alpha": min(1, light.get("intensity", 1) / 2),
            },
        }
