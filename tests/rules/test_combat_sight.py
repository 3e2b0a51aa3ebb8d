"""Who sees whom, who hides, and doors (STR-TAC-20, 22 to 24)."""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations, pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cases import case
from support.game import Game
from support.thorough import THOROUGH
from support.told import text_of

from strike_cli.content.merged_content import Book
from strike_cli.kernel.driver import play_until_open_decision, refuse_more_dice
from strike_cli.kernel.exact_odds import first_option
from strike_cli.problems import Refused
from strike_cli.systems.combat.board.sight_and_hiding import (
    SightOfPerson,
    end_or_expose_hiding_of_seen,
    sight_of,
)
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.tabletop.facts import OfStatus
from strike_cli.tabletop.grid import (
    Grid,
    Square,
    distance_between_spaces,
    footprint,
    format_square,
    parse_area,
)
from strike_cli.tabletop.squares_and_lines import Walls, segments_in_wall_units


def zone(game: Game, name: str, area: str, **more: Any) -> None:
    args = {"damage": 0, "difficult": False, "sight": "", "by": "", "ends": "encounter", "secret": False}
    squares = [format_square(square) for square in parse_area(area)]
    game.play("combat zone add", **{**args, "called": name, "squares": squares, **more})


def seen(game: Game, viewer: str, target: str) -> str:
    return sight_of(Fight(game.world), viewer, target).how


def sense(game: Game, who: str, *ignores: str, range_: int = 100) -> None:
    """Give a character or creature a special sense."""
    book = deepcopy(game.book)
    sheet = book.characters.get(who) or book.creatures[who]
    sheet["senses"] = [{"name": "A nose", "ignores": list(ignores), "range": range_}]
    game.book = book


# --- areas that hide


def test_in_an_area_through_it_or_out_of_it(book: Book) -> None:
    """STR-TAC-22: in it, seen only through it, or everyone if you are in it."""
    for area, hides in (
        ("E1:F1", True), ("A1", True), ("C1:C2", True), ("C1", False), ("B2:D2", False), ("G1:G2", False)
    ):  # fmt: skip
        for kind, how in (("obscured", "concealed"), ("dark", "unseen")):
            with case(area, kind):
                game = Game(book).draw("V...g..", ".......").begin("vex")
                zone(game, "Fog", area, sight=kind)
                seen_as = how if hides else "clear"
                assert seen(game, "vex", "goblin") == seen(game, "goblin", "vex") == seen_as


def test_the_concealed_are_attacked_with_disadvantage(game: Game) -> None:
    """STR-TAC-20, STR-TAC-22: Ranged and Melee."""
    game.draw("Vg.....").begin("vex")
    zone(game, "Fog", "B1", sight="obscured")
    data = game.attack("vex", "goblin", dice=[6, 2])
    assert data["roll"]["sources"] == [{"kind": "disadvantage", "reason": "target concealed: Fog"}]


def test_a_burst_needs_no_eyes(game: Game) -> None:
    """STR-TAC-22: Bursts are unaffected, and the unseen can't be aimed at otherwise."""
    game.draw("Vg.....").begin("vex")
    zone(game, "Night", "B1", sight="dark")
    for power in ("core:melee-basic", "sting"):
        with pytest.raises(Refused, match="can't see Goblin from there: Night"):
            game.attack("vex", "goblin", power=power, dice=[5])
    assert game.attack("vex", "goblin", power="blast", dice=[5])["roll"]["sources"] == []


def test_the_unseen_give_no_opportunities(game: Game) -> None:
    """STR-TAC-08, STR-TAC-22."""
    game.draw("gV.....").begin("vex")
    zone(game, "Night", "A1:G1", sight="dark")
    assert game.move("vex", "G1")["opportunities"] == []


