"""A cheap stamp of a campaign, which changes when a command is recorded or state.toml is edited.

Screens ask for it thirty times a second. So it reads no file, and makes only a few system calls.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from .journal import FOLDER
from .journal_entry_format import is_journal_file_name
from .state_file import STATE_FILE

LIVELY_SECONDS = 60.0
"""Seconds after a change in which a screen looks for the next one all the time."""
SETTLED_NANOSECONDS = 2_000_000_000
"""Nanoseconds after which two changes of a folder have different times: no file system's clock is coarser."""

_newest: dict[str, tuple[int, str]] = {}
"""The newest file of each journal, by its folder, and the time of that folder's last change."""


def journal_and_state_stamp(
    folder: str | os.PathLike[str], more_files: Iterable[str | os.PathLike[str]] = ()
) -> object:
    """Return a value that changes when a command is recorded or state.toml is edited.

    It also changes when one of the files in `more_files` changes, such as campaign.toml.
    """
    within = os.fspath(folder)
    files = (_newest_file(os.path.join(within, FOLDER)), os.path.join(within, STATE_FILE), *more_files)
    return [(file, stamp_of_file(file)) for file in files]


def stamp_of_file(file: str | os.PathLike[str]) -> tuple[int, int, int]:
    """Return the time of a file's last change, its size and its identity; zeros for a missing file."""
    try:
        status = os.stat(file)
    except OSError:
        return 0, 0, 0
    return status.st_mtime_ns, status.st_size, status.st_ino


def poll_interval(last_change: float) -> float:
    """Return how many seconds to wait before asking for the stamp again.

    `last_change` is the time of the stamp's last change, by `time.monotonic`, in seconds.
    """
    return 0.03 if time.monotonic() - last_change < LIVELY_SECONDS else 0.15


def _newest_file(journal: str) -> str:
    """Return the path of a journal's newest file.

    The path is stored, and looked up again once the journal's folder has changed. The folder changes only
    when a new file begins.
    """
    try:
        changed = os.stat(journal).st_mtime_ns
        known = _newest.get(journal)
        if known is not None and known[0] == changed:
            return known[1]
        newest = max(filter(is_journal_file_name, os.listdir(journal)), default="")
    except OSError:
        return journal
    path = os.path.join(journal, newest)
    if time.time_ns() - changed > SETTLED_NANOSECONDS:
        _newest[journal] = changed, path
    return path
