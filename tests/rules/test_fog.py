"""Fog of war: what the party has seen of a map, by the rules of sight (STR-TAC-22), and what players get of
it."""

from __future__ import annotations

from copy import copy
from itertools import product
from random import Random
from typing import Any

import pytest
from support.cases import case
from support.game import Game
from support.thorough import some_of
from support.told import as_json

from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import apply_changes, apply_fact, changes_and_places_that_undo
from strike_cli.problems import Refused
from strike_cli.registry.scenes_and_decisions_in_state import scenes_of
from strike_cli.systems.combat.board.fog import squares_in_party_sight
from strike_cli.tabletop.fog import parse_seen_squares, seen_part_of_map, squares_to_rows
from strike_cli.tabletop.grid import Grid, Square
from strike_cli.tabletop.party_sight import possibly_visible_squares, record_squares_first_seen_in_fog
from strike_cli.tabletop.scene import Scene
from strike_cli.tabletop.squares_and_lines import Walls, segments_in_wall_units
from strike_cli.visibility.audience_view import make_audience_view
from strike_cli.visibility.audiences import GM, PLAYERS
from strike_cli.visibility.known_scene import scene_for_audience
from strike_cli.visibility.players_state import known_state
from strike_cli.visibility.redaction import redact_each_fact_of_entry

CRYPT = ("V....#..g", "B....#...", ".....+...", ".....#.x.", "######...")


def with_fog(game: Game) -> Game:
    game.book = copy(game.book)
    game.book.fog = True
    return game


@pytest.fixture
def fogged(game: Game) -> Game:
    """Two rooms with a shut door between; the party is in one of them."""
    return with_fog(game).draw(*CRYPT).begin("vex")


def seen(game: Game) -> frozenset[Square]:
    return parse_seen_squares(game.get("fight.seen"))


def players_view(game: Game) -> Scene:
    (scene,) = scenes_of(game.state)
    return scene_for_audience(scene, PLAYERS)


def texts_told(game: Game, before: dict[str, Any]) -> list[str]:
    """What players hear of the last command."""
    entry = {"facts": [as_json(fact) for fact in game.facts]}
    told = [each.fact for each in redact_each_fact_of_entry(entry, before, PLAYERS)]
    return [fact["text"] for fact in told if fact is not None and fact["text"]]


# --- what is seen


def newly_seen(before: dict[str, Any] | None, **yard: Any) -> dict[str, Any]:
    """What a game without a rule of sight adds to what its party has seen of a yard, a scene of its own."""
    table = {
        "map": {"rows": ["..#..", "~.+.~"]}, "seen": {}, "zones": {},
        "people": {"ana": {"side": "party", "at": "A1"}, "rat": {"side": "enemies", "at": "E2"}}, **yard,
    }  # fmt: skip
    was = None if before is None else {**table, **before}
    told = list(record_squares_first_seen_in_fog(World(None, {"yard": table}), "yard", "people", was))
    return {path: after for one in told for path, _, after in one.fact.changes}


def test_a_party_without_a_rule_of_sight_sees_past_no_wall() -> None:
    """Nor past a shut door, into the dark or through what a zone makes a wall; whatever it saw stays seen."""
    west = {"yard.seen.1": "A-C", "yard.seen.2": "A-C"}
    assert newly_seen(None) == west
    assert newly_seen(None, seen={"1": "A-E", "2": "A-E"}) == {}
    assert newly_seen(None, seen={"1": "E"})["yard.seen.1"] == "A-C E"
    for zone, seen in (
        ({"blocks": True}, {"yard.seen.1": "A-B", "yard.seen.2": "A-B"}),
        ({"sight": "dark"}, {"yard.seen.1": "A C", "yard.seen.2": "A C"}),
    ):
        with case(zone, seen):
            assert newly_seen(None, zones={"z": {"squares": ["B1", "B2"], **zone}}) == seen
    lit = {"z": {"squares": ["B1"], "sight": "dark"}, "y": {"squares": ["B1"], "sight": "light"}}
    assert newly_seen(None, zones=lit) == west
    for ana in ({"at": "A1", "out": "gone"}, {"at": "by the gate"}, {}):
        with case(ana):
            assert newly_seen(None, people={"ana": {"side": "party", **ana}}) == {}
    assert newly_seen(None, map=None) == {}


