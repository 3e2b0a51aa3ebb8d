"""The battle grid against known positions, and against slow and simple ways to the same answers."""

from contextlib import nullcontext
from fractions import Fraction
from functools import partial
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cases import case
from support.thorough import THOROUGH

from strike_cli.tabletop.grid import (
    Grid,
    Square,
    are_adjacent,
    are_flanking,
    column_name,
    distance,
    distance_between_spaces,
    footprint,
    format_square,
    parse_square,
    squares_between_spaces,
)
from strike_cli.tabletop.squares_and_lines import Walls, all_squares_line_goes_through, segments_in_wall_units


def anywhere(square: Square) -> bool:
    return True


squares = st.tuples(st.integers(0, 6), st.integers(0, 6))
sizes = st.integers(1, 3)
maps = st.lists(st.text("..##~+/ ", min_size=7, max_size=7), min_size=7, max_size=7)
roomy_maps = st.lists(st.text("......~~#+", min_size=7, max_size=7), min_size=7, max_size=7)


def read(*rows: str) -> tuple[Grid, Square, Square]:
    """A drawn map, and where A and B stand on it, which is floor."""
    grid = Grid(["".join("." if character.isalpha() else character for character in row) for row in rows])
    a, b = (next((row.index(who), y) for y, row in enumerate(rows) if who in row) for who in "AB")
    return grid, a, b


# --- names of squares


def test_squares_are_named_by_column_letter_and_row_number() -> None:
    for text, square in (
        ("A1", (0, 0)),
        ("c7", (2, 6)),
        (" z10 ", (25, 9)),
        ("AA1", (26, 0)),
        ("az3", (51, 2)),
        ("BA12", (52, 11)),
    ):
        with case(text, square):
            assert parse_square(text) == square


def test_a_square_in_words() -> None:
    assert format_square((2, 6)) == "C7"
    assert [column_name(x) for x in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]


def test_what_is_not_a_square_is_refused_with_an_example() -> None:
    for text in ("7C", "", "C", "7", "C0", "C-1", "C 7", "É7", "C7x", "ABCD1", "C12345", "C٣"):
        with (
            case(text),
            pytest.raises(
                ValueError, match="is not a square: write a column letter and a row number, like C7"
            ),
        ):
            parse_square(text)


def test_squares_off_the_top_left_have_no_name() -> None:
    with pytest.raises(ValueError, match="start at 0"):
        format_square((-1, 0))


@given(st.tuples(st.integers(0, 18277), st.integers(0, 9998)))
def test_names_round_trip(square: Square) -> None:
    assert parse_square(format_square(square)) == square


# --- distance, adjacency, flanking


def test_gap_between_large_creatures() -> None:
    assert distance_between_spaces((0, 0), 3, (5, 1), 1) == 3
    assert are_adjacent((3, 1), (0, 0), 1, 3)
    assert not are_adjacent((1, 1), (0, 0), 1, 2)


def test_what_is_between_two() -> None:
    """The nearest to the second one first, and none of their own squares."""
    assert squares_between_spaces((0, 0), (4, 0)) == [(3, 0), (2, 0), (1, 0)]
    assert squares_between_spaces((0, 0), (3, 3)) == [(2, 2), (1, 1)]
    assert squares_between_spaces((0, 0), (1, 1)) == squares_between_spaces((0, 0), (0, 1)) == []
    assert squares_between_spaces((0, 0), (4, 1), 3, 1) == [(3, 1)]


def test_whoever_has_no_size_is_one_square_wide() -> None:
    """STR-TAC-07, 22, 24: in what is asked about a place of a map, or two."""
    grid = Grid(["..#..", "..#..", ".....", "#.#.#", "....."])
    places = list(product(range(4), repeat=2))
    room = [[grid.fits(place, *size) for place in places] for size in ((), (1,), (2,))]
    assert room[0] == room[1] != room[2]
    pairs = list(product(places, repeat=2))
    for ask in (
        grid.has_line_of_sight, partial(grid.has_line_of_sight_past, frozenset({(1, 2)})), grid.has_cover,
        squares_between_spaces, are_adjacent,
    ):  # fmt: skip
        with case(ask):
            answers = [[ask(a, b, *sizes) for a, b in pairs] for sizes in ((), (1, 1), (2, 1), (1, 2))]
            assert answers[0] == answers[1]
            assert answers[0] not in answers[2:]


def test_footprint_runs_right_and_down_from_the_top_left() -> None:
    assert footprint((2, 3)) == ((2, 3),)
    assert footprint((2, 3), 2) == ((2, 3), (3, 3), (2, 4), (3, 4))


