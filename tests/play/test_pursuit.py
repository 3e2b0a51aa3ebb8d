"""The chase as a game: neither side does better against the other's mix, over the whole chase."""

from __future__ import annotations

import pytest
from support.cli import Strike

from strike_cli.play import pursuit
from strike_cli.play.pursuit import matrix, solve, solved


def test_small_games() -> None:
    """Games whose values are known: matching pennies, stone-paper-scissors, one with a saddle."""
    assert solve([[1, -1], [-1, 1]]) == (
        pytest.approx(0),
        pytest.approx([0.5, 0.5]),
        pytest.approx([0.5, 0.5]),
    )
    value, rows, columns = solve([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])
    assert value == pytest.approx(0.5)
    assert rows == pytest.approx([1 / 3] * 3)
    assert columns == pytest.approx([1 / 3] * 3)
    assert solve([[0.2, 0.3], [0.1, 0.9]])[0] == pytest.approx(0.2)


@pytest.mark.parametrize("danger", [0, 1, 2])
def test_no_best_answer_is_better(danger: int) -> None:
    """STR-CH-01 to 06: against a mix that stays, the other side's best play over the whole chase comes to the
    same value."""
    best = solved(danger)
    ways = {state: pursuit._ways(state, danger) for state in best}
    runners = dict.fromkeys(best, 0.5)
    chasers = dict.fromkeys(best, 0.5)
    for _ in range(400):
        answers, replies = {}, {}
        for state, one in best.items():
            game = matrix(ways[state], runners)
            answers[state] = max(
                sum(cell * share for cell, share in zip(row, one.predictions.values(), strict=True))
                for row in game
            )
            game = matrix(ways[state], chasers)
            replies[state] = min(
                sum(share * row[j] for share, row in zip(one.runners.values(), game, strict=True))
                for j in range(len(one.predictions))
            )
        runners, chasers = answers, replies
    for state, one in best.items():
        assert one.gap < 1e-8
        assert sum(one.runners.values()) == pytest.approx(1)
        assert sum(one.predictions.values()) == pytest.approx(1)
        assert runners[state] == pytest.approx(one.value, abs=1e-7)
        assert chasers[state] == pytest.approx(one.value, abs=1e-7)


def test_chase_options(in_campaign: Strike) -> None:
    """STR-CH-05: for any range, or for the chase under way."""
    data = in_campaign.json("chase options --range close")["data"]
    assert set(data["runners"]) == {"flee", "double-back", "set-up", "risk"}
    assert set(data["predictions"]) == {"flee", "hide", "double-back", "set-up", "risk"}
    in_campaign("chase options", 1)
    in_campaign("chase start --runners vex --chasers goblin --range close")
    assert in_campaign.json("chase options")["data"] == data
    assert "Runners get away" in in_campaign("chase options --danger 2").out
