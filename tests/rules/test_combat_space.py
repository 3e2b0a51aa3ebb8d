"""Forced movement and zones (STR-TAC-07, 08, 21)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from copy import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cases import case
from support.game import Game, book_with, with_house
from support.thorough import THOROUGH

from strike_cli.campaign.state_checks import state_faults
from strike_cli.content.merged_content import Book
from strike_cli.kernel.driver import EnteredDice, ScriptedChoices, play_until_open_decision
from strike_cli.kernel.procedure import Choose, Procedure
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import ContentProblem, Refused
from strike_cli.systems.combat.board.move import destinations, provoked_by_path
from strike_cli.systems.combat.board.movement_by_effects import displace_target
from strike_cli.systems.combat.board.square_entry import combatant_has_room_at
from strike_cli.systems.combat.board.zones import AddZone, add_zone
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.validation import map_faults
from strike_cli.tabletop.grid import format_square, parse_area, parse_square


def run(game: Game, procedure: Procedure[Any], world: Any, choose: Sequence[str] = ()) -> Any:
    played = play_until_open_decision(procedure, world, EnteredDice([]), ScriptedChoices(choose))
    assert played.pending is None, played.pending
    game.state = world.state
    game.facts = played.facts
    return played.data


def moved(game: Game, who: str, by: str, squares: int, kind: str, *choose: str, to: str | None = None) -> Any:
    world = game.world
    return run(game, displace_target(world, who, by, squares, kind, to), world, choose)


def asked_of(game: Game, who: str, by: str, squares: int, kind: str, *choose: str, **more: Any) -> Any:
    """What is asked, in words, once this has been answered; None where nothing more is."""
    world = game.world
    moving = displace_target(world, who, by, squares, kind, **more)
    asked = play_until_open_decision(moving, world, EnteredDice([]), ScriptedChoices(choose)).pending
    return asked and asked.in_words(game.speaker())


# --- forced movement


def test_a_push_or_pull_is_straight_and_stops_at_what_is_in_the_way(book: Book) -> None:
    """STR-TAC-08: forced movement gives no Opportunities, and terrain costs it nothing."""
    for rows, kind, squares, end, stopped in (
        ((".Vg....",), "push", 2, "E1", None),
        ((".Vg#...",), "push", 2, "C1", "a wall"),
        ((".Vg.#..",), "push", 3, "D1", "a wall"),
        ((".VgB...",), "push", 2, "C1", "brann"),
        ((".V...g.",), "pull", 2, "D1", None),
        ((".V...g.",), "pull", 9, "C1", None),
        ((".V.B.g.",), "pull", 9, "E1", "brann"),
        (("V......", ".......", "..g...."), "pull", 1, "B2", None),
        (("V~g~~~~",), "push", 3, "F1", None),
        (("V....", "..g..", "....."), "push", 1, "D2", None),
        (("....V", "..g..", "....."), "push", 1, "B2", None),
    ):
        with case(rows, kind, squares, end, stopped):
            game = Game(book).draw(*rows).begin("vex")
            before, start = game.of("goblin", "hp"), game.of("goblin", "at")
            data = moved(game, "goblin", "vex", squares, kind)
            assert (data.end, data.stopped_by) == (end, stopped)
            assert game.of("goblin", "at") == end
            assert game.of("goblin", "hp") == before
            where = f" to {end}" if end != start else ""
            if stopped is not None:
                what = {"brann": "Brann"}.get(stopped, stopped)
                where += f" and stops at {what}" if where else f" against {what}"
            assert game.texts() == [f"Goblin is {kind}ed{where}."]


def test_a_push_or_pull_bends_only_by_a_choice_that_is_shown(book: Book) -> None:
    """STR-TAC-07: straight unless the straight way is cut short and another goes on; then whoever pushes
    says."""
    for rows, kind, squares, options in (
        ((".......", ".Vg#...", "......."), "push", 2, ("stay", "E1", "E2", "E3", "D1", "D3")),
        ((".......", ".Vg.#..", "......."), "push", 2, ("D2", "E1", "E3")),
        (("Vg.", "..."), "push", 3, None),
        ((".......", ".V.B.g.", "......."), "pull", 3, ("E2", "C1", "C2", "C3", "D1", "D3")),
        (("Vg", "..", ".."), "push", 2, None),
    ):
        with case(rows, kind, squares):
            game = Game(book).draw(*rows).begin("vex")
            asked = asked_of(game, "goblin", "vex", squares, kind)
            assert (asked and asked.options) == options
            if options:
                before = game.state
                assert moved(game, "goblin", "vex", squares, kind, options[0]).stopped_by is not None
                game.state = before
                assert moved(game, "goblin", "vex", squares, kind, options[-1]).end == options[-1]


def test_how_whoever_moves_another_is_asked(game: Game) -> None:
    """STR-TAC-09: how far it goes, and what it means to leave them where they are."""
    game.draw(".......", ".Vg#...", ".......").begin("vex")
    for kind, chosen, answers, text, first in (
        ("push", False, [], "Vex pushes Goblin up to 2 squares. Where to?", "stays against a wall"),
        ("slide", False, [], "Vex slides Goblin up to 2 squares. Where to?", ""),
        ("slide", True, [], "Vex slides Goblin on, 2 squares at most. Which is next?", ""),
        ("slide", True, ["D1"], "Vex slides Goblin on, 1 square at most. Which is next?", ""),
    ):
        with case(kind, chosen, answers):
            asked = asked_of(game, "goblin", "vex", 2, kind, *answers, square_by_square=chosen)
            assert (asked.text, asked.labels[0]) == (text, first)
            assert asked.labels[asked.options.index("stay")] == (first or "no further")


def test_a_push_may_be_aimed_but_only_away(game: Game) -> None:
    game.draw(".......", ".Vg....", ".......").begin("vex")
    assert moved(game, "goblin", "vex", 2, "push", to="E1").end == "E1"
    with pytest.raises(Refused, match="can't be pushed to D1"):
        moved(game, "goblin", "vex", 2, "push", to="D1")


def test_a_slide_asks_where_to(game: Game) -> None:
    """Any way at all, and whoever slides somebody says which; staying is one."""
    game.draw(".....", ".Vg..", ".....").begin("vex")
    asked = asked_of(game, "goblin", "vex", 1, "slide")
    assert (asked.who, set(asked.options)) == ("vex", {"B1", "C1", "D1", "D2", "B3", "C3", "D3", "stay"})
    assert moved(game, "goblin", "vex", 1, "slide", "B3").end == "B3"
    assert moved(game, "goblin", "vex", 1, "slide", "stay").end == "B3"


def test_a_teleport_skips_walls(game: Game) -> None:
    game.draw("V.#..", "..#..").begin("vex")
    assert moved(game, "vex", "vex", 3, "teleport", to="D2").path == ["D2"]
    with pytest.raises(Refused, match="teleported"):
        moved(game, "vex", "vex", 3, "teleport", to="C1")


def test_a_teleport_goes_to_any_free_square_so_far_off(game: Game) -> None:
    """STR-TAC-07: all round, within the map; the furthest are offered first, row by row."""
    rows = ["......."] * 7
    rows[3] = "...V..."
    game.draw(*rows, "......g").put("goblin", at="D3").begin("vex")
    around = [f"{column}{row}" for row in range(2, 7) for column in "BCDEF"]
    free = [square for square in around if square not in ("D3", "D4")]
    far = [square for square in free if square[0] in "BF" or square[1] in "26"]
    near = [square for square in free if square not in far]
    assert asked_of(game, "vex", "vex", 2, "teleport").options == (*far, *near, "stay")


def test_a_square_is_free_where_nobody_else_and_no_wall_is(game: Game) -> None:
    """STR-TAC-07: for all of who is large."""
    game.draw("Vg..#", "x....", ".....").begin("vex")
    fight = Fight(game.world)
    squares = ("A1", "B1", "C1", "E1", "F1", "D2", "D3", "E2")
    free = {
        who: [square for square in squares if combatant_has_room_at(fight, who, parse_square(square))]
        for who in ("vex", "ogre")
    }
    assert free == {"vex": ["A1", "C1", "D2", "D3", "E2"], "ogre": ["C1", "D2"]}


def test_a_shift_by_an_effect_heeds_what_bars_a_shift(game: Game) -> None:
    """STR-TAC-07, STR-TAC-25: no difficult terrain, and not while Slowed."""
    game.draw("V~..", "....").begin("vex")
    with pytest.raises(Refused):
        moved(game, "vex", "vex", 1, "shift", to="B1")
    game.afflict("vex", "slowed")
    assert moved(game, "vex", "vex", 2, "shift", to="B2").path == ()


def test_nothing_cuts_a_pull_short_over_open_ground(game: Game) -> None:
    """STR-TAC-09: it ends beside who pulls, however large and from wherever."""
    rows = ["." * 9 for _ in range(8)]
    rows[1] = "....x...."
    game.draw("V........", *rows[1:]).begin("vex")
    for square in {(x, y) for x in range(9) for y in range(8)}.difference(parse_area("E2:F3")):
        game.put("vex", at=format_square(square))
        before = game.state
        found = moved(game, "vex", "ogre", 9, "pull")
        assert (found.stopped_by, Fight(game.world).gap("vex", "ogre")) == (None, 1), square
        game.state = before


def test_a_large_creature_is_pushed_whole(game: Game) -> None:
    game.draw("Vx....", "......", "...#..").begin("vex")
    data = moved(game, "ogre", "vex", 3, "push")
    assert data.end == "E1"
    assert game.of("ogre", "at") == "E1"


# --- zones


def zone(game: Game, *areas: str, **more: Any) -> str:
    world = game.world
    squares = [format_square(square) for area in areas for square in parse_area(area)]
    new = AddZone(called=more.pop("name", "Fire"), squares=squares, **more)
    key: str = run(game, add_zone(world, new), world)
    return key


def test_a_zone_hurts_once_a_round_on_the_way_in(game: Game) -> None:
    """STR-TAC-21."""
    game.draw("V........").begin("vex")
    zone(game, "B1:C1", "E1", damage=2)
    game.move("vex", "F1")
    assert game.of("vex", "hp") == 8
    game.move("vex", "B1", trade=True)
    assert game.of("vex", "hp") == 8, "once in a round, however often"
    game.next_turn()
    assert game.of("vex", "hp") == 6, "and again at the start of a turn in it"


def test_where_a_zone_appears_nobody_is_hurt_at_once(game: Game) -> None:
    """STR-TAC-21: leaving it or moving within it does not hurt either."""
    game.draw("V........").begin("vex")
    zone(game, "A1:C1", damage=2)
    game.move("vex", "B1")
    game.move("vex", "E1", trade=True)
    assert game.of("vex", "hp") == 10


def test_being_pushed_through_a_zone_hurts(book: Book) -> None:
    """STR-TAC-21: who is taken out by it goes no further."""
    for damage, stands, left, out in ((1, "E1", 3, None), (4, None, 0, "taken-out")):
        game = Game(book).draw("Vg....").begin("vex")
        zone(game, "C1", damage=damage)
        moved(game, "goblin", "vex", 3, "push")
        assert [game.of("goblin", key) for key in ("at", "hp", "out")] == [stands, left, out]


def test_who_is_pushed_against_what_has_come_into_the_way_stops_there(book: Book) -> None:
    """STR-TAC-07, STR-TAC-24: who is called as the first square is entered isn't passed."""
    text = """
[statuses.haunted]
name = "Haunted"
reactions = [{ on = "enters", do = "steps", steps = [
  { do = "summon", to = "self", creature = "goblin", near = 1, turns = "none" }] }]
"""
    text += '[powers.ram]\nname = "Ram"\naction = "role"\nreach = 1\neffect = [{ do = "push", amount = 4 }]\n'
    game = Game(book_with(text, "vex")).draw("Vp.....").begin("vex")
    zone(game, "C1", by="vex", status="haunted")
    game.play("combat use", who="vex", power="ram", targets=["post"], choose=["D1"])
    assert (game.of("post", "at"), game.of("goblin", "at")) == ("C1", "D1")