@given(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), st.tuples(st.integers(-2, 2), st.integers(-2, 2)))
def test_flanking_is_standing_exactly_opposite(a: Square, b: Square) -> None:
    """STR-TAC-20."""
    beside = max(map(abs, a)) == 1
    assert are_flanking(a, (0, 0), b) == are_flanking(b, (0, 0), a) == (beside and b == (-a[0], -a[1]))


def stands_beyond(square: Square, size: int, target: Square, target_size: int) -> tuple[int, ...] | None:
    """Which side or corner of the target somebody next to it is beyond: for each axis -1, 0 or 1."""
    own, others = footprint(square, size), footprint(target, target_size)
    if min(distance(one, other) for one in own for other in others) != 1:
        return None
    found = []
    for axis in (0, 1):
        here, there = [one[axis] for one in own], [other[axis] for other in others]
        found.append(-1 if max(here) < min(there) else 1 if min(here) > max(there) else 0)
    return tuple(found)


def test_flanking_in_any_sizes() -> None:
    """STR-TAC-20: beyond opposite sides or corners, against every square looked at."""
    for size in (1, 2, 3):
        for target in ((0, 0), (5, 6)):
            with case(size, target):
                around = list(product(range(-4, 5), repeat=2))
                beyond = {
                    (dx, dy, own): stands_beyond((target[0] + dx, target[1] + dy), own, target, size)
                    for dx, dy in around
                    for own in (1, 2, 3)
                }
                beside = {key: side for key, side in beyond.items() if side and any(side)}
                for (ax, ay, size_a), one in beside.items():
                    a = target[0] + ax, target[1] + ay
                    for (bx, by, size_b), other in beside.items():
                        b = target[0] + bx, target[1] + by
                        sizes = size_a, size, size_b
                        opposite = other == (-one[0], -one[1])
                        assert are_flanking(a, target, b, *sizes) == opposite, (a, b, sizes)
                for (ax, ay, size_a), one in beyond.items():
                    if not one:
                        a = target[0] + ax, target[1] + ay
                        for b in ((target[0] + x, target[1] + y) for x, y in around):
                            assert not are_flanking(a, target, b, size_a, size)
                            assert not are_flanking(b, target, a, 1, size, size_a)


# --- straight lines


def enters(square: Square, a: Square, b: Square) -> bool:
    """Whether the line between the centres of `a` and `b` passes inside `square`: clipping, in fractions."""
    enter, leave = Fraction(0), Fraction(1)
    for axis in (0, 1):
        start, run = Fraction(2 * a[axis] + 1, 2), b[axis] - a[axis]
        low, high = square[axis] - start, square[axis] + 1 - start
        if run == 0:
            if not low < 0 < high:
                return False
            continue
        times = sorted((low / run, high / run))
        enter, leave = max(enter, times[0]), min(leave, times[1])
    return enter < leave


@given(squares, squares)
def test_a_line_is_every_square_it_enters_in_order(a: Square, b: Square) -> None:
    way = all_squares_line_goes_through(a, b)
    everywhere = {(x, y) for x in range(7) for y in range(7)}
    assert set(way) == {a} | {square for square in everywhere if enters(square, a, b)}
    assert len(way) == len(set(way))
    assert all(distance(here, there) == 1 for here, there in pairwise(way))
    assert way[0] == a
    assert way == all_squares_line_goes_through(b, a)[::-1]


# --- the map


def test_a_map_knows_its_squares() -> None:
    grid = Grid(["#~+/", ".", "  ."])
    assert (grid.width, grid.height) == (4, 3)
    assert [grid.is_blocked((x, 0)) for x in range(4)] == [True, False, True, False]
    assert grid.is_difficult((1, 0))
    assert grid.sign_at((2, 1)) == " "
    assert grid.is_blocked((2, 1))
    assert grid.is_blocked((-1, 1))
    assert grid.is_blocked((0, 3))
    assert grid.is_on_map((3, 2))
    assert not grid.is_on_map((4, 2))


def test_an_empty_map() -> None:
    grid = Grid([])
    assert (grid.width, grid.height) == (0, 0)
    assert grid.is_blocked((0, 0))


def test_an_unknown_character_is_named_with_its_place_and_the_legend() -> None:
    with pytest.raises(
        ValueError, match=r"row 2, column 3 of the map: 'T' is not known.*'\.' floor.*'#' wall"
    ):
        Grid(["....", "..T."])


