"""The whole chase as a game of two sides: how each would mix its actions, from the exact odds of its rounds.

Value iteration over range and Runners' Advantage; each round is a small matrix game, solved by the simplex
method. Probabilities here are floats; those of the rounds are exact before that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..rules.chase import ESCAPED, FOLLOW, GIVE_UP, Round, actions, chase_round, possible, ranges
from ..rules.procedure import Choose, World
from .exhaustive import probabilities

State = tuple[str, bool]
"""A range, and whether the Runners have Advantage on this move."""
Next = tuple[str | None, str, bool]
"""How it ended, the range, the Runners' Advantage."""
Matrix = list[list[float]]

CLOSE_ENOUGH = 1e-10
WORTH = {ESCAPED: 1.0, "hidden": 1.0, "pinned": 0.5}
"""What an end is worth to the Runners; every other is worth nothing to them."""


class Best(NamedTuple):
    """One state of the chase: the Runners' chance, and how each side mixes."""

    value: float
    runners: dict[str, float]
    predictions: dict[str, float]
    gap: float
    """How much better the two sides' best answers to these mixes are, together, in this round."""


def solved(danger: int) -> dict[State, Best]:
    """Every state at a Danger Level that nobody changes."""
    states = [(range_, advantage) for range_ in ranges() for advantage in (False, True)]
    ways = {state: _ways(state, danger) for state in states}
    values = dict.fromkeys(states, 0.5)
    while True:
        games = {state: matrix(ways[state], values) for state in states}
        mixes = {state: solve(games[state]) for state in states}
        after = {state: mixes[state][0] for state in states}
        moved = max(abs(after[state] - values[state]) for state in states)
        values = after
        if moved < CLOSE_ENOUGH:
            break
    found = {}
    for state in states:
        value, rows, columns = mixes[state]
        game = games[state]
        best = max(sum(cell * share for cell, share in zip(row, columns, strict=True)) for row in game)
        worst = min(sum(game[i][j] * rows[i] for i in range(len(rows))) for j in range(len(columns)))
        runners = dict(zip(ways[state], rows, strict=True))
        found[state] = Best(value, runners, dict(zip(actions(), columns, strict=True)), best - worst + moved)
    return found


Ways = dict[str, list[list[dict[Next, float]]]]
"""By the Runners' action, for each prediction: what comes of it under each way of answering a Risk."""


def _ways(state: State, danger: int) -> Ways:
    range_, advantage = state
    found: Ways = {}
    for action in actions():
        if possible(action, range_):
            found[action] = [
                _answers(Round(action, prediction, range_, danger, advantage=advantage))
                for prediction in actions()
            ]
    return found


def _answers(one: Round) -> list[dict[Next, float]]:
    """For a Risk the Chasers follow up to some roll of the Runners, and give up above it: following a higher
    one is worse, giving up is the same. Any other action leaves them nothing to decide."""

    def outcomes(most: int) -> dict[Next, float]:
        def answer(question: Choose) -> str:
            assert question.data is not None
            return FOLLOW if question.data["runners"]["total"] <= most else GIVE_UP

        world = World(None)
        exact = probabilities(
            lambda: (chase_round(world, one), None),
            lambda came: (came.ended, came.range, came.advantage),
            answer,
        )
        return {key: float(chance) for key, chance in exact.items()}

    risk = actions()[one.action].get("crash")
    return [outcomes(6)] if risk is None else [outcomes(most) for most in range(risk, 7)]


def matrix(ways: Ways, values: Mapping[State, float]) -> Matrix:
    """The Runners' chance for each action against each prediction, with what the next states are worth."""

    def worth(outcomes: Mapping[Next, float]) -> float:
        return sum(
            chance * (WORTH.get(ended, 0.0) if ended else values[range_, advantage])
            for (ended, range_, advantage), chance in outcomes.items()
        )

    return [[min(map(worth, answers)) for answers in row] for row in ways.values()]


def solve(game: Sequence[Sequence[float]]) -> tuple[float, list[float], list[float]]:
    """The value of a matrix game for who picks rows and wants much, and how each side mixes."""
    rows, columns = len(game), len(game[0])
    # One is added to make every cell positive: then the columns' mix is the most of `sum(y)` with A y <= 1.
    table: list[list[Any]] = [
        [*(cell + 1 for cell in row), *(float(i == k) for k in range(rows)), 1.0]
        for i, row in enumerate(game)
    ]
    table.append([-1.0] * columns + [0.0] * (rows + 1))
    basis = [columns + i for i in range(rows)]
    while (enters := next((j for j, cell in enumerate(table[-1][:-1]) if cell < -1e-12), None)) is not None:
        _, _, leaves = min(
            (table[i][-1] / table[i][enters], basis[i], i) for i in range(rows) if table[i][enters] > 1e-12
        )
        pivot = table[leaves][enters]
        table[leaves] = [cell / pivot for cell in table[leaves]]
        for i, row in enumerate(table):
            if i != leaves and row[enters]:
                factor = row[enters]
                table[i] = [cell - factor * own for cell, own in zip(row, table[leaves], strict=True)]
        basis[leaves] = enters
    total = table[-1][-1]
    y = [0.0] * (columns + rows)
    for i, variable in enumerate(basis):
        y[variable] = table[i][-1] / total
    x = [max(cell, 0.0) / total for cell in table[-1][columns:-1]]
    return 1 / total - 1, x, y[:columns]