def test_who_walks_into_a_zone_that_is_too_much_stops_there(game: Game) -> None:
    """STR-TAC-21: it is out before it has come to where it was going."""
    game.draw("V.....g").begin("vex")
    zone(game, "E1:F1", damage=4)
    game.next_turn_of("goblin")
    assert game.move("goblin", "D1")["to"] is None
    assert game.of("goblin", "out") == "taken-out"
    assert game.texts()[-1] == "Goblin gets no further."


def test_who_drops_in_a_zone_gives_no_opportunity(game: Game) -> None:
    """STR-TAC-21, STR-TAC-08."""
    game.draw("V..g.", ".....").begin("vex")
    zone(game, "C1:C2", damage=10)
    data = game.move("vex", "E2", via=["C2", "D2"])
    assert data["to"] == "C2"
    assert game.statuses("vex")[-1] == "incapacitated"
    assert data["opportunities"] == []


def test_a_difficult_zone_costs_and_bars_a_shift(game: Game) -> None:
    """STR-TAC-07."""
    game.draw("V......").begin("vex")
    key = zone(game, "B1:G1", difficult=True)
    with pytest.raises(Refused, match="difficult"):
        game.move("vex", "B1", shift=True)
    with pytest.raises(Refused, match="takes 8 squares"):
        game.move("vex", "E1")
    game.play("combat zone remove", zone=key)
    assert game.move("vex", "E1")["to"] == "E1"


