"""Estimated chances, where the dice can fall in too many ways to play them all.

The procedure itself is played a stated number of times with dice of a fixed seed, so that a repeated
question has the same answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import fsum
from random import Random
from typing import Generic, NamedTuple, TypeVar

from .drive import SeededDice
from .exhaustive import Key, Policy, TooManyWays, first_option, plays, probabilities
from .facts import apply_changes
from .procedure import Choose, Happen, Procedure, Roll, T, World, driven

Start = Callable[[], tuple[Procedure[T], "World | None"]]
"""Makes the procedure anew, and the world that it plays in."""

SEED = "an estimate"
MOST_WAYS = 1296
"""Ways of the dice that are played one by one: four plain rolls of a six-sided die."""
PLAYS = 400
"""Plays of an estimate, where nobody says how many."""
FEWEST = 3
"""Plays of an estimate at least, however much is rolled in each."""
SURELY = 2
"""Standard errors that are told on either side of an estimate: it is further off one time in twenty."""


def within(plays: int) -> float:
    """Return the possible error of a chance estimated from so many plays, nineteen times in twenty."""
    return float(SURELY * 0.5 / plays**0.5)


class Chances(dict[Key, Fraction], Generic[Key]):
    """The chance of each outcome; they sum to 1.

    `plays` is 0 where they are exact, else the number of plays that the estimate comes from.
    """

    plays = 0

    @property
    def estimate(self) -> bool:
        """Whether the chances are no more than an estimate."""
        return self.plays > 0

    def mean(self, value: Callable[[Key], float]) -> float:
        """Return the average of a number that each outcome has.

        It is the same to its last digit on every Python, since it decides between options of equal worth.
        """
        return fsum(value(key) * float(chance) for key, chance in self.items())

    def error(self, value: Callable[[Key], float]) -> float:
        """Return the possible error of that average, nineteen times in twenty; 0 where it is exact.

        Outcomes that never came up count as one that did: nothing is called certain by an estimate.
        """
        if not self.plays:
            return 0.0
        mean = self.mean(value)
        spread = sum(float(chance) * (value(key) - mean) ** 2 for key, chance in self.items())
        return float(SURELY * ((spread + 1 / self.plays) / self.plays) ** 0.5)


def ways_of(
    start: Start[T],
    key: Callable[[T], Key],
    policy: Policy = first_option,
    most: int = MOST_WAYS,
    plays: int = PLAYS,
    rolls: int = 0,
) -> Chances[Key]:
    """Return the chance of each outcome key, exact where the dice can fall in at most `most` ways.

    Otherwise it is an estimate from `plays` plays, or from fewer once they have made `rolls` rolls; with 0
    `rolls` there is no such limit.
    """
    try:
        return Chances(probabilities(start, key, policy, most))
    except TooManyWays:
        return estimated(start, key, policy, plays, rolls)


def estimated(
    start: Start[T],
    key: Callable[[T], Key],
    policy: Policy = first_option,
    plays: int = PLAYS,
    rolls: int = 0,
) -> Chances[Key]:
    """Return the chance of each outcome key as an estimate from `plays` plays.

    The plays are fewer, but at least `FEWEST`, once they have made `rolls` rolls; with 0 there is no such
    limit.
    """
    found: Counter[Key] = Counter()
    rolled = 0

    def throw(roll: Roll) -> list[int]:
        nonlocal rolled
        rolled += 1
        return dice(roll)

    for number in range(plays):
        if rolls and rolled >= rolls and number >= FEWEST:
            plays = number
            break
        procedure, world = start()
        dice = SeededDice(SEED, number)
        found[key(play_with(procedure, world, throw, policy))] += 1
    ways: Chances[Key] = Chances((outcome, Fraction(times, plays)) for outcome, times in found.items())
    ways.plays = plays
    return ways


def play_with(
    procedure: Procedure[T], world: World | None, dice: Callable[[Roll], list[int]], policy: Policy
) -> T:
    """Play a procedure once with these dice and return its result."""
    answer: object = None
    rules = driven(procedure)
    try:
        while True:
            question = rules.send(answer)
            if type(question) is Roll:
                answer = dice(question)
            elif type(question) is Choose:
                answer = policy(question)
            elif type(question) is Happen and world is not None:
                answer = world.state = apply_changes(world.state, question.fact.changes)
            else:
                answer = None
    except StopIteration as end:
        value: T = end.value
        return value


Value = TypeVar("Value")
Came = TypeVar("Came")


class IndependentPart(NamedTuple, Generic[Came, Value]):
    """A part that can be played by itself, and what is read of what it returns."""

    start: Start[Came]
    read: Callable[[Came], Value]


class Leaf(NamedTuple, Generic[Value]):
    """One way that the dice of a part fall: their faces, what was read, and its chance."""

    faces: list[list[int]]
    value: Value
    chance: Fraction


MOST_LEAVES = 216
"""Ways of one part; a part that has more is no small one."""


def count_separately(
    whole: IndependentPart[Came, Value],
    parts: Sequence[IndependentPart[Came, Value]],
    together: Callable[[Sequence[Value]], Value],
    policy: Policy = first_option,
    rounds: int = 1,
) -> list[list[Leaf[Value]]] | None:
    """Return the exact ways of each part, counted separately, where the parts are independent.

    Return None where they aren't, or where a part has too many ways.

    `together` makes the combined value of the parts' values, given in order. Independence is tested by
    playing the whole: with the first fall of every part, then the second, and so on to the last; and in
    `rounds` of shuffled falls, each of which takes every fall of every part at least once. With no rounds the
    tests are all first falls, all last ones and one mixture.
    """
    try:
        leaves = [_count_leaves(part, policy) for part in parts]
    except TooManyWays:
        return None
    for chosen in _trials(leaves, rounds):
        faces = [fall for leaf in chosen for fall in leaf.faces]
        if not _gives_value(whole, faces, together([leaf.value for leaf in chosen]), policy):
            return None
    return leaves


def _count_leaves(part: IndependentPart[Came, Value], policy: Policy) -> list[Leaf[Value]]:
    faces: list[list[int]] = []
    return [
        Leaf([list(fall) for fall in faces], part.read(returned), Fraction(ways, out_of))
        for returned, ways, out_of in plays(part.start, policy, MOST_LEAVES, faces)
    ]


def _trials(leaves: Sequence[Sequence[Leaf[Value]]], rounds: int) -> Iterator[list[Leaf[Value]]]:
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
    """The whole asks for other dice than its parts did."""


def _gives_value(
    whole: IndependentPart[Came, Value], faces: Sequence[list[int]], value: Value, policy: Policy
) -> bool:
    left = iter(faces)

    def dice(roll: Roll) -> list[int]:
        fall = next(left, None)
        if fall is None or len(fall) != roll.n or max(fall, default=0) > roll.sides:
            raise _OtherDice
        return fall

    try:
        procedure, world = whole.start()
        came_to = whole.read(play_with(procedure, world, dice, policy))
    except _OtherDice:
        return False
    return came_to == value and next(left, None) is None
