"""Exact odds: a procedure is played for every fall of the dice, and its outcomes are counted.

The same procedure is used in play, so that odds and play can't disagree. Falls of the dice that make no
difference to the rule are played only once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import lcm, prod
from typing import TypeVar

from .procedure import Choose, Happen, Procedure, Roll, T, World, as_driven
from .state_changes import state_after_changes

Key = TypeVar("Key", bound=Hashable)
Policy = Callable[[Choose], str]


_fraction = lru_cache(maxsize=4096)(Fraction)
"""Returns a fraction in lowest terms, cached since the same few come again and again."""


def first_option(question: Choose) -> str:
    """Return the first option of a decision: the simplest policy."""
    return question.options[0]


Fall = tuple[list[int], int]
"""Faces of a roll, and in how many ways the dice can fall that count the same."""


@lru_cache(maxsize=4096)
def distinct_falls(
    n: int, sides: int, matters: Callable[[Sequence[int]], Hashable] | None
) -> tuple[Fall, ...]:
    """Return the different falls of `n` dice, each with the number of falls that count the same.

    A fall is the faces that the dice show, die by die. Falls count the same if `matters` returns the same for
    them.

    Args:
        n: The number of dice.
        sides: The sides of each die.
        matters: Returns the part of the faces that makes a difference. If it is None, every fall is
            different.

    Returns:
        For each group of falls that count the same: its first fall, and the number of falls in the group.
    """
    if matters is sum:
        return _falls_by_sum(n, sides)
    found: dict[Hashable, Fall] = {}
    for faces in product(range(1, sides + 1), repeat=n):
        key = matters(faces) if matters else faces
        first, ways = found.get(key, (list(faces), 0))
        found[key] = (first, ways + 1)
    return tuple(found.values())


def _falls_by_sum(n: int, sides: int) -> tuple[Fall, ...]:
    """Return a Fall for each sum that n dice can have, beginning with the lowest sum.

    A Fall has faces with this sum, as an example, and the number of ways to roll the sum. The dice are added
    one at a time, so that not all combinations of faces have to be listed.
    """
    found: dict[int, Fall] = {0: ([], 1)}
    for _ in range(n):
        more: dict[int, Fall] = {}
        for total, (faces, ways) in found.items():
            for face in range(1, sides + 1):
                first, so_far = more.get(total + face, ([*faces, face], 0))
                more[total + face] = (first, so_far + ways)
        found = more
    return tuple(found.values())


MOST_FACES = 300_000
"""How many ways of one roll are listed at most, to see which the rule tells apart: those of seven d6.

