"""Parts of a game of combat, in a game of their own: people, places and ways, points, durations."""

from __future__ import annotations

from itertools import product
from typing import NotRequired

import pytest
from support.cases import case

from strike_cli.kernel.state_changes import apply_changes
from strike_cli.plugin import Refused, World
from strike_cli.plugin.board import Measure
from strike_cli.plugin.forms import COMBATANT, Fault, Place, form, form_of
from strike_cli.plugin.scene_tables import InScene, SceneHead
from strike_cli.plugin.tactics import Combat, Points, Spot, numbers_left, statuses_ending_now_and_later
from strike_cli.tabletop.walking_distances import CLOSED_DOORS_COST


@form(keys=COMBATANT)
class Fencer(InScene):
    steps: int
    gone: NotRequired[int]


class Bout(SceneHead):
    name: str
    people: dict[str, Fencer]


class Fencing(Combat[Bout, Fencer]):
    key, title = "bout", "by wits"


STEPS = Points("steps", "squares", spent="gone")
MAP = [".....", ".###.", ".~~.."]


def bout(diagonals: str = "1-1-1", **people: Fencer) -> Fencing:
    """Return a fight of ana at A1 and bo, a foe, at B3, and whoever else is there."""
    everybody: dict[str, Fencer] = {
        "ana": {"name": "Ana", "side": "party", "at": "A1", "steps": 4},
        "bo": {"name": "Bo", "side": "enemies", "at": "B3", "steps": 4},
        **people,
    }
    scene = {"round": 2, "map": {"rows": MAP, **Measure(diagonals=diagonals).map_keys()}}
    return Fencing(World(None, {"bout": {"name": "Bout", "people": everybody, **scene}}))


def test_what_is_not_so_is_refused() -> None:
    for asked, says in (
        (lambda fight: Fencing(World(None, {})), "No fight by wits is under way"),
        (lambda fight: fight.person("cy"), "cy is not here"),
        (lambda fight: fight.require_present("cy"), "cy is not here"),
        (lambda fight: fight.require_present("di"), "Di is fled"),
        (lambda fight: fight.square("7C"), "7C"),
        (lambda fight: fight.square_on_map("7C"), "7C"),
        (lambda fight: fight.square_on_map("f1"), "F1 is not on the map"),
        (lambda fight: fight.square_on_map("A4"), "A4 is not on the map"),
        (lambda fight: STEPS.must_have(fight.people["ana"], 5, ""), "costs 5 squares, and Ana has 4"),
        (lambda fight: STEPS.must_have(fight.people["ana"], 3, "", left=2), "costs 3 squares, and Ana has 2"),
    ):
        with case(asked, says):
            fight = bout(di={"name": "Di", "side": "party", "at": "E1", "steps": 0, "out": "fled"})
            with pytest.raises(Refused, match=says):
                asked(fight)


def test_ways_lead_past_friends_and_onto_nobody() -> None:
    for bo, goal, left, way in (
        ({}, "A3", 2, ["A1", "A2", "A3"]),
        ({}, "A3", 1, None),  # too far
        ({}, "B2", 9, None),  # a wall
        ({}, "B3", 9, None),  # Bo stands there
        ({"at": "A2"}, "A3", 4, None),  # and past Bo it is too far
        ({"at": "A2", "down": True}, "A3", 4, ["A1", "A2", "A3"]),
        ({"at": "A2", "side": "party"}, "A3", 4, ["A1", "A2", "A3"]),
        ({"at": "A2", "side": "party"}, "A2", 4, None),
        ({"out": "fled"}, "B3", 4, ["A1", "A2", "B3"]),
    ):
        with case(bo, goal, left, way):
            fight = bout(bo={"name": "Bo", "side": "enemies", "at": "B3", "steps": 4, **bo})  # type: ignore[typeddict-item]  # keys of a Fencer
            square = fight.square(goal)
            assert fight.shortest_path("ana", square, left) == (way and [*map(fight.square, way)])
            assert (square in fight.reachable("ana", left)) == (way is not None)


def test_everybody_in_a_fight_is_of_the_book_and_on_a_side() -> None:
    for one, place in (
        ({"ref": "ana", "side": "party"}, ""),
        ({"side": "party"}, "people.ana.ref"),
        ({"ref": "ana"}, "people.ana.side"),
        ({"ref": "ana", "side": "judges"}, "people.ana.side"),
    ):
        with case(one, place):
            faults: list[Fault] = []
            table = {"name": "Bout", "people": {"ana": {"name": "Ana", "steps": 4, **one}}}
            form_of(Bout).check(table, Place(), faults)
            assert "".join(fault.place.path() for fault in faults) == place


def test_ways_go_past_people_and_through_doors() -> None:
    fight = bout()
    here, there = fight.square_on_map(" a1 "), fight.square_on_map("E1")
    assert fight.ways.walking_distance(here, 1, there) == 4
    assert not list(fight.ways.closed_doors_ahead(here, 1, there))
    shut = Fencing(World(None, {"bout": {**fight.data, "map": {"rows": [".+.+.", "#####"]}}}))
    assert shut.ways.walking_distance(here, 1, there) == 4 + CLOSED_DOORS_COST
    assert list(shut.ways.closed_doors_ahead(here, 1, there)) == [(fight.square("B1"), None)]


