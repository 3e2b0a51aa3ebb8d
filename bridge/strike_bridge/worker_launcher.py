"""Start a worker in the background after a command, to send what is queued.

Every command of a campaign with `auto = true` imports this module, so it imports next to nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from strike_cli.problems import CampaignProblem

from .consent import agreed_origin, are_settings_as_agreed
from .settings import OFF, settings_from_unchecked_table, target_file_path
from .worker_lock import is_lock_held


def start_workers_and_list_not_agreed(folder: Path, targets: Mapping[str, Mapping[str, object]]) -> list[str]:
    """Start a detached worker for each target that has none, without waiting. Raises nothing.

    `targets` are tables of campaign.toml by name; a target that switched itself off gets no worker. Returns
    the names of targets that are sent nothing, because nobody at this machine has agreed to their addresses.

    Call this once the command is recorded. A worker that is about to end looks at the journal once more after
    it has released its lock, so no command is missed between two workers.
    """
    held = []
    for name, table in targets.items():
        try:
            if is_lock_held(target_file_path(folder, name, ".lock")) or _is_switched_off_for_these_settings(
                folder, name, table
            ):
                continue
            if _is_agreed_renewing_record(folder, name, table):
                _start_worker(folder, name)
            else:
                held.append(name)
        except (OSError, CampaignProblem):
            continue  # playing never fails over the bridge; `strike bridge status` shows the lag
    return held


def _is_agreed_renewing_record(folder: Path, name: str, table: Mapping[str, object]) -> bool:
    """Return whether a worker may send to a target.

    That needs somebody's agreement to the target's terms, except for this machine's own table. If the
    settings have changed but the terms are still the same, the agreement is recorded for the new settings.
    The next command then finds it quickly.
    """
    settings = settings_from_unchecked_table(name, table)
    if are_settings_as_agreed(folder, settings):
        return True
    if settings.kind != "table" and agreed_origin(folder, name) is None:
        return False
    from .consent import is_agreed, record_consent
    from .targets import terms_unless_own_table

    terms = terms_unless_own_table(folder, settings)
    if terms is None:
        return True
    if not is_agreed(folder, name, terms):
        return False
    record_consent(folder, settings, terms)
    return True


def _is_switched_off_for_these_settings(folder: Path, name: str, table: Mapping[str, object]) -> bool:
    try:
        under = target_file_path(folder, name, OFF).read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return under == settings_from_unchecked_table(name, table).digest()


def _start_worker(folder: Path, name: str) -> None:
    windows = os.name == "nt"
    process = subprocess.Popen(
        # -P: a campaign's folder may hold a file of any name, and is not a place to import from.
        [sys.executable, "-P", "-m", "strike_bridge", "push", "--auto", os.path.abspath(folder), name],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=0x00000008 | 0x00000200 if windows else 0,  # detached, in a group of its own
        start_new_session=not windows,
    )
    process.returncode = 0  # detached: else Python would warn that it still runs
