"""How much is tried: everyday a sample of what STRIKE_THOROUGH=1 (and `make soak`) tries whole."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

THOROUGH = bool(os.environ.get("STRIKE_THOROUGH"))
EVERY = 3


def some_of(whole: Iterable[T], first: int = 0) -> Sequence[T]:
    """All of it, or every third, from the `first` on: tests that are many begin at others."""
    return list(whole) if THOROUGH else list(whole)[first % EVERY :: EVERY]