They aren't listed if only the sum of the dice counts.
"""


class TooManyWays(Exception):
    """The error for dice that can fall in more ways than the caller wants to play."""


def play_all_outcomes(
    start: Callable[[], tuple[Procedure[T], World | None]],
    policy: Policy = first_option,
    max_plays: int | None = None,
    faces_of_play: list[list[int]] | None = None,
) -> Iterator[tuple[T, int, int]]:
    """Play a procedure once for each way in which the dice can fall.

    Args:
        start: Returns a new procedure, and its world, for each play.
        policy: Answers decisions.
        max_plays: The highest number of plays; None for no limit.
        faces_of_play: A list that after each play contains the faces of its dice.

    Yields:
        For each play: its result, the number of ways that lead to it, and the number of all ways. The last
        number can differ between plays that roll different dice.

    Raises:
        TooManyWays: More than `max_plays` plays would be needed, or a single roll has too many ways to list
            them.
    """
    script, played = _DiceScript(), 0
    while True:
        procedure, world = start()
        value, ways, out_of, depth = _play_once_and_count_rolls(procedure, world, policy, script, max_plays)
        if faces_of_play is not None:
            faces_of_play[:] = [script.falls[at][script.taken[at]][0] for at in range(depth)]
        yield value, ways, out_of
        played += 1
        # The first play usually shows how many there are: far too many are refused at once.
        if max_plays is not None and played == 1 and prod(map(len, script.falls)) > 4 * max_plays:
            raise TooManyWays
        if not script.advance_to_next_way():
            return
        if max_plays is not None and played >= max_plays:
            raise TooManyWays


class _DiceScript:
    """The fall of the dice for each Roll of the current play, in order."""

    __slots__ = ("falls", "sizes", "taken")

    def __init__(self) -> None:
        self.taken: list[int] = []
        self.falls: list[tuple[tuple[list[int], int], ...]] = []
        self.sizes: list[int] = []  # in how many ways the dice of each Roll can fall

    def add_roll(self, roll: Roll, is_limited: int | None) -> None:
        """Add a Roll that no play has reached before.

        If `is_limited` isn't None, TooManyWays is raised for dice that can fall in more than MOST_FACES ways.
        Dice of which only the sum matters are never too many.
        """
        size = roll.sides**roll.n
        if is_limited is not None and size > MOST_FACES and roll.matters is not sum:
            raise TooManyWays
        self.taken.append(0)
        self.sizes.append(size)
        self.falls.append(distinct_falls(roll.n, roll.sides, roll.matters))

    def advance_to_next_way(self) -> bool:
        """Go on to the next way in which the dice can fall, varying the last Roll first.

        Return False if the dice have fallen in all ways.
        """
        while self.taken and self.taken[-1] + 1 == len(self.falls[-1]):
            for each in (self.taken, self.falls, self.sizes):
                each.pop()
        if not self.taken:
            return False
        self.taken[-1] += 1
        return True


def _play_once_and_count_rolls(
    procedure: Procedure[T], world: World | None, policy: Policy, script: _DiceScript, most: int | None
) -> tuple[T, int, int, int]:
    """Play a procedure once, with the dice of `script`.

    Return the result of the procedure, and three numbers. The first is the number of ways in which the dice
    can fall as they did. The second is the number of all ways in which they can fall. The third is the number
    of Rolls.
    """
    send = as_driven(procedure).send
    taken, stack, sizes = script.taken, script.falls, script.sizes
    depth, ways, out_of = 0, 1, 1
    answer: object = None
    try:
        while True:
            question = send(answer)
            if type(question) is Roll:
                if depth == len(taken):
                    script.add_roll(question, most)
                answer, weight = stack[depth][taken[depth]]
                ways *= weight
                out_of *= sizes[depth]
                depth += 1
            elif type(question) is Choose:
                answer = policy(question)
            elif type(question) is Happen and world is not None:
                answer = world.state = state_after_changes(world, question.fact.changes)
            else:
                answer = None
    except StopIteration as end:
        return end.value, ways, out_of, depth


def outcome_weights(
    start: Callable[[], tuple[Procedure[T], World | None]],
    key: Callable[[T], Key],
    policy: Policy = first_option,
    max_plays: int | None = None,
) -> dict[Key, tuple[int, int]]:
    """Return how often each outcome occurs, over all ways in which the dice can fall.

    Each outcome has a pair of numbers: the number of ways that lead to it, and the number of all ways. The
    second number is the same for every outcome.

    Args:
        start: Begins the procedure anew, with its world.
        key: Makes an outcome from the procedure's result. Equal keys are one outcome.
        policy: Answers the decisions.
        max_plays: The limit for the number of times that the procedure is played.

    Raises:
        TooManyWays: More than `max_plays` plays are needed.
    """
    found: dict[int, dict[Key, int]] = {}
    for value, ways, out_of in play_all_outcomes(start, policy, max_plays):
        weights = found.get(out_of)
        if weights is None:
            weights = found[out_of] = {}
        outcome = key(value)
        weights[outcome] = weights.get(outcome, 0) + ways
    return _weights_over_common_denominator(found)


def _weights_over_common_denominator(counts: dict[int, dict[Key, int]]) -> dict[Key, tuple[int, int]]:
    """Return each outcome's weight over a common denominator, together with this denominator.

    The keys of `counts` are different denominators. Under each denominator, `counts` has the weights of
    outcomes over it.
    """
    if len(counts) == 1:
        [(common, weights)] = counts.items()
    else:
        common, weights = lcm(*counts), {}
        for out_of, some in counts.items():
            for outcome, ways in some.items():
                weights[outcome] = weights.get(outcome, 0) + ways * (common // out_of)
    return {outcome: (ways, common) for outcome, ways in weights.items()}


def exact_chances(
    start: Callable[[], tuple[Procedure[T], World | None]],
    key: Callable[[T], Key],
    policy: Policy = first_option,
    max_plays: int | None = None,
) -> dict[Key, Fraction]:
    """Return the exact chance of each outcome; the chances add up to 1.

    Raises TooManyWays if the dice can fall in more than `max_plays` ways.
    """
    return {
        outcome: _fraction(*weight)
        for outcome, weight in outcome_weights(start, key, policy, max_plays).items()
    }
