"""Walls that stop steps and sight from one side alone, a ledge say: a ruling of ours (STR-TAC-07, 22, 24)."""

from __future__ import annotations

from copy import copy
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cases import case
from support.game import Game
from support.thorough import THOROUGH

from strike_cli.problems import Refused
from strike_cli.systems.combat.board.areas import area_squares
from strike_cli.systems.combat.board.sight_and_hiding import sight_of
from strike_cli.systems.combat.bots.full_bot import FullBot
from strike_cli.systems.combat.bots.legal_options import legal_actions_worth_listing
from strike_cli.systems.combat.bots.quick_bot import QuickTurn
from strike_cli.systems.combat.encounter.objective import STEPS_WITHOUT_PATH, steps_to_squares_with_doors_open
from strike_cli.systems.combat.facts.movement_and_sight import Wall
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.tabletop.fog import parse_seen_squares
from strike_cli.tabletop.grid import Grid, Square, format_square
from strike_cli.tabletop.party_sight import possibly_visible_squares
from strike_cli.tabletop.squares_and_lines import Walls, segments_in_wall_units

LEDGE = [[[0, 1], [9, 1]]]
"""Drawn from left to right below the first row: it stops who comes from above, as left of its direction."""


def with_ledge(game: Game, *rows: str, walls: Any = LEDGE, first: str = "vex") -> Game:
    game.draw(*rows)
    game.set("fight.map.one_way_walls", walls)
    return game.begin(first)


def grid_with(one_way: Any, rows: Any = ("....",) * 4, walls: Any = ()) -> Grid:
    return Grid(rows, walls=Walls(segments_in_wall_units(walls), segments_in_wall_units(one_way)))


@pytest.mark.parametrize(
    ("wall", "stopped", "passed"),
    [
        ([[0, 2], [4, 2]], ((1, 1), (1, 2)), ((1, 2), (1, 1))),  # to the right: from above
        ([[4, 2], [0, 2]], ((1, 2), (1, 1)), ((1, 1), (1, 2))),  # to the left: from below
        ([[2, 0], [2, 4]], ((2, 1), (1, 1)), ((1, 1), (2, 1))),  # down: from the right of the map
        ([[2, 4], [2, 0]], ((1, 1), (2, 1)), ((2, 1), (1, 1))),  # up: from the left of the map
    ],
)
def test_it_stops_who_comes_from_the_left_of_its_direction(
    wall: Any, stopped: tuple[Square, Square], passed: tuple[Square, Square]
) -> None:
    """STR-TAC-07, STR-TAC-22, STR-TAC-24."""
    grid = grid_with([wall])
    assert stopped[1] not in grid.neighbours(stopped[0]) and not grid.has_line_of_sight(*stopped)
    assert passed[1] in grid.neighbours(passed[0]) and grid.has_line_of_sight(*passed)
    assert not grid.has_cover(*passed)


def test_who_looks_past_its_end_finds_cover_behind_it_and_gives_none() -> None:
    """STR-TAC-24: it is no obstacle for who looks through it."""
    grid = grid_with([[[2, 0], [2, 3]]])
    assert grid.has_line_of_sight((3, 2), (0, 3)) and grid.has_cover((3, 2), (0, 3))
    assert grid.has_line_of_sight((0, 3), (3, 2)) and not grid.has_cover((0, 3), (3, 2))


@pytest.mark.parametrize("wall", [[[1, 0.5], [1.5, 0.5], [2, 0.5]], [[0, 0.5], [3, 0.5]]])
def test_through_the_middle_of_a_square_one_goes_on_and_not_back(wall: Any) -> None:
    """STR-TAC-07: who has come into it from below leaves it upwards."""
    grid = Grid(
        ["...", "...", "..."], walls=Walls((), segments_in_wall_units([[(x, y + 1) for x, y in wall]]))
    )
    assert (1, 1) in grid.neighbours((1, 2)) and (1, 1) not in grid.neighbours((1, 0))
    assert (1, 0) in grid.neighbours((1, 1)) and (1, 2) not in grid.neighbours((1, 1))


def test_large_creatures_get_past_it_too() -> None:
    """STR-TAC-07: on their way they stand across it; across two that face each other nobody does."""
    ledge = [[0, 2], [4, 2]]
    grid = grid_with([ledge])
    assert grid.fits((0, 1), 2)
    assert (0, 1) in grid.neighbours((0, 2), 2) and (0, 0) in grid.neighbours((0, 1), 2)
    assert (0, 1) not in grid.neighbours((0, 0), 2) and (0, 2) not in grid.neighbours((0, 1), 2)
    assert not grid_with([ledge, ledge[::-1]]).fits((0, 1), 2)


