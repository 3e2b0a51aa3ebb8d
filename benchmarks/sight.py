"""Sight and ways on a large map: walls between squares against none, one-way walls against plain ones."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from benchmarks.measure import ratios, report, size
from strike_cli.tabletop.grid import Grid
from strike_cli.tabletop.squares_and_lines import Walls, wall_segments

SIDE, WALLS, LOOKS = 30, 60, size(400, 10)


def main() -> None:
    """Print the time on one kind of map over another's, for the questions that fights ask most."""
    source = Random(2)
    rows = ["".join("#" if source.random() < 0.12 else "." for _ in range(SIDE)) for _ in range(SIDE)]
    lines = wall_segments([_line(source) for _ in range(WALLS)])
    kinds = {"no": None, "plain": Walls(lines), "one-way": Walls((), lines)}
    for what, done in (("sight and cover", _looks), ("steps and ways", _ways)):
        for ours, theirs, limit in (("plain", "no", ""), ("one-way", "plain", "at most 3")):
            found = ratios(_on(done, rows, kinds[ours]), _on(done, rows, kinds[theirs]), rounds=7)
            report(f"{what}, {ours} walls / {theirs}", found, limit)


def _line(source: Random) -> list[tuple[int, int]]:
    x, y, long = source.randrange(SIDE - 4), source.randrange(SIDE - 4), source.randrange(1, 5)
    return [(x, y), (x + long, y)] if source.random() < 0.5 else [(x, y), (x, y + long)]


def _on(done: Callable[[Grid], None], rows: list[str], walls: Walls | None) -> Callable[[], None]:
    return lambda: done(Grid(rows, walls=walls))


def _looks(grid: Grid) -> None:
    source = Random(3)
    for _ in range(LOOKS):
        a, b = ((source.randrange(SIDE), source.randrange(SIDE)) for _ in range(2))
        grid.line_of_sight(a, b)
        grid.cover(a, b)


def _ways(grid: Grid) -> None:
    for y in range(0, SIDE, 10):
        grid.distances_to((5, y))
    grid.distances((0, 0), 2)