def test_all_who_attack_from_the_dark_are_revealed_for_the_turn(game: Game) -> None:
    """STR-TAC-22: briefly, concealed still; who strikes out of turn, too, and both until the turn is over."""
    game.draw("V...g..", "B......").begin("vex")
    zone(game, "Night", "A1:B2", sight="dark")

    def how() -> list[str]:
        return [seen(game, "goblin", who) for who in ("vex", "brann")]

    for who in ("vex", "brann"):
        sense(game, who, "night")
    game.play("combat prepare", who="vex", trigger="it shoots", do="attack", then="shoot")
    game.next_turn_of("brann")
    assert how() == ["unseen", "unseen"]
    shot = {"power": "core:ranged-basic", "targets": ["goblin"]}
    game.attack("brann", "goblin", power="core:ranged-basic", dice=[2])
    assert how() == ["unseen", "concealed"]
    game.play("combat trigger", who="vex", do="attack", args=shot, dice=[2])
    assert how() == ["concealed", "concealed"]
    game.play("combat end-turn")
    assert how() == ["unseen", "unseen"]


def test_special_senses(game: Game) -> None:
    """STR-TAC-22: they ignore what they name, as far as they reach."""
    game.draw("V...g..").begin("vex")
    zone(game, "Night", "E1", sight="dark")
    sense(game, "vex", "Dark", range_=4)
    assert seen(game, "vex", "goblin") == "clear"
    sense(game, "vex", "dark", range_=3)
    assert seen(game, "vex", "goblin") == "unseen"
    sense(game, "vex", "night")
    assert seen(game, "vex", "goblin") == "clear"
    zone(game, "Night", "E1", sight="dark")
    assert seen(game, "vex", "goblin") == "clear", "any of that name"
    sheet = game.book.characters["vex"]
    game.book.characters["vex"] = {**sheet, "senses": [{"name": "Eyes", "ignores": ["night"]}]}
    assert seen(game, "vex", "goblin") == "clear", "as far as can be, where nothing is said"
    game.afflict("goblin", "invisible")
    assert seen(game, "vex", "goblin") == "unseen"
    sense(game, "vex", "dark", "invisible")
    assert seen(game, "vex", "goblin") == "clear"


def test_the_invisible_are_attacked_only_when_they_attack(game: Game) -> None:
    """STR-TAC-25."""
    game.draw("Vg.....", "B......").begin("vex").afflict("vex", "invisible")
    assert sight_of(Fight(game.world), "goblin", "vex") == SightOfPerson("unseen", OfStatus("core:invisible"))
    game.attack("vex", "goblin", dice=[2])
    assert sight_of(Fight(game.world), "goblin", "vex").how == "clear"
    game.next_turn()
    with pytest.raises(Refused, match="can't see Vex"):
        game.attack("goblin", "vex", dice=[5])


# --- hiding


def test_hiding_takes_a_round_out_of_sight(game: Game) -> None:
    """STR-TAC-23."""
    game.draw("V.#...", "..#..g", "..#...").begin("vex")
    assert game.play("combat hide", who="vex", now=False) == {"who": "vex", "hidden": False}
    assert not game.of("vex", "hidden")
    game.next_turn()
    game.next_turn()
    assert game.of("vex", "hidden") is True
    assert "Vex is Hidden." in game.texts()


def test_who_is_seen_can_not_hide(game: Game) -> None:
    """STR-TAC-23."""
    game.draw("V.....g").begin("vex")
    with pytest.raises(Refused, match="Goblin sees Vex"):
        game.play("combat hide", who="vex", now=False)


def test_no_room_to_move_unseen(game: Game) -> None:
    """STR-TAC-23."""
    game.draw("V#....g", "##.....").begin("vex")
    with pytest.raises(Refused, match="no room to move unseen"):
        game.play("combat hide", who="vex", now=False)


def test_seen_before_the_round_is_over(game: Game) -> None:
    """STR-TAC-23: an enemy that walks around the corner."""
    game.draw("V.#...", "..#..g", "......").begin("vex")
    zone(game, "Fog", "A3:C3", sight="dark")
    game.play("combat hide", who="vex", now=False)
    game.play("combat zone remove", zone="fog")
    game.next_turn()
    game.move("goblin", "C3")
    assert "Goblin sees Vex." in game.texts()
    game.next_turn()
    assert not game.of("vex", "hidden")


