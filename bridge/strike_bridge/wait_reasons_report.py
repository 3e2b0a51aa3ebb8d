"""A record of what each thread of the bridge is waiting for.

After a few seconds, a progress line shows the reason for the wait.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

AFTER = 2.0
"""Seconds of waiting before a progress line is shown, and between two such lines."""

_under_way: dict[int, tuple[str, str]] = {}
"""For each thread, the other party that it waits for and what is being done there."""


@contextlib.contextmanager
def note_wait(other: str, what: str) -> Iterator[None]:
    """Record, during the block, that this thread waits for `other`, such as a target.

    `what` is the purpose of the wait, in words.
    """
    thread = threading.get_ident()
    before = _under_way.get(thread)
    _under_way[thread] = (other, what)
    try:
        yield
    finally:
        if before is None:
            _under_way.pop(thread, None)
        else:
            _under_way[thread] = before


@contextlib.contextmanager
def report_waits(tell: Callable[[str], None]) -> Iterator[None]:
    """Report the waits of threads during the block.

    Every two seconds, `tell` is called with a line for each wait that is new.
    """
    over = threading.Event()

    def report_new_waits_until_over() -> None:
        said: dict[str, str] = {}
        while not over.wait(AFTER):
            for person, what in list(_under_way.values()):
                if said.get(person) != what:
                    said[person] = what
                    tell(f"{person}: {what} ...")

    thread = threading.Thread(target=report_new_waits_until_over, name="telling", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