# --- movement


def test_one_corner_may_be_rounded_diagonally_but_two_leave_no_way() -> None:
    """STR-TAC-07."""
    open_corner, a, b = read("A#", ".B")
    assert b in open_corner.neighbours(a)
    shut, a, b = read("A#", "#B")
    assert b not in shut.neighbours(a)
    assert shut.shortest_path(a, b, passable=anywhere) is None


def test_difficult_terrain_costs_two_and_bars_a_shift() -> None:
    """STR-TAC-07."""
    grid = Grid([".~."])
    assert grid.step_cost((1, 0)) == 2
    assert grid.step_cost((2, 0), shift=True) == 1
    assert grid.path_cost([(0, 0), (1, 0), (2, 0)]) == 3
    with pytest.raises(ValueError, match="B1 is difficult terrain, which bars a Shift"):
        grid.step_cost((1, 0), shift=True)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_any_difficult_square_under_a_creature_counts(size: int) -> None:
    """STR-TAC-07: a step onto squares of which one is difficult costs 2, and a Shift onto them is barred."""
    grid = Grid([".....", ".....", "...~.", ".....", "....."])
    for x, y in product(range(6 - size), repeat=2):
        touched = x <= 3 < x + size and y <= 2 < y + size
        assert grid.step_cost((x, y), size=size) == (2 if touched else 1)
        with pytest.raises(ValueError, match="bars a Shift") if touched else nullcontext():
            assert grid.step_cost((x, y), shift=True, size=size) == 1


def test_the_way_round_is_taken_when_it_is_cheaper() -> None:
    grid, a, b = read(".......", "A~~~~~B")
    path = grid.shortest_path(a, b, passable=anywhere)
    assert path is not None
    assert grid.path_cost(path) == 6
    assert not any(map(grid.is_difficult, path))


def test_equally_cheap_paths_go_straight() -> None:
    grid = Grid(["." * 9] * 9)
    assert grid.shortest_path((0, 4), (4, 4), passable=anywhere) == [(x, 4) for x in range(5)]
    assert grid.shortest_path((1, 1), (4, 4), passable=anywhere) == [(n, n) for n in range(1, 5)]


def test_allies_are_passed_but_not_stopped_on_and_enemies_are_neither() -> None:
    """STR-TAC-07."""
    grid = Grid(["......"])
    ally, enemy = (1, 0), (4, 0)
    reached = grid.reachable(
        (0, 0),
        6,
        passable=lambda square: square != enemy,
        standable=lambda square: square not in (ally, enemy),
    )
    assert reached == {(0, 0): 0, (2, 0): 2, (3, 0): 3}


def test_a_large_creature_needs_room() -> None:
    grid = Grid(["..#..", ".....", "..#..", ".....", "....."])
    path = grid.shortest_path((0, 0), (3, 0), passable=anywhere, size=2)
    assert path is not None
    assert (1, 3) in path or (2, 3) in path
    assert all(grid.fits(square, 2) for square in path)


def beside(enemy: Square):
    """A toll for leaving a square beside the enemy, named by the square: each counts."""
    return lambda here, there: frozenset([here]) if distance(here, enemy) == 1 else frozenset()


def once(*enemies: Square):
    """A toll for each enemy that a step leaves the side of, however many do."""
    return lambda here, there: frozenset(one for one in enemies if distance(here, one) == 1)


def test_of_equally_cheap_paths_the_one_with_the_least_penalty_is_taken() -> None:
    """STR-TAC-08: provoke no more than needed."""
    grid = Grid(["......."] * 5)
    path = grid.shortest_path((0, 2), (6, 2), passable=anywhere, toll=beside((3, 3)))
    assert path is not None
    assert grid.path_cost(path) == 6
    assert all(distance(square, (3, 3)) > 1 for square in path)


def test_avoiding_comes_first_when_asked_but_never_beyond_the_limit() -> None:
    """STR-TAC-08."""
    grid = Grid([".......", ".#####.", ".......", ".#####."])
    start, goal, enemy = (0, 2), (6, 2), (3, 3)

    def spent(avoid_first: bool, limit: int | None = None) -> int | None:
        path = grid.shortest_path(
            start, goal, passable=anywhere, toll=beside(enemy), avoid_first=avoid_first, limit=limit
        )
        return None if path is None else grid.path_cost(path)

    assert spent(avoid_first=False) == 6
    assert spent(avoid_first=True) == 8
    assert spent(avoid_first=True, limit=7) == 6
    assert spent(avoid_first=True, limit=5) is None


