"""How long a move may go on: one that never ends must not take the evening with it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from ..problems import PluginProblem

MOST_ASKED = 20_000
"""Rolls, decisions and facts of one move at the most."""
MOST_SECONDS = 10.0
"""Seconds of the processor that a move may take, or the list of all that may be played; while people roll or
decide none pass."""

_timed: list[str] = []
"""What is timed now, the outermost first: it has the timer, the innermost is named."""


def too_many(name: str, procedure: Generator[Any, Any, Any]) -> PluginProblem:
    """What to say of a move that goes on and on."""
    innermost: Any = procedure
    while isinstance(inner := getattr(innermost, "gi_yieldfrom", None), Generator):
        innermost = inner
    frame = getattr(innermost, "gi_frame", None) or getattr(procedure, "gi_frame", None)
    return _endless(name, f"it rolled, asked and told {MOST_ASKED:,} times", frame)


@contextmanager
def in_time(name: str, seconds: float | None = None) -> Iterator[None]:
    """Raises PluginProblem in the block once it has taken so many seconds of the processor (`MOST_SECONDS`);
    within another such block, once that one has. Only where the system can: in the first thread of a process,
    not on Windows."""
    first = threading.current_thread() is threading.main_thread()
    if not first or not hasattr(signal, "setitimer"):
        yield
        return
    _timed.append(name)
    try:
        if len(_timed) > 1:
            yield
        else:
            with _timer(MOST_SECONDS if seconds is None else seconds):
                yield
    finally:
        _timed.pop()


@contextmanager
def _timer(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise _endless(_timed[-1], f"it took the processor for {seconds:g} seconds", frame)

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _endless(name: str, how: str, frame: FrameType | None) -> PluginProblem:
    from ..registry.origin import place_of_plugin

    place = place_of_plugin(frame)
    return PluginProblem(
        f"`{name}` did not end{f' in {place}' if place else ''}: {how}.",
        "Nothing was recorded. Its rule is mistaken; please tell its author.",
    )
