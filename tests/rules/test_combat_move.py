"""Movement on the grid and Opportunities (STR-TAC-07, 08, 25)."""

from __future__ import annotations

from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with, with_house

from strike_cli.content.merged_content import Book
from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import apply_changes
from strike_cli.problems import Refused
from strike_cli.systems.combat.board import move


def refused_move(game: Game, who: str, to: str, match: str | None = None, **more: Any) -> None:
    before = game.state
    with pytest.raises(Refused, match=match):
        game.move(who, to, **more)
    assert game.state == before, "a refused move changes nothing"


# --- how far


def test_a_move_is_as_far_as_speed_and_ground_allow(book: Book) -> None:
    """STR-TAC-07: Speed 6, diagonals 1, difficult ground 2, no way through walls or closed doors."""
    for rows, to, allowed in (
        (("V......", "......."), "G1", True),
        (("V.......",), "H1", False),
        (("V......", ".......", ".......", ".......", ".......", ".......", "......."), "G7", True),
        (("V~~~...",), "D1", True),
        (("V~~~...",), "E1", False),
        (("V~~~...", "......."), "G2", True),
        (("V#.....", ".#.....", ".......", "......."), "C1", True),
        (("V#.", ".#.", ".#."), "C1", False),
        (("V+.",), "C1", False),
        (("V/.",), "C1", True),
        (("V#", "#."), "B2", False),
        (("V.", "#."), "B2", True),
    ):
        with case(rows, to, allowed):
            game = Game(book).draw(*rows).begin("vex")
            if allowed:
                assert game.move("vex", to)["to"] == to
                assert game.of("vex", "at") == to
            else:
                refused_move(game, "vex", to)


@pytest.mark.parametrize(
    ("status", "squares"),
    [("slowed", 2), ("prone", 2), ("immobilized", 0), ("grabbed", 0), ("restrained", 0)],
)
def test_statuses_limit_a_move(game: Game, status: str, squares: int) -> None:
    """STR-TAC-07, STR-TAC-25: Slowed and crawling 2 squares, Immobilized none; the reason is named."""
    game.draw("V......").begin("vex").afflict("vex", status)
    too_far = "ABCDEFG"[squares + 1] + "1"
    refused_move(game, "vex", too_far, match="Slowed|Immobilized")
    if squares:
        assert game.move("vex", "ABCDEFG"[squares] + "1")["to"] == "C1"


def test_creatures_have_their_own_speed(game: Game) -> None:
    """STR-TAC-07."""
    game.draw("x.......", "........").begin("ogre")
    refused_move(game, "ogre", "F1", match="Speed is 4")
    game.move("ogre", "E1")


def test_a_large_creature_needs_room(game: Game) -> None:
    """STR-TAC-07: every square of its footprint."""
    game.draw("x....", "..#..", ".....", ".....").begin("ogre")
    refused_move(game, "ogre", "B1", match="C2|stand")
    game.move("ogre", "A3")


def test_squares_that_are_taken(game: Game) -> None:
    """STR-TAC-07: nobody stops on a taken square; allies are passed, enemies are not."""
    game.draw("VB.", "###").begin("vex")
    refused_move(game, "vex", "B1", match="Brann stands")
    assert game.move("vex", "C1")["path"] == ["B1", "C1"]
    game.state = {}
    game.draw("Vg.", "###").begin("vex")
    refused_move(game, "vex", "C1", match="no path")


def test_where_nobody_can_stand(game: Game) -> None:
    """STR-TAC-07: where one stands already, off the map, in a wall."""
    game.draw("V.#").begin("vex")
    for to in ("A1", "Z9", "C1"):
        with case(to):
            refused_move(game, "vex", to)


