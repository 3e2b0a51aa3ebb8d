"""How much is tried: everyday a sample of what STRIKE_THOROUGH=1 (and `make soak`) tries whole."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

THOROUGH = bool(os.environ.get("STRIKE_THOROUGH"))
EVERY = 3


def some_of(whole: Iterable[T], first: int = 0, every: int = EVERY) -> Sequence[T]:
    """All of it, or every third, from the `first` on: tests that are many begin at others."""
    return list(whole) if THOROUGH else list(whole)[first % every :: every]


def few_of(whole: Iterable[Any], every: int = EVERY) -> list[Any]:
    """Parameters for all of it: the first of `every` so many is tried everyday, the others are slow. A tuple
    has a value for each of several parameters."""
    return [
        pytest.param(
            *(value if type(value) is tuple else (value,)), marks=pytest.mark.slow if number % every else ()
        )
        for number, value in enumerate(whole)
    ]


def some_numbers(first: int = 0, every: int = EVERY) -> Iterator[int]:
    """1, 2, 3 and so on, or every third of them: for whoever goes on until there is nothing more to try."""
    return count(1) if THOROUGH else count(1 + first % every, every)