def test_how_long_a_zone_lasts(book: Book) -> None:
    """Until the maker's next turn starts, or until the next one's end, or for the fight."""
    for ends in ("turn-start", "turn-end", "encounter"):
        with case(ends):
            game = Game(book).draw("V..g").begin("vex")
            zone(game, "B2", by="vex", ends=ends)
            game.next_turn()
            assert game.get("fight.zones") and game.get("fight.active") == "goblin"
            game.next_turn()
            assert bool(game.get("fight.zones")) == (ends != "turn-start")
            game.next_turn()
            assert bool(game.get("fight.zones")) == (ends == "encounter")


def test_a_zone_goes_with_whoever_keeps_it_up(game: Game) -> None:
    game.draw("Vg").begin("vex")
    zone(game, "B2", by="goblin", ends="turn-end")
    zone(game, "B2", by="goblin", name="Oil")
    game.play("combat damage", who="goblin", amount=9)
    assert list(game.get("fight.zones")) == ["oil"]


# --- finding a way


def test_a_longer_way_that_gives_fewer_opportunities_is_taken(game: Game) -> None:
    """STR-TAC-08: as long as it is within the Speed."""
    game.draw("V......", ".......", "...g...", ".......").begin("vex")
    game.put("vex", at="B3")
    assert game.move("vex", "F3")["opportunities"] == []


