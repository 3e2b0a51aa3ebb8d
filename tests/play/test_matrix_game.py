"""The chase as a game: neither side does better against the other's mix, over the whole chase."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from support.cli import Strike
from support.thorough import some_of

from strike_cli.systems.chase import chase_solver as pursuit
from strike_cli.systems.chase.chase_solver import (
    Sides,
    best_danger_level_by_winner,
    end_chances,
    escape_chance_matrix,
    solve_chase,
    solve_matrix_game,
)
from strike_cli.systems.chase.round_outcome import ChaseRoller
from strike_cli.tabletop.dice import Modifier

pytestmark = pytest.mark.slow


def test_small_games() -> None:
    """Games whose values are known: matching pennies, stone-paper-scissors, one with a saddle."""
    assert solve_matrix_game([[1, -1], [-1, 1]]) == (
        pytest.approx(0),
        pytest.approx([0.5, 0.5]),
        pytest.approx([0.5, 0.5]),
    )
    value, rows, columns = solve_matrix_game([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])
    assert value == pytest.approx(0.5)
    assert rows == pytest.approx([1 / 3] * 3)
    assert columns == pytest.approx([1 / 3] * 3)
    assert solve_matrix_game([[0.2, 0.3], [0.1, 0.9]])[0] == pytest.approx(0.2)


def best_replies(sides: Sides) -> None:
    """Against a mix that stays, the other side's best play over the whole chase, with what it makes of the
    Danger Level, comes to the same value."""
    found = solve_chase(sides)
    runners = dict.fromkeys(found, 0.5)
    chasers = dict.fromkeys(found, 0.5)
    for _ in range(60):
        answers, replies = {}, {}
        for state, one in found.items():
            game = escape_chance_matrix(state, runners, sides)
            answers[state] = max(
                sum(cell * share for cell, share in zip(row, one.predictions.values(), strict=True))
                for row in game
            )
            game = escape_chance_matrix(state, chasers, sides)
            replies[state] = min(
                sum(share * row[j] for share, row in zip(one.runners.values(), game, strict=True))
                for j in range(len(one.predictions))
            )
        runners, chasers = answers, replies
    for state, one in found.items():
        assert one.gap < 1e-8
        assert sum(one.runners.values()) == pytest.approx(1)
        assert sum(one.predictions.values()) == pytest.approx(1)
        assert runners[state] == pytest.approx(one.value, abs=1e-5)
        assert chasers[state] == pytest.approx(one.value, abs=1e-5)


@pytest.mark.parametrize("danger", [0, 1])
def test_no_best_answer_is_better(danger: int) -> None:
    """STR-CH-01 to 06: at a Danger Level that stays."""
    best_replies(Sides(danger=danger))


def test_no_best_answer_is_better_where_winners_move_the_danger() -> None:
    """STR-CH-06: the winner of each round does what is best for its side."""
    tired = ChaseRoller("", (), (Modifier(-1, "Injured"),))
    sides = Sides(chasers=tired)
    found = solve_chase(sides)
    best_replies(sides)
    plain = solve_chase(Sides())
    assert all(found[state].value >= plain[state].value - 1e-9 for state in found)
    values = {state: one.value for state, one in plain.items()}
    for state in plain:
        advice = best_danger_level_by_winner(Sides(), state)
        there = [values[(*state[:2], level)] for level in range(3) if abs(level - state[2]) <= 1]
        assert values[(*state[:2], advice["runners"])] == pytest.approx(max(there))
        assert values[(*state[:2], advice["chasers"])] == pytest.approx(min(there))
    for state in (("medium", False, 0), ("close", True, 2)):
        ends = end_chances(Sides(), state)
        assert sum(ends.values()) == pytest.approx(1)
        away = sum(ends.get(end, 0) * worth for end, worth in pursuit.END_VALUES.items())
        assert away == pytest.approx(plain[state].value, abs=1e-6)


def test_hiding_in_the_equilibrium() -> None:
    """STR-CH-05, STR-CORE-16: a close Hide is worth less than a complete one, as is an Unskilled side's."""
    state = ("far", False, 0)
    hide = pursuit.chances_after_round(state, Sides())["hide"][list(pursuit.actions()).index("risk")]
    expected: dict[Any, float] = {}
    for ours, theirs in product(range(1, 7), repeat=2):
        margin = ours + 1 - theirs
        end = {True: "hidden", False: "caught"}[margin > 0] + ("" if abs(margin) > 2 else "-close")
        key = "pinned" if margin == 0 else end
        expected[key] = expected.get(key, 0) + 1 / 36
    assert {key[0]: chance for key, chance in hide[0].items()} == pytest.approx(expected)
    worth = [
        pursuit.END_VALUES.get(end, 0.0)
        for end in ("caught", "caught-close", "pinned", "hidden-close", "hidden")
    ]
    assert worth == sorted(set(worth))
    values = {
        side: solve_chase(Sides(danger=0, unskilled=side))[state].value for side in ("runners", "", "chasers")
    }
    assert values["runners"] <= values[""] < values["chasers"]
    best_replies(Sides(danger=0, unskilled="chasers"))