def test_whoever_hides_is_looked_for(book: Book) -> None:
    """STR-TAC-23: whichever of a party it is."""
    for who in ("vex", "brann"):
        world = Game(book).draw("V....g", "B.....").begin("vex").put(who, hiding=1).world
        looking = end_or_expose_hiding_of_seen(world)
        facts = play_until_open_decision(looking, world, refuse_more_dice, first_option).facts
        assert [fact.who for fact in facts if text_of(fact)] == [who]


def hidden(game: Game, *rows: str) -> Game:
    """Vex is Hidden there, and it is her turn."""
    game.draw(*rows).begin("vex")
    game.play("combat hide", who="vex", now=True)
    return game


def segments(*lines: Any) -> Walls:
    """Walls along these lines."""
    return Walls(segments_in_wall_units(lines))


def test_the_hidden_stay_so_behind_cover_and_in_fog(game: Game) -> None:
    """STR-TAC-23: not in the open."""
    hidden(game, "V.#...", "..#..g", "......", "......")
    zone(game, "Fog", "A3:B4", sight="obscured")
    game.move("vex", "B3")
    assert game.of("vex", "hidden")
    game.move("vex", "D4", trade=True)
    assert not game.of("vex", "hidden")
    assert not game.of("vex", "hiding")


def test_the_first_who_saw_the_hidden_is_named(book: Book) -> None:
    """STR-TAC-23: of those whom a move goes past, when it is over."""
    for to in ("C1", "F1"):
        game = hidden(Game(book), "V.....", "#.##.#", "......", ".g..g.")
        game.move("vex", to)
        assert [fact.kind for fact in game.facts].count("exposed") == 1, "whoever sees them later"
        assert game.texts()[-2:] == ["Goblin 1 sees Vex.", "Vex is Hidden no longer."]
        assert game.get("fight.turn.exposed") is None


def test_a_prepared_move_out_of_hiding_is_hidden_to_its_end(game: Game) -> None:
    """STR-TAC-05, STR-TAC-23: on another's turn as on one's own."""
    hidden(game, "V...#.", ".....g")
    game.play("combat prepare", who="vex", trigger="it moves", do="move", then="move")
    game.next_turn()
    way = {"to": "D1", "via": [], "shift": False, "trade": False}
    game.play("combat trigger", who="vex", do="move", args=way)
    assert game.texts()[1:] == ["Vex moves from A1 to D1.", "Goblin sees Vex.", "Vex is Hidden no longer."]


def test_who_is_left_in_the_open_is_not_hidden(game: Game) -> None:
    """STR-TAC-23: when what concealed them is gone, at once."""
    hidden(game, "V...", ".g..")
    zone(game, "Fog", "A1", sight="obscured")
    game.play("combat zone remove", zone="fog")
    assert not game.of("vex", "hidden")
    game.afflict("vex", "invisible")
    game.play("combat hide", who="vex", now=True)
    game.play("combat status remove", who="vex", status="core:invisible")
    assert not game.of("vex", "hidden")


def test_the_hidden_can_not_be_targeted_and_attack_with_advantage_once(game: Game) -> None:
    """STR-TAC-20, STR-TAC-23: attacking ends it, once the attack is over."""
    hidden(game, "V...", ".g..")
    data = game.attack("vex", "goblin", dice=[2, 5])
    assert {"kind": "advantage", "reason": "Hidden"} in data["roll"]["sources"]
    assert not game.of("vex", "hidden")
    game.play("combat hide", who="vex", now=True)
    game.next_turn()
    with pytest.raises(Refused, match="Nobody knows where Vex is"):
        game.attack("goblin", "vex", dice=[5])


def test_a_nose_finds_the_hidden(game: Game) -> None:
    """STR-TAC-22."""
    hidden(game, "V...", ".g..")
    sense(game, "goblin", "hidden", range_=1)
    game.next_turn()
    assert game.attack("goblin", "vex", dice=[5])["result"] == "solid"