def test_a_party_looks_where_something_is_otherwise() -> None:
    """Where one of it came, went, grew or joined, or the map or a zone is another; else all is as it was."""
    ana, rat = {"side": "party", "at": "A1"}, {"side": "enemies", "at": "E2"}
    for before, looks in (
        ({}, False),
        ({"people": {"ana": {**ana}, "rat": {**rat, "at": "A2"}}}, False),
        ({"people": {"ana": {**ana, "hidden": True}, "rat": rat}}, False),
        ({"people": {"rat": rat}}, True),
        ({"people": {"ana": {**ana, "at": "E1"}, "rat": rat}}, True),
        ({"people": {"ana": {**ana, "size": 2}, "rat": rat}}, True),
        ({"people": {"ana": {**ana, "out": "gone"}, "rat": rat}}, True),
        ({"people": {"ana": {**ana, "side": "enemies"}, "rat": rat}}, True),
        ({"map": {"rows": ["....."]}}, True),
        ({"zones": {"z": {"squares": ["B1"]}}}, True),
    ):
        with case(before, looks):
            assert bool(newly_seen(before)) == looks


def test_at_first_the_party_has_seen_what_it_sees(fogged: Game) -> None:
    """STR-TAC-22: walls and shut doors stop sight, and are seen themselves."""
    assert fogged.get("fight.seen") == dict.fromkeys(("1", "2", "3", "4"), "A-F") | {"5": "A-F"}


def test_without_fog_nothing_is_kept_of_it(game: Game) -> None:
    game.draw(*CRYPT[:3]).begin("vex")
    assert "seen" not in game.get("fight")
    assert game.facts[-1].kind != "ground-seen"


def test_an_encounter_has_the_last_word(game: Game) -> None:
    """Whatever [table] says of all maps."""
    for campaigns, its_own, holds in ((True, False, False), (False, True, True)):
        with_fog(game).book.fog = campaigns
        drawn = {"name": "A", "goal": "", "map": "V..", "place": {"V": "vex"}, "side": {}, "fog": its_own}
        game.book.encounters = {"drawn": drawn}
        game.state = {}
        game.play("combat start", encounter="drawn", party=["vex"])
        assert ("seen" in game.get("fight")) is holds


def test_a_door_that_opens_shows_what_is_behind(fogged: Game) -> None:
    """In sight is what somebody sees now; what has been seen stays so once nobody looks there."""
    assert (7, 2) not in seen(fogged)
    fogged.play("combat door", at="F3", open=True)
    assert {(6, 2), (7, 2), (8, 2)} <= squares_in_party_sight(fogged.world) <= seen(fogged)
    fogged.play("combat door", at="F3", open=False)
    assert {(6, 2), (7, 2), (8, 2)} <= seen(fogged)
    assert (8, 2) not in squares_in_party_sight(fogged.world)


def test_all_along_a_way_is_looked(game: Game) -> None:
    """Not only from where it ends."""
    with_fog(game).draw("V......", "##.####", "##.####", "#......").begin("vex")
    assert (2, 3) not in seen(game)
    game.move("vex", "E1")
    assert (2, 3) in seen(game)


def test_darkness_is_not_seen_until_it_is_lit(fogged: Game) -> None:
    """STR-TAC-22: as attacks have it, light and all; smoke is seen."""
    fogged.play("combat door", at="F3", open=True)
    fogged.play("combat fog", do="cover", squares=["H3", "I3"])
    fogged.play("combat zone add", called="Night", squares=["H3"], sight="dark")
    fogged.move("vex", "B2")
    assert (7, 2) not in seen(fogged)
    fogged.play("combat zone add", called="Torch", squares=["H3"], sight="light")
    assert (7, 2) in seen(fogged)


