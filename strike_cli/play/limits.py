"""How long a move may go on: one that never ends must not take the evening with it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ..problems import PluginProblem

MOST_ASKED = 20_000
"""Rolls, decisions and facts of one move at the most."""
MOST_SECONDS = 10.0
"""Seconds of the processor that a move may take; while people roll or decide none pass."""


def too_many(name: str) -> PluginProblem:
    """What to say of a move that goes on and on."""
    return PluginProblem(
        f"`{name}` did not end: it rolled, asked and told {MOST_ASKED:,} times.",
        "Nothing of it was recorded. Its rule is mistaken; please tell its author.",
    )


@contextmanager
def in_time(name: str, seconds: float = MOST_SECONDS) -> Iterator[None]:
    """Raises PluginProblem in the block once it has taken so many seconds of the processor. Only where the
    system can: in the first thread of a process, not on Windows."""
    first = threading.current_thread() is threading.main_thread()
    if not first or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise PluginProblem(
            f"`{name}` did not end: it took the processor for {seconds:.0f} seconds.",
            "Nothing of it was recorded. Its rule is mistaken; please tell its author.",
        )

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
