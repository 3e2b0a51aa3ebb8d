"""Edits made at a target that wait for the game master, stored for the screens that show them.

This module reads no target and imports next to nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

from .settings import BRIDGE_FOLDER, bridge_file

SUFFIX = ".waits"


def store_pending_edits(folder: Path, target: str, waiting: Mapping[str, str]) -> None:
    """Store the edits that wait at a target, by the creature concerned; nothing where none wait.

    Raises OSError.
    """
    from strike_cli.campaign.files import replace, write_scratch

    path = bridge_file(folder, target, SUFFIX)
    if waiting:
        replace(write_scratch(path, json.dumps(dict(waiting)).encode("ascii")), path)
    else:
        path.unlink(missing_ok=True)


def pending_files(folder: Path) -> list[Path]:
    """Return the files of waiting edits, one for each target with any."""
    try:
        return sorted((folder / BRIDGE_FOLDER).glob(f"*{SUFFIX}"))
    except OSError:
        return []


def describe_pending_edits(folder: Path) -> list[str]:
    """Return a line such as `foundry: Vex from C3 to D5` for each edit.

    For the game master: hidden creatures are named.
    """
    found = []
    for path in pending_files(folder):
        try:
            kept = json.loads(path.read_bytes())
        except (OSError, ValueError):
            continue  # it is being written
        target = unquote(path.name.removesuffix(SUFFIX))
        if isinstance(kept, dict):
            found += [f"{target}: {words}" for words in kept.values() if isinstance(words, str)]
    return found