def test_who_sees_in_the_dark_shows_it_to_all(fogged: Game) -> None:
    """STR-TAC-24: special senses are the eyes' own: another has not seen it from the same place."""
    fogged.play("combat zone add", called="Night", squares=["D1"], sight="dark")
    fogged.play("combat fog", do="cover", squares=["D1"])
    fogged.move("vex", "B2")
    assert (3, 0) not in seen(fogged) | squares_in_party_sight(fogged.world)
    fogged.book.characters = copy(fogged.book.characters)
    fogged.book.characters["vex"] = fogged.book.characters["vex"] | {"senses": [{"ignores": ["dark"]}]}
    assert (3, 0) in squares_in_party_sight(fogged.world)
    fogged.play("combat place", who="vex", to="C3")
    assert (3, 0) in seen(fogged)


def test_only_the_party_looks_and_nobody_who_is_out(fogged: Game) -> None:
    before = seen(fogged)
    fogged.play("combat place", who="goblin", to="G1")
    assert seen(fogged) == before
    fogged.play("combat leave", who="brann", why="the story")
    fogged.set("fight.combatants.brann.at", "I3")
    fogged.play("combat place", who="vex", to="B3")
    assert seen(fogged) == before


def test_what_is_taken_back_is_fog_again(fogged: Game) -> None:
    """Undo is the facts backwards: a peek that was undone was none."""
    before = fogged.state
    fogged.play("combat door", at="F3", open=True)
    facts = [as_json(fact) for fact in fogged.facts]
    assert [fact["kind"] for fact in facts] == ["door-moved", "ground-seen"]
    assert apply_changes(fogged.state, *changes_and_places_that_undo(facts)) == before
    state = before
    for fact in facts:
        state = apply_fact(state, fact)
    assert state == fogged.state, "and done again as it was"


# --- what players get


def test_players_get_nothing_of_what_is_in_the_fog(fogged: Game) -> None:
    """Neither ground nor creatures, turns or squares."""
    view = players_view(fogged)
    assert sorted(view.people) == ["brann", "vex"]
    assert view.board is not None
    assert view.board.rows == (".....#   ", ".....#   ", ".....+   ", ".....#   ", "######   ")
    assert view.order is not None
    assert [entry.who for entry in view.order.entries] == ["vex", "brann"]
    names_hidden = make_audience_view(fogged.state, PLAYERS).names_anything_hidden_from_players
    assert names_hidden("The ogre waits")
    assert names_hidden("It stands on H3.")
    assert not names_hidden("Vex goes to D3.")
    (whole,) = scenes_of(fogged.state)
    assert scene_for_audience(whole, GM) is whole


def test_whoever_is_seen_takes_their_turns_in_sight(fogged: Game) -> None:
    fogged.play("combat door", at="F3", open=True)
    assert "ogre" in players_view(fogged).people
    fogged.play("combat door", at="F3", open=False)
    assert "ogre" in players_view(fogged).people, "only who is Hidden is out of sight (STR-TAC-23)"


def test_what_happens_in_the_fog_is_not_told(fogged: Game) -> None:
    before = fogged.state
    fogged.play("combat damage", who="ogre", amount=1)
    assert texts_told(fogged, before) == []
    before = fogged.state
    fogged.play("combat zone add", called="Pit", squares=["H2"], damage=1)
    assert texts_told(fogged, before) == []
    assert players_view(fogged).board.zones == ()  # type: ignore[union-attr]
    before = fogged.state
    fogged.play("combat door", at="F3", open=True)
    assert texts_told(fogged, before) == ["The door at F3 is open."]


def test_of_a_zone_that_reaches_into_the_fog_the_rest_is_seen(fogged: Game) -> None:
    fogged.play("combat zone add", called="Fire", squares=["D1", "H1"], damage=1, by="ogre")
    (zone,) = players_view(fogged).board.zones  # type: ignore[union-attr]
    assert (zone.id, zone.squares) == ("fire", ("D1",))


def test_what_players_may_try_knows_nothing_of_the_fog(fogged: Game) -> None:
    known = known_state(fogged.state)["fight"]
    assert known["map"]["rows"][0] == ".....#   "
    assert "image" not in known["map"]
    assert sorted(known["combatants"]) == ["brann", "vex"]
    assert known["order"] == ["vex", "brann"]


