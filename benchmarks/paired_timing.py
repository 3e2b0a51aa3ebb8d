"""Timing of two programs in turn.

If the machine gets slower meanwhile, both programs are slowed alike, and can still be compared.
"""

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

TRIAL_RUN = bool(os.environ.get("STRIKE_BENCH_ONCE"))
"""Whether everything runs in its smallest form: to see that a benchmark works, without useful numbers."""


def usual_or_trial_amount(usual: T, least: T) -> T:
    """Return the amount to measure: `usual`, or `least` in a trial run (`STRIKE_BENCH_ONCE`)."""
    return least if TRIAL_RUN else usual


def time_ratios(
    ours: Run, reference: Run, rounds: int, repeat: int = 1, clock: Clock = time.process_time
) -> list[float]:
    """Return our time over the reference's time, one ratio for each round.

    In a round, each of the two runs `repeat` times, ours first. `clock` measures the time; the default is
    this process's processor time.
    """
    if TRIAL_RUN:
        rounds = repeat = 1
    else:
        ours(), reference()
    found = []
    for _ in range(rounds):
        # What is too short for the clock, as a benchmark in its smallest form may be, counts as a little.
        found.append(_time(ours, repeat, clock) / max(_time(reference, repeat, clock), 1e-9))
    return found


def child_processor_seconds() -> float:
    """Return the processor seconds of all child processes that have ended.

    Unlike the clock on the wall, this number hardly changes when other programs use the machine.
    """
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def pinned_to_one_core() -> Iterator[None]:
    """Pin this process and its children to one core during the block.

    A process that moves to another core begins with cold caches. Only Linux supports this; elsewhere nothing
    happens.
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


def print_ratio(label: str, ratios: list[float], limit: str = "", *, most: float | None = None) -> None:
    """Print the median of the results of `time_ratios`, their smallest and largest value, and a limit.

    The limit is the text `limit`. If `most` is given, the limit is this number. If the median is above it,
    the line also says OVER.
    """
    low, high = min(ratios), max(ratios)
    if most is not None:
        limit = f"at most {most:g}" + ("" if median(ratios) <= most else ": OVER")
    print(f"  {label:<58} {median(ratios):6.2f}  ({low:.2f} to {high:.2f})  {limit}", flush=True)
