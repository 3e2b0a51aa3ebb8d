"""Whether a command comes to an end."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Any

LONG = 30
"""Seconds after which a command hangs, on the busiest machine."""


class Hung(BaseException):
    """A command that took too long."""


@contextlib.contextmanager
def in_time() -> Iterator[None]:
    """Raises Hung in the block after LONG seconds."""

    def late(number: int, frame: Any) -> None:
        raise Hung

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(LONG)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
