"""The exhaustive driver: every way the dice can fall, with exact fractions.

It plays the very procedure that play runs, once for each distinct fall of the dice, so that odds and
rolls can't disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from ..rules.procedure import Choose, Happen, Procedure, Roll, World, apply_changes

if TYPE_CHECKING:
    from fractions import Fraction

Key = TypeVar("Key", bound=Hashable)
Policy = Callable[[Choose], str]


def first_option(question: Choose) -> str:
    """The policy that takes the first option of every choice."""
    return question.options[0]


@cache
def falls(
    n: int, sides: int, matters: Callable[[Sequence[int]], Hashable] | None
) -> tuple[tuple[list[int], int], ...]:
    """One fall of n dice for each that the rule tells apart, with the number of ways it comes up."""
    from itertools import product

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

    `start` makes the procedure anew for each fall. Falls may ask different dice; weights are brought to
    one denominator by `probabilities`.
    """
    found: dict[Key, dict[int, int]] = {}
    script: list[int] = []  # which fall each Roll so far takes
    while True:
        procedure, world = start()
        depth, ways, out_of = 0, 1, 1
        sizes: list[int] = []
        answer: Any = None
        try:
            while True:
                question = procedure.send(answer)
                if type(question) is Roll:
                    choices = falls(question.n, question.sides, question.matters)
                    if depth == len(script):
                        script.append(0)
                    answer, weight = choices[script[depth]]
                    sizes.append(len(choices))
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
            weights = found.setdefault(key(end.value), {})
            weights[out_of] = weights.get(out_of, 0) + ways
        del script[depth:]
        while script and script[-1] + 1 == sizes[len(script) - 1]:
            script.pop()
        if not script:
            break
        script[-1] += 1
    return {outcome: _one_fraction(weights) for outcome, weights in found.items()}


def _one_fraction(weights: dict[int, int]) -> tuple[int, int]:
    from math import lcm

    common = lcm(*weights)
    return sum(ways * (common // out_of) for out_of, ways in weights.items()), common


def probabilities(
    start: Callable[[], tuple[Procedure[Any], World | None]],
    key: Callable[[Any], Key],
    policy: Policy = first_option,
) -> dict[Key, Fraction]:
    """The exact probability of each outcome key; they sum to 1."""
    from fractions import Fraction

    return {outcome: Fraction(*weight) for outcome, weight in counts(start, key, policy).items()}