def test_ways_lead_down_a_ledge_and_around_it_up() -> None:
    """STR-TAC-07."""
    grid = grid_with([[[0, 2], [3, 2]]])
    there, back = ((0, 1), (0, 2)), ((0, 2), (0, 1))
    assert len(grid.shortest_path(*there, passable=lambda _: True) or ()) == 7
    assert grid.shortest_path(*back, passable=lambda _: True) == [*back]
    assert (grid.distances_from((0, 1))[0, 2], grid.distances_to((0, 1))[0, 2]) == (6, 1)
    assert (grid.distances_to((0, 2))[0, 1], grid.distances_from((0, 2))[0, 1]) == (6, 1)


# --- in a fight


def test_one_walks_up_to_a_ledge_from_one_side_and_over_it_from_the_other(game: Game) -> None:
    """STR-TAC-07."""
    with_ledge(game, "V....", "....g")
    with pytest.raises(Refused, match="no path to A2"):
        game.move("vex", "A2")
    game.put("vex", at="A2")
    assert game.move("vex", "A1")["path"] == ["A1"]


@pytest.mark.parametrize("power", ["core:melee-basic", "core:ranged-basic"])
def test_who_is_seen_is_attacked_and_cannot_strike_back(game: Game, power: str) -> None:
    """STR-TAC-22: sight from the attacker to the target counts."""
    with_ledge(game, ".g", "V.")
    assert sight_of(Fight(game.world), "vex", "goblin").how == "clear"
    assert sight_of(Fight(game.world), "goblin", "vex").reason == Wall()
    assert game.attack("vex", "goblin", power=power, dice=[5])["result"] == "solid"
    game.next_turn_of("goblin")
    with pytest.raises(Refused, match="Goblin can't see Vex"):
        game.attack("goblin", "vex", dice=[5])


@pytest.mark.parametrize(("walls", "by"), [(LEDGE, ["goblin"]), ([LEDGE[0][::-1]], [])])
def test_opportunities_are_taken_by_who_sees_past_it(game: Game, walls: Any, by: list[str]) -> None:
    """STR-TAC-08: Vex, above, leaves the reach of a goblin below."""
    with_ledge(game, "V....", "g....", walls=walls)
    found = game.move("vex", "D1")["opportunities"]
    assert [one["by"] for one in found] == by


def test_a_charge_goes_over_it_one_way(game: Game) -> None:
    """STR-TAC-13."""
    with_ledge(game, "....g", "V....", ".....")
    data = game.play("combat charge", who="vex", target="goblin", dice=[5])
    assert data["attacks"][0]["result"] == "solid"
    game.next_turn_of("goblin")
    game.put("vex", at="A3")
    assert not list(legal_actions_worth_listing(game.world, "goblin", ["charge"]))
    with pytest.raises(Refused):
        game.play("combat charge", who="goblin", target="vex")


@pytest.mark.parametrize(("walls", "inside"), [(LEDGE, {"B1"}), ([LEDGE[0][::-1]], {"B1", "A2", "B2"})])
def test_an_area_spreads_over_it_from_where_it_begins(game: Game, walls: Any, inside: set[str]) -> None:
    """STR-TAC-12, STR-TAC-22."""
    with_ledge(game, "V.", "..", ".g", walls=walls)
    squares = area_squares(Fight(game.world), "vex", {"burst": 1}, None)
    assert {format_square(square) for square in squares} - {"A1"} == inside


@pytest.mark.parametrize(("walls", "sees"), [(LEDGE, False), ([LEDGE[0][::-1]], True)])
def test_fog_lifts_as_far_as_one_sees_past_it(game: Game, walls: Any, sees: bool) -> None:
    """STR-TAC-22."""
    game.book = copy(game.book)
    game.book.fog = True
    with_ledge(game, "V....", ".....", "....g", walls=walls)
    game.set("fight.seen", {})
    game.play("combat place", who="vex", to="B1")
    seen = parse_seen_squares(game.get("fight.seen"))
    assert ((1, 1) in seen, (2, 0) in seen) == (sees, True)


def test_who_goes_for_an_enemy_up_a_ledge_goes_around(game: Game) -> None:
    """The players that need nobody look for ways in the direction in which they go."""
    with_ledge(game, "......V", "......g", ".......", walls=[[[9, 1], [1, 1]]], first="goblin")
    way = QuickTurn(Fight(game.world), "goblin").route_of_one_move_towards("vex", 1)
    assert way is not None and not way.arrives and [square[0] for square in way.squares] == [5, 4, 3, 2, 1, 0]
    step = FullBot().choose_command(game.world, "goblin")
    assert step.typed in (("move", "goblin", "A1"), ("move", "goblin", "A2"))


def test_how_far_it_is_to_a_goal_is_the_way_there(game: Game) -> None:
    """Of what a fight is about, and from whom one runs."""
    with_ledge(game, "......V", "......g", ".......", walls=[[[9, 1], [1, 1]]])
    fight = game.get("fight")
    assert steps_to_squares_with_doors_open(fight, ["G1"], fight["combatants"]["goblin"]) == 12
    assert steps_to_squares_with_doors_open(fight, ["G2"], fight["combatants"]["vex"]) == 1