def test_creatures_are_not_counted_by_their_names(game: Game) -> None:
    """Who sees the third of them first must not know of the others."""
    with_fog(game).draw("V..#ggg").begin("vex")
    goblins = [who for who in game.get("fight.combatants") if who.startswith("goblin")]
    game.play("combat join", ref="goblin", at=["B1"], dice=[3])
    goblins += [who for who in game.get("fight.combatants") if who.startswith("goblin")]
    assert len(set(goblins)) == 4
    assert not any(char.isdigit() for who in goblins for char in who)


def test_where_all_is_fog_there_is_no_map(fogged: Game) -> None:
    fogged.set("fight.seen", {})
    assert players_view(fogged).board is None


def test_fog_never_covers_the_party(fogged: Game) -> None:
    every = [f"{column}{row}" for column in "ABCDEFGHI" for row in range(1, 6)]
    fogged.play("combat fog", do="cover", squares=every)
    assert seen(fogged) == {(0, 0), (0, 1)}


# --- the game master's hand


def test_the_game_master_lifts_the_fog_and_lays_it(fogged: Game) -> None:
    before = fogged.state
    fogged.play("combat fog", do="lift", squares=["H1", "I1"])
    assert {(7, 0), (8, 0)} <= seen(fogged)
    assert "goblin" in players_view(fogged).people
    assert texts_told(fogged, before) == [], "it is the game master's"
    fogged.play("combat fog", do="cover", squares=["H1", "I1"])
    assert (7, 0) not in seen(fogged)
    fogged.play("combat fog", do="off")
    assert players_view(fogged).board.rows[0] == ".....#..."  # type: ignore[union-attr]
    fogged.play("combat fog", do="on")
    assert parse_seen_squares(before["fight"]["seen"]) == seen(fogged)


def test_what_is_so_already_is_refused(fogged: Game, game: Game) -> None:
    for args in ({"do": "on"}, {"do": "lift", "squares": ["A1"]}, {"do": "cover", "squares": ["I1"]}):
        with pytest.raises(Refused):
            fogged.play("combat fog", **args)
    with pytest.raises(Refused, match="Z9 is not on the map"):
        fogged.play("combat fog", do="lift", squares=["Z9"])
    fogged.play("combat fog", do="off")
    with pytest.raises(Refused, match="no fog"):
        fogged.play("combat fog", do="off")


# --- squares and ground


def test_squares_are_kept_in_runs() -> None:
    squares = {(0, 0), (1, 0), (2, 0), (4, 0), (27, 9), (28, 9)}
    assert squares_to_rows(squares) == {"1": "A-C E", "10": "AB-AC"}
    assert parse_seen_squares(squares_to_rows(squares)) == squares
    assert squares_to_rows(()) == {}


def test_walls_and_doors_are_cut_at_the_edge_of_what_is_seen() -> None:
    """What stands on the side of a square that was seen is seen; a picture shows everything, and is left
    out."""
    ground = {
        "rows": ["....", "...."],
        "walls": [
            [[0, 1], [4, 1]], [[3, 0], [3, 1]], [[0.5, 0.5], [3.5, 0.5]], [[1, 0], [1, 1], [2, 1]],
            [[4, 0.5], [0, 0.5]], [[2, 2], [2, 1], [0, 1], [0, 0], [2, 0], [2, 0.5], [0.5, 0.5]],
        ],
        "one_way_walls": [[[4, 1], [0, 1]], [[3, 0], [3, 1]]],
        "doors": [{"at": [[1, 0], [1, 1]], "open": False}, {"at": [[3, 1], [3, 2]], "open": True}],
        "lights": [{"at": [0.5, 0.5], "range": 3}, {"at": [3.5, 1.5], "range": 3}],
        "image": {"file": "map.png", "sha256": "0" * 64},
        "ambient": "ffffff",
    }  # fmt: skip
    left = seen_part_of_map({(0, 0)}, ground)
    assert left["rows"] == [".   ", "    "]
    assert left["walls"] == [
        [[0, 1], [1, 1]], [[0.5, 0.5], [1, 0.5]], [[1, 0], [1, 1]],
        [[1, 0.5], [0, 0.5]], [[1, 1], [0, 1], [0, 0], [1, 0]], [[1, 0.5], [0.5, 0.5]],
    ]  # fmt: skip
    assert left["one_way_walls"] == [[[1, 1], [0, 1]]], "which stops from the side that it stopped from"
    assert left["doors"] == ground["doors"][:1]  # type: ignore[index]
    assert left["lights"] == ground["lights"][:1]  # type: ignore[index]
    assert "image" not in left