@settings(max_examples=60 if THOROUGH else 30)
@given(roomy_maps, squares, squares, st.lists(squares, min_size=1, max_size=3), st.integers(4, 8))
def test_tolls_are_fewest_of_all_paths_within_the_limit(
    rows: list[str], start: Square, goal: Square, enemies: list[Square], limit: int
) -> None:
    """STR-TAC-08: against every set of tolls that can be paid by each square and amount of movement."""
    grid, toll = Grid(rows), once(*enemies)
    reached = {(start, 0, frozenset[Square]())}
    for spent in range(limit):
        for here, cost, paid in list(reached):
            if cost == spent:
                reached |= {
                    (there, cost + grid.step_cost(there), paid | toll(here, there))
                    for there in grid.neighbours(here)
                }
    ways = [(len(paid), cost) for square, cost, paid in reached if square == goal and cost <= limit]

    def found(avoid_first: bool) -> tuple[int, int] | None:
        path = grid.shortest_path(
            start, goal, passable=anywhere, toll=toll, avoid_first=avoid_first, limit=limit
        )
        if path is None:
            return None
        paid = frozenset[Square]().union(*(toll(here, there) for here, there in pairwise(path)))
        return len(paid), grid.path_cost(path)

    assert found(avoid_first=True) == min(ways, default=None)
    assert found(avoid_first=False) == min(ways, default=None, key=lambda way: way[::-1])


# --- sight and cover


SIGHT: list[tuple[bool, bool, tuple[str, ...]]] = [
    # In the open.
    (True, False, ("A....", "....B")),
    # Past walls and doors across.
    (False, False, (".A.", "###", ".B.")),
    (False, False, ("A+B",)),
    (True, False, ("A/B",)),
    # Along the edge of walls, which is grazed.
    (True, False, ("A...B", "#####")),
    (True, False, ("A.", "#B")),
    (True, False, ("A#", ".B")),
    (True, False, ("#A#", "#.#", "#B#")),
    # Along the seam between two walls.
    (False, False, ("A##.", ".##B")),
    (False, False, ("A##B", ".##.", "####")),
    # Through a closed corner.
    (False, False, ("A#", "#B")),
    (False, False, ("A..#", "..#.", ".#..", "#..B")),
    (False, False, ("A.#", ".#.", "#.B")),
    # Past a pillar; what can't be seen has no cover, as it can't be attacked in the first place.
    (True, True, ("...", "A#B", "...")),
    (True, True, (".....", "A.#.B", ".....")),
    (False, False, ("#####", "A.#.B", "#####")),
]
"""Whether A sees B, whether that is in cover, and the map with both."""


def test_what_is_seen_and_what_is_in_cover() -> None:
    """STR-TAC-22, STR-TAC-24."""
    for sees, covered, rows in SIGHT:
        with case(*rows):
            grid, a, b = read(*rows)
            assert (grid.has_line_of_sight(a, b), grid.has_cover(a, b)) == (sees, covered)
    # Along the grid line, between a wall on the one side and then one on the other.
    assert not Grid(["##.", ".##"]).has_line_of_sight((0, 1), (2, 0))


def test_a_large_creature_is_seen_by_any_part_of_it() -> None:
    """STR-TAC-22."""
    grid = Grid(["..#..", "..#..", "....."])
    assert not grid.has_line_of_sight((0, 0), (3, 0))
    assert grid.has_line_of_sight((0, 0), (3, 0), 1, 3)


@settings(max_examples=150 if THOROUGH else 50)
@given(maps, squares, sizes, squares, sizes)
def test_sight_and_cover_are_the_same_from_both_ends_and_in_any_mirror(
    rows: list[str], a: Square, size_a: int, b: Square, size_b: int
) -> None:
    """STR-TAC-22, STR-TAC-24: turning the table changes nothing."""
    grid = Grid(rows)
    mirrored = Grid([row[::-1] for row in rows])
    turned = Grid(["".join(column) for column in zip(*rows, strict=True)])

    def flip(square: Square, size: int) -> Square:
        return 7 - size - square[0], square[1]

    seen = grid.has_line_of_sight(a, b, size_a, size_b)
    assert seen == grid.has_line_of_sight(b, a, size_b, size_a)
    assert seen == mirrored.has_line_of_sight(flip(a, size_a), flip(b, size_b), size_a, size_b)
    assert seen == turned.has_line_of_sight(a[::-1], b[::-1], size_a, size_b)
    cover = grid.has_cover(a, b, size_a, size_b)
    assert cover == grid.has_cover(b, a, size_b, size_a)
    assert cover == mirrored.has_cover(flip(a, size_a), flip(b, size_b), size_a, size_b)
    assert cover == turned.has_cover(a[::-1], b[::-1], size_a, size_b)
    assert seen or not cover


