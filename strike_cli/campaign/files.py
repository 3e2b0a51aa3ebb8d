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

    def acquire(self) -> None:
        """Raises CampaignProblem when the folder can't be written or another command holds on."""
        file = None
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            self._wait_for(file)
        except BaseException as error:
            if file is not None:
                os.close(file)
            if isinstance(error, OSError):
                raise unwritable(self.path, error) from None
            raise
        self.file = file

    def _wait_for(self, file: int) -> None:
        deadline = time.monotonic() + LOCK_WAIT
        pause = 0.001
        while not try_lock(file):
            if time.monotonic() > deadline:
                raise CampaignProblem(
                    f"Another strike command has been writing to {self.path.parent} for {LOCK_WAIT:.0f} s.",
                    "Wait for it to end, or end it, and try again. Nothing was changed.",
                )
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)

    def release(self) -> None:
        """Let others write. Safe to call twice."""
        if self.file is not None:
            os.close(self.file)
            self.file = None


def try_lock(file: int, *, shared: bool = False) -> bool:
    """Take the operating system's lock on an open file, if it is free; it goes with the file. With `shared`
    only to see whether somebody holds it."""
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


class HalfWritten(OSError):
    """A write that failed, and what was written by then could not be cut off again."""


def unwritable(path: Path, error: OSError) -> CampaignProblem:
    """A write that failed, with what to do about it. `path` is named where the error names no file."""
    where = error.filename or path
    if isinstance(error, HalfWritten):
        hint = "It may count all the same: `strike log --last 1` shows, once the disk is mended."
    else:
        hint = f"{_remedy(error)} Nothing was changed."
    return CampaignProblem(f"{where} can't be written: {reason(error)}.", hint)


def unreadable(path: Path, error: OSError) -> CampaignProblem:
    """A file that can't be read, with what to do about it."""
    return CampaignProblem(
        f"{path} can't be read: {reason(error)}.", f"{_remedy(error)} Nothing was changed."
    )


def reason(error: OSError) -> str:
    """What the system says, without number and file name."""
    return os.strerror(error.errno) if error.errno else str(error)


def _remedy(error: OSError) -> str:
    import errno

    permissions = "Check the permissions of the folder and the files in it."
    in_the_way = "Something else stands where a file or folder of the campaign should be: move it away."
    remedies = {
        errno.ENOSPC: "Free some space on that disk and try again.",
        errno.EDQUOT: "Your disk quota is used up: free some space and try again.",
        errno.EROFS: "The file system is read-only: copy the campaign to where you can write.",
        errno.EACCES: permissions,
        errno.EPERM: permissions,
        errno.EEXIST: in_the_way,
        errno.EISDIR: in_the_way,
        errno.ENOTDIR: in_the_way,
        errno.ENOENT: "Put it back from a copy.",
    }
    return remedies.get(error.errno or 0, "Check the disk and try again.")


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Make an error that names no file name this one."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


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
    write_synced(scratch, data)
    return scratch


def write_synced(path: Path, data: bytes) -> None:
    """Write and sync a file whole. Raises OSError, leaving no file behind."""
    with _named(path):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        try:
            _write_all(file, data)
            os.fsync(file)
        except OSError:
            os.close(file)
            remove(path)
            raise
        os.close(file)


def remove(path: Path) -> None:
    """Take away a file that nobody needs any more, or leave it where that can't be."""
    with contextlib.suppress(OSError):
        os.unlink(path)


def append(path: Path, offset: int, data: bytes, *, sync: bool = True) -> None:
    """Append at `offset`, the end of what counts, and sync, making file and folder where they are missing.

    Raises OSError. Then everything is as it was, unless it is a HalfWritten.
    """
    made_folder = _make_folder(path.parent)
    made_file = not path.exists()
    try:
        with _named(path):
            _append(path, offset, data, sync, made_file)
    except HalfWritten:
        raise
    except OSError:
        if made_file:
            remove(path)
        if made_folder:
            with contextlib.suppress(OSError):
                os.rmdir(path.parent)
        raise


def _make_folder(folder: Path) -> bool:
    """Whether the folder had to be made."""
    if folder.is_dir():
        return False
    os.mkdir(folder)
    try:
        with _named(folder):
            sync_folder(folder.parent)
    except OSError:
        with contextlib.suppress(OSError):
            os.rmdir(folder)
        raise
    return True


def _append(path: Path, offset: int, data: bytes, sync: bool, made: bool) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
    try:
        os.lseek(file, offset, os.SEEK_SET)
        _write_all(file, data)
        if sync:
            os.fsync(file)
        if made:
            sync_folder(path.parent)
    except OSError as error:
        try:
            os.ftruncate(file, offset)
        except OSError:
            raise HalfWritten(error.errno, error.strerror) from None
        raise
    finally:
        os.close(file)


def sync(path: Path) -> None:
    """Make what was written to a file last through a power cut."""
    with _named(path):
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
