"""The lock that allows only one worker for each target.

When a process ends, the operating system releases the lock that it held.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from strike_cli.campaign.file_access import (
    open_plain_file,
    refuse_links_and_special_files_below,
    try_lock,
    unlock_and_close,
)


@contextlib.contextmanager
def try_to_hold_lock(path: Path, wait: float = 0.2) -> Iterator[bool]:
    """Try for up to `wait` seconds to get a lock, and yield whether this process has it.

    The `with` block runs in either case.

    Raises OSError if the lock's file can't be opened. Raises CampaignProblem if the lock's folder is unsafe.
    It is unsafe if it is a link, can't be read, or contains a link or a special file. A file with several
    names counts as a link.
    """
    refuse_links_and_special_files_below(path.parent)
    path.parent.mkdir(0o700, exist_ok=True)
    file = open_plain_file(path, os.O_RDWR | os.O_CREAT)
    try:
        deadline = time.monotonic() + wait
        while not (had := try_lock(file)) and time.monotonic() < deadline:
            time.sleep(0.01)
        yield had
    finally:
        unlock_and_close(file)


def is_lock_held(path: Path) -> bool:
    """Return whether any process holds the lock at `path` now."""
    try:
        file = open_plain_file(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not try_lock(file, shared=True)
    finally:
        unlock_and_close(file)
