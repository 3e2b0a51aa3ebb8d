"""How far things are, as each game counts: against walks that are enumerated here step by step."""

from collections.abc import Set
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cases import case
from support.thorough import THOROUGH

from strike_cli.registry.plugin_discovery import _known_system
from strike_cli.registry.scenes_and_decisions_in_state import scene_or_bare_scene_from_table
from strike_cli.registry.system_declaration import SceneTable, System
from strike_cli.tabletop.distance_units import SQUARES, Measure, count_borders_between
from strike_cli.tabletop.grid import Grid, Square, distance, distance_between_spaces, footprint, grid_of
from strike_cli.tabletop.scene import Scene

FEET = Measure("foot", "feet", 5, "1-2-1")
SIDE = 9
STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]

squares = st.tuples(st.integers(0, 5), st.integers(0, 5))
sizes = st.integers(1, 3)
maps = st.lists(st.text("......~~#+", min_size=6, max_size=6), min_size=6, max_size=6)


def cheapest_walks(
    grid: Grid, start: Square, taken: Set[Square] = frozenset(), odd: bool = False
) -> dict[Square, int]:
    """What the cheapest walk of one who stands on one square costs to each: walks are spread, with what they
    cost and whether the next diagonal is the dear one, until none gets cheaper. Difficult ground doubles a
    step."""
    cost = {(start, odd): 0}
    changed = True
    while changed:
        changed = False
        for ((x, y), dear), spent in list(cost.items()):
            for across, down in STEPS:
                there, diagonal = (x + across, y + down), across != 0 and down != 0
                if grid.is_blocked(there) or there in taken:
                    continue
                if diagonal and grid.is_blocked((there[0], y)) and grid.is_blocked((x, there[1])):
                    continue
                twice = diagonal and dear and grid.alternate
                step = (2 if twice else 1) * (2 if grid.is_difficult(there) else 1)
                state = (there, dear != diagonal)
                if spent + step < cost.get(state, 1000):
                    cost[state] = spent + step
                    changed = True
    found: dict[Square, int] = {}
    for (square, _), total in cost.items():
        found[square] = min(total, found.get(square, 1000))
    return found


def test_every_second_diagonal_counts_twice_or_none() -> None:
    """STR-TAC-07: the known row of a diagonal, and every square of a board against all walks to it."""
    row = [distance_between_spaces((0, 0), 1, (n, n), 1, alternate=True) for n in range(7)]
    assert row == [0, 1, 3, 4, 6, 7, 9]
    middle = (SIDE, SIDE)
    for alternate in (True, False):
        board = Grid(["." * (2 * SIDE + 1)] * (2 * SIDE + 1), alternate=alternate)
        for square, cost in cheapest_walks(board, middle).items():
            assert distance_between_spaces(middle, 1, square, 1, alternate=alternate) == cost
    assert distance(middle, (SIDE + 2, SIDE - 5)) == 5


@given(squares, sizes, squares, sizes, st.booleans())
def test_large_creatures_are_measured_from_their_nearest_squares(
    a: Square, size_a: int, b: Square, size_b: int, alternate: bool
) -> None:
    nearest = min(
        distance_between_spaces(one, 1, other, 1, alternate=alternate)
        for one in footprint(a, size_a)
        for other in footprint(b, size_b)
    )
    assert distance_between_spaces(a, size_a, b, size_b, alternate=alternate) == nearest
    assert distance_between_spaces(b, size_b, a, size_a, alternate=alternate) == nearest


@settings(max_examples=100 if THOROUGH else 50)
@given(maps, squares, squares, st.sets(squares, max_size=6), st.integers(0, 9), st.booleans(), st.booleans())
def test_walks_cost_what_spreading_finds(
    rows: list[str], start: Square, goal: Square, taken: set[Square], speed: int, alternate: bool, odd: bool
) -> None:
    """STR-TAC-07."""
    grid = Grid(rows, alternate=alternate)

    def free(square: Square) -> bool:
        return square not in taken

    expected = cheapest_walks(grid, start, taken, odd)
    assert grid.reachable(start, speed, passable=free, standable=free, odd=odd) == {
        square: cost for square, cost in expected.items() if cost <= speed
    }
    path = grid.shortest_path(start, goal, passable=free, odd=odd)
    assert (path is None) == (goal not in expected or (grid.is_blocked(goal) and goal != start))
    if path:
        assert (path[0], path[-1]) == (start, goal)
        assert all(there in grid.neighbours(here) and free(there) for here, there in pairwise(path))
        assert grid.path_cost(path, odd=odd) == expected[goal]


