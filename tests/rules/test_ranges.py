"""How far a combatant gets, as pages show it of who is touched: by the rules of moving and attacking."""

from __future__ import annotations

from copy import copy
from itertools import product
from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike
from support.game import Game

from strike_cli.systems.campaign.commands.token_reach_and_sight import RangeFinder
from strike_cli.systems.combat.board.move import Fight, destinations
from strike_cli.systems.combat.board.move_and_attack_ranges import move_and_attack_ranges
from strike_cli.systems.combat.bots.legal_options import legal_actions_worth_listing
from strike_cli.tabletop.grid import distance_between_spaces


def test_they_may_go_where_a_move_may_end(game: Game) -> None:
    """STR-TAC-07: the same squares that are listed as moves."""
    game.draw("V..#...", "...#.g.", ".......").begin("vex")
    moves = move_and_attack_ranges(game.world, "vex").moves
    assert moves == tuple(sorted(destinations(Fight(game.world), "vex")))
    listed = {option.args.to for option in legal_actions_worth_listing(game.world, "vex", ["move"])}  # type: ignore[attr-defined]
    assert len(moves) == len(listed)


def test_with_no_move_left_they_go_nowhere(game: Game) -> None:
    """STR-TAC-04: the Attack Action may still be given up for one more."""
    game.draw("V......", ".....g.").begin("vex")
    game.move("vex", "B1")
    assert move_and_attack_ranges(game.world, "vex").moves, "by trading"
    game.move("vex", "C1", trade=True)
    assert move_and_attack_ranges(game.world, "vex").moves == ()
    assert move_and_attack_ranges(game.world, "goblin").moves, "whose turn it isn't has a turn's worth"


def test_attacks_reach_as_far_as_they_may_be_aimed(game: Game) -> None:
    """STR-TAC-22: in range, and in sight; walls cast a shadow."""
    game.draw("V...#....", "....#....", ".........", "..g......").begin("vex")
    reached = set(move_and_attack_ranges(game.world, "vex").attacks)
    assert (2, 3) in reached
    assert (5, 0) not in reached, "behind the wall"
    assert (4, 0) not in reached, "in the wall"
    assert (0, 0) not in reached
    bitten = set(move_and_attack_ranges(game.put("goblin", at="G3").world, "goblin").attacks)
    assert bitten
    assert all(distance_between_spaces((6, 2), 1, square, 1) <= 20 for square in bitten)


@pytest.mark.parametrize(("who", "large"), [("post", 1), ("ogre", 2)])
def test_attacks_reach_as_far_to_every_side(game: Game, who: str, large: int) -> None:
    """STR-TAC-07, 27: all squares within it, and none of one's own."""
    rows = ["." * 9 for _ in range(8)]
    rows[3] = "...p....." if who == "post" else "...x....."
    game.draw(*rows, "........V").begin("vex")
    arms = {"powers": [], "melee": {"damage": 1, "reach": 2}, "ranged": False}
    game.book.creatures = {**game.book.creatures, who: {**game.book.creatures[who], **arms}}
    every = {(x, y) for x in range(9) for y in range(9)}
    near = {square for square in every if 1 <= distance_between_spaces((3, 3), large, square, 1) <= 2}
    assert set(move_and_attack_ranges(game.world, who).attacks) == near


def test_a_burst_reaches_into_the_dark(game: Game) -> None:
    """STR-TAC-22: as far as it spreads, where nothing else may be aimed; a shot goes as far as its range."""
    game.draw(".......", ".......", "..V...g", ".......").begin("vex")
    dark = [f"{column}{row}" for column in "ABC" for row in "1234"]
    sheet = {**game.book.characters["vex"], "powers": ["blast"], "ranged": {"damage": 2, "range": 3}}
    game.book.characters = {**game.book.characters, "vex": sheet}
    game.play("combat zone add", called="Night", squares=dark, sight="dark")
    reached = {square for square in move_and_attack_ranges(game.world, "vex").attacks if square[0] < 3}
    far = {square: distance_between_spaces((2, 2), 1, square, 1) for square in product(range(3), range(4))}
    spread = game.book.powers["blast"]["burst"]
    assert reached == {square for square in far if 1 <= far[square] <= spread}


def test_only_the_attacks_of_ones_own_turn_count(game: Game) -> None:
    """STR-TAC-09, STR-TAC-12: neither what takes no roll, nor what waits for a trigger or answers."""
    game.draw("V.......g").begin("vex")
    far = {"name": "Far", "action": "attack", "usage": "at-will", "kind": "class", "range": 8, "effect": []}
    sheet = {**game.book.characters["vex"], "powers": ["far"], "ranged": {"damage": 2, "range": 3}}
    game.book.characters = {**game.book.characters, "vex": sheet}
    waits = {"damage": 1, "trigger": "it comes near"}
    for more, reach in (({"damage": 1}, 8), ({}, 3), (waits, 3), ({"damage": 1, "on": "harmed"}, 3)):
        with case(more):
            game.book = copy(game.book)
            game.book.powers = {**game.book.powers, "far": {**far, **more}}
            assert max(x for x, _ in move_and_attack_ranges(game.world, "vex").attacks) == reach


def test_who_is_out_or_nowhere_gets_nowhere(game: Game) -> None:
    game.draw("V..g").begin("vex")
    game.play("combat leave", who="vex", why="the story")
    assert move_and_attack_ranges(game.world, "vex") == ((), ())
    assert move_and_attack_ranges(game.world, "nobody") == ((), ())


def test_players_are_told_of_their_own_side(in_campaign: Strike, folder: Path) -> None:
    """How quick foes are, and what they reach, players find out; of the hidden nothing is told at all."""
    in_campaign("combat start yard --party vex")
    find = RangeFinder(folder)
    told = find("vex", gm=False)
    assert told is not None
    assert told["moves"]
    assert told["attacks"]
    foe = next(who for who in in_campaign.json("combat map")["data"]["tokens"] if who != "vex")
    assert find(foe, gm=False) is None
    assert find(foe, gm=True)
    assert find("nobody", gm=True) is None
    in_campaign("combat place vex D3")
    assert find("vex", gm=False) != told, "the campaign is read again once it is another"
    assert find.squares_in_party_sight() is None, "there is no fog"
    in_campaign("combat fog on")
    assert {"x": 3, "y": 2} in (find.squares_in_party_sight() or [])
    in_campaign("combat abandon")
    assert find("vex", gm=False) is None
