"""Whether targets with `auto = true` answer, for commands that don't wait for them.

Imports next to nothing.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Mapping
from pathlib import Path

from .settings import bridge_file

SUFFIX = ".down"
"""The file that says since when a target is down, and why; after that, that it is up again."""
QUIET = 60.0
"""Seconds before anybody is told: most servers that are away are back by then."""


def note_down(folder: Path, target: str, why: str) -> None:
    """Note that a target is out of reach, and since when; an earlier note stays. Raises nothing."""
    path = bridge_file(folder, target, SUFFIX)
    found = _read(path)
    if "since" not in found:
        _write(path, {"since": time.time(), "why": why, "said": bool(found)})


def note_up(folder: Path, target: str) -> None:
    """Note that a target is sent everything again. Raises nothing."""
    path = bridge_file(folder, target, SUFFIX)
    with contextlib.suppress(OSError):
        if _read(path).get("said"):
            _write(path, {"up": True})
        else:
            path.unlink(missing_ok=True)


def news(folder: Path, target: str) -> str:
    """Return what has changed for the players since the last news: once for each change.

    Raises nothing.
    """
    path = bridge_file(folder, target, SUFFIX)
    found = _read(path)
    if found.get("up"):
        path.unlink(missing_ok=True)
        return f"{target} receives everything again."
    if found.get("said") or (seconds := _down_for(found)) < QUIET:
        return ""
    _write(path, {**found, "said": True})
    why = str(found.get("why", "")).split("\n")[0].rstrip(".")
    return f"{target} has received nothing for {seconds // 60:.0f} min: {why}."


def unreachable_targets(folder: Path, targets: Mapping[str, Mapping[str, object]]) -> list[str]:
    """Return the targets with `auto`, of tables by name, that have been down for a while: for a mark."""
    return [
        name
        for name, table in targets.items()
        if table["auto"] and _down_for(_read(bridge_file(folder, name, SUFFIX))) >= QUIET
    ]


def _down_for(status: Mapping[str, object]) -> float:
    """Return the seconds since when a target is down, 0 where it isn't."""
    since = status.get("since")
    return time.time() - since if isinstance(since, int | float) else 0.0


def _read(path: Path) -> dict[str, object]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(path: Path, status: dict[str, object]) -> None:
    from strike_cli.campaign.files import replace, write_scratch

    with contextlib.suppress(OSError):
        replace(write_scratch(path, json.dumps(status).encode()), path)
