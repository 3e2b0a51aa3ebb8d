"""Derived data that is kept between commands in the user's own cache. All of it is safe to delete at any
time."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Stamps = Mapping[str, Any]


def cache_folder() -> Path:
    """Where derived data may be kept between commands; safe to delete at any time."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base or os.path.join(os.path.expanduser("~"), ".cache")) / "strike"


def read_cache(name: str, key: Any) -> Any:
    """What was kept under this name, if it was kept for the same key; else None."""
    try:
        with open(cache_folder() / name, "rb") as file:
            cached = json.loads(file.read())
    except (OSError, ValueError):
        return None
    return cached.get("value") if isinstance(cached, dict) and cached.get("key") == key else None


def write_cache(name: str, key: Any, value: Any) -> None:
    """Keep a value for next time. A cache that can't be written is no trouble worth a word."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        scratch = folder / f"{name}.{os.getpid()}"
        scratch.write_text(json.dumps({"key": key, "value": value}), encoding="utf-8")
        os.replace(scratch, folder / name)
    except OSError:
        return


def settled(newest: int) -> bool:
    """Whether that moment (in nanoseconds) is so long ago that a change from now on has another stamp."""
    import time

    return time.time_ns() - newest > 50_000_000


def stamp(path: str) -> list[int] | None:
    """A file's time of change in nanoseconds, its size and its number; None where there is no such file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_mtime_ns, status.st_size, status.st_ino]


def unchanged(stamps: Stamps) -> bool:
    """Whether each of these files has the stamp that was kept of it, and can still be read."""
    # A file that can't be read any more is said to be so, whatever is remembered of it.
    return all(
        stamp(path) == kept and (kept is None or os.access(path, os.R_OK)) for path, kept in stamps.items()
    )