def test_a_player_is_asked_before_giving_opportunities(game: Game) -> None:
    """STR-TAC-08: told which, and may stay, keeping the Move Action."""
    game.draw("gV....").begin("vex")
    question = game.asked("combat move", who="vex", to="D1", confirms=True)
    assert (question.who, question.options) == ("vex", ("go", "stay"))
    assert question.labels[0] == "go on, giving an Opportunity to Goblin (2 damage)"
    data = game.move("vex", "D1", confirms=True, choose=["stay"])
    assert (data["to"], data["path"]) == ("B1", [])
    assert game.move("vex", "D1", confirms=True, choose=["go"])["opportunities"]


def test_who_is_asked_is_the_houses_to_say(book: Book) -> None:
    """STR-TAC-08."""
    for mover, setting, asks in (
        ("vex", "players", True),
        ("vex", "everybody", True),
        ("vex", "nobody", False),
        ("goblin", "players", False),
        ("goblin", "everybody", True),
    ):
        with case(mover, setting, asks):
            house = with_house(book, ask_before_provoking=setting)
            game = Game(house).draw("...gV...").begin(mover)
            args = {"who": mover, "to": "G1" if mover == "vex" else "B1", "confirms": True}
            played = game.drive("combat move", args, choose=["go"] if asks and mover == "vex" else [])
            if mover == "goblin":
                assert played.pending is not None
                assert (played.pending.who, played.pending.what) == (
                    ("goblin", "go or stay") if asks else ("vex", "opportunity against goblin")
                )
            else:
                assert played.data is not None
                assert len(played.data["opportunities"]) == 1


def test_nothing_is_asked_where_nothing_is_given(game: Game) -> None:
    game.draw("g..V...").begin("vex")
    assert game.move("vex", "B1", confirms=True)["to"] == "B1"


# --- flying


def test_a_flyer_passes_over_enemies_and_rough_ground(game: Game) -> None:
    """STR-TAC-25: not through walls, and it stands on nobody."""
    game.draw("#######", "V~g~~~~", "#######").begin("vex")
    with pytest.raises(Refused, match="finds no path"):
        game.move("vex", "D2")
    game.afflict("vex", "flying")
    with pytest.raises(Refused, match="Goblin stands on C2"):
        game.move("vex", "C2")
    assert game.move("vex", "G2")["to"] == "G2"


