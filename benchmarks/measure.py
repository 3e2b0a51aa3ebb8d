"""Pairing: two things measured in turn, so that a machine whose speed drifts slows both."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import TypeVar

T = TypeVar("T")
Run = Callable[[], object]
Clock = Callable[[], float]

ONCE = bool(os.environ.get("STRIKE_BENCH_ONCE"))
"""Whether everything runs in its smallest form: to see that a benchmark works, without useful numbers."""


def size(usual: T, least: T) -> T:
    """Return the amount to measure: `least` in a trial run."""
    return least if ONCE else usual


def ratios(
    ours: Run, reference: Run, rounds: int, repeat: int = 1, clock: Clock = time.process_time
) -> list[float]:
    """Return our time over the reference's for each round, in turn; a round runs each `repeat` times.

    The time is this process's, unless another clock is given.
    """
    if ONCE:
        rounds = repeat = 1
    else:
        ours(), reference()
    found = []
    for _ in range(rounds):
        # What is too short for the clock, as a benchmark in its smallest form may be, counts as a little.
        found.append(_time(ours, repeat, clock) / max(_time(reference, repeat, clock), 1e-9))
    return found


def of_processes() -> float:
    """Return the processor's seconds for all processes that were run and have ended.

    Other work on the machine lengthens the wait for a command, and counts for little here.
    """
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this process and those that it starts on one core in the block, where the system can do so.

    A process that moves from one core to another begins with cold caches.
    """
    if sys.platform != "linux":
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def _time(run: Run, repeat: int, clock: Clock) -> float:
    start = clock()
    for _ in range(repeat):
        run()
    return clock() - start


def report(what: str, ratios: list[float], limit: str = "", *, most: float | None = None) -> None:
    """Print the median ratio, the spread, and the limit of the design; with `most`, whether it is met."""
    low, high = min(ratios), max(ratios)
    if most is not None:
        limit = f"at most {most:g}" + ("" if median(ratios) <= most else ": OVER")
    print(f"  {what:<58} {median(ratios):6.2f}  ({low:.2f} to {high:.2f})  {limit}", flush=True)
