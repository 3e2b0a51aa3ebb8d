"""The solver of a whole chase as a game: it finds each side's best mix of actions.

It uses value iteration. A state is the range, the Runners' Advantage and the Danger Level. Each round is a
small matrix game, and its winner may then change the Danger Level. If somebody is shot, the chase of the
people who are left is another game. That game is solved first.

The odds of a round are exact. They come from the procedures of `chase roll` and `chase round`, played without
reports to save half of the time. The solver then computes with floats.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import isclose
from operator import mul
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.kernel.exact_odds import Policy, exact_chances, first_option
from strike_cli.kernel.procedure import Choose, Procedure, World

from . import rule_tables
from .round import play_dice_of_round, play_take_outs_of_shots
from .round_outcome import ChaseOutcome, ChaseRoller, ChaseRound, Shooter
from .rule_tables import CHASERS, ESCAPED, FOLLOW, GIVE_UP, RUNNERS, SIDES, actions, other_side

if TYPE_CHECKING:
    from .data import ChaseRoundData


Matrix = Sequence[Sequence[float]]
"""The payoff to the player who chooses rows, by row and column."""


def solve_matrix_game(game: Matrix) -> tuple[float, list[float], list[float]]:
    """Solve a matrix game by the simplex method.

    Returns the game's value for the player who chooses rows and maximizes, then the mixed strategies for rows
    and for columns.
    """
    rows, columns = len(game), len(game[0])
    # One is added to make every cell positive: then the columns' mix is the most of `sum(y)` with A y <= 1.
    table: list[list[float]] = [
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


State = tuple[str, bool, int]
"""The range, whether the Runners have Advantage in this round, and the Danger Level."""
PeopleLeft = tuple[int, int]
"""How many Runners and Chasers are left in a chase."""
AfterRound = tuple[str | None, str, bool, str | None, PeopleLeft | None]
"""What follows a round: the end or None, the range, the Runners' Advantage, the winner, and who is left.

The last is None if nobody was shot, or if the chase has ended.
"""
Values = Mapping[State, float]
OutcomesByAction = dict[str, list[list[dict[AfterRound, float]]]]
"""The possible outcomes by the Runners' action and by the prediction, for each way of answering a Risk."""

CLOSE_ENOUGH = 1e-10
BOTH = "both"
END_VALUES = {
    ESCAPED: 1.0,
    f"{ESCAPED}-{CHASERS}": 1.0,
    "hidden": 1.0,
    "hidden-close": 0.75,
    "pinned": 0.5,
    "caught-close": 0.25,
}
"""The value of each end to the Runners; 0 for any other end.

A close Hide leaves its loser one of four choices, which counts as a quarter. Ties aren't broken, since that
only loses.
"""


class BestPlay(NamedTuple):
    """The best play in a state of the chase: the Runners' chance to escape, and each side's mix."""

    value: float
    runners: dict[str, float]
    predictions: dict[str, float]
    gap: float
    """How much both sides together could gain in this round by their best answers to the other's mix."""


class Sides(NamedTuple):
    """Both sides of a chase as a game: their drivers, shooters and people."""

    runners: ChaseRoller = ChaseRoller()
    chasers: ChaseRoller = ChaseRoller()
    danger: int | None = None
    """The Danger Level if nobody changes it, None if winners do."""
    shooters: PeopleLeft = (0, 0)
    """How many Runners and Chasers shoot in every round, besides the drivers."""
    left: PeopleLeft = (1, 1)
    """How many people are left on each side. The last one drives and can't shoot."""
    unskilled: str = ""
    """The side that is Unskilled in a Hide against a Skilled one, "" for none."""


@lru_cache(maxsize=32)
def solve_chase(sides: Sides) -> dict[State, BestPlay]:
    """Return the best play for every state of a chase.

    If nobody changes the Danger Level in this chase, only states with its present level are included.
    """
    levels = rule_tables.danger_levels() if sides.danger is None else [sides.danger]
    states = list(product(rule_tables.ranges(), (False, True), levels))
    values: Values = defaultdict(float)
    while True:
        games = {state: escape_chance_matrix(state, values, sides) for state in states}
        mixes = {state: solve_matrix_game(games[state]) for state in states}
        moved = max(abs(mixes[state][0] - values[state]) for state in states)
        if moved < CLOSE_ENOUGH:
            break
        values = {state: mixes[state][0] for state in states}
    found = {}
    for state in states:
        (value, rows, columns), game = mixes[state], games[state]
        best = max(sum(cell * share for cell, share in zip(row, columns, strict=True)) for row in game)
        worst = min(sum(map(mul, column, rows)) for column in zip(*game, strict=True))
        runners = dict(zip(chances_after_round(state, sides), rows, strict=True))
        found[state] = BestPlay(
            value, runners, dict(zip(actions(), columns, strict=True)), best - worst + moved
        )
    return found


