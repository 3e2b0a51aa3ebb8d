"""Large maps with thousands of walls and doors: what is far off costs nothing, and nothing near is missed."""

from __future__ import annotations

from random import Random

import pytest
from support.cases import case

from strike_cli.tabletop import squares_and_lines, wall_and_door_lines
from strike_cli.tabletop.foreign_map_files import MapDoor
from strike_cli.tabletop.squares_and_lines import UNIT, Segment, Walls, _cells_near

SIDE = 400


def scattered(count: int, source: Random) -> list[Segment]:
    """Walls of up to eight squares, some of them aslant."""
    found = []
    for _ in range(count):
        x, y = (source.randrange(SIDE * UNIT) for _ in range(2))
        across, down = (source.choice((0, source.randrange(-8 * UNIT, 8 * UNIT))) for _ in range(2))
        found.append(((x, y), (x + across, y + down)))
    return found


@pytest.mark.slow
def test_what_many_walls_stop_is_what_each_of_them_does() -> None:
    source = Random(5)
    for count in (49, 51, 3000):
        segments, terrain = scattered(count, source), scattered(count, source)
        walls = Walls(segments, terrain=terrain)
        for _ in range(60):
            a = source.randrange(SIDE * UNIT), source.randrange(SIDE * UNIT)
            far = source.choice((UNIT, 20 * UNIT, SIDE * UNIT))
            b = a[0] + source.randrange(-far, far), a[1] + source.choice((0, source.randrange(-far, far)))
            with case(count, a, b):
                by_one = [
                    any(squares_and_lines._walls_touching(a, b, squares_and_lines._WallIndex([each]).walls))
                    for each in segments
                ]
                assert walls.stops_line_ignoring_one_way(a, b) == (
                    any(by_one) or walls.count_terrain_wall_touches(a, b) > 1
                )
                near = walls.walls_near(a, b)
                assert {each for each, met in zip(segments, by_one, strict=True) if met} <= {*near.segments}
                # As far as somebody leans out at either end.
                aside = source.randrange(-150, 151), source.randrange(-150, 151)
                beside = [(x + aside[0], y + aside[1]) for x, y in (a, b)]
                assert walls.stops_line_ignoring_one_way(
                    beside[0], beside[1]
                ) == near.stops_line_ignoring_one_way(beside[0], beside[1])


def test_walls_and_doors_far_off_are_not_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    source, tried = Random(6), []
    walls = Walls(scattered(4000, source))
    assert len(walls.walls_near((50, 50), (5 * UNIT, 9 * UNIT)).segments) < 40
    assert len([*_cells_near((0, 0), (SIDE * UNIT, SIDE * UNIT), 150)]) < 300
    places = [(source.randrange(SIDE), source.randrange(SIDE)) for _ in range(4000)]
    doors = [MapDoor((x, y), (x + 1, y), False) for x, y in places[:400]]
    whole = wall_and_door_lines._door_stretch_in_squares_or_inf
    monkeypatch.setattr(
        wall_and_door_lines, "_door_stretch_in_squares_or_inf", lambda *each: tried.append(1) or whole(*each)
    )
    left = wall_and_door_lines.cut_walls_at_doors([[(x, y), (x + 5, y)] for x, y in places], doors)
    assert len(tried) < 20 * len(places)
    assert all([(x, y), (x + 1, y)] not in left for x, y in places[:400])