# --- room at the start


def test_a_large_creature_needs_room_to_start_with(book: Book) -> None:
    """STR-TAC-07."""
    for rows, why in (
        (("V..x",), "an? .*edge is there"),
        (("V.x#", "...."), "a wall or the edge"),
        (("V.x.", "..g."), "Ogre at C1 needs 2 x 2 squares, and Goblin is there"),
    ):
        with case(rows), pytest.raises(Refused, match=why):
            Game(book).draw(*rows)


def test_ways_lead_around_zones_that_hurt(game: Game) -> None:
    """STR-TAC-21: where the Speed allows; else the price is named."""
    game.draw("V....", ".....").begin("vex")
    zone(game, "C1", damage=2)
    game.move("vex", "E1", confirms=True)
    assert game.of("vex", "hp") == 10
    zone(game, "C2", damage=1, name="Oil")
    question = game.asked("combat move", who="vex", to="A1", trade=True, confirms=True)
    assert "through Oil (1 damage)" in question.labels[0] or "through Fire (2 damage)" in question.labels[0]
    game.move("vex", "A1", trade=True, confirms=True, choose=["go"])
    assert game.of("vex", "hp") < 10


def test_a_secret_zone_is_walked_into(game: Game) -> None:
    """STR-TAC-21: nobody is warned of what only the game master knows."""
    game.draw("V....", ".....").begin("vex")
    zone(game, "C1:C2", damage=2, secret=True)
    assert game.move("vex", "E1", confirms=True)["to"] == "E1"
    assert game.of("vex", "hp") == 8


# --- whatever happens, nobody stands where nobody can


squares = st.tuples(st.integers(0, 6), st.integers(0, 5)).map(format_square)
deeds = st.one_of(
    st.tuples(st.just("move"), squares, st.booleans()),
    st.tuples(
        st.sampled_from(["push", "pull", "slide", "shift", "teleport"]), st.integers(1, 4), st.booleans()
    ),
    st.tuples(st.just("zone"), squares, st.integers(0, 3)),
    st.tuples(st.just("door"), squares, st.booleans()),
    st.tuples(st.just("hide"), st.just("now"), st.booleans()),
    st.tuples(
        st.just("status"), st.sampled_from(["flying", "prone", "immobilized", "invisible"]), st.booleans()
    ),
    st.tuples(st.just("turn"), st.just(""), st.booleans()),
)


@pytest.mark.slow
@given(
    data=st.data(),
    walls=st.lists(st.tuples(*[st.tuples(st.integers(0, 7), st.integers(0, 6))] * 2), max_size=3),
    steps=st.lists(deeds, max_size=12),
)
@settings(max_examples=300 if THOROUGH else 25)
def test_nobody_ever_stands_in_a_wall_or_on_another(
    book: Book, data: st.DataObject, walls: Any, steps: Any
) -> None:
    """STR-TAC-07: through moves, forced movement, doors, zones and turns; and a refusal changes nothing."""
    game = Game(book).draw("V....x.", "..+....", "B.#..~.", "..#.~..", ".g...g.", "#......")
    game.set("fight.map.walls", [[list(point) for point in wall] for wall in walls])
    if not standing_well(game):
        return
    game.begin("vex")
    for kind, what, flag in steps:
        before = game.state
        try:
            do(game, data, kind, what, flag)
        except Refused:
            assert game.state == before
        assert standing_well(game)
        assert not state_faults(game.state, game.book)


