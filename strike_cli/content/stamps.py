"""Stamps of files: whether they have changed since they were read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any


def stamp(path: str) -> list[int] | None:
    """A file's time of change in nanoseconds, its size and its number; None where there is no such file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_mtime_ns, status.st_size, status.st_ino]


def unchanged(stamps: Mapping[str, Any]) -> bool:
    """Whether each of these files has the stamp that was kept of it, and can still be read."""
    # A file that can't be read any more is said to be so, whatever is remembered of it.
    return all(stamp(path) == kept and os.access(path, os.R_OK) for path, kept in stamps.items())
