"""Walls that stop steps alone (a window, a railing) or sight alone (a curtain): a ruling of ours."""

from __future__ import annotations

from typing import Any

import pytest
from support.game import Game

from strike_cli.kernel.driver import play_until_open_decision, refuse_more_dice
from strike_cli.kernel.exact_odds import first_option
from strike_cli.problems import Refused
from strike_cli.systems.combat.board.movement_by_effects import displace_target
from strike_cli.tabletop.fog import seen_part_of_map
from strike_cli.tabletop.grid import grid_of
from strike_cli.tabletop.party_sight import possibly_visible_squares
from strike_cli.tabletop.squares_and_lines import SEE_THROUGH, WALK_THROUGH, Walls, map_walls_of_encounter

LINE = [[0, 1], [4, 1]]
"""Below the first row."""
ABOVE, BELOW = (1, 0), (1, 1)


def grid(**walls: Any) -> Any:
    return grid_of({"rows": ["...."] * 3, **walls})


@pytest.mark.parametrize(
    ("kind", "steps", "sight", "cover"),
    [("walls", False, False, False), (SEE_THROUGH, False, True, True), (WALK_THROUGH, True, False, False)],
)
def test_what_stops_what(kind: str, steps: bool, sight: bool, cover: bool) -> None:
    """STR-TAC-07, STR-TAC-22, STR-TAC-24: whoever is seen past a window has cover."""
    found = grid(**{kind: [LINE]})
    for here, there in ((ABOVE, BELOW), (BELOW, ABOVE)):
        assert (there in found.neighbours(here)) is steps
        assert found.has_line_of_sight(here, there) is sight
        assert found.has_cover(here, there) is cover
    assert (BELOW in possibly_visible_squares(found, ABOVE)) >= sight
    assert (BELOW in found.distances_from(ABOVE)) is steps


def test_both_together_are_a_wall() -> None:
    found = grid(**{SEE_THROUGH: [LINE], WALK_THROUGH: [LINE]})
    assert BELOW not in found.neighbours(ABOVE)
    assert not found.has_line_of_sight(ABOVE, BELOW)


def test_the_sweep_leaves_out_nothing_that_is_seen_past_a_window() -> None:
    for kind in (SEE_THROUGH, WALK_THROUGH):
        found = grid_of({"rows": ["......"] * 5, kind: [[[0, 2], [3, 2], [3, 5]]]})
        for at in ((0, 0), (2, 3), (5, 4)):
            swept = possibly_visible_squares(found, at)
            assert all(
                (x, y) in swept for x in range(6) for y in range(5) if found.has_line_of_sight(at, (x, y))
            )


def test_a_terrain_wall_along_the_line_touches_it_with_both_its_ends() -> None:
    terrain = Walls([], terrain=[((200, 0), (300, 0))])
    for a, b, touches in (
        ((0, 0), (400, 0), 2), ((250, 0), (400, 0), 2), ((0, 0), (200, 0), 1), ((250, -9), (250, 9), 1),
        ((250, 0), (250, 0), 1), ((0, 0), (199, 0), 0),
    ):  # fmt: skip
        assert terrain.count_terrain_wall_touches(a, b) == touches, (a, b)


def with_wall(game: Game, kind: str, wall: Any, *rows: str) -> Game:
    game.draw(*rows)
    game.set(f"fight.map.{kind}", [wall])
    return game.begin("vex")


def test_who_is_seen_through_a_window_is_attacked_and_not_walked_to(game: Game) -> None:
    """STR-TAC-07, STR-TAC-22."""
    with_wall(game, SEE_THROUGH, LINE, "V...", "g...")
    with pytest.raises(Refused, match="no path to B2"):
        game.move("vex", "B2")
    assert game.attack("vex", "goblin", dice=[5, 5])["result"] == "solid"


def test_a_curtain_is_walked_through_and_hides(game: Game) -> None:
    """STR-TAC-07, STR-TAC-22."""
    with_wall(game, WALK_THROUGH, LINE, "V...", "g...")
    with pytest.raises(Refused, match="Vex can't see Goblin"):
        game.attack("vex", "goblin", dice=[5])
    assert game.move("vex", "B2")["path"][-1] == "B2"


@pytest.mark.parametrize(
    ("kind", "wall", "end", "stopped"),
    [
        (SEE_THROUGH, [[3, 9], [3, 0]], "C1", "a wall"),
        (WALK_THROUGH, [[3, 9], [3, 0]], "D1", None),
        ("one_way_walls", [[3, 9], [3, 0]], "C1", "a wall"),
        ("one_way_walls", [[3, 0], [3, 9]], "D1", None),
    ],
)
def test_a_push_is_stopped_by_what_stops_steps(
    game: Game, kind: str, wall: Any, end: str, stopped: str | None
) -> None:
    """STR-TAC-25: whoever is shoved over a ledge falls down, and up it nobody is shoved."""
    with_wall(game, kind, wall, ".Vg.#")
    world = game.world
    found = play_until_open_decision(
        displace_target(world, "goblin", "vex", 1, "push"), world, refuse_more_dice, first_option
    ).data
    assert (found.end, found.stopped_by) == (end, stopped)


def test_an_encounter_says_which_with_each_wall() -> None:
    walls = [LINE, {"line": [[0, 2], [1, 2]], "sight": False}, {"line": [[2, 2], [3, 2]], "steps": False}]
    assert map_walls_of_encounter(walls) == {
        "walls": [LINE],
        SEE_THROUGH: [[[0, 2], [1, 2]]],
        WALK_THROUGH: [[[2, 2], [3, 2]]],
    }
    assert map_walls_of_encounter([{"line": LINE, "sight": True}]) == {"walls": [LINE]}


def test_of_fogged_ground_there_is_what_was_seen() -> None:
    ground = seen_part_of_map({(0, 0)}, {"rows": ["...."] * 3, SEE_THROUGH: [LINE], WALK_THROUGH: [LINE]})
    assert ground[SEE_THROUGH] == ground[WALK_THROUGH] == [[[0, 1], [1, 1]]]
