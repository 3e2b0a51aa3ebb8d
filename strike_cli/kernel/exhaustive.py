"""The exhaustive driver: every possible result of the dice, with exact fractions.

It runs the same procedure as play, once for each distinct result of the dice, so that odds and rolls can't
disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import lcm, prod
from typing import TypeVar

from .facts import next_state
from .procedure import Choose, Happen, Procedure, Roll, T, World, driven

Key = TypeVar("Key", bound=Hashable)
Policy = Callable[[Choose], str]


_fraction = lru_cache(maxsize=4096)(Fraction)
"""Return a cached Fraction in lowest terms: questions about six-sided dice repeat the same few."""


def first_option(question: Choose) -> str:
    """Take the first option of every choice: the simplest policy."""
    return question.options[0]


Fall = tuple[list[int], int]
"""Faces of a roll, and the number of rolls that count the same as these."""


@lru_cache(maxsize=4096)
def falls(n: int, sides: int, matters: Callable[[Sequence[int]], Hashable] | None) -> tuple[Fall, ...]:
    """Return one result of n dice for each that the rule distinguishes, with its number of ways."""
    if matters is sum:
        return _sums(n, sides)
    found: dict[Hashable, Fall] = {}
    for faces in product(range(1, sides + 1), repeat=n):
        key = matters(faces) if matters else faces
        first, ways = found.get(key, (list(faces), 0))
        found[key] = (first, ways + 1)
    return tuple(found.values())


def _sums(n: int, sides: int) -> tuple[Fall, ...]:
    """Return one result of n dice for each sum, from the lowest, adding one die at a time.

    Other results with the same sum are not listed.
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
"""The most results of one roll that are listed, to see which of them a rule distinguishes: those of seven
six-sided dice. A roll of which only the sum counts is not listed."""


class TooManyWays(Exception):
    """The refusal of dice with more possible results than the caller allows plays."""


def plays(
    start: Callable[[], tuple[Procedure[T], World | None]],
    policy: Policy = first_option,
    most: int | None = None,
    answers: list[list[int]] | None = None,
) -> Iterator[tuple[T, int, int]]:
    """Yield the result of every outcome of the dice, each played once, with its weight.

    A tuple is the procedure's return value, its number of ways, and the number that they are out of, which
    may differ between plays with different dice. `start` makes the procedure anew for each play, `policy`
    answers its choices. `answers`, if given, holds the faces of the play just yielded. Raises TooManyWays
    rather than play more than `most`.
    """
    script, played = _Script(), 0
    while True:
        procedure, world = start()
        value, ways, out_of, depth = _play(procedure, world, policy, script, most)
        if answers is not None:
            answers[:] = [script.falls[at][script.taken[at]][0] for at in range(depth)]
        yield value, ways, out_of
        played += 1
        # The first play usually shows how many there are: far too many are refused at once.
        if most is not None and played == 1 and prod(map(len, script.falls)) > 4 * most:
            raise TooManyWays
        if not script.advance():
            return
        if most is not None and played >= most:
            raise TooManyWays


class _Script:
    """The result of each Roll in the current play, in order."""

    __slots__ = ("falls", "sizes", "taken")

    def __init__(self) -> None:
        self.taken: list[int] = []
        self.falls: list[tuple[tuple[list[int], int], ...]] = []
        self.sizes: list[int] = []  # in how many ways each Roll's dice fall

    def add(self, roll: Roll, most: int | None) -> None:
        """Add a Roll that no play has reached yet."""
        size = roll.sides**roll.n
        if most is not None and size > MOST_FACES and roll.matters is not sum:
            raise TooManyWays
        self.taken.append(0)
        self.sizes.append(size)
        self.falls.append(falls(roll.n, roll.sides, roll.matters))

    def advance(self) -> bool:
        """Give the last Roll that has results left its next one; return False where none has."""
        while self.taken and self.taken[-1] + 1 == len(self.falls[-1]):
            for each in (self.taken, self.falls, self.sizes):
                each.pop()
        if not self.taken:
            return False
        self.taken[-1] += 1
        return True


def _play(
    procedure: Procedure[T], world: World | None, policy: Policy, script: _Script, most: int | None
) -> tuple[T, int, int, int]:
    """Play once; return the result, its ways, the number that they are out of, and the number of Rolls."""
    send = driven(procedure).send
    taken, stack, sizes = script.taken, script.falls, script.sizes
    depth, ways, out_of = 0, 1, 1
    answer: object = None
    try:
        while True:
            question = send(answer)
            if type(question) is Roll:
                if depth == len(taken):
                    script.add(question, most)
                answer, weight = stack[depth][taken[depth]]
                ways *= weight
                out_of *= sizes[depth]
                depth += 1
            elif type(question) is Choose:
                answer = policy(question)
            elif type(question) is Happen and world is not None:
                answer = world.state = next_state(world, question.fact.changes)
            else:
                answer = None
    except StopIteration as end:
        return end.value, ways, out_of, depth


def counts(
    start: Callable[[], tuple[Procedure[T], World | None]],
    key: Callable[[T], Key],
    policy: Policy = first_option,
    most: int | None = None,
) -> dict[Key, tuple[int, int]]:
    """Return the weight of each outcome key as (ways, out of), summed over all results of the dice.

    `policy` answers choices. Plays may roll different dice; the weights have one denominator all the same.
    Raises TooManyWays rather than play more than `most`.
    """
    found: dict[int, dict[Key, int]] = {}
    for value, ways, out_of in plays(start, policy, most):
        weights = found.get(out_of)
        if weights is None:
            weights = found[out_of] = {}
        outcome = key(value)
        weights[outcome] = weights.get(outcome, 0) + ways
    return _common(found)


def _common(counts: dict[int, dict[Key, int]]) -> dict[Key, tuple[int, int]]:
    """Return the ways of each outcome over one common denominator; `counts` has them by denominator."""
    if len(counts) == 1:
        [(common, weights)] = counts.items()
    else:
        common, weights = lcm(*counts), {}
        for out_of, some in counts.items():
            for outcome, ways in some.items():
                weights[outcome] = weights.get(outcome, 0) + ways * (common // out_of)
    return {outcome: (ways, common) for outcome, ways in weights.items()}


def probabilities(
    start: Callable[[], tuple[Procedure[T], World | None]],
    key: Callable[[T], Key],
    policy: Policy = first_option,
    most: int | None = None,
) -> dict[Key, Fraction]:
    """Return the exact probability of each outcome key; they sum to 1.

    Raises TooManyWays rather than play more than `most`.
    """
    return {outcome: _fraction(*weight) for outcome, weight in counts(start, key, policy, most).items()}