def do(game: Game, data: st.DataObject, kind: str, what: Any, flag: bool) -> None:
    """One deed of whoever is up, every question answered by chance."""
    who = game.get("fight.active")
    there = [one for one in game.get("fight.combatants") if game.of(one, "at")]
    if not there or (who is None and kind != "turn"):
        return
    world = game.world
    world.confirms = True

    def answer(question: Choose) -> str:
        return data.draw(st.sampled_from(question.options))

    args: dict[str, Any]
    if kind in ("push", "pull", "slide", "shift", "teleport"):
        other = data.draw(st.sampled_from([one for one in there if one != who] or there))
        moved = who if kind in ("shift", "teleport") else other
        if game.of(who, "at") is None or (moved == who and kind in ("push", "pull")):
            return
        procedure = displace_target(world, moved, who, what, kind)
    elif kind == "zone":
        fire = AddZone(called="Fire", squares=[what], damage=flag, difficult=bool(flag), by=who)
        procedure = add_zone(world, fire)
    else:
        args = {
            "move": {"who": who, "to": what, "via": [], "shift": flag, "trade": True},
            "door": {"at": what, "beyond": "", "open": flag},
            "hide": {"who": who, "now": flag},
            "status": {"who": who, "status": f"core:{what}", "ends": "encounter", "value": 0},
            "turn": {},
        }[kind]
        if kind == "turn" and game.get("fight.active") is None and len(game.get("fight.order", [])) == 0:
            return
        name = {"status": "status add", "turn": "end-turn" if who else "turn"}.get(kind, kind)
        procedure = find_move(f"combat {name}").start(world, args)
    play_until_open_decision(procedure, world, lambda roll: [4] * roll.n, answer)
    game.state = world.state


def standing_well(game: Game) -> bool:
    fight = Fight(game.world)
    taken: set[Any] = set()
    for who in fight.still_in_fight():
        if "at" in fight.combatant(who):
            under = fight.squares_of(who)
            if not taken.isdisjoint(under) or any(map(fight.grid.is_blocked, under)):
                return False
            taken |= set(under)
    return True


# --- whom nobody knows of


def lurking(game: Game, *rows: str) -> Game:
    """A fight with a lurker, who is Hidden, and whose Opportunities nobody takes."""
    return game.draw(*rows).begin("vex").afflict("lurker", "dazed")


def test_a_move_onto_one_who_is_hidden_bumps_into_somebody(game: Game) -> None:
    """STR-TAC-23: it is no refusal that names them and costs nothing; the move ends beside them, and they are
    Hidden no longer."""
    lurking(game, "V...l.", "......")
    data = game.move("vex", "E1")
    assert data["to"] == "D1"
    assert game.texts()[:2] == ["Vex bumps into somebody unseen on E1.", "Lurker is Hidden no longer."]
    assert game.get("fight.turn.move") == 1
    with pytest.raises(Refused, match="Lurker stands on E1"):
        game.move("vex", "E1", trade=True)


def test_ways_lead_where_the_hidden_stand(game: Game) -> None:
    """STR-TAC-08, STR-TAC-23: neither the way nor the squares in reach nor the price of a move tell of
    them."""
    lurking(game, "V...l.", "......").put("lurker", statuses=[])
    assert (4, 0) in destinations(Fight(game.world), "vex")
    assert provoked_by_path(Fight(game.world), "vex", [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]) == []
    assert game.move("vex", "F1")["to"] == "D1"
    game.put("vex", at="D2")
    game.put("lurker", hidden=True)
    question = game.drive("combat move", {"who": "vex", "to": "A2", "trade": True, "confirms": True})
    assert question.pending is None, "nobody is warned"
    assert [blow["by"] for blow in (question.data or {})["opportunities"]] == ["lurker"]
    assert not game.of("lurker", "hidden"), "who strikes shows themselves"


def test_a_push_against_one_who_is_hidden(game: Game) -> None:
    """STR-TAC-23."""
    lurking(game, ".Vg.l.")
    data = moved(game, "goblin", "vex", 3, "push")
    assert (data.end, data.stopped_by) == ("D1", "lurker")
    assert game.texts()[0] == "Goblin bumps into somebody unseen on E1."


def test_leaving_takes_distance_or_a_reason(game: Game) -> None:
    """STR-TAC-15: 20 squares from every enemy, or surrender and the like."""
    game.draw("V" + "." * 19 + "g", "." * 21).begin("vex")
    game.put("goblin", at="T1")
    with pytest.raises(Refused, match="19 squares from an enemy, and leaving takes 20"):
        game.play("combat leave", who="vex")
    game.put("goblin", at="U2")
    assert game.play("combat leave", who="vex")["decided"] == "lost"


def test_a_flyer_passes_over_the_hidden_and_comes_down_on_none(game: Game) -> None:
    """STR-TAC-23, STR-TAC-25: only where the way ends do they bump into somebody."""
    lurking(game, "V.g.l.").afflict("goblin", "dazed").afflict("vex", "flying").put("goblin", hidden=True)
    assert game.move("vex", "E1")["to"] == "D1"
    assert (game.of("goblin", "hidden"), game.of("lurker", "hidden")) == (True, None)


