"""The lock that lets only one table serve a data directory.

The lock is a locked file in the directory; the file also contains the table's address.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

FILE_NAME = "serving.lock"
_MOST = 4096
_GUARDED = 1 << 20
"""The offset of the locked byte, behind the contents: on Windows nobody else may read a locked byte."""


class FolderInUse(OSError):
    """Raised if another process serves the directory.

    `url` is the other table's address, "" if it is unknown. `pid` is the id of the other process, 0 if it is
    unknown.
    """

    def __init__(self, path: Path, url: str, pid: int) -> None:
        where = f" at {url}" if url else ""
        super().__init__(f"{path.parent} is already served by another process{where}")
        self.url = url
        self.pid = pid


@contextlib.contextmanager
def hold_folder_lock(data_dir: Path) -> Iterator[Callable[[str], None]]:
    """Hold the lock of a directory during the block.

    Yields a function that records the table's address in the lock file. If the process ends in any way, the
    lock ends, too. Raises FolderInUse if another process holds the lock. Raises another OSError if the file
    can't be written.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    path = data_dir / FILE_NAME
    file = os.open(
        path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0), 0o600
    )
    try:
        if not _try_lock(file):
            raise FolderInUse(path, *_read_holder(file))
        _write_holder(file, "")

        yield lambda url: _write_holder(file, url)
        _write_holder(file, "")
    finally:
        _unlock_and_close(file)


def _write_holder(file: int, url: str) -> None:
    text = json.dumps({"pid": os.getpid(), "url": url}).encode()
    os.lseek(file, 0, os.SEEK_SET)
    os.ftruncate(file, 0)
    os.write(file, text)


def _read_holder(file: int) -> tuple[str, int]:
    try:
        os.lseek(file, 0, os.SEEK_SET)
        said = json.loads(os.read(file, _MOST))
        url, pid = said["url"], said["pid"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "", 0
    return (url if isinstance(url, str) else ""), (pid if isinstance(pid, int) else 0)


def _try_lock(file: int) -> bool:
    if os.name == "nt":
        import msvcrt

        os.lseek(file, _GUARDED, os.SEEK_SET)
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


def _unlock_and_close(file: int) -> None:
    if os.name == "nt":  # it releases locks some time after closing
        import msvcrt

        with contextlib.suppress(OSError):
            os.lseek(file, _GUARDED, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    os.close(file)
