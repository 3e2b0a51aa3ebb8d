"""The whole chase as a game of two sides: how each would mix its actions, from the exact odds of its rounds.

Value iteration over range, Runners' Advantage and Danger Level; each round is a small matrix game, solved by
the simplex method, after which its winner may move the Danger Level. Where some shoot, the chase of those who
are left is a game of its own, solved before. Probabilities here are floats; those of the rounds are exact
before that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from strike_cli.kernel.exhaustive import probabilities
from strike_cli.kernel.procedure import Choose, World

from .resolve import Left, round_with_losses
from .round import Came, Roller, Round, Shooter
from .tables import (
    CHASERS,
    ESCAPED,
    FOLLOW,
    GIVE_UP,
    RUNNERS,
    SIDES,
    actions,
    danger_levels,
    other,
    possible,
    prediction_gives,
    ranges,
)

State = tuple[str, bool, int]
"""A range, whether the Runners have Advantage on this move, the Danger Level."""
Next = tuple[str | None, str, bool, str | None, Left | None]
"""How it ended, the range, the Runners' Advantage, who won the round, who is left where somebody was shot."""
Values = Mapping[State, float]
Smaller = Mapping[Left, Values]
"""The values of the chases of fewer people, by how many are left."""
Matrix = list[list[float]]

CLOSE_ENOUGH = 1e-10
WORTH = {ESCAPED: 1.0, "hidden": 1.0, "hidden-close": 0.75, "pinned": 0.5, "caught-close": 0.25}
"""What an end is worth to the Runners; every other is worth nothing to them. Of a close Hide its loser has
one of four things, and that is a quarter. Nobody breaks a tie: it would only lose."""


class Best(NamedTuple):
    """One state of the chase: the Runners' chance, and how each side mixes."""

    value: float
    runners: dict[str, float]
    predictions: dict[str, float]
    gap: float
    """How much better the two sides' best answers to these mixes are, together, in this round."""


class Sides(NamedTuple):
    """Who drives, with what bears on every roll of theirs; and whether winners move the Danger Level."""

    runners: Roller = Roller()
    chasers: Roller = Roller()
    danger_moves: bool = True
    shooters: Left = (0, 0)
    """How many of the Runners and of the Chasers shoot in every round, beside who drives."""
    left: Left = (1, 1)
    """How many there are of each. Nobody shoots who has to drive."""
    unskilled: str = ""
    """The side that is Unskilled against a Skilled one in a Hide."""


@lru_cache(maxsize=32)
def solved(sides: Sides, danger: int | None = None) -> dict[State, Best]:
    """Every state, or those of one Danger Level where it never moves."""
    levels = danger_levels() if danger is None else [danger]
    states = [
        (range_, advantage, level)
        for range_ in ranges()
        for advantage in (False, True)
        for level in levels
    ]  # fmt: skip
    ways = {state: ways_of(state, sides) for state in states}
    smaller = smaller_chases(ways.values(), sides, danger)
    values = dict.fromkeys(states, 0.5)
    while True:
        games = {
            state: matrix(ways[state], values, state[2], sides.danger_moves, smaller) for state in states
        }
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


def smaller_chases(ways: Iterable[Ways], sides: Sides, danger: int | None) -> Smaller:
    """What every chase is worth that somebody's being taken out leads to."""
    met = {
        next_[-1]
        for each in ways
        for row in each.values()
        for answers in row
        for one in answers
        for next_ in one
        if next_[-1] and not next_[0]
    }
    return {
        left: {
            state: best.value for state, best in solved(sides._replace(left=left), danger).items()
        }
        for left in met
    }  # fmt: skip


Ways = dict[str, list[list[dict[Next, float]]]]
"""By the Runners' action, for each prediction: what comes of it under each way of answering a Risk."""


@lru_cache(maxsize=256)
def ways_of(state: State, sides: Sides) -> Ways:
    """What may come of a round in that state."""
    range_, advantage, danger = state
    found: Ways = {}
    shooting = tuple(
        Shooter(other(side), Roller())
        for side, most, there in zip(SIDES, sides.shooters, sides.left, strict=True)
        for _ in range(min(most, there - 1))
    )
    for action in actions():
        if not possible(action, range_):
            continue
        by_gift: dict[str | None, list[dict[Next, float]]] = {}  # all that a prediction does
        for prediction in actions():
            if (gives := prediction_gives(action, prediction)) not in by_gift:
                one = Round(
                    action, prediction, range_, danger, sides.runners, sides.chasers, shooting, advantage,
                    sides.unskilled,
                )  # fmt: skip
                by_gift[gives] = _answers(one, sides.left)
        found[action] = [by_gift[prediction_gives(action, prediction)] for prediction in actions()]
    return found