def test_who_is_large_drops_back_where_there_is_room_for_all_of_them(game: Game) -> None:
    """STR-TAC-07, STR-TAC-23: past an ally, onto one who is Hidden."""
    game.draw("x....V", "...g..").begin("ogre").afflict("vex", "dazed").put("vex", hidden=True)
    assert game.move("ogre", "E1")["to"] == "B1"


def test_what_lies_on_a_map_from_the_start(game: Game) -> None:
    """STR-TAC-07, 21, 22: signs of one's own and zones of the encounter, secret ones too."""
    game.book = copy(game.book)
    game.book.encounters = {
        "marsh": {
            "name": "Marsh", "goal": "", "map": "P.,,^g", "place": {"P": "party", "g": "goblin"}, "side": {},
            "terrain": {
                ",": {"name": "Reeds", "obscured": True},
                "^": {"name": "Thorns", "damage": 1, "difficult": True},
            },
            "zones": [
                {"name": "Pit", "squares": ["B1"], "damage": 2, "gm": True},
                {"name": "Gloom", "squares": ["C1:D1"], "dark": True},
                {"name": "Bog", "squares": ["F1"], "difficult": True, "status": "core:slowed"},
                {"name": "Camp", "squares": ["A1"]},
            ],
        }
    }  # fmt: skip
    game.play("combat start", encounter="marsh", party=["vex"])
    lasting = {"ends": "encounter"}
    assert game.get("fight.zones") == {
        "reeds": {"name": "Reeds", "squares": ["C1", "D1"], "sight": "obscured", **lasting},
        "thorns": {"name": "Thorns", "squares": ["E1"], "damage": 1, **lasting},
        "secret-pit": {"name": "Pit", "squares": ["B1"], "damage": 2, "secret": True, **lasting},
        "bog": {"name": "Bog", "squares": ["F1"], "difficult": True, "status": "core:slowed", **lasting},
        "camp": {"name": "Camp", "squares": ["A1"], **lasting},
        "gloom": {"name": "Gloom", "squares": ["C1", "D1"], "sight": "dark", **lasting},
    }
    assert Fight(game.world).grid.is_difficult((4, 0))


def test_what_is_wrong_with_a_map_is_said() -> None:
    """STR-TAC-07: where, and what to do."""
    for changes, fault in [
        ({}, None),
        ({"place": {"#": "party"}}, "place.#: that sign is terrain; choose another for 'party'"),
        ({"place": {"P": "party", "q": "goblin"}}, "place.q: 'q'"),
        ({"terrain": {"P": {"name": "Pit"}}}, "terrain.P: 'P' has a meaning already; choose another sign"),
        ({"terrain": {"~": {"name": "Pit"}}}, "terrain.~: '~' has a meaning already; choose another sign"),
        ({"map": "P..\n.x."}, "map: row 2, column 2: 'x' is neither terrain"),
        ({"at": {"goblin": ["C2"]}}, None),
        ({"objective": {"reach": ["C2"], "hold": ["A1:C2"]}}, None),
        ({"objective": {"reach": ["C3"]}}, "objective.reach: C3 is outside the map"),
        ({"objective": {"hold": ["A1:D1"]}}, "objective.hold: D1 is outside the map"),
        ({"objective": {"hold": ["the mill"]}}, "objective.hold: "),
        ({"at": {"goblin": ["D1"]}}, "at.goblin: D1 is outside the map"),
        ({"at": {"goblin": ["C3"]}}, "at.goblin: C3 is outside the map"),
        ({"at": {"goblin": ["here"]}}, "at.goblin: "),
        ({"at": {"goblin": ["here"], "ogre": ["Z1"]}}, "at.ogre: Z1 is outside the map"),
        (
            {"zones": [{"squares": ["A1:C2"]}, {"squares": ["C1:D1"]}]},
            "zones[2].squares: D1 is outside the map",
        ),
    ]:
        with case(changes, fault):
            plain = {"map": "P..\n...", "place": {"P": "party"}, "terrain": {}, "at": {}, "zones": []}
            found = map_faults({**plain, **changes}, lambda who: {})
            assert found == [] if fault is None else any(str(one).startswith(fault) for one in found), found


