"""The availability of targets with `auto = true`, for commands that don't wait for them.

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
"""The suffix of the file that says since when and why a target is down; later, that it is up again."""
QUIET = 60.0
"""Seconds before an outage is reported: most servers are back by then."""


def note_down(folder: Path, target: str, why: str) -> None:
    """Record that a target is out of reach, and since when; an earlier record stays. Raises nothing."""
    path = bridge_file(folder, target, SUFFIX)
    found = _read(path)
    if "since" not in found:
        _write(path, {"since": time.time(), "why": why, "said": bool(found)})


def note_up(folder: Path, target: str) -> None:
    """Record that a target is sent everything again. Raises nothing."""
    path = bridge_file(folder, target, SUFFIX)
    with contextlib.suppress(OSError):
        if _read(path).get("said"):
            _write(path, {"up": True})
        else:
            path.unlink(missing_ok=True)


def take_status_change(folder: Path, target: str) -> str:
    """Return the change in a target's availability since the last call; each change is reported once.

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
    """Return the targets with `auto`, of tables by name, that have been down for a while, to mark them."""
    return [
        name
        for name, table in targets.items()
        if table["auto"] and _down_for(_read(bridge_file(folder, name, SUFFIX))) >= QUIET
    ]


def _down_for(status: Mapping[str, object]) -> float:
    """Return the seconds that a target has been down, 0 where it isn't."""
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