def _answers(one: Round, left: Left) -> list[dict[Next, float]]:
    """For a Risk the Chasers follow up to some roll of the Runners, and give up above it: following a higher
    one is worse, giving up is the same. Any other action leaves them nothing to decide."""

    def outcomes(most: int) -> dict[Next, float]:
        def answer(question: Choose) -> str:
            assert question.data is not None
            return FOLLOW if question.data["runners"]["total"] <= most else GIVE_UP

        def told(result: tuple[Came, Left]) -> Next:
            came, after = result
            fewer = None if after == left else after
            return came.end, came.range, came.advantage, came.winner, None if came.ended else fewer

        world = World(None)
        exact = probabilities(
            lambda: (round_with_losses(world, one, left), None),
            told,
            answer,
        )
        return {key: float(chance) for key, chance in exact.items()}

    crash = actions()[one.action].get("crash")
    if crash is None:
        return [outcomes(6)]
    more = sum(item.value for item in one.runners.modifiers)
    return [outcomes(most) for most in range(crash, max(crash, 6 + more) + 1)]


def matrix(
    ways: Ways, values: Values, danger: int, danger_moves: bool = True, smaller: Smaller | None = None
) -> Matrix:
    """The Runners' chance for each action against each prediction, with what the next states are worth: here,
    and in the chases of fewer people."""

    known: dict[Next, float] = {}

    def then(next_: Next) -> float:
        if next_ not in known:
            ended, range_, advantage, winner, left = next_
            moves = winner if danger_moves else None
            there = (smaller or {})[left] if left else values
            known[next_] = (
                WORTH.get(ended, 0.0) if ended else best_danger(there, range_, advantage, danger, moves)[1]
            )
        return known[next_]

    def worth(outcomes: Mapping[Next, float]) -> float:
        return sum(chance * then(next_) for next_, chance in outcomes.items())

    return [[min(map(worth, answers)) for answers in row] for row in ways.values()]


def best_danger(
    values: Values, range_: str, advantage: bool, danger: int, winner: str | None
) -> tuple[int, float]:
    """The Danger Level that the winner of a round makes of this one, and the Runners' chance from there
    (STR-CH-06). One that changes nothing is kept."""
    levels = [danger]
    if winner:
        levels += [level for level in (danger - 1, danger + 1) if level in danger_levels()]
    worth = {level: values[range_, advantage, level] for level in levels}
    best = max(worth.values()) if winner == RUNNERS else min(worth.values())
    level = next(level for level in levels if abs(worth[level] - best) <= CLOSE_ENOUGH)
    return level, worth[level]


def ends_of(found: Mapping[State, Best], sides: Sides, state: State) -> dict[str, float]:
    """How the chase ends from a state on where both sides play their mixes, by the name of each end."""
    values = {one: best.value for one, best in found.items()}
    level_stays = None if sides.danger_moves else state[2]
    ways = {one: ways_of(one, sides) for one in found}
    smaller = smaller_chases(ways.values(), sides, level_stays)
    after = {
        one: _mixed(ways[one], best, values, one[2], sides, smaller) for one, best in found.items()
    }  # fmt: skip
    ends: dict[str, float] = {}
    fewer: dict[tuple[Left, State], float] = {}
    there = {state: 1.0}
    while sum(there.values()) > CLOSE_ENOUGH:
        moved: dict[State, float] = {}
        for one, chance in there.items():
            for (ended, range_, advantage, winner, left), more in after[one].items():
                if ended:
                    ends[ended] = ends.get(ended, 0.0) + chance * more
                    continue
                by = winner if sides.danger_moves else None
                level, _ = best_danger(smaller[left] if left else values, range_, advantage, one[2], by)
                then = range_, advantage, level
                if left:
                    fewer[left, then] = fewer.get((left, then), 0.0) + chance * more
                    continue
                moved[then] = moved.get(then, 0.0) + chance * more
        there = moved
    for (left, then), chance in fewer.items():
        rest = sides._replace(left=left)
        for ended, more in ends_of(solved(rest, level_stays), rest, then).items():
            ends[ended] = ends.get(ended, 0.0) + chance * more
    return ends


def _mixed(
    ways: Ways, best: Best, values: Values, danger: int, sides: Sides, smaller: Smaller
) -> dict[Next, float]:
    """What comes of a round in which both play their mixes, the Chasers answering a Risk as suits them."""
    found: dict[Next, float] = {}
    for action, row in ways.items():
        for answers, share in zip(row, best.predictions.values(), strict=True):
            chance = best.runners[action] * share
            if chance <= 0:
                continue
            worth = [
                matrix({"": [[one]]}, values, danger, sides.danger_moves, smaller)[0][0] for one in answers
            ]
            least = answers[worth.index(min(worth))]
            for then, more in least.items():
                found[then] = found.get(then, 0.0) + chance * more
    return found


def danger_advice(found: Mapping[State, Best], state: State) -> dict[str, int]:
    """For either side, the Danger Level that it would make of this one, had it won the round before."""
    values = {one: best.value for one, best in found.items()}
    return {side: best_danger(values, *state, side)[0] for side in (RUNNERS, CHASERS)}


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