def test_a_hidden_blow_that_takes_out_a_keen_nose(game: Game) -> None:
    """STR-TAC-22, STR-TAC-23: what comes after the attack asks no more what the fallen sense."""
    hidden(game, "V...", ".g..")
    book = deepcopy(game.book)
    book.powers["plain-cut"]["always"] = [{"do": "note", "to": "target", "text": "It hums."}]
    game.book = book
    sense(game, "goblin", "dark", range_=3)
    assert game.attack("vex", "goblin", power="plain-cut", dice=[6, 5])["taken_out"]


def test_the_game_master_reveals(game: Game) -> None:
    """STR-TAC-23."""
    hidden(game, "V...", ".g..")
    game.play("combat reveal", who="vex")
    assert not game.of("vex", "hidden")
    with pytest.raises(Refused, match="not hidden"):
        game.play("combat reveal", who="vex")


# --- doors


def door(game: Game, at: str, opens: bool, beyond: str = "") -> dict[str, Any]:
    return game.play("combat door", at=at, beyond=beyond, open=opens)


def test_a_door_opens_and_closes(game: Game) -> None:
    """STR-TAC-22: an open one can be seen and walked through."""
    game.draw("V.+..g", "..#...").begin("vex")
    assert seen(game, "vex", "goblin") == "unseen"
    door(game, "C1", True)
    assert seen(game, "vex", "goblin") == "clear"
    with pytest.raises(Refused, match="open already"):
        door(game, "C1", True)
    game.move("vex", "C1")
    with pytest.raises(Refused, match="Vex stands in the door"):
        door(game, "C1", False)
    game.move("vex", "B1", trade=True)
    door(game, "C1", False)
    assert seen(game, "vex", "goblin") == "unseen"
    with pytest.raises(Refused, match="no door at A1"):
        door(game, "A1", True)


def walled(game: Game, *rows: str, walls: list[Any] = [], doors: list[Any] = []) -> Game:  # noqa: B006
    """A drawn fight with walls and doors between its squares."""
    game.draw(*rows)
    game.set("fight.map.walls", walls)
    game.set("fight.map.doors", doors)
    return game.begin("vex")


def test_a_door_in_a_wall_between_squares(game: Game) -> None:
    """STR-TAC-22."""
    wall, doors = [[[2, 0], [2, 1]]], [{"at": [[2, 1], [2, 2]], "open": False}]
    walled(game, "V...g.", "......", walls=wall, doors=doors)
    assert seen(game, "vex", "goblin") == "unseen"
    with pytest.raises(Refused, match="no path"):
        game.move("vex", "C1")
    door(game, "B2", True)
    assert game.move("vex", "C2")["path"][-1] == "C2"
    with pytest.raises(Refused, match="no door"):
        door(game, "B1", True)
    door(game, "C2", False, beyond="B2")
    assert game.get("fight.map.doors")[0]["open"] is False


# --- walls between squares


def test_a_wall_between_squares_covers(game: Game) -> None:
    """STR-TAC-24: on the straight line, while a corner still sees the target."""
    walled(game, "V....g", "......", walls=[[[3, 0], [3, 1]]])
    assert seen(game, "vex", "goblin") == "clear"
    data = game.attack("vex", "goblin", power="core:ranged-basic", dice=[5, 5])
    assert data["roll"]["sources"] == [{"kind": "disadvantage", "reason": "target in cover"}]


def test_nobody_strikes_through_a_wall(book: Book) -> None:
    """STR-TAC-08, STR-TAC-22: nor takes an Opportunity; round the ends of one of one side neighbours don't
    reach."""
    around = (".....", ".V...", ".g...", ".....")
    for rows, wall, to in (
        (("V....", "g...."), [[0, 1], [5, 1]], "D1"), (around, [[1, 2], [2, 2]], "B1"),
        (around, [[2, 2], [1, 2]], "B1"),
    ):  # fmt: skip
        with case(wall):
            game = walled(Game(book), *rows, walls=[wall])
            with pytest.raises(Refused, match="can't see Goblin from there: a wall"):
                game.attack("vex", "goblin", dice=[5])
            assert game.move("vex", to)["opportunities"] == []


corners = st.tuples(st.integers(0, 5), st.integers(0, 5))
spots = st.tuples(st.integers(0, 4), st.integers(0, 4))