def test_a_way_may_be_said(game: Game) -> None:
    """STR-TAC-07: through the squares named, and the detour counts."""
    game.draw("V...", "....", "....").begin("vex")
    data = game.move("vex", "C1", via=["B3"])
    assert data["path"][1] == "B3"
    assert len(data["path"]) == 4
    game.next_turn_of("vex")
    refused_move(game, "vex", "B1", via=["A3", "D3", "A3"], match="Speed is 6")
    game.put("vex", at="A1")
    assert game.move("vex", "B2", via=["A1"])["to"] == "B2"
    refused_move(game, "vex", "B2", via=["A2"], trade=True, match="stands on B2 already")


# --- shifting


def test_a_shift_is_one_square_of_easy_ground(book: Book) -> None:
    """STR-TAC-07."""
    for rows, to, allowed in (
        (("V..", "..."), "B1", True),
        (("V..", "..."), "B2", True),
        (("V..", "..."), "C1", False),
        (("V~.", "..."), "B1", False),
    ):
        with case(rows, to, allowed):
            game = Game(book).draw(*rows).begin("vex")
            if allowed:
                assert game.move("vex", to, shift=True)["to"] == to
                refused_move(game, "vex", "A1", match="used the Move Action")
            else:
                refused_move(game, "vex", to, shift=True)


def test_who_may_not_shift(book: Book) -> None:
    """STR-TAC-25: Slowed bars it, and so does all that brings Slowed or Immobilized."""
    for status in ("slowed", "prone", "immobilized", "grabbed"):
        with case(status):
            game = Game(book).draw("V..").begin("vex").afflict("vex", status)
            refused_move(game, "vex", "B1", shift=True)


def test_what_a_way_that_is_too_long_takes(game: Game) -> None:
    """STR-TAC-07: in squares, and how many there are."""
    game.draw("V.......").begin("vex")
    refused_move(game, "vex", "C1", shift=True, match=r"takes 2 squares\. A shift is 1 square")
    refused_move(game, "vex", "H1", match=r"takes 7 squares\. Vex's Speed is 6\.")


# --- Opportunities from moving


def taken(data: dict[str, Any]) -> list[tuple[str, int]]:
    return [(item["by"], item["damage"]) for item in data["opportunities"]]


def test_leaving_reach_without_getting_closer(book: Book) -> None:
    """STR-TAC-08: 2 damage, no roll, unless one shifts or gets closer to that enemy."""
    for rows, to, shift, strikes in (
        (("gV....",), "F1", False, ["goblin"]),  # away
        (("gV....",), "C1", True, []),  # a shift
        (("g....", "V...."), "B2", False, ["goblin"]),  # along: no closer
        (("g.V...",), "B1", False, []),  # closer
        (("g.V...",), "F1", False, []),  # out of its reach all the while
        (("g.....", ".V....", "......"), "C3", False, ["goblin"]),
        (("g......", "V......", ".......", "...g..."), "C3", False, ["goblin-1"]),  # closer to the other
        (("x..V.....", "........."), "H1", False, ["ogre"]),  # with a reach of two; once a turn
    ):
        with case(rows, to, shift):
            game = Game(book).draw(*rows).begin("vex")
            assert taken(game.move("vex", to, shift=shift)) == [(who, 2) for who in strikes]
            assert (game.of("vex", "hp"), game.of("vex", "at")) == (10 - 2 * len(strikes), to)


def test_once_from_each_opponent_each_turn(game: Game) -> None:
    """STR-TAC-08: one a turn from each; two enemies strike once each, and again next turn."""
    game.draw("ggg..", ".V...", "ggg..", ".....").begin("vex").put("vex", hp=10)
    for who in ("goblin-3", "goblin-4", "goblin-5", "goblin-6"):
        game.play("combat damage", who=who, amount=4)
    data = game.move("vex", "C2")
    assert sorted(by for by, _ in taken(data)) == ["goblin-1", "goblin-2"]
    assert game.move("vex", "B2", trade=True)["opportunities"] == [], "struck at already"
    game.next_turn_of("vex")
    assert sorted(by for by, _ in taken(game.move("vex", "C2"))) == ["goblin-1", "goblin-2"]


