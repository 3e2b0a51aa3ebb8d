"""How fights end and what they leave behind (STR-TAC-18, 19; STR-CORE-12); sessions (STR-CORE-21)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.cases import case
from support.game import Game

from strike_cli.content.merged_content import Book
from strike_cli.problems import Refused
from strike_cli.systems.combat.encounter.ending_and_parking import (
    concession_for_team_strikes,
    condition_for_strikes,
)
from strike_cli.tabletop.characters_and_names import action_points

Games = Callable[..., Game]


# --- winning and losing


def test_a_fight_is_won_when_all_enemies_are_out(game: Game) -> None:
    """STR-TAC-19: and at least one of the party is not."""
    game.draw("V.B.g.g").begin("vex")
    game.play("combat damage", who="goblin-1", amount=9)
    with pytest.raises(Refused, match="Both sides"):
        game.play("combat finish")
    game.play("combat damage", who="brann", amount=15)
    game.play("combat damage", who="goblin-2", amount=9)
    assert game.play("combat finish")["won"] is True
    assert game.get("fight") is None


def test_a_fight_is_lost_when_all_of_the_party_are_out(game: Game) -> None:
    """STR-TAC-19: who is only Incapacitated still stands in its way."""
    game.draw("V.B.g").begin("vex")
    game.play("combat damage", who="vex", amount=15)
    game.play("combat damage", who="brann", amount=14)
    with pytest.raises(Refused, match="Brann"):
        game.play("combat finish")
    game.play("combat damage", who="brann", amount=1)
    data = game.play("combat finish")
    assert (data["won"], data["concession"]) == (False, "none")


def test_the_table_may_say_how_it_ended(game: Game) -> None:
    """STR-TAC-19: a goal reached, a surrender, a flight."""
    for result, won in (("won", True), ("lost", False)):
        game.draw("V.g").begin("vex")
        assert game.play("combat finish", result=result)["won"] is won


def test_an_attack_says_when_it_decided_the_fight(game: Game) -> None:
    """STR-TAC-19."""
    game.draw("Vg").begin("vex")
    assert game.attack("vex", "goblin", dice=[6])["decided"] == "won"
    assert game.play("combat end-turn")["next"] is None


def test_an_abandoned_fight_leaves_nothing(game: Game) -> None:
    """STR-TAC-18: no Conditions without an aftermath."""
    game.draw("V.g").begin("vex").put("vex", strikes=5)
    game.play("combat abandon")
    assert game.get("fight") is None
    assert game.get("characters") is None


def test_no_fight_no_command(game: Game) -> None:
    """STR-TAC-01."""
    for name in ("finish", "abandon", "turn", "end-turn"):
        with case(name), pytest.raises(Refused, match="no fight"):
            game.play(f"combat {name}")


# --- Strikes


def test_a_players_strikes_become_a_condition(game: Game) -> None:
    """STR-TAC-18, 19: 0-1 none, 2-3 Winded, 4 Exhausted, 5 or more Injured; won or lost. A lost fight has no
    Concession: the game master decides."""
    for strikes, condition in (
        (0, None), (1, None), (2, "winded"), (3, "winded"), (4, "exhausted"), (5, "injured"), (9, "injured"),
    ):  # fmt: skip
        assert condition_for_strikes(strikes) == (f"core:{condition}" if condition else None)
        for result in ("won", "lost"):
            with case(strikes, result):
                game.state = {}
                game.draw("V.g").begin("vex").put("vex", strikes=strikes)
                data = game.play("combat finish", result=result)
                assert data["conditions"] == ({"vex": condition.capitalize()} if condition else {})
                assert game.get("characters.vex.conditions", []) == (
                    [f"core:{condition}"] if condition else []
                )
                assert (data["concession"] == "none") is (strikes == 0 or result == "lost")


def test_the_teams_strikes_become_a_concession(book: Book) -> None:
    """STR-TAC-19 and golden example 45: by the Strikes of all, per player."""
    for strikes, concession in (
        ((4, 2, 0, 1), "minor"), ((4, 2, 1, 1), "major"), ((4, 4, 3, 1), "pyrrhic"), ((1, 1, 1, 0), "none"),
        ((0, 0, 0, 0), "none"), ((4, 0, 0, 0), "minor"), ((4, 4, 3, 0), "major"),
    ):  # fmt: skip
        with case(strikes):
            game = Game(book).draw("V.B.O.S.g").begin("vex")
            for who, count in zip(("vex", "brann", "odo", "vesna"), strikes, strict=True):
                game.put(who, strikes=count)
            data = game.play("combat finish", result="won")
            assert (data["team_strikes"], data["concession"]) == (sum(strikes), concession)
            if strikes == (4, 2, 0, 1):
                assert data["conditions"] == {"vex": "Exhausted", "brann": "Winded"}


def test_concessions_for_any_number_of_players() -> None:
    """STR-TAC-19: below N, from N, from 2N, from 3N."""
    expected = {0: "none", 1: "minor", 2: "major", 3: "pyrrhic", 4: "pyrrhic"}
    for players in (1, 2, 3, 5):
        for team in range(5 * players):
            with case(players, team):
                assert concession_for_team_strikes(team, players) == expected[team // players]


def test_who_fights_on_the_other_side_is_not_of_the_team(game: Game) -> None:
    """STR-TAC-19: the team's Strikes and players are the party's; a Condition is each one's own
    (STR-TAC-18)."""
    game.draw("V.B.O.g").begin("vex").put("odo", side="enemies", strikes=5).put("vex", strikes=2)
    data = game.play("combat finish", result="won")
    assert (data["team_strikes"], data["concession"]) == (2, "minor")
    assert set(data["conditions"]) == {"vex", "odo"}


def test_who_is_taken_out_counts_with_the_rest(game: Game) -> None:
    """STR-TAC-19: N is the players of this fight, standing or not; their Strikes count."""
    game.draw("V.B.g").begin("vex").put("vex", strikes=2)
    game.play("combat damage", who="vex", amount=20)
    data = game.play("combat finish", result="won")
    assert (data["team_strikes"], data["concession"], data["conditions"]) == (2, "minor", {"vex": "Winded"})


def test_strikes_of_a_whole_fight(game: Game) -> None:
    """STR-TAC-17, STR-TAC-18: rolled, not set."""
    game.draw("Vp").begin("vex")
    for _ in range(2):
        game.attack("vex", "post", dice=[1], choose=["0"] if game.of("vex", "miss_tokens") else [])
        game.next_turn_of("vex")
    assert game.play("combat finish", result="won")["strikes"] == {"vex": 2}
    assert game.get("characters.vex.conditions") == ["core:winded"]


# --- Conditions


def test_three_hard_fights_exhaust(game: Game) -> None:
    """STR-TAC-18, STR-CORE-12: Winded, Winded, Exhausted; nobody begins as that."""
    for _ in range(3):
        game.draw("V.g").begin("vex").put("vex", strikes=2)
        data = game.play("combat finish", result="won")
    assert data["conditions"] == {"vex": "Exhausted"}
    assert game.get("characters.vex.conditions") == ["core:exhausted"]


# --- sessions


def test_action_points_from_session_to_session(book: Book) -> None:
    """STR-CORE-21 and golden example 17: 0 becomes 1 at the start, above 3 is lost at the end, 2 stays 2."""
    for before, at_start, at_end in ((0, 1, 1), (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 3), (5, 5, 3)):
        with case(before):
            game = Game(book)
            game.set("characters.vex.ap", before)
            game.play("session start")
            assert action_points(game.world, "vex") == at_start
            game.play("session end")
            assert action_points(game.world, "vex") == at_end


def test_the_house_says_how_many_are_carried_over(game_with: Games) -> None:
    """STR-CORE-21: `ap_carry_over`; Vesna's sheet has five."""
    for most, kept in ((0, 0), (3, 3), (5, 5), (10, 5)):
        with case(most):
            game = game_with(ap_carry_over=most)
            game.play("session start")
            game.play("session end")
            assert action_points(game.world, "vesna") == kept


def test_sessions_follow_each_other(game: Game) -> None:
    """STR-CORE-21: one at a time, numbered."""
    with pytest.raises(Refused, match="No session"):
        game.play("session end")
    game.play("session start")
    with pytest.raises(Refused, match="Session 1 is still open"):
        game.play("session start")
    game.play("session end")
    assert game.play("session start")["number"] == 2
