"""Things tried by chance: as many as are asked for, or as `make soak` has time for."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from random import Random

SEED = int(os.environ.get("SOAK_SEED", 1))
SECONDS = float(os.environ.get("SOAK_SECONDS", "inf"))
"""How long each test may take."""
FIGURES = os.environ.get("SOAK_FIGURES")
"""The file that is told how many were tried."""


def chances(kind: str, names: Iterable[str]) -> Iterator[tuple[str, Random]]:
    """What to try by its name, until the time is over."""
    deadline, tried = time.monotonic() + SECONDS, 0
    try:
        for name in names:
            if time.monotonic() > deadline:
                break
            yield name, Random(name)
            tried += 1
    finally:
        tell_figures(kind, tried)


def tell_figures(kind: str, tried: int) -> None:
    if FIGURES:
        with open(FIGURES, "a", encoding="utf-8") as file:
            file.write(f"{kind} {tried}\n")