def test_it_comes_before_the_step(game: Game) -> None:
    """STR-TAC-08: an interrupt; who drops stops where they were."""
    game.draw("gV....").begin("vex").put("vex", hp=2)
    data = game.move("vex", "F1")
    assert (data["to"], game.of("vex", "at")) == ("B1", "B1")
    assert "incapacitated" in game.statuses("vex")


def test_who_is_taken_out_on_the_way_is_off_the_map(game: Game) -> None:
    """STR-TAC-08, STR-TAC-15."""
    game.draw("Vg....").begin("goblin").put("goblin", hp=2)
    data = game.move("goblin", "F1", choose=["take"])
    assert data["to"] is None
    assert game.of("goblin", "out") == "taken-out"
    game.play("combat end-turn")


def test_it_may_drop_somebody_half_way(game: Game) -> None:
    """STR-TAC-08: steps taken before it stay taken."""
    game.draw("...x.", "V....").begin("vex").put("vex", hp=1)
    data = game.move("vex", "A1", via=["B2"])
    assert data["to"] == game.of("vex", "at") == "B2"


def test_who_drops_among_friends_lies_on_the_last_square_that_was_free(game: Game) -> None:
    """STR-TAC-07, 08: with all of its footprint; no more of the way than that is taken back."""
    for size, lies, *rows in ((1, "C1", "V..BO.", ".....g"), (2, "B1", "V......", "...O...", ".....g.")):
        game.state = {}
        game.draw(*rows).begin("vex").put("vex", hp=1, size=size)
        with case(size):
            data = game.move("vex", "F1", via=["B1", "C1", "D1", "E1"])
            assert data["to"] == game.of("vex", "at") == lies


def test_players_are_asked_and_creatures_strike(game: Game) -> None:
    """STR-TAC-08: a player may let it pass, and is asked again at the next step in reach."""
    game.draw("Vg....").begin("goblin")
    question = game.asked("combat move", who="goblin", to="F1")
    assert (question.who, question.options) == ("vex", ("take", "pass"))
    assert game.move("goblin", "F1", choose=["pass"])["opportunities"] == []
    game.state = {}
    game.draw("Vg....").begin("goblin")
    data = game.move("goblin", "F1", choose=["take"])
    assert taken(data) == [("vex", 2)]
    assert game.of("goblin", "hp") == 2


def test_a_game_master_may_be_asked_for_creatures(game: Game) -> None:
    """STR-TAC-08: the house says whether creatures take theirs at once."""
    game.book = with_house(game.book, creature_opportunities="asked")
    game.draw("gV....").begin("vex")
    question = game.asked("combat move", who="vex", to="F1")
    assert (question.who, question.options) == ("goblin", ("take", "pass"))
    assert game.move("vex", "F1", choose=["pass"])["opportunities"] == []
    assert game.of("vex", "hp") == 10


def test_ones_own_damage(game: Game) -> None:
    """STR-TAC-08: 2 by default, the sheet may say otherwise."""
    game.draw("Bg....").begin("goblin")
    assert taken(game.move("goblin", "F1", choose=["take"])) == [("brann", 3)]


def test_who_makes_none(book: Book) -> None:
    """STR-TAC-08, STR-TAC-25: "No O" is about the affected creature; other statuses keep nobody from it."""
    none = (
        "blinded", "dazed", "distracted", "dominated", "grabbed", "incapacitated", "prone", "restrained",
        "stunned",
    )  # fmt: skip
    for status in (*none, "guarded", "harried", "immobilized", "slowed", "bloodied"):
        with case(status):
            game = Game(book).draw("gV....").begin("vex").afflict("goblin", status)
            assert taken(game.move("vex", "F1")) == ([] if status in none else [("goblin", 2)])


def test_none_against_the_unseen(game: Game) -> None:
    """STR-TAC-08, STR-TAC-25: not against the Invisible, not against the Hidden."""
    game.draw("gV....").begin("vex").afflict("vex", "invisible")
    assert game.move("vex", "F1")["opportunities"] == []
    game.state = {}
    game.draw("Vl....").begin("lurker")
    assert game.move("lurker", "F1")["opportunities"] == []