def test_chase_options(in_campaign: Strike) -> None:
    """STR-CH-05: for any range, or for the chase under way."""
    data = in_campaign.json("chase options --range close")["data"]
    assert set(data["runners"]) == {"flee", "double-back", "set-up", "risk"}
    assert set(data["predictions"]) == {"flee", "hide", "double-back", "set-up", "risk"}
    in_campaign("chase options", 1)
    in_campaign("chase start --runners vex --chasers goblin --range close")
    assert in_campaign.json("chase options")["data"] == data
    assert "Runners get away" in in_campaign("chase options --danger 2").out
    in_campaign("condition add vex winded")
    assert in_campaign.json("chase options")["data"]["value"] < data["value"]
    whole = in_campaign.json("odds chase --whole --range close")["data"]
    assert whole["value"] == pytest.approx(data["value"])
    assert sum(row["p"] for row in whole["outcomes"]) == pytest.approx(1, abs=1e-3)
    stays = in_campaign.json("chase options --range close --danger-stays")["data"]
    assert "best_danger_level_by_winner" not in stays
    in_campaign("odds chase", 2)
    in_campaign("odds chase --gm", 1)
    in_campaign("chase run flee")
    in_campaign("chase predict hide")
    in_campaign("chase shoot goblin --at runners --driving")
    rows = in_campaign.json("odds chase --gm")["data"]["outcomes"]
    assert sum(Fraction(row["probability"]) for row in rows) == 1


@pytest.mark.parametrize(("shooters", "left"), some_of([((1, 0), (2, 2)), ((0, 1), (1, 2))]))
def test_shooting_all_the_way(shooters: tuple[int, int], left: tuple[int, int]) -> None:
    """STR-CH-07: no best answer is better, and the ends come to the same; who shoots has the better of it."""
    sides = Sides(danger=0, shooters=shooters, left=left)
    found = solve_chase(sides)
    best_replies(sides)
    state = ("medium", False, 0)
    ends = end_chances(sides, state)
    assert sum(ends.values()) == pytest.approx(1)
    away = sum(ends.get(end, 0) * worth for end, worth in pursuit.END_VALUES.items())
    assert away == pytest.approx(found[state].value, abs=1e-6)
    plain = solve_chase(Sides(danger=0))[state].value
    assert (found[state].value > plain) == (shooters == (1, 0))


@pytest.mark.parametrize("people", [1, 2])
def test_a_round_with_a_shooter(people: int) -> None:
    """STR-CH-07: against plain enumeration: a shot above the driver's is -1, a 6 one of them less."""
    sides = Sides(shooters=(1, 0), left=(2, people))
    expected: dict[Any, float] = {}
    for runner, chaser, shot in product(range(1, 7), repeat=3):
        total = chaser - (shot > chaser)
        winner = "runners" if runner > total else "chasers" if total > runner else None
        range_ = {"runners": "far", "chasers": "close", None: "medium"}[winner]
        crashed = [roll <= 0 for roll in (runner, total)]
        key: Any = None, range_, False, winner, None
        if crashed[1]:
            key = "escaped-chasers", "escaped", False, "runners", None
        elif shot == 6:
            last = "escaped", "escaped", False, "runners", None
            key = last if people == 1 else (*key[:4], (2, people - 1))
        expected[key] = expected.get(key, 0) + 1 / 6**3
    told = pursuit.chances_after_round(("medium", False, 0), sides)["flee"][
        list(pursuit.actions()).index("set-up")
    ]
    assert [dict(one) for one in told] == [pytest.approx(expected)]


def test_the_last_one_shot_in_this_round(in_campaign: Strike) -> None:
    """STR-CH-07: a 6 at the only Chaser is the end of it, also in the odds of the round as picked."""
    in_campaign("chase start --runners vex odo --chasers goblin --range far")
    for line in ("run set-up", "predict flee", "shoot odo --at chasers"):
        in_campaign(f"chase {line}")
    rows = in_campaign.json("odds chase --gm")["data"]["outcomes"]
    ended = [row for row in rows if row["ended"]]
    assert [(row["ended"], row["winner"]) for row in ended] == [("escaped", "runners")]
    crash = Fraction(1, 6) * Fraction(3, 6)  # a 1, and 2 with the range, beaten by 3 to 5: that is 0
    assert Fraction(ended[0]["probability"]) == Fraction(1, 6) + crash
    assert in_campaign.json("chase roll --dice 1,6,6")["data"]["ended"] == "escaped"


def test_shooters_as_they_are_typed(in_campaign: Strike) -> None:
    """STR-CH-07: of the chase under way, as many as are there."""
    data = in_campaign.json("odds chase --whole --range far --danger-stays --shooters 1/0")["data"]
    assert sum(row["p"] for row in data["outcomes"]) == pytest.approx(1)
    in_campaign("chase options --range far --shooters 3/0", 2)
    in_campaign("chase start --runners vex odo --chasers goblin guard --range far")
    more = in_campaign.json("odds chase --whole --danger-stays --shooters 1/0")["data"]
    assert more["value"] < data["value"]


def test_whose_crash_ends_it(in_campaign: Strike) -> None:
    """STR-CH-06: on Danger Level 1 a 1 crashes. By hand, the Chasers with the better of two dice: they have
    foreseen it. The screen and programs say whose crash it is."""
    [round_] = pursuit.chances_after_round(("medium", False, 1), Sides())["flee"][0]
    crashes = {key[0]: chance for key, chance in round_.items() if key[0] and "-" in key[0]}
    by_hand = {"crash-runners": 1 / 6 * 35 / 36, "escaped-chasers": 5 / 6 * 1 / 36, "crash-both": 1 / 216}
    assert crashes == pytest.approx(by_hand)
    whole = "odds chase --whole --range medium --danger 1 --danger-stays"
    rows = in_campaign.json(whole)["data"]["outcomes"]
    crashed = {(row["ended"], *row["crashed"]) for row in rows if row["crashed"]}
    assert crashed == {("crash", "runners"), ("crash", "runners", "chasers"), ("escaped", "chasers")}
    assert "The Runners crash: lost" in in_campaign(whole).out
