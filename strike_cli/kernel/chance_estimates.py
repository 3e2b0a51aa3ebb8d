"""Chances of outcomes: exact ones if the dice can fall in few ways, otherwise estimates.

For an estimate, the procedure itself is played many times. The dice have a fixed seed, so that the same
question always gets the same answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import fsum
from random import Random
from typing import Generic, NamedTuple, TypeVar

from .driver import SeededDice
from .exact_odds import Key, Policy, TooManyWays, exact_chances, first_option, play_all_outcomes
from .procedure import Choose, Happen, Procedure, Roll, T, World, as_driven
from .state_changes import state_after_changes

ProcedureMaker = Callable[[], tuple[Procedure[T], "World | None"]]
"""Makes a procedure anew, and the world in which it plays."""

SEED = "an estimate"
MOST_WAYS = 1296
"""How many ways of the dice are played one by one at most: those of four plain d6."""
PLAYS = 400
"""How many plays an estimate makes by default."""
FEWEST_PLAYS = 3
"""How many plays an estimate makes at least, however many rolls each has."""
STANDARD_ERRORS = 2
"""How many standard errors an estimate may be off on either side; it is more one time in twenty."""


def margin_of_error(plays: int) -> float:
    """Return the margin of error, at 95% confidence, of any chance estimated from this number of plays."""
    return float(STANDARD_ERRORS * 0.5 / plays**0.5)


class Chances(dict[Key, Fraction], Generic[Key]):
    """The chance of each outcome; the chances add up to 1.

    `plays` is 0 if they are exact, otherwise the number of plays behind the estimate.
    """

    plays = 0

    @property
    def is_estimate(self) -> bool:
        return self.plays > 0

    def mean(self, value: Callable[[Key], float]) -> float:
        """Return the average of `value` over the outcomes.

        The average decides between options, so it is computed in a way that gives the same digits on every
        Python.
        """
        return fsum(value(key) * float(chance) for key, chance in self.items())

    def margin_of_error_of_mean(self, value: Callable[[Key], float]) -> float:
        """Return the margin of error of `mean`, at 95% confidence; 0 for exact chances.

        The margin of an estimate is never 0, even if all plays had the same outcome.
        """
        if not self.plays:
            return 0.0
        mean = self.mean(value)
        spread = sum(float(chance) * (value(key) - mean) ** 2 for key, chance in self.items())
        return float(STANDARD_ERRORS * ((spread + 1 / self.plays) / self.plays) ** 0.5)


def exact_or_estimated_chances(
    start: ProcedureMaker[T],
    key: Callable[[T], Key],
    policy: Policy = first_option,
    max_ways: int = MOST_WAYS,
    plays: int = PLAYS,
    roll_limit: int = 0,
) -> Chances[Key]:
    """Return the chance of each outcome of a procedure.

    If the dice can fall in few ways, the chances are exact. Otherwise they are estimated.

    Args:
        start: Returns a new run of the procedure, with a world for it.
        key: Turns a result of the procedure into an outcome.
        policy: Answers decisions.
        max_ways: The greatest number of ways in which the dice may fall for an exact result.
        plays: The number of plays for an estimate.
        roll_limit: The number of rolls after which an estimate begins no further play; 0 for no limit.

    Returns:
        The chances, which add up to 1.
    """
    try:
        return Chances(exact_chances(start, key, policy, max_ways))
    except TooManyWays:
        return estimate_chances(start, key, policy, plays, roll_limit)


def estimate_chances(
    start: ProcedureMaker[T],
    key: Callable[[T], Key],
    policy: Policy = first_option,
    plays: int = PLAYS,
    roll_limit: int = 0,
) -> Chances[Key]:
    """Return the chance of each outcome, estimated from plays with seeded dice.

    Args:
        start: Returns a new procedure with its world; it is called for each play.
        key: Returns the outcome that a procedure's result stands for.
        policy: Answers decisions.
        plays: The number of plays.
        roll_limit: If it isn't 0, no new play begins after this number of rolls. This doesn't apply to the
            first FEWEST_PLAYS plays.

    Returns:
        The chances, which add up to 1, with the number of plays made.
    """
    found: Counter[Key] = Counter()
    rolled = 0

    def count_and_roll(roll: Roll) -> list[int]:
        nonlocal rolled
        rolled += 1
        return dice(roll)

    for number in range(plays):
        if roll_limit and rolled >= roll_limit and number >= FEWEST_PLAYS:
            plays = number
            break
        procedure, world = start()
        dice = SeededDice(SEED, number)
        found[key(play_once_with(procedure, world, count_and_roll, policy))] += 1
    ways: Chances[Key] = Chances((outcome, Fraction(times, plays)) for outcome, times in found.items())
    ways.plays = plays
    return ways


def play_once_with(
    procedure: Procedure[T], world: World | None, dice: Callable[[Roll], list[int]], policy: Policy
) -> T:
    """Play a procedure once with these dice, and return its result."""
    answer: object = None
    rules = as_driven(procedure)
    try:
        while True:
            question = rules.send(answer)
            if type(question) is Roll:
                answer = dice(question)
            elif type(question) is Choose:
                answer = policy(question)
            elif type(question) is Happen and world is not None:
                answer = world.state = state_after_changes(world, question.fact.changes)
            else:
                answer = None
    except StopIteration as end:
        value: T = end.value
        return value


Value = TypeVar("Value")
PartResult = TypeVar("PartResult")


class IndependentPart(NamedTuple, Generic[PartResult, Value]):
    """A part of a procedure that can be played alone, and the function that reads a value from its result."""

    start: ProcedureMaker[PartResult]
    read: Callable[[PartResult], Value]


class PartOutcome(NamedTuple, Generic[Value]):
    """One way in which the dice of a part of a procedure can fall.

    `faces` are the faces of the dice, roll by roll. `value` is the value of the part's result, and `chance`
    the probability of these faces.
    """

    faces: list[list[int]]
    value: Value
    chance: Fraction


MOST_PART_OUTCOMES = 216
"""In how many ways the dice of one part may fall."""


def outcomes_of_parts_if_independent(
    whole: IndependentPart[PartResult, Value],
    parts: Sequence[IndependentPart[PartResult, Value]],
    combine: Callable[[Sequence[Value]], Value],
    policy: Policy = first_option,
    rounds: int = 1,
) -> list[list[PartOutcome[Value]]] | None:
    """Return every way in which the dice of each part can fall, if the parts are independent.

    Independence is tested with samples, and not proved. For a sample, one way is chosen for each part, and
    the whole is played with the dice of these ways. The parts count as independent if the value of the whole
    is always the one that `combine` returns.

    Args:
        whole: The procedure with all parts.
        parts: The parts, each playable alone.
        combine: Returns the value of the whole for the values of its parts.
        policy: Answers decisions.
        rounds: The number of rounds of random samples. In each round, every way of every part occurs at least
            once. If it is 0, there are only three samples: the first ways, the last ways, and one at random.

    Returns:
        The ways of each part. None if the parts aren't independent, or if the dice of a part can fall in more
        than MOST_PART_OUTCOMES ways.
    """
    try:
        leaves = [_part_outcomes(part, policy) for part in parts]
    except TooManyWays:
        return None
    for chosen in _combinations_to_test(leaves, rounds):
        faces = [fall for leaf in chosen for fall in leaf.faces]
        if not _gives_value(whole, faces, combine([leaf.value for leaf in chosen]), policy):
            return None
    return leaves


def _part_outcomes(part: IndependentPart[PartResult, Value], policy: Policy) -> list[PartOutcome[Value]]:
    faces: list[list[int]] = []
    return [
        PartOutcome([list(fall) for fall in faces], part.read(returned), Fraction(ways, out_of))
        for returned, ways, out_of in play_all_outcomes(part.start, policy, MOST_PART_OUTCOMES, faces)
    ]


def _combinations_to_test(
    leaves: Sequence[Sequence[PartOutcome[Value]]], rounds: int
) -> Iterator[list[PartOutcome[Value]]]:
    most = max(map(len, leaves), default=0)
    alike = range(most) if rounds else (0, most - 1)
    for number in alike:
        yield [each[min(number, len(each) - 1)] for each in leaves]
    source = Random(SEED)
    for _ in range(rounds or 1):
        mixed = [source.sample(each, len(each)) for each in leaves]
        for number in range(most if rounds else 1):
            yield [each[number % len(each)] for each in mixed]


class _OtherDice(Exception):
    """Raised if the dice that were rolled for the parts don't fit the rolls of the whole."""


def _gives_value(
    whole: IndependentPart[PartResult, Value], faces: Sequence[list[int]], value: Value, policy: Policy
) -> bool:
    left = iter(faces)

    def given_dice(roll: Roll) -> list[int]:
        fall = next(left, None)
        if fall is None or len(fall) != roll.n or max(fall, default=0) > roll.sides:
            raise _OtherDice
        return fall

    try:
        procedure, world = whole.start()
        came_to = whole.read(play_once_with(procedure, world, given_dice, policy))
    except _OtherDice:
        return False
    return came_to == value and next(left, None) is None
