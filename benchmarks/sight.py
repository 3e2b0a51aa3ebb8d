"""Compare the speed of sight and distances on large maps with different walls.

Maps with plain walls are compared with maps without walls. Maps with one-way walls are compared with maps
with plain walls.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from benchmarks.paired_timing import print_ratio, time_ratios, usual_or_trial_amount
from strike_cli.tabletop.grid import Grid
from strike_cli.tabletop.squares_and_lines import Walls, segments_in_wall_units

SIDE, WALLS, LOOKS = 30, 60, usual_or_trial_amount(400, 10)


def main() -> None:
    """Print how much walls slow down the queries that fights make most.

    The queries are those about sight and cover, and those about steps and ways. Maps with plain walls are
    compared with maps without walls. Maps with one-way walls are compared with maps with plain walls.
    """
    source = Random(2)
    rows = ["".join("#" if source.random() < 0.12 else "." for _ in range(SIDE)) for _ in range(SIDE)]
    lines = segments_in_wall_units([_random_wall(source) for _ in range(WALLS)])
    kinds = {"no": None, "plain": Walls(lines), "one-way": Walls((), lines)}
    for what, done in (("sight and cover", _query_sight), ("steps and ways", _query_distances)):
        for ours, theirs, limit in (("plain", "no", ""), ("one-way", "plain", "at most 3")):
            found = time_ratios(
                _on_new_grid(done, rows, kinds[ours]), _on_new_grid(done, rows, kinds[theirs]), rounds=7
            )
            print_ratio(f"{what}, {ours} walls / {theirs}", found, limit)


def _random_wall(source: Random) -> list[tuple[int, int]]:
    x, y, long = source.randrange(SIDE - 4), source.randrange(SIDE - 4), source.randrange(1, 5)
    return [(x, y), (x + long, y)] if source.random() < 0.5 else [(x, y), (x, y + long)]


def _on_new_grid(query: Callable[[Grid], None], rows: list[str], walls: Walls | None) -> Callable[[], None]:
    return lambda: query(Grid(rows, walls=walls))


def _query_sight(grid: Grid) -> None:
    source = Random(3)
    for _ in range(LOOKS):
        a, b = ((source.randrange(SIDE), source.randrange(SIDE)) for _ in range(2))
        grid.has_line_of_sight(a, b)
        grid.has_cover(a, b)


def _query_distances(grid: Grid) -> None:
    for y in range(0, SIDE, 10):
        grid.distances_to((5, y))
    grid.distances_from((0, 0), 2)
