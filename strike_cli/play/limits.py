"""How long a move may go on: one that never ends must not take the evening with it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from time import thread_time
from types import FrameType

from ..problems import PluginProblem

MOST_ASKED = 20_000
"""Rolls, decisions and facts of one move at the most."""
MOST_SECONDS = 10.0
"""Seconds of the processor that a move may take, or the list of all that may be played; while people roll or
decide none pass."""

_timed: list[str] = []
"""What is timed now, the outermost first: it has the timer, the innermost is named."""


class _Timer:
    """The timer of the first thread: how long a move may take, and whether its signal is handled."""

    seconds = 0.0
    is_handled = False


class _WatchedThread(threading.local):
    """What a thread without a timer is at, the outermost first, and until when it may be."""

    names: tuple[str, ...] = ()
    until = 0.0
    seconds = 0.0


_watched = _WatchedThread()


def too_many(name: str, procedure: Generator[object, object, object]) -> PluginProblem:
    """What to say of a move that goes on and on."""
    return _endless(name, f"it rolled, asked and told {MOST_ASKED:,} times", _frame_of(procedure))


def _frame_of(procedure: Generator[object, object, object]) -> FrameType | None:
    """Where a procedure is now, in the innermost of those that it goes on with."""
    innermost: object = procedure
    while isinstance(inner := getattr(innermost, "gi_yieldfrom", None), Generator):
        innermost = inner
    return getattr(innermost, "gi_frame", None) or getattr(procedure, "gi_frame", None)


@contextmanager
def in_time(name: str, seconds: float | None = None) -> Iterator[None]:
    """Raises PluginProblem in the block once it has taken so many seconds of the processor (`MOST_SECONDS`);
    within another such block, once that one has. Anywhere in the first thread of a process, where the system
    has such timers. Else, and on Windows, where `must_end` is called and another such block begins: a loop
    that rolls, asks and tells nothing goes on there."""
    seconds = MOST_SECONDS if seconds is None else seconds
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        with _watch(name, seconds):
            yield
        return
    if not _timed:
        _start_timer(seconds)
    _timed.append(name)
    try:
        yield
    finally:
        _timed.pop()
        if not _timed:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@contextmanager
def _watch(name: str, seconds: float) -> Iterator[None]:
    before = _watched.names
    if not before:
        _watched.until, _watched.seconds = thread_time() + seconds, seconds
    else:
        must_end()
    _watched.names = (*before, name)
    try:
        yield
    finally:
        _watched.names = before


def must_end(procedure: Generator[object, object, object] | None = None) -> None:
    """Raises PluginProblem where the time of this thread's block is over and no timer has stopped it."""
    if _watched.names and thread_time() > _watched.until:
        how = f"it took the processor for {_watched.seconds:g} seconds"
        raise _endless(_watched.names[-1], how, _frame_of(procedure) if procedure else None)


def _start_timer(seconds: float) -> None:
    """Stop what is timed after so many seconds. The handler stays: without a timer nothing calls it."""
    _Timer.seconds = seconds
    if not _Timer.is_handled:
        signal.signal(signal.SIGVTALRM, _stop)
        _Timer.is_handled = True
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


def _stop(number: int, frame: FrameType | None) -> None:
    if _timed:
        raise _endless(_timed[-1], f"it took the processor for {_Timer.seconds:g} seconds", frame)


def _endless(name: str, how: str, frame: FrameType | None) -> PluginProblem:
    from ..registry.origin import place_of_plugin

    place = place_of_plugin(frame)
    return PluginProblem(
        f"`{name}` did not end{f' in {place}' if place else ''}: {how}.",
        "Nothing was recorded. Its rule is mistaken; please tell its author.",
    )
