"""Edits made at a target that wait for the game master, stored for the screens that show them.

This module asks no target and imports next to nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

from .settings import BRIDGE_FOLDER, target_file_path

SUFFIX = ".waits"


def store_pending_edits(folder: Path, target: str, waiting: Mapping[str, str]) -> None:
    """Store the descriptions of a target's waiting edits, by the creature concerned.

    If no edit waits, the file is removed. Raises OSError.
    """
    from strike_cli.campaign.file_access import replace_file_without_sync, write_scratch

    path = target_file_path(folder, target, SUFFIX)
    if waiting:
        replace_file_without_sync(write_scratch(path, json.dumps(dict(waiting)).encode("ascii")), path)
    else:
        path.unlink(missing_ok=True)


def pending_edit_files(folder: Path) -> list[Path]:
    """Return the files with waiting edits, one for each target that has any."""
    try:
        return sorted((folder / BRIDGE_FOLDER).glob(f"*{SUFFIX}"))
    except OSError:
        return []


def describe_pending_edits_for_gm(folder: Path) -> list[str]:
    """Return a line such as `foundry: Vex from C3 to D5` for each waiting edit.

    The lines name hidden creatures too, so they are for the game master alone.
    """
    found = []
    for path in pending_edit_files(folder):
        try:
            kept = json.loads(path.read_bytes())
        except (OSError, ValueError):
            continue  # it is being written
        target = unquote(path.name.removesuffix(SUFFIX))
        if isinstance(kept, dict):
            found += [f"{target}: {words}" for words in kept.values() if isinstance(words, str)]
    return found