def test_a_long_way_is_no_farther_than_none(game: Game) -> None:
    """A bot would rather be shut in than far away."""
    game.draw("V" + "." * 70 + "g").begin("vex")
    fight = game.get("fight")
    end = format_square((71, 0))
    assert steps_to_squares_with_doors_open(fight, [end], fight["combatants"]["vex"]) == STEPS_WITHOUT_PATH


# --- against plain walls

corners = st.tuples(st.integers(0, 10), st.integers(0, 10)).map(lambda point: (point[0] / 2, point[1] / 2))
spots = st.tuples(st.integers(0, 4), st.integers(0, 4))
lines = st.lists(st.tuples(corners, corners), min_size=1, max_size=4)
maps = st.lists(st.text("....#~", min_size=5, max_size=5), min_size=5, max_size=5)


@pytest.mark.slow
@given(maps, lines, spots, spots, st.integers(1, 2), st.integers(1, 2))
@settings(max_examples=300 if THOROUGH else 60)
def test_in_both_directions_they_are_plain_walls(
    rows: list[str], walls: list[Any], a: Square, b: Square, size: int, other: int
) -> None:
    """STR-TAC-07, STR-TAC-22, STR-TAC-24: steps, ways, sight and cover."""
    plain = Grid(rows, walls=Walls(segments_in_wall_units(walls)))
    both = grid_with([*walls, *(wall[::-1] for wall in walls)], rows)
    assert both.fits(a, size) == plain.fits(a, size)
    assert both.neighbours(a, size) == plain.neighbours(a, size)
    assert both.distances_from(a, size) == plain.distances_from(a, size)
    assert both.distances_to(a, size) == plain.distances_to(a, size)
    assert both.has_line_of_sight(a, b, size, other) == plain.has_line_of_sight(a, b, size, other)
    assert both.has_cover(a, b, size, other) == plain.has_cover(a, b, size, other)


@given(maps, lines, spots, st.integers(1, 2))
@settings(max_examples=200 if THOROUGH else 40)
def test_the_way_back_is_the_way_there_backwards(
    rows: list[str], walls: list[Any], goal: Square, size: int
) -> None:
    """STR-TAC-07: where a step leads, and what a square can be come to from."""
    grid = grid_with(walls, [row.replace("~", ".") for row in rows])
    if not grid.fits(goal, size):
        return
    every = [(x, y) for y in range(5) for x in range(5) if grid.fits((x, y), size)]
    from_there = {square: grid.distances_from(square, size).get(goal) for square in every}
    assert {square: far for square, far in from_there.items() if far is not None} == grid.distances_to(
        goal, size
    )


@pytest.mark.slow
@given(maps, lines, spots, spots)
@settings(max_examples=200 if THOROUGH else 40)
def test_they_stop_no_more_than_plain_walls_and_no_less_than_none(
    rows: list[str], walls: list[Any], a: Square, b: Square
) -> None:
    """STR-TAC-07, STR-TAC-22."""
    plain, one_way, none = (
        Grid(rows, walls=Walls(segments_in_wall_units(walls))),
        grid_with(walls, rows),
        Grid(rows),
    )
    assert {*plain.neighbours(a)} <= {*one_way.neighbours(a)} <= {*none.neighbours(a)}
    assert plain.has_line_of_sight(a, b) <= one_way.has_line_of_sight(a, b)
    assert (
        one_way.has_line_of_sight(a, b)
        or one_way.has_line_of_sight(b, a)
        or not plain.has_line_of_sight(a, b)
    )


AROUND = ([[2, 0], [2, 2]], [[2, 2], [2, 4]], [[0, 2], [2, 2]], [[2, 2], [4, 2]])


@pytest.mark.slow
def test_a_corner_is_passed_and_looked_through_alike() -> None:
    """STR-TAC-07, STR-TAC-22: from B2 to C3 and back, past all that meet at the corner between them."""
    pieces = [wall[::way] for wall in AROUND for way in (1, -1)]
    for count in range(len(pieces) + 1):
        for walls in combinations(pieces, count):
            grid = grid_with(walls)
            for here, there in (((1, 1), (2, 2)), ((2, 2), (1, 1))):
                assert (there in grid.neighbours(here)) == grid.has_line_of_sight(here, there), walls


def test_nothing_that_can_be_seen_is_left_out_of_question() -> None:
    """STR-TAC-22: the quick look and the rule, over random maps."""
    for seed in range(6):
        with case(seed):
            source = Random(seed)
            walls = [
                [(x, y), (x + source.choice((1, 2)), y)] if source.random() < 0.5 else [(x, y + 1), (x, y)]
                for x, y in ((source.randrange(8), source.randrange(8)) for _ in range(12))
            ]
            grid = grid_with(walls, ["........"] * 8, walls[:3])
            eye = source.randrange(8), source.randrange(8)
            may = possibly_visible_squares(grid, eye)
            every = [(x, y) for y in range(8) for x in range(8)]
            assert [
                square for square in every if square not in may and grid.has_line_of_sight(eye, square)
            ] == []