def test_a_limit_is_held_and_a_map_of_the_state_says_how_it_counts() -> None:
    board = {"rows": ["......"] * 6, **FEET.map_keys()}
    grid = grid_of(board)
    assert grid.alternate
    assert not grid_of({"rows": ["......"] * 6, **SQUARES.map_keys()}).alternate

    def anywhere(square: Square) -> bool:
        return True

    assert grid.shortest_path((0, 0), (4, 4), passable=anywhere, limit=5) is None
    assert grid.shortest_path((0, 0), (4, 4), passable=anywhere, limit=6) == [(n, n) for n in range(5)]
    assert grid.distances_from((0, 0))[4, 4] == grid.distances_to((4, 4))[0, 0] == 6
    assert FEET.for_map(None) == FEET
    assert Measure("foot", "feet", 5).for_map(board) == FEET


@pytest.mark.parametrize(
    ("measure", "steps", "words"),
    [
        (SQUARES, 1, "1 square"),
        (SQUARES, 6, "6 squares"),
        (FEET, 6, "30 feet"),
        (Measure("foot", "feet"), 1, "1 foot"),
        (Measure("m", "m", 1.5), 3, "4.5 m"),
        (Measure("m", "m", 1.5), 6, "9 m"),
        (Measure("zone", "zones", 1, "zones"), 2, "2 zones"),
    ],
)
def test_a_distance_has_the_words_of_its_game(measure: Measure, steps: int, words: str) -> None:
    assert measure.words(steps) == words


def test_a_walk_is_as_long_as_its_game_counts_it() -> None:
    """Whatever the ground; nothing where it leaves squares out or stays on one."""
    for way, squares, feet in (
        ([], 0, 0), ([(2, 2)], 0, 0), ([(2, 2), (3, 2), (3, 1)], 2, 2), ([(2, 2), (3, 3), (4, 3)], 2, 2),
        ([(2, 2), (1, 1), (2, 0)], 2, 3), ([(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)], 4, 6),
        ([(2, 2), (4, 2)], None, None), ([(2, 2), (2, 0)], None, None), ([(2, 2), (2, 2)], None, None),
    ):  # fmt: skip
        with case(way, squares, feet):
            assert (SQUARES.walk_length(way), FEET.walk_length(way)) == (squares, feet)


def test_zones_are_as_far_as_the_borders_between_them() -> None:
    """A border is one both ways, whoever names it; where nobody said, nobody knows."""
    borders = {"the yard": ["the gate", "the well"], "the tower": ["the gate"]}
    far = {
        ("the yard", "the yard"): 0,
        ("the yard", "the gate"): 1,
        ("the gate", "the yard"): 1,
        ("the well", "the tower"): 3,
        ("the well", "the moon"): None,
    }
    assert {pair: count_borders_between(*pair, borders) for pair in far} == far
    assert count_borders_between("here", "here") == 0
    assert count_borders_between("here", "there") is count_borders_between("here", None) is None
    with pytest.raises(ValueError, match="1-2-1"):
        Measure(diagonals="2-1-2")


CAMP = Measure("zone", "zones", diagonals="zones")
OF_FEET = Measure("foot", "feet", 5)


def someone(at: str | None, **more: object) -> dict[str, object]:
    return {"name": "Somebody", "side": "party", **({"at": at} if at else {}), **more}


def scene_of_measure(measure: str, table: dict[str, object]) -> Scene:
    reference = f"{__name__}:{measure}" if measure else ""
    system = System("camp", scene=SceneTable("camp", measure=reference))
    return scene_or_bare_scene_from_table(_known_system(system, "", {}, {}), table)


def test_a_scene_measures_as_its_system_says() -> None:
    """Over its map by squares, large creatures from their nearest; by zones over borders that it names."""
    people = {"a": someone("A1"), "b": someone("D4"), "c": someone("D4", size=2), "d": someone(None)}
    board = {"rows": ["......"] * 6}
    plain = scene_of_measure("", {"people": people, "map": board})
    assert (plain.measure, plain.distance_between("a", "b"), plain.distance_between("b", "c")) == (
        SQUARES,
        3,
        0,
    )
    assert plain.distance_between("a", "d") is None
    dear = scene_of_measure("OF_FEET", {"people": people, "map": {**board, "diagonals": "1-2-1"}})
    assert (dear.measure, dear.distance_between("a", "b")) == (FEET, 4)
    assert dear.board is not None
    assert dear.board.grid.alternate
    assert scene_of_measure("OF_FEET", {"people": people}).measure is None
    there = {"a": someone("yard"), "b": someone("tower"), "c": someone("moon")}
    camp = scene_of_measure("CAMP", {"people": there, "borders": {"gate": ["yard", "tower"]}})
    assert (camp.measure, camp.distance_between("a", "b"), camp.distance_between("a", "c")) == (CAMP, 2, None)
