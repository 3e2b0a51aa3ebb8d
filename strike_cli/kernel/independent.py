"""Independent parts of a procedure, such as an area's attack on each of many, counted one by one.

So twelve of them take twelve times as long as one, not six to the power of twelve. Independence is tested,
not assumed: the whole is played with the dice of its parts, and must have their joint result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Generic, NamedTuple, TypeVar

from .estimate import SEED, Start, play_with
from .exhaustive import Policy, TooManyWays, first_option, plays
from .procedure import Roll

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


def counted_apart(
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
        leaves = [_leaves_of(part, policy) for part in parts]
    except TooManyWays:
        return None
    for chosen in _trials(leaves, rounds):
        faces = [fall for leaf in chosen for fall in leaf.faces]
        if not _comes_to(whole, faces, together([leaf.value for leaf in chosen]), policy):
            return None
    return leaves


def _leaves_of(part: IndependentPart[Came, Value], policy: Policy) -> list[Leaf[Value]]:
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


def _comes_to(
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