def test_nobody_stands_where_nobody_can(game: Game) -> None:
    """STR-TAC-07: not in a wall, of the map or of a power, not off the map, not on one another."""

    def faults() -> list[str]:
        found = state_faults(game.state, game.book)
        return [str(one) for one in found if "combatants" in one.place.keys]

    game.draw("V.#.g", "....B").begin("vex")
    game.play("combat zone add", called="Wall", squares=["B2"], blocks=True)
    begun = game.state
    for at, fault in (
        ({"vex": "A1"}, None),
        ({"vex": "C1"}, "vex.at: C1 is outside the map or in a wall"),
        ({"vex": "Z1"}, "vex.at: Z1 is outside the map or in a wall"),
        ({"vex": "B2"}, "vex.at: B2 is outside the map or in a wall"),
        ({"brann": "", "goblin": "C1"}, "goblin.at: C1 is outside the map or in a wall"),
        ({"vex": "D1", "goblin": "D1"}, "goblin.at: D1 is taken by vex"),
    ):
        with case(at):
            game.state = begun
            for who, square in at.items():
                game.put(who, at=square or None, out=None if square else "left")
            assert faults() == ([f"state.toml: fight.combatants.{fault}"] if fault else [])
            for who in at:
                game.put(who, out="left")
            assert faults() == [], "who is out"


def test_how_large_a_map_may_be() -> None:
    """STR-TAC-07: either way; beyond that a way would be too long in the finding."""
    for wide in (1000, 1001):
        for rows in (["P" + "." * (wide - 1)], ["P", *["."] * (wide - 1)]):
            text = '[encounters.long]\nname = "Long"\nmap = """\n' + "\n".join(rows)
            text += '\n"""\nplace = { P = "party" }\n'
            with (
                case(wide),
                nullcontext()
                if wide == 1000
                else pytest.raises(ContentProblem, match="long.map: .*is the most"),
            ):
                assert "long" in book_with(text).encounters


def test_who_has_no_room_on_a_map_is_said() -> None:
    """STR-TAC-07, STR-TAC-27: with the squares that they take, and what is there; the first of them once."""
    for changes, told in [
        ({"map": "Px.\n...", "place": {"P": "party", "x": "ogre"}}, None),
        ({"map": "P.x\n...", "place": {"P": "party", "x": "ogre"}},
         "ogre at C1 needs 2 x 2 squares, and a wall or the edge is there"),
        ({"map": "xx.\n...", "place": {"x": "ogre"}}, "ogre at B1 needs 2 x 2 squares, and ogre is there"),
        ({"at": {"goblin": ["A1"]}}, "goblin at A1 needs the square, and party is there"),
        ({"at": {"goblin": ["B1"], "ogre": ["B1"]}}, "ogre at B1 needs 2 x 2 squares, and goblin is there"),
        ({"map": "P..\n.#.", "at": {"goblin": ["B2"]}},
         "goblin at B2 needs the square, and a wall or the edge is there"),
    ]:  # fmt: skip
        with case(changes):
            plain = {"map": "P..\n...", "place": {"P": "party"}, "terrain": {}, "at": {}, "zones": []}
            found = map_faults({**plain, **changes}, lambda who: {"size": 2} if who == "ogre" else {})
            assert list(map(str, found)) == ([f"map: {told}"] if told else [])


def test_who_has_a_turn_and_is_not_there_is_said(game: Game) -> None:
    """STR-TAC-03, STR-TAC-25: in the order, at a trigger, and whose damage waits."""
    game.draw("V..g").begin("vex")
    game.set("fight.order", ["vex", "odd", "goblin"])
    game.set("fight.interrupt", "odd")
    game.set("fight.due", {"who": "odd", "amount": 1, "why": []})
    found = [str(one) for one in state_faults(game.state, game.book)]
    assert found == [
        f"state.toml: fight.{where}: 'odd' is not in the fight."
        for where in ("order", "interrupt", "due.who")
    ]


def test_a_zone_of_a_status_that_there_is_not(game: Game) -> None:
    """STR-TAC-21: and of somebody who isn't there, whoever asks."""
    game.draw("V.g").begin("vex")
    before = game.state
    for wrong in ({"status": "core:hexxed"}, {"by": "nobody"}, {"along": "nobody"}):
        with pytest.raises(Refused, match="hexxed|nobody"):
            game.play("combat zone add", called="Mist", squares=["B1"], **wrong)
        assert game.state == before
