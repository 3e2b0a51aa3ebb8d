"""The record of targets that can't be reached.

Commands that don't wait for the targets read it. This module imports next to nothing.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Mapping
from pathlib import Path

from .settings import target_file_path

SUFFIX = ".down"
"""The suffix of the file that says since when and why a target is down; later, that it is up again."""
QUIET = 60.0
"""Seconds before an outage is reported: most servers are back by then."""


def note_outage(folder: Path, target: str, why: str) -> None:
    """Record that a target can't be reached: the reason, and the time.

    If an outage is recorded already, that record stays as it is. A record that can't be written is ignored.
    """
    path = target_file_path(folder, target, SUFFIX)
    found = _read_status(path)
    if "since" not in found:
        _try_to_write_status(path, {"since": time.time(), "why": why, "said": bool(found)})


def note_recovery(folder: Path, target: str) -> None:
    """Record that a target is no longer down. If the record can't be written, nothing happens."""
    path = target_file_path(folder, target, SUFFIX)
    with contextlib.suppress(OSError):
        if _read_status(path).get("said"):
            _try_to_write_status(path, {"up": True})
        else:
            path.unlink(missing_ok=True)


def take_sentence_about_outage(folder: Path, target: str) -> str:
    """Return a sentence about a target that went down or came back since the last call.

    It is "" if neither happened. Each change is reported only once, and an outage only after a minute. Raises
    OSError if the record can't be removed.
    """
    path = target_file_path(folder, target, SUFFIX)
    found = _read_status(path)
    if found.get("up"):
        path.unlink(missing_ok=True)
        return f"{target} receives everything again."
    if found.get("said") or (seconds := _seconds_down(found)) < QUIET:
        return ""
    _try_to_write_status(path, {**found, "said": True})
    why = str(found.get("why", "")).split("\n")[0].rstrip(".")
    return f"{target} has received nothing for {seconds // 60:.0f} min: {why}."


def auto_targets_down_over_a_minute(folder: Path, targets: Mapping[str, Mapping[str, object]]) -> list[str]:
    """Return the names of the targets with `auto` that have been down for a minute or longer.

    `targets` maps the name of each target to its table in campaign.toml. `auto` is a key of this table.
    """
    return [
        name
        for name, table in targets.items()
        if table["auto"] and _seconds_down(_read_status(target_file_path(folder, name, SUFFIX))) >= QUIET
    ]


def _seconds_down(status: Mapping[str, object]) -> float:
    """Return the seconds that a target has been down; 0 if it isn't."""
    since = status.get("since")
    return time.time() - since if isinstance(since, int | float) else 0.0


def _read_status(path: Path) -> dict[str, object]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _try_to_write_status(path: Path, status: dict[str, object]) -> None:
    from strike_cli.campaign.file_access import replace_file_without_sync, write_scratch

    with contextlib.suppress(OSError):
        replace_file_without_sync(write_scratch(path, json.dumps(status).encode()), path)
