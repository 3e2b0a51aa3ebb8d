"""One worker a target: the operating system's own lock on a file, gone with the process that holds it."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def held(path: Path, wait: float = 0.2) -> Iterator[bool]:
    """Hold the lock while the block runs; yields whether it was had. `wait` is in seconds. Raises OSError."""
    path.parent.mkdir(exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        deadline = time.monotonic() + wait
        while not (had := _try(file)) and time.monotonic() < deadline:
            time.sleep(0.01)
        yield had
    finally:
        os.close(file)


def is_held(path: Path) -> bool:
    """Whether somebody holds the lock now."""
    try:
        file = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not _try(file, shared=True)
    finally:
        os.close(file)


def _try(file: int, *, shared: bool = False) -> bool:
    if os.name == "nt":
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