@lru_cache(maxsize=1024)
def chances_after_round(state: State, sides: Sides) -> OutcomesByAction:
    """Return the chances of each situation after a round of a chase that begins in `state`.

    There are separate chances for each possible action of the Runners and each prediction of the Chasers.
    Where the Chasers answer a Risk, there are separate chances for each answer, too.
    """
    range_, advantage, danger = state
    found: OutcomesByAction = {}
    shooting = tuple(
        Shooter(other_side(side), ChaseRoller())
        for side, most, people in zip(SIDES, sides.shooters, sides.left, strict=True)
        for _ in range(min(most, rule_tables.most_shooters(people)))
    )
    plain = ChaseRound(
        "", "", range_, danger, {RUNNERS: sides.runners, CHASERS: sides.chasers}, shooting, advantage,
        sides.unskilled, {side: [""] * people for side, people in zip(SIDES, sides.left, strict=True)},
    )  # fmt: skip
    for action in actions():
        if not rule_tables.is_action_possible(action, range_):
            continue
        by_gift: dict[
            str | None, list[dict[AfterRound, float]]
        ] = {}  # what a prediction gives is its only effect
        for prediction in actions():
            if (gives := rule_tables.prediction_effect(action, prediction)) not in by_gift:
                by_gift[gives] = _next_states_by_highest_followed(
                    plain._replace(action=action, prediction=prediction)
                )
        found[action] = [
            by_gift[rule_tables.prediction_effect(action, prediction)] for prediction in actions()
        ]
    return found


def _next_states_by_highest_followed(chase_round: ChaseRound) -> list[dict[AfterRound, float]]:
    """Return the chances of the possible next states, one dict for each way to answer a Risk.

    A way is the highest roll of the Runners that the Chasers still follow. Above that roll they give up. No
    other way can be better, since a higher roll is harder to follow and giving up always costs the same. For
    actions other than a Risk there is one dict.
    """

    def chances_of_next(answer: Policy = first_option) -> dict[AfterRound, float]:
        exact = exact_chances(lambda: (_play_unreported(chase_round), None), end_or_next_state_of, answer)
        return {key: float(chance) for key, chance in exact.items()}

    crash = actions()[chase_round.action].get("crash")
    if crash is None:
        return [chances_of_next()]
    more = sum(item.value for item in chase_round.drivers[RUNNERS].modifiers)
    return [chances_of_next(_follow_policy(most)) for most in range(crash, max(crash, 6 + more) + 1)]


def _follow_policy(highest_total: int) -> Policy:
    """Return a policy by which the Chasers follow in a Risk if the Runners' total is at most `highest_total`.

    Above it they give up.
    """

    def answer(question: Choose) -> str:
        runners = cast("ChaseRoundData", question.data)[RUNNERS]
        assert runners is not None
        return FOLLOW if runners["total"] <= highest_total else GIVE_UP

    return answer


def _play_unreported(chase_round: ChaseRound) -> Procedure[ChaseOutcome]:
    """Play the dice of a round and the hits of its shots, and return the outcome.

    The round is played without a campaign, to compute odds. For the odds, it doesn't matter which of several
    people a shot hits (STR-CH-07).
    """
    world = World(None)
    outcome = yield from play_dice_of_round(world, chase_round)
    yield from play_take_outs_of_shots(world, outcome)
    return outcome


def end_or_next_state_of(outcome: ChaseOutcome) -> AfterRound:
    """Return what follows a round with this outcome: its end, or the state in which the chase goes on."""
    left, before = (
        (len(of[RUNNERS]), len(of[CHASERS])) for of in (outcome.people_left, outcome.round.people)
    )
    fewer = None if outcome.ended or left == before else left
    end = outcome.kind_of_end
    if crashed := outcome.crashed:  # after a hyphen the side that crashed: `crash-both`, `escaped-chasers`
        end = f"{end}-{crashed[0] if len(crashed) == 1 else BOTH}"
    return end, outcome.range, outcome.advantage, outcome.winner, fewer


def escape_chance_matrix(state: State, values: Values, sides: Sides) -> Matrix:
    """Return the Runners' chance to escape, for each action against each prediction.

    `values` has the Runners' chance to escape in the states that can follow.
    """
    worth = _make_value_function(state, values, sides)
    return [
        [min(map(worth, answers)) for answers in row] for row in chances_after_round(state, sides).values()
    ]


