"""The current wait of each thread of the bridge, for progress lines."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

AFTER = 2.0
"""Seconds of waiting before a progress line is shown, and between two such lines."""

_under_way: dict[int, tuple[str, str]] = {}
"""For each thread, the other party that it waits for and what is being done there."""


@contextlib.contextmanager
def note_wait(person: str, what: str) -> Iterator[None]:
    """Record, during the block, that this thread waits for `person` and what it does there."""
    thread = threading.get_ident()
    before = _under_way.get(thread)
    _under_way[thread] = (person, what)
    try:
        yield
    finally:
        if before is None:
            _under_way.pop(thread, None)
        else:
            _under_way[thread] = before


@contextlib.contextmanager
def tell_waits(tell: Callable[[str], None]) -> Iterator[None]:
    """Look every two seconds, while the block runs, and show a line for each wait that is new."""
    over = threading.Event()

    def watch() -> None:
        said: dict[str, str] = {}
        while not over.wait(AFTER):
            for person, what in list(_under_way.values()):
                if said.get(person) != what:
                    said[person] = what
                    tell(f"{person}: {what} ...")

    thread = threading.Thread(target=watch, name="telling", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
