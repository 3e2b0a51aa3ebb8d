"""What trying one random position comes to, and how to see it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from strike_cli.content.merged_content import Book

from .expected import EXPECTED
from .program import RefusedByProgramError, Step, Table, WentWrongError


@dataclass
class Trial:
    """One position. `under`: the known differences that it falls under."""

    table: Table
    under: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    data: list[Any] = field(default_factory=list)  # of each step

    def play(self, *steps: Step) -> Any:
        """Steps in the program; the last one's data."""
        for step in steps:
            self.data.append(self.table.play(step))
        return self.data[-1]

    def under_house(self, **rules: Any) -> None:
        """House rules for all that is played here."""
        self.table.under_house(rules)

    def same(self, what: str, oracle: Any, program: Any) -> None:
        """Hold one thing against the other."""
        if oracle != program:
            self.wrong.append(f"{what}: by the rules {oracle!r}, in the program {program!r}")

    def refused(self, what: str, step: Step) -> None:
        """The rules forbid it, so the program has to refuse."""
        try:
            self.table.play(step)
        except RefusedByProgramError:
            return
        except WentWrongError as problem:
            self.wrong.append(f"{what}: by the rules refused; {problem}")
            return
        self.wrong.append(f"{what}: by the rules refused, in the program played")

    @property
    def known(self) -> bool:
        """Whether a difference here is one that is listed."""
        return bool(self.under & EXPECTED.keys())

    @property
    def text(self) -> str:
        return "\n".join([*self.wrong, "", self.table.script()])


class NoTest(Exception):
    """What was drawn is no position that can be compared: something illegal, or that the rules leave open."""


Drawn = Callable[[random.Random, Trial], None]


def try_position(draw: Drawn, name: str, number: int, book: Book) -> Trial:
    """The position of this name and number, played by both. The same every time."""
    for again in range(1000):
        chance = random.Random(f"{name} {number} {again}")
        trial = Trial(Table(book))
        try:
            draw(chance, trial)
        except NoTest:
            continue
        except WentWrongError as problem:
            trial.wrong.append(str(problem))
        return trial
    raise AssertionError(f"no position drawn for {name} {number}")
