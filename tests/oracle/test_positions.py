"""Random positions, played by the program and by the oracle: everything that comes of them is the same.

STRIKE_THOROUGH=1 plays a hundred times as many. A failing position prints a script that one can type.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from strike_cli.content.merged_content import Book

from . import draw_chase, draw_conflict, draw_core, draw_fight
from .expected import EXPECTED
from .program import the_book
from .trial import Drawn, Trial, try_position

THOROUGH = bool(os.environ.get("STRIKE_THOROUGH"))
TIMES = 100 if THOROUGH else 1
CHUNK = 1000 if THOROUGH else 100

# How many of each: a thousand in all.
POSITIONS: dict[str, tuple[Drawn, int]] = {
    "skill roll": (draw_core.draw_skill_roll, 180),
    "opposed roll": (draw_core.draw_opposed_roll, 130),
    "purchase": (draw_core.draw_purchase, 100),
    "pool": (draw_core.draw_pool, 40),
    "conflict": (draw_conflict.draw_rounds, 180),
    "chase": (draw_chase.draw_round, 130),
    "attack": (draw_fight.draw_attack, 200),
    "charge": (draw_fight.draw_charge, 40),
}


def chunks() -> Iterator[Any]:
    """(what, from, to): as much as one test plays. The first of each kind is played everyday."""
    for name, (_, count) in POSITIONS.items():
        for first in range(0, count * TIMES, CHUNK):
            last = min(first + CHUNK, count * TIMES)
            yield pytest.param(name, first, last, marks=pytest.mark.slow if first else ())


@pytest.fixture(scope="module")
def weigh_house(_environment: None) -> Book:
    return the_book()


def tried(name: str, numbers: range, book: Book) -> Iterator[Trial]:
    for number in numbers:
        yield try_position(POSITIONS[name][0], name, number, book)


@pytest.mark.parametrize(("name", "first", "last"), list(chunks()))
def test_the_program_plays_by_the_rules(name: str, first: int, last: int, weigh_house: Book) -> None:
    """What the rules say of a position is what the program makes of it."""
    wrong = [
        trial.text
        for trial in tried(name, range(first, last), weigh_house)
        if trial.wrong and not trial.known
    ]
    assert not wrong, f"{len(wrong)} of {last - first} positions differ.\n\n" + "\n\n".join(wrong[:3])


@pytest.mark.skipif(not THOROUGH, reason="takes many positions")
def test_known_differences_are_still_there(weigh_house: Book) -> None:
    """What is listed in expected.py differs somewhere; what doesn't any more is taken off the list."""
    seen: set[str] = set()
    for name in POSITIONS:
        for trial in tried(name, range(3000), weigh_house):
            if trial.wrong and len(trial.under & EXPECTED.keys()) == 1:
                seen |= trial.under
    assert set(EXPECTED) <= seen, f"mended: take {sorted(set(EXPECTED) - seen)} out of expected.py"