def test_the_way_avoids_them_where_it_costs_nothing(game: Game) -> None:
    """STR-TAC-07, STR-TAC-08: of the shortest ways the one that gives the fewest."""
    game.draw("V.....", "......", "..g...").begin("vex")
    data = game.move("vex", "F1")
    assert (len(data["path"]), data["opportunities"]) == (5, [])
    assert all(square.endswith("1") for square in data["path"])


def test_a_way_is_planned_by_what_enemies_see_on_it(game: Game) -> None:
    """STR-TAC-08: out of sight now, Vex would give an Opportunity at B2, so she passes by B1."""
    game.draw("#......", "..#....", "g..#V..").begin("vex")
    data = game.move("vex", "A2")
    assert (data["path"][-2:], data["opportunities"]) == (["B1", "A2"], [])


def test_a_push_gives_none(game: Game) -> None:
    """STR-TAC-08: only who leaves of their own accord."""
    game.draw("..O.", "Vp..", "....").begin("vex")
    game.attack("vex", "post", power="shove", dice=[5])
    assert game.of("post", "at") == "D2"


# --- Opportunities from shooting


def test_a_ranged_attack_next_to_an_enemy(book: Book) -> None:
    """STR-TAC-08, STR-TAC-12: ranged attacks alone, not melee, not bursts; the enemy strikes first."""
    for rows, target, power, struck in (
        (("gV..p",), "post", "core:ranged-basic", True),
        (("g.V.p",), "post", "core:ranged-basic", False),
        (("gVp",), "post", "core:melee-basic", False),
        (("gVp",), "post", "blast", False),
        (("gV",), "goblin", "core:ranged-basic", True),
        (("gV",), "goblin", "sting", False),  # melee or ranged: in reach it is melee
        (("#g..", "V..p"), "post", "core:ranged-basic", True),
    ):
        with case(rows, target, power, struck):
            game = Game(book).draw(*rows).begin("vex")
            data = game.attack("vex", target, power=power, dice=[2])
            assert taken(data) == ([("goblin", 2)] if struck else [])


def test_every_enemy_next_to_the_shooter_strikes(game: Game) -> None:
    """STR-TAC-08: the target too."""
    game.draw("gVg", "p..").begin("vex")
    data = game.attack("vex", "goblin-2", power="core:ranged-basic", dice=[2])
    assert sorted(by for by, _ in taken(data)) == ["goblin-1", "goblin-2", "post"]


def test_who_is_struck_down_while_shooting_does_not_shoot(game: Game) -> None:
    """STR-TAC-08: it resolves first; the action is spent, and no Miss Token is earned."""
    game.draw("gV..p").begin("vex").put("vex", hp=1)
    data = game.play("combat attack", who="vex", targets=["post"], power="core:ranged-basic")
    assert data["attacks"] == []
    assert data["miss_token"] is False
    assert game.of("post", "hp") == 99
    assert game.get("fight.turn.attack") == 1


def test_moving_and_shooting_share_the_one_of_a_turn(game: Game) -> None:
    """STR-TAC-08: once from each opponent each turn, whatever gives it."""
    game.draw("gV...p", "g.....").begin("vex")
    assert len(taken(game.attack("vex", "post", power="core:ranged-basic", dice=[2]))) == 2
    assert game.move("vex", "E1")["opportunities"] == []


def test_who_is_taken_out_for_shifting_away_from_a_marker_stays(game: Game) -> None:
    """STR-TAC-08: the Marker's Opportunity comes before the shift."""
    game.draw(".....", ".Vg..", ".....").begin("goblin").put("goblin", hp=1)
    game.put("goblin", statuses=[{"id": "core:marked", "ends": "encounter", "by": "vex"}])
    data = game.move("goblin", "D2", shift=True, choose=["take"])
    assert (data["from"], data["to"]) == (None, None)
    assert [blow["by"] for blow in data["opportunities"]] == ["vex"]


BACKLASH = 'statuses.backlash = { reactions = [{ on = "damaged", do = "damage", to = "giver", amount = 9 }] }'


