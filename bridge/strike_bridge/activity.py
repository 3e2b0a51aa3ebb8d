"""What the bridge is waiting for at this moment, so that somebody who waits with it can be told."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

AFTER = 2.0
"""Seconds after which people are told what takes so long, and between two such lines."""

_under_way: dict[int, tuple[str, str]] = {}
"""By thread: who is waited for, and what is done about it."""


@contextlib.contextmanager
def doing(person: str, what: str) -> Iterator[None]:
    """Note what this thread waits for during the block."""
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
def telling(tell: Callable[[str], None]) -> Iterator[None]:
    """Report every two seconds, while the block runs, what is new of what is waited for."""
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
