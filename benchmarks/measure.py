"""Pairing: two things measured in turn, so that a machine whose speed drifts slows both."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

Run = Callable[[], object]


def ratios(ours: Run, reference: Run, rounds: int, repeat: int = 1) -> list[float]:
    """For each round, our time over the reference's, in turn; a round runs each `repeat` times."""
    ours(), reference()
    found = []
    for _ in range(rounds):
        found.append(_time(ours, repeat) / _time(reference, repeat))
    return found


def _time(run: Run, repeat: int) -> float:
    start = time.perf_counter()
    for _ in range(repeat):
        run()
    return time.perf_counter() - start


def report(what: str, found: list[float], limit: str = "") -> None:
    """One line: the median ratio, the spread, and what the design allows."""
    low, high = min(found), max(found)
    print(f"  {what:<58} {median(found):6.2f}  ({low:.2f} to {high:.2f})  {limit}")