def test_a_door_moves_unless_somebody_stands_in_it() -> None:
    away: Fencer = {"name": "Di", "side": "party", "at": "the tower", "steps": 0}
    people: dict[str, Fencer] = {**bout().people, "di": away}
    fight = Fencing(World(None, {"bout": {"people": people, "map": {"rows": ["/.+", "..."]}}}))
    near, far = fight.square("A1"), fight.square("C1")
    assert fight.changes_moving_door(far, None, opens=False) == {}
    assert fight.changes_moving_door(far, None, opens=True) == {"rows": ["/./", "..."]}
    with pytest.raises(Refused, match="Ana stands in the door"):
        fight.changes_moving_door(near, None, opens=False)
    people["ana"]["out"] = "fled"
    assert fight.changes_moving_door(near, None, opens=False) == {"rows": ["+.+", "..."]}


def test_zones_are_ground_of_the_map() -> None:
    """Difficult ground costs two, a wall that a zone is lets nobody through."""
    fight = bout()
    fight.world.state["bout"]["zones"] = {  # type: ignore[index]  # the scene's table
        "bog": {"name": "Bog", "squares": ["A2"], "ends": "encounter", "difficult": True},
        "ice": {"name": "Ice", "squares": ["E1"], "ends": "encounter", "blocks": True},
        "fog": {"name": "Fog", "squares": ["A3"], "ends": "encounter", "sight": "obscured"},
    }
    ends = {"A1": 0, "B1": 1, "C1": 2, "A2": 2}
    assert fight.reachable("ana", 2) == {fight.square(at): cost for at, cost in ends.items()}
    assert fight.squares_of_zones("sight", "obscured") == {fight.square("A3")}


def test_a_fight_is_over_once_a_side_has_nobody_up() -> None:
    for ana, bo, result in (
        ({}, {}, ""),
        ({}, {"down": True}, "won"),
        ({}, {"out": "fled"}, "won"),
        ({"down": True}, {}, "lost"),
        ({"down": True}, {"out": "fled"}, "lost"),
        ({"side": "enemies"}, {}, "lost"),
    ):
        with case(ana, bo, result):
            everybody = bout().people
            people: dict[str, Fencer] = {"ana": {**everybody["ana"], **ana}, "bo": {**everybody["bo"], **bo}}  # type: ignore[typeddict-item]  # keys of a Fencer
            assert bout(**people).result() == result


def test_a_gap_counts_diagonals_as_the_map_does() -> None:
    for diagonals, squares in (("1-1-1", 2), ("1-2-1", 3)):
        with case(diagonals, squares):
            assert bout(diagonals, bo={"name": "Bo", "at": "C3", "steps": 0}).gap("ana", "bo") == squares


def test_an_area_has_who_is_in_reach_and_in_sight() -> None:
    """Whoever is out of it, off the map or at a place in words is in no area."""
    for middle, squares, within in (
        ("A1", 1, ["ana"]),
        ("C1", 2, ["ana", "di"]),  # a wall is before Bo
        ("B1", 2, ["ana", "bo"]),
        ("C2", 0, []),
        ("C3", 1, ["bo"]),
    ):
        with case(middle, squares, within):
            people: dict[str, Fencer] = {
                "di": {"name": "Di", "side": "party", "at": "E1", "steps": 0},
                "ed": {"name": "Ed", "side": "party", "at": "A1", "steps": 0, "out": "fled"},
                "flo": {"name": "Flo", "side": "party", "steps": 0},
                "gus": {"name": "Gus", "side": "party", "at": "the tower", "steps": 0},
            }
            fight = bout(**people)
            assert list(fight.combatants_in_area(Spot(fight.square(middle)), squares)) == within
            assert [one for one in fight.people if fight.is_on_map(one)] == ["ana", "bo", "di", "ed"]


def test_gaps_and_sight_are_between_people_and_places() -> None:
    """A large one counts from its nearest square."""
    fight = bout(di={"name": "Di", "side": "party", "at": "D2", "size": 2, "steps": 0})
    assert fight.spot("di") == Spot((3, 1), 2) == fight.spot(Spot((3, 1), 2))
    assert fight.gap("ana", "di") == fight.gap("ana", Spot((3, 1))) == 3
    assert fight.gap(Spot((4, 0)), "di") == 1
    assert fight.sees("ana", "bo")
    assert not fight.sees(Spot((2, 0)), "bo")


def test_points_that_are_paid_are_counted() -> None:
    fight = bout()
    for cost, ana in ((0, {"steps": 4}), (3, {"steps": 1, "gone": 3}), (1, {"steps": 0, "gone": 4})):
        changes = [(path, None, value) for path, value in STEPS.pay(fight, "ana", cost).items()]
        fight.world.state = apply_changes(fight.world.state, changes)
        assert ana.items() <= fight.people["ana"].items()


def test_a_fight_leaves_what_is_not_as_on_the_sheet() -> None:
    for one, left in (
        ({"steps": 4, "luck": 1}, {}),
        ({"steps": 2, "luck": 0, "at": "A1"}, {"luck": 0, "steps": 2}),
        ({"steps": 4, "scar": True}, {"scar": True}),
        ({"steps": 6}, {"steps": 6}),
    ):
        with case(one, left):
            found = numbers_left(one, {"steps": 4, "luck": 1, "at": "B1"}, ["luck", "steps", "scar"])
            assert list(found.items()) == list(left.items())


def test_a_status_lapses_with_the_turn_that_it_waits_for() -> None:
    for until, of, later in product(("start", "end", "fight"), ("ana", "bo"), (False, True)):
        with case(until, of, later):
            held = {"id": "dazed", "until": until, "of": of, **({"later": True} if later else {})}
            due = [held] if (until, of) == ("end", "ana") else []
            found = statuses_ending_now_and_later([held, {"id": "prone"}], "end", ["ana"])
            assert found == (([], due) if later else (due, []))