@pytest.mark.slow
@given(
    st.lists(st.text("....#+", min_size=5, max_size=5), min_size=5, max_size=5),
    st.lists(st.tuples(corners, corners), max_size=4),
    spots,
    spots,
    st.integers(1, 2),
    st.integers(1, 2),
)
@settings(max_examples=150 if THOROUGH else 50)
def test_sight_is_the_same_both_ways(
    rows: list[str], walls: list[tuple[Square, Square]], a: Square, b: Square, size_a: int, size_b: int
) -> None:
    """STR-TAC-07, STR-TAC-22: and so is distance."""
    there, back = (Grid(rows, walls=segments(*walls)) for _ in range(2))
    assert distance_between_spaces(a, size_a, b, size_b) == distance_between_spaces(b, size_b, a, size_a)
    assert there.has_line_of_sight(a, b, size_a, size_b) == back.has_line_of_sight(b, a, size_b, size_a)
    assert there.has_line_of_sight_past(frozenset(), a, b, size_a, size_b) == back.has_line_of_sight_past(
        frozenset(), b, a, size_b, size_a
    )
    assert there.has_cover(a, b, size_a, size_b) == back.has_cover(b, a, size_b, size_a)


@pytest.mark.slow
@given(
    st.lists(st.text("....#", min_size=5, max_size=5), min_size=5, max_size=5),
    st.lists(st.tuples(spots, st.booleans()), max_size=8),
    spots,
    st.integers(1, 2),
)
@settings(max_examples=100 if THOROUGH else 40)
def test_steps_around_walls_against_a_slow_way(
    rows: list[str], sides: list[tuple[Square, bool]], start: Square, size: int
) -> None:
    """STR-TAC-07: walls one square long, each as the pair of squares that it parts."""
    walls, parted = [], set()
    for (x, y), upright in sides:
        walls.append([(x + 1, y), (x + 1, y + 1)] if upright else [(x, y + 1), (x + 1, y + 1)])
        parted |= {frozenset(((x, y), (x + 1, y) if upright else (x, y + 1)))}
    grid = Grid(rows, walls=segments(*walls))

    def stands(square: Square) -> bool:
        under = footprint(square, size)
        joined = [
            frozenset((one, other))
            for one in under
            for other in under
            if abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1
        ]
        return not any(map(grid.is_blocked, under)) and parted.isdisjoint(joined)

    def leg(here: Square, right: int, down: int) -> Square | None:
        there = here[0] + right, here[1] + down
        crossed = [frozenset((part, (part[0] + right, part[1] + down))) for part in footprint(here, size)]
        return there if stands(there) and parted.isdisjoint(crossed) else None

    def steps(right: int, down: int) -> bool:
        ways = [[(right, 0), (0, down)], [(0, down), (right, 0)]] if right and down else [[(right, down)]]
        for way in ways:
            here: Square | None = start
            for one in way:
                here = leg(here, *one) if here is not None else None
            if here is not None:
                return True
        return False

    if stands(start):
        around = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1) if right or down]
        expected = {(start[0] + right, start[1] + down) for right, down in around if steps(right, down)}
        assert set(grid.neighbours(start, size)) == expected


def test_walls_as_lines() -> None:
    """STR-TAC-22."""
    for wall, a, b, sees in [
        ([[1, 0], [1, 5]], (0, 2), (1, 2), False),  # along the grid
        ([[1, 0], [1, 2]], (0, 2), (1, 2), True),  # past its end
        ([[2, 2], [2, 3]], (1, 2), (2, 2), False),  # between two neighbours, though it has ends beside them
        ([[2, 2], [2, 3]], (1, 2), (2, 1), True),  # round one of these
        ([[2, 2], [2, 3]], (1, 2), (3, 2), True),
        ([[2, 2.4], [2, 3]], (1, 2), (2, 2), True),  # a gap is left
        ([[0, 0], [5, 5]], (2, 0), (0, 2), False),  # aslant
        ([[0, 0], [5, 5]], (1, 1), (0, 2), True),  # from a square that it cuts in two
        ([[2.5, 0], [2.5, 5]], (0, 2), (4, 2), False),  # through the middle of squares
        ([[2.5, 0], [2.5, 2], [3, 2.5]], (0, 4), (4, 4), True),
    ]:
        with case(wall, a, b, sees):
            grid = Grid(["....."] * 5, walls=segments(wall))
            assert grid.has_line_of_sight(a, b) is sees


