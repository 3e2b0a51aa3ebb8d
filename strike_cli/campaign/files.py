"""The file system's part: one writer at a time, and files that change whole or not at all."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..problems import CampaignProblem

LOCK_FILE = ".lock"
LOCK_WAIT = 10.0
"""Seconds to wait for another command to finish with the campaign."""


class Lock:
    """The operating system's own lock on a file beside state.toml; it goes with the process that holds it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOCK_FILE
        self.file: int | None = None

    def acquire(self, wait: float = LOCK_WAIT) -> None:
        """Raises CampaignProblem when the folder can't be written or another command holds on."""
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise unwritable(self.path.parent, error) from None
        deadline = time.monotonic() + wait
        pause = 0.001
        while not _try_lock(file):
            if time.monotonic() > deadline:
                os.close(file)
                raise CampaignProblem(
                    f"Another strike command has been writing to {self.path.parent} for over {wait:.0f} s.",
                    "Wait for it to end, or end it, and try again. Nothing was changed.",
                )
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)
        self.file = file

    def release(self) -> None:
        """Let others write. Safe to call twice."""
        if self.file is not None:
            os.close(self.file)
            self.file = None


def _try_lock(file: int) -> bool:
    if os.name == "nt":
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def unwritable(folder: Path, error: OSError) -> CampaignProblem:
    """A write that failed, with what to do about it."""
    import errno

    remedies = {
        errno.ENOSPC: "Free some space on that disk and try again.",
        errno.EDQUOT: "Your disk quota is used up: free some space and try again.",
        errno.EROFS: "The file system is read-only: copy the campaign to where you can write.",
        errno.EACCES: "Check the permissions of the folder and the files in it.",
        errno.EPERM: "Check the permissions of the folder and the files in it.",
    }
    what = os.strerror(error.errno) if error.errno else str(error)
    remedy = remedies.get(error.errno or 0, "Check the disk and try again.")
    return CampaignProblem(f"{folder} can't be written: {what}.", f"{remedy} Nothing was changed.")


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits until the block is done, so that a command is recorded whole or not at all."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[Any] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if caught:
            os.kill(os.getpid(), signal.SIGINT)


def write_scratch(path: Path, data: bytes) -> Path:
    """Write and sync what is to replace `path`, beside it. Raises OSError, leaving nothing behind."""
    scratch = path.with_name(f".{path.name}.new")
    file = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        _write_all(file, data)
        os.fsync(file)
    except OSError:
        os.close(file)
        with contextlib.suppress(OSError):
            os.unlink(scratch)
        raise
    os.close(file)
    return scratch


def append(path: Path, offset: int, data: bytes, *, sync: bool = True) -> None:
    """Append at `offset`, the end of what counts, and sync. On failure what was written is cut off again.

    Raises OSError.
    """
    new = not path.exists()
    file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
    try:
        try:
            os.lseek(file, offset, os.SEEK_SET)
            _write_all(file, data)
            if sync:
                os.fsync(file)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(file, offset)
            raise
    finally:
        os.close(file)
    if new:
        sync_folder(path.parent)


def sync(path: Path) -> None:
    """Make what was written to a file last through a power cut."""
    file = os.open(path, os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder last through a power cut, where the system can."""
    if os.name == "nt":
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _write_all(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
