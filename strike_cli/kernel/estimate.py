"""Estimated chances, where the dice can fall in too many ways to play them all.

The procedure itself is played a stated number of times with dice of a fixed seed, so that a repeated
question has the same answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import fsum
from typing import Generic

from .drive import SeededDice
from .exhaustive import Key, Policy, TooManyWays, first_option, probabilities
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