@given(maps, squares, squares, squares)
def test_another_wall_never_opens_a_view(rows: list[str], a: Square, b: Square, wall: Square) -> None:
    """STR-TAC-22."""
    x, y = wall
    walled = [row[:x] + "#" + row[x + 1 :] if number == y else row for number, row in enumerate(rows)]
    assert Grid(rows).has_line_of_sight(a, b) or not Grid(walled).has_line_of_sight(a, b)


@given(maps, squares, squares)
def test_who_can_step_there_can_see_there(rows: list[str], a: Square, b: Square) -> None:
    """STR-TAC-22: between adjacent squares, sight and a step are stopped by the same corners."""
    grid = Grid(rows)
    if are_adjacent(a, b) and not grid.is_blocked(b):
        assert grid.has_line_of_sight(a, b) == (b in grid.neighbours(a))


@given(maps, squares, squares)
def test_cover_is_a_blocked_square_entered_or_a_corner_shut(rows: list[str], a: Square, b: Square) -> None:
    """STR-TAC-24, against clipping in fractions."""
    grid = Grid(rows)
    between = [(x, y) for x in range(7) for y in range(7) if (x, y) not in (a, b)]
    obstacle = any(grid.is_blocked(square) and enters(square, a, b) for square in between)
    if obstacle:
        assert grid.has_cover(a, b) == grid.has_line_of_sight(a, b)
    elif grid.has_cover(a, b):
        assert any(
            grid.is_blocked((here[0], there[1])) and grid.is_blocked((there[0], here[1]))
            for here, there in pairwise(all_squares_line_goes_through(a, b))
            if here[0] != there[0] and here[1] != there[1]
        )


# --- walls between squares


def meet(a: Square, b: Square, c: Square, d: Square) -> bool:
    """Whether two straight lines touch, by where on the first the second would be: in fractions."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = a, b, c, d
    run, other = (bx - ax, by - ay), (dx - cx, dy - cy)
    slant = run[0] * other[1] - run[1] * other[0]
    gone = cx - ax, cy - ay
    if slant:
        along = Fraction(gone[0] * other[1] - gone[1] * other[0], slant)
        across = Fraction(gone[0] * run[1] - gone[1] * run[0], slant)
        return 0 <= along <= 1 and 0 <= across <= 1
    if gone[0] * run[1] != gone[1] * run[0] or gone[0] * other[1] != gone[1] * other[0]:
        return False  # beside each other
    return all(
        min(one, two) <= max(three, four) and min(three, four) <= max(one, two)
        for one, two, three, four in zip(a, b, c, d, strict=True)
    )


def test_a_wall_cuts_what_it_touches() -> None:
    """STR-TAC-22: every straight line between points of a few hundredths against every wall there."""
    points = list(product(range(3), repeat=2))
    lines = [(a, b) for a, b in product(points, points) if a != b]
    for a, b in lines:
        for c, d in lines[::2]:
            assert Walls([(c, d)]).stops_line_ignoring_one_way(a, b) == meet(a, b, c, d), (a, b, c, d)


corners = st.tuples(st.integers(0, 9), st.integers(0, 9))


@given(st.lists(st.tuples(corners, corners), max_size=6), squares, squares)
def test_walls_far_off_cut_nothing(walls: list[tuple[Square, Square]], a: Square, b: Square) -> None:
    """STR-TAC-22: those near two points cut what all of them cut."""
    every = Walls(segments_in_wall_units([one, other] for one, other in walls))
    ends = (a[0] * 100 + 50, a[1] * 100 + 50), (b[0] * 100 + 50, b[1] * 100 + 50)
    near = every.walls_near(*ends)
    assert near.stops_line_ignoring_one_way(*ends) == every.stops_line_ignoring_one_way(*ends)
    assert set(near.segments) <= set(every.segments)
    left, right, top, bottom = min(a[0], b[0]), max(a[0], b[0]), min(a[1], b[1]), max(a[1], b[1])
    for wall in near.segments:
        (ax, ay), (bx, by) = wall
        assert max(ax, bx) >= (left - 1) * 100 and min(ax, bx) <= (right + 2) * 100
        assert max(ay, by) >= (top - 1) * 100 and min(ay, by) <= (bottom + 2) * 100