def _make_value_function(
    state: State, values: Values, sides: Sides
) -> Callable[[Mapping[AfterRound, float]], float]:
    """Return a function that computes the Runners' chance to escape after a round.

    The round begins in `state`. The function takes the chance of each possible result of the round. `values`
    has the chance to escape from each state that can come next.
    """
    known: dict[AfterRound, float] = {}

    def value_after(next_: AfterRound) -> float:
        if next_ not in known:
            over = next_[0]
            known[next_] = (
                END_VALUES.get(over, 0.0) if over else position_after_round(next_, state, values, sides)[2]
            )
        return known[next_]

    return lambda chances: sum(chance * value_after(next_) for next_, chance in chances.items())


def position_after_round(
    next_: AfterRound, state: State, values: Values, sides: Sides
) -> tuple[Sides, State, float]:
    """Return the position in which a chase goes on after a round: the sides, the state, and a chance.

    The chance is the Runners' chance to escape. If nothing else sets the Danger Level, the round's winner
    chooses the best one. If somebody was shot, the sides contain only the people who are left.
    """
    _, range_, advantage, winner, left = next_
    if left:
        sides = sides._replace(left=left)
        values = escape_chances(sides)
    level, value = best_danger_level_and_chance(
        values, range_, advantage, state[2], winner if sides.danger is None else None
    )
    return sides, (range_, advantage, level), value


def highest_roll_to_follow(state: State, sides: Sides, action: str, prediction: str) -> int:
    """Return the highest total of the Runners in a Risk at which the Chasers should still follow."""
    worth = _make_value_function(state, escape_chances(sides), sides)
    answers = chances_after_round(state, sides)[action][list(actions()).index(prediction)]
    return int(actions()[action]["crash"]) + answers.index(min(answers, key=worth))


def escape_chances(sides: Sides) -> Values:
    """Return the Runners' chance to escape in each state."""
    return {state: best.value for state, best in solve_chase(sides).items()}


def best_danger_level_and_chance(
    values: Values, range_: str, advantage: bool, danger: int, winner: str | None
) -> tuple[int, float]:
    """Return the best Danger Level for the round's winner, and the Runners' chance to escape at that level.

    The winner may change `danger` by one (STR-CH-06). If no change is an improvement, or `winner` is None,
    the level stays `danger`. Ends that are only a partial success count with their value in `END_VALUES`.
    """
    levels = rule_tables.danger_levels_next_to(danger) if winner else [danger]
    worth = {level: values[range_, advantage, level] for level in levels}
    best = max(worth.values()) if winner == RUNNERS else min(worth.values())
    level = next(level for level in (danger, *levels) if isclose(worth[level], best, abs_tol=CLOSE_ENOUGH))
    return level, worth[level]


def best_danger_level_by_winner(sides: Sides, state: State) -> dict[str, int]:
    """Return for each side the Danger Level that it should choose as winner of the last round."""
    return {side: best_danger_level_and_chance(escape_chances(sides), *state, side)[0] for side in SIDES}


def end_chances(sides: Sides, state: State) -> dict[str, float]:
    """Return the chance of each end of a chase from `state` on, if both sides play as well as possible.

    The keys name the ends. For a crash, the name includes the side: `crash-runners`.
    """
    ends: dict[str, float] = defaultdict(float)
    reached = {(sides, state): 1.0}
    while sum(reached.values()) > CLOSE_ENOUGH:
        moved: dict[tuple[Sides, State], float] = defaultdict(float)
        for (among, here), chance in reached.items():
            values = escape_chances(among)
            for next_, more in _next_states_of_mixes(here, values, among).items():
                if next_[0]:
                    ends[next_[0]] += chance * more
                else:
                    moved[position_after_round(next_, here, values, among)[:2]] += chance * more
        reached = moved
    return ends


def _next_states_of_mixes(state: State, values: Values, sides: Sides) -> dict[AfterRound, float]:
    """Return the chance of each result of a round in which both sides play their best mixes.

    A mix gives each choice of a side a chance. If there is a Risk, the Chasers choose the better answer.
    """
    best, worth = solve_chase(sides)[state], _make_value_function(state, values, sides)
    mixed: dict[AfterRound, float] = defaultdict(float)
    for action, row in chances_after_round(state, sides).items():
        for answers, share in zip(row, best.predictions.values(), strict=True):
            if (chance := best.runners[action] * share) > 0:
                for next_, more in min(answers, key=worth).items():
                    mixed[next_] += chance * more
    return mixed
