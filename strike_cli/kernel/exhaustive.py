"""The exhaustive driver: every way the dice can fall, with exact fractions.

It plays the very procedure that play runs, once for each distinct fall of the dice, so that odds and
rolls can't disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import lcm
from typing import Any, TypeVar

from .facts import apply_changes
from .procedure import Choose, Happen, Procedure, Roll, World

Key = TypeVar("Key", bound=Hashable)
Policy = Callable[[Choose], str]


_fraction = lru_cache(maxsize=4096)(Fraction)
"""A Fraction in lowest terms: the same few come up in every question about six-sided dice."""


def first_option(question: Choose) -> str:
    """The policy that takes the first option of every choice."""
    return question.options[0]


@cache
def falls(
    n: int, sides: int, matters: Callable[[Sequence[int]], Hashable] | None
) -> tuple[tuple[list[int], int], ...]:
    """One fall of n dice for each that the rule tells apart, with the number of ways it comes up."""
    found: dict[Hashable, tuple[list[int], int]] = {}
    for faces in product(range(1, sides + 1), repeat=n):
        key = matters(faces) if matters else faces
        first, ways = found.get(key, (list(faces), 0))
        found[key] = (first, ways + 1)
    return tuple(found.values())


def counts(
    start: Callable[[], tuple[Procedure[Any], World | None]],
    key: Callable[[Any], Key],
    policy: Policy = first_option,
) -> dict[Key, tuple[int, int]]:
    """For each outcome key: its weight as (ways, out of), summed over all falls of the dice.

    `start` makes the procedure anew for each fall. Falls may ask different dice; the weights have one
    denominator all the same.
    """
    found: dict[tuple[Key, int], int] = {}
    script: list[int] = []  # which fall each Roll takes
    stack: list[tuple[tuple[list[int], int], ...]] = []  # what each Roll's falls are
    while True:
        procedure, world = start()
        send = procedure.send
        depth, ways, out_of = 0, 1, 1
        answer: Any = None
        try:
            while True:
                question = send(answer)
                if type(question) is Roll:
                    if depth == len(script):
                        script.append(0)
                        stack.append(falls(question.n, question.sides, question.matters))
                    answer, weight = stack[depth][script[depth]]
                    ways *= weight
                    out_of *= question.sides**question.n
                    depth += 1
                elif type(question) is Choose:
                    answer = policy(question)
                elif type(question) is Happen and world is not None:
                    answer = world.state = apply_changes(world.state, question.fact.changes)
                else:
                    answer = None
        except StopIteration as end:
            outcome = (key(end.value), out_of)
            found[outcome] = found.get(outcome, 0) + ways
        while script and script[-1] + 1 == len(stack[-1]):
            script.pop()
            stack.pop()
        if not script:
            return _common(found)
        script[-1] += 1


def _common(found: dict[tuple[Key, int], int]) -> dict[Key, tuple[int, int]]:
    """Each outcome's ways, over one denominator for all."""
    denominators = {out_of for _, out_of in found}
    common = lcm(*denominators)
    if len(denominators) == 1:
        return {outcome: (ways, common) for (outcome, _), ways in found.items()}
    weights: dict[Key, int] = {}
    for (outcome, out_of), ways in found.items():
        weights[outcome] = weights.get(outcome, 0) + ways * (common // out_of)
    return {outcome: (weight, common) for outcome, weight in weights.items()}


def probabilities(
    start: Callable[[], tuple[Procedure[Any], World | None]],
    key: Callable[[Any], Key],
    policy: Policy = first_option,
) -> dict[Key, Fraction]:
    """The exact probability of each outcome key; they sum to 1."""
    return {outcome: _fraction(*weight) for outcome, weight in counts(start, key, policy).items()}
