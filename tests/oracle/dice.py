"""Dice that fall and decisions that are taken, for the oracle. Nothing here knows the program."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

Outcome = TypeVar("Outcome")


class OutOfDiceError(Exception):
    """One more die is asked for than were given."""


@dataclass
class Dice:
    """Six-sided dice: faces given beforehand, then chance where there is any. Remembers what fell."""

    given: Sequence[int] = ()
    chance: random.Random | None = None
    fallen: list[int] = field(default_factory=list)

    def one(self) -> int:
        """The next face. Raises OutOfDiceError."""
        if len(self.fallen) < len(self.given):
            face = self.given[len(self.fallen)]
        elif self.chance is not None:
            face = self.chance.randint(1, 6)
        else:
            raise OutOfDiceError
        self.fallen.append(face)
        return face


@dataclass
class Decisions:
    """Takes one of the options, by a plan or by chance, and remembers which."""

    plan: Callable[[str, list[str]], str] | None = None
    chance: random.Random | None = None
    taken: list[str] = field(default_factory=list)

    def take(self, question: str, options: Sequence[str]) -> str:
        """The option taken. There must be somebody to take it."""
        if self.plan is not None:
            option = self.plan(question, list(options))
        else:
            assert self.chance is not None, f"nobody decides on {question}"
            option = self.chance.choice(list(options))
        self.taken.append(option)
        return option


def every_fall(play: Callable[[Dice], Outcome]) -> Iterator[tuple[Fraction, Outcome]]:
    """Each way in which the dice that `play` asks for can fall: its chance and what comes of it."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        given = waiting.pop()
        try:
            outcome = play(Dice(given))
        except OutOfDiceError:
            waiting.extend((*given, face) for face in range(1, 7))
            continue
        yield Fraction(1, 6 ** len(given)), outcome