def test_who_is_taken_out_by_an_opportunity_of_another_makes_none() -> None:
    """STR-TAC-08: whoever is still there strikes all the same."""
    game = Game(book_with(BACKLASH)).draw("ggg", ".V.", "...").begin("vex")
    game.afflict("vex", "backlash", by="goblin-2")
    assert taken(game.move("vex", "B3")) == [("goblin-1", 2), ("goblin-3", 2)]
    assert game.of("goblin-2", "out") == "taken-out"


RECOIL = """
[statuses]
recoil = { reactions = [
  { on = "damaged", do = "slide", amount = 2 },
  { on = "damaged", do = "apply", status = "core:stunned", duration = "encounter" }] }
"""


def test_who_is_moved_and_stopped_by_an_opportunity_stays_where_it_put_them() -> None:
    """STR-TAC-08: off their way, the rest of which is not gone."""
    game = Game(book_with(RECOIL)).draw("gV...", ".....", ".....").begin("vex")
    game.afflict("vex", "recoil", by="goblin")
    assert game.move("vex", "B3", choose=["D1"])["to"] == "D1"


def test_a_shift_that_a_status_bars_only_in_part() -> None:
    """STR-TAC-07: a ban beyond 1 square bars no shift; one beyond none does."""
    text = """
[statuses.tethered]
name = "Tethered"
bans = [{{ action = "shift", over = {over} }}]
"""
    for over, allowed in ((1, True), (0, False)):
        game = Game(book_with(text.format(over=over))).draw("V..").begin("vex").afflict("vex", "tethered")
        if allowed:
            assert game.move("vex", "B1", shift=True)["to"] == "B1"
        else:
            refused_move(game, "vex", "B1", match="can't shift there: Tethered", shift=True)


def test_who_is_stopped_bumps_into_nobody_further_on(game: Game) -> None:
    """STR-TAC-08, STR-TAC-23: the rest of the way is not gone, and tells nothing."""
    game.draw("gV.l.").begin("vex").put("vex", hp=2).put("lurker", hidden=True).afflict("lurker", "dazed")
    assert game.move("vex", "E1")["to"] == "B1"
    assert game.of("lurker", "hidden")


def test_the_hidden_who_shoot_give_no_opportunity(game: Game) -> None:
    """STR-TAC-08, STR-TAC-23: they give themselves away only when the attack is over."""
    game.draw("gV..p").begin("vex").put("vex", hidden=True)
    assert taken(game.attack("vex", "post", power="core:ranged-basic", dice=[2, 2])) == []
    assert not game.of("vex", "hidden")


def test_how_somebody_went_is_told(game: Game) -> None:
    """STR-TAC-07, STR-TAC-13: walked, shifted or charged, from where to where."""
    game.draw("V.....g").begin("vex")
    game.move("vex", "B1", shift=True)
    assert game.texts() == ["Vex shifts from A1 to B1."]
    game.play("combat charge", who="vex", target="goblin", dice=[2])
    assert game.texts()[0] == "Vex charges from B1 to F1."


@pytest.mark.parametrize(
    ("comes_to", "flies", "ends"), [("C1", False, "B1"), ("C1", True, "D1"), ("D1", True, "C1")]
)
def test_an_enemy_who_comes_onto_the_way_stops_it(
    game: Game, comes_to: str, flies: bool, ends: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """STR-TAC-07: what is planned is gone as far as it may be; who flies goes past."""

    def comes(world: World, combatant: str, square: tuple[int, int]) -> Any:
        if square == (2, 0):  # as what answers a step may summon or move somebody
            world.state = apply_changes(world.state, [("fight.combatants.goblin.at", "F1", comes_to)])
        return []
        yield

    monkeypatch.setattr(move, "take_opportunities_before_step", comes)
    game.draw("V....g").begin("vex").afflict("vex", *["flying"] * flies)
    assert game.move("vex", "D1")["to"] == ends
    assert game.of("goblin", "at") == comes_to