def drawn(source: Random, size: int = 11) -> list[str]:
    """A map of rooms and rubble."""
    density = source.choice((0.1, 0.25, 0.4))
    return ["".join("#" if source.random() < density else "." for _ in range(size)) for _ in range(size)]


def walls_around(rows: list[str]) -> Walls:
    """The same with walls between squares in place of squares that are walls."""
    inside, size = range(1, len(rows)), len(rows)
    upright = [[[x, y], [x, y + 1]] for y in range(size) for x in inside if rows[y][x] != rows[y][x - 1]]
    level = [[[x, y], [x + 1, y]] for y in inside for x in range(size) if rows[y][x] != rows[y - 1][x]]
    return Walls(segments_in_wall_units([*upright, *level]))


@pytest.mark.slow
def test_nothing_that_can_be_seen_is_left_out_of_question() -> None:
    """STR-TAC-22: the quick look and the rule, square by square, over random maps."""
    for between in (False, True):
        for seed in some_of(range(60), every=10):
            with case(between, seed):
                source = Random(seed)
                rows = drawn(source)
                open_ground = ["." * len(row) for row in rows]
                grid = Grid(open_ground, (), walls_around(rows)) if between else Grid(rows)
                eye = source.randrange(grid.width - 1), source.randrange(grid.height - 1)
                size = source.choice((1, 1, 2))
                may = possibly_visible_squares(grid, eye, size)
                others = {*product(range(grid.width), range(grid.height))} - may
                free = [square for square in others if not grid.is_blocked(square)]
                assert [square for square in free if grid.has_line_of_sight(eye, square, size)] == []


def room(side: int, size: int) -> tuple[set[Square], Walls]:
    """A room of so many squares a side in the middle of a map, closed by walls."""
    low = (size - side) // 2
    high = low + side
    around = [[low, low], [high, low], [high, high], [low, high], [low, low]]
    within = range(low, high)
    return {(x, y) for x in within for y in within}, Walls(segments_in_wall_units([around]))


@pytest.mark.parametrize("side", [5, 7, 9])
def test_far_outside_a_closed_room_nothing_is_in_question(side: int) -> None:
    """STR-TAC-22: the quick look from two squares off every wall has all of the room, and ends behind it."""
    size = 21
    inside, walls = room(side, size)
    grid = Grid(["." * size] * size, (), walls)
    near = {(x + right, y + down) for x, y in inside for right in range(-2, 3) for down in range(-2, 3)}
    low, high = min(inside)[0] + 2, max(inside)[0] - 2
    for eye in {(x, y) for x, y in inside if low <= x <= high and low <= y <= high}:
        assert inside <= possibly_visible_squares(grid, eye) <= near


@pytest.mark.parametrize("seed", some_of(range(60), every=12))
def test_what_the_party_has_seen_is_what_the_rule_says_square_by_square(game: Game, seed: int) -> None:
    """STR-TAC-22: over random ways through random maps, against every square looked at from every step."""
    source = Random(seed)
    rows = [[*row] for row in drawn(source, 9)]
    rows[4][4] = "V"
    with_fog(game).draw(*("".join(row) for row in rows)).begin("vex")
    grid = Grid(game.get("fight.map.rows"))
    every = [(x, y) for y in range(9) for x in range(9) if not grid.is_blocked((x, y))]
    here, stood = (4, 4), {(4, 4)}
    for _ in range(4):
        here = source.choice(grid.neighbours(here) or [here])
        if here not in stood:
            game.play("combat place", who="vex", to=f"{'ABCDEFGHI'[here[0]]}{here[1] + 1}")
            stood.add(here)
    expected = {square for square in every if any(grid.has_line_of_sight(one, square) for one in stood)}
    assert {square for square in seen(game) if not grid.is_blocked(square)} == expected
