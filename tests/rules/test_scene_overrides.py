"""What a scene, a sheet or the map says where several may (STR-CORE-10, 27, STR-TAC-07, 12, STR-TC-03)."""

from __future__ import annotations

import pytest
from support.cases import case
from support.conflict import Table
from support.game import Game

from strike_cli.systems.combat.board.areas import area_squares, squares_to_aim_at
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.tabletop.characters_and_names import (
    GameMasterSpeaker,
    checked_creature_size,
    display_name,
    scenes_of_person,
)
from strike_cli.tabletop.grid import Grid
from strike_cli.tabletop.squares_and_lines import Walls, segments_in_wall_units


def test_people_of_a_conflict_are_in_its_scene(game: Game) -> None:
    """STR-TC-01: under the name that they have there."""
    table = Table(game)
    assert [one["name"] for _, one in scenes_of_person(game.world, "vex")] == [
        game.book.characters["vex"]["name"]
    ]
    table.game.set("conflict.people.vex.name", "The Fox")
    assert display_name(game.world, "vex") == "The Fox"


def test_whatever_is_in_a_scene_has_its_name_there() -> None:
    """People, zones, sides and the scene itself, as they were called last; what has no name there has its
    id's, or its own in the book."""
    before = {"fight": {"id": "mill", "name": "The Mill", "people": {"ogre": {"name": "Ogre"}}}}
    now = {
        "session": {"number": 1},
        "fight": {
            "id": "mill",
            "name": "The Burning Mill",
            "combatants": {"ogre": {"name": "Scorched Ogre"}, "rat": {"side": "enemies"}},
            "zones": {"fire": {"name": "Hot Ash"}},
        },
        "conflict": {"id": "toll", "name": "The Toll", "theirs": {"name": "The Company"}},
        "parked": {"id": "ford"},
    }
    speaker = GameMasterSpeaker(None, [before, now])
    for sort, id, name in (
        ("person", "ogre", "Scorched Ogre"), ("person", "rat", "rat"), ("zone", "fire", "Hot Ash"),
        ("zone", "ogre", "Ogre"), ("side", "theirs", "The Company"), ("side", "ours", "Ours"),
        ("encounters", "mill", "The Burning Mill"), ("encounters", "toll", "The Toll"),
        ("encounters", "ford", "Ford"), ("powers", "ogre", "Ogre"), ("skill", "ogre", "ogre"),
    ):  # fmt: skip
        with case(sort, id, name):
            assert speaker.name(sort, id) == name


def test_what_the_opposition_did_is_given_back(game: Game) -> None:
    """STR-TC-03: revealed once the players have chosen."""
    assert Table(game).round({}, "block", 1, 6, 1, 6)["opposition"] == "block"


def test_the_large_stand_where_walls_are_elsewhere() -> None:
    """STR-TAC-07: a wall through their squares is in the way, one beside is not."""
    walls = {far: Walls(segments_in_wall_units([[[far, 0], [far, 4]]])) for far in (1, 2, 3)}
    fits = {far: Grid(["...."] * 4, walls=wall).fits((1, 1), 2) for far, wall in walls.items()}
    assert fits == {1: True, 2: False, 3: True}


def test_a_line_is_aimed_at_others_than_oneself(game: Game) -> None:
    """STR-TAC-12: whoever stands in the middle of an area may, where it is one."""
    game.draw("...", ".V.", "..g").begin("vex")
    fight = Fight(game.world)
    assert (1, 1) not in set(squares_to_aim_at(fight, "vex", {"line": 1}))
    assert (1, 1) in set(squares_to_aim_at(fight, "vex", {"area": 1, "range": 1}))
    corner = Fight(Game(game.book).draw("V..", "..g").world)
    assert list(squares_to_aim_at(corner, "vex", {"line": 1})) == [(1, 0), (0, 1), (1, 1)], (
        "none that nobody can name"
    )


def test_a_cone_is_alike_wherever_one_stands(game: Game) -> None:
    """STR-TAC-12: moved along with whoever it starts from."""
    shapes = set()
    for column in range(1, 6):
        rows = ["." * 7 for _ in range(6)]
        rows[4] = "." * column + "V" + "." * (6 - column)
        fight = Fight(Game(game.book).draw(*rows).world)
        squares = area_squares(fight, "vex", {"cone": 1}, (column, 2))
        shapes.add(frozenset((x - column, y - 4) for x, y in squares))
    assert shapes == {frozenset({(-1, -1), (0, -1), (1, -1)})}


def test_how_large_somebody_in_a_scene_may_be() -> None:
    """STR-TAC-07: from one square a side to a hundred; what is forged beyond that is refused, not counted."""
    assert [checked_creature_size(size) for size in (1, "2", 100)] == [1, 2, 100]
    for size in (0, -1, 101):
        with pytest.raises(ValueError, match=f"{size} squares is not a creature's size"):
            checked_creature_size(size)