def test_sight_past_a_corner() -> None:
    """STR-TAC-22: one looks out at a corner that no wall cuts off, and leans past the end of a wall."""
    block, open_ = ["...", ".#.", "..."], ["..."] * 3
    for rows, walls, a, b, sees in (
        (block, [[[2, 3], [2, 5]]], (2, 0), (0, 2), True),  # past a block, a wall beside
        (open_, [[[2, 1], [2, 2]], [[0, 0], [1, 0]]], (2, 1), (0, 0), True),  # along the edge
        (block, [[[1, 1], [3, 0]]], (2, 2), (1, 0), False),  # a corner cut off from its middle
    ):
        with case(walls):
            grid = Grid(rows, walls=segments(*walls))
            assert grid.has_line_of_sight(a, b) is grid.has_line_of_sight(b, a) is sees


def test_a_wall_further_along_the_same_line_cuts_nothing() -> None:
    """STR-TAC-22."""
    for turned in (False, True):
        wall = Walls([((200, 0), (300, 0)) if turned else ((0, 200), (0, 300))])
        for begins, ends, stops in ((0, 100, False), (400, 500, False), (0, 200, True), (250, 500, True)):
            with case(turned, begins, ends):
                line = ((begins, 0), (ends, 0)) if turned else ((0, begins), (0, ends))
                assert wall.stops_line_ignoring_one_way(*line) is stops


AROUND = {
    "above": [[2, 0], [2, 2]], "below": [[2, 2], [2, 4]], "left": [[0, 2], [2, 2]], "right": [[2, 2], [4, 2]],
    "rising": [[2, 2], [4, 0]], "falling": [[0, 4], [2, 2]],
}  # fmt: skip


def test_a_corner_is_passed_and_looked_through_alike() -> None:
    """STR-TAC-07, STR-TAC-22: from B2 to C3, past walls of every kind that meet at the corner between
    them."""
    ways = [walls for count in range(len(AROUND) + 1) for walls in combinations(AROUND.values(), count)]
    for lower, upper, walls in product(("....", ".#..", "##.."), ("....", "..#.", "..##"), ways):
        with case(lower, upper, walls):
            grid = Grid(["....", upper, lower, "...."], walls=segments(*walls))
            assert ((2, 2) in grid.neighbours((1, 1))) == grid.has_line_of_sight((1, 1), (2, 2))


@pytest.mark.slow
@given(st.lists(st.text("....#", min_size=6, max_size=6), min_size=6, max_size=6), spots, spots)
def test_a_wall_far_off_changes_nothing(rows: list[str], a: Square, b: Square) -> None:
    """STR-TAC-22: whether walls run between squares somewhere else on the map."""
    rows = [f"{row}......" for row in rows] + ["............"] * 2
    far = Grid(rows, walls=segments([[11, 7], [11, 8]]))
    assert Grid(rows).has_line_of_sight(a, b) == far.has_line_of_sight(a, b)


def test_pieces_of_a_line() -> None:
    points = [(0, 0), (1.005, 0), (1.0, 0), (1.0, 2.5)]
    assert segments_in_wall_units([points]) == [(a, b) for a, b in pairwise([(0, 0), (100, 0), (100, 250)])]


def test_room_to_move_is_free_and_unseen_in_one(game: Game) -> None:
    """STR-TAC-23: neither a free square in sight nor an ally's out of it is room."""
    game.draw("BV#...", ".##...", "......", "g.....").begin("vex").put("goblin", at="A4")
    zone(game, "Fog", "A1:B1", sight="dark")
    with pytest.raises(Refused, match="no room to move unseen"):
        game.play("combat hide", who="vex", now=False)
