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

from .consent import agreed_origin, is_likely
from .settings import OFF, bridge_file, settings_of
from .worker_lock import is_held


def leave_drain(folder: Path, targets: Mapping[str, Mapping[str, object]]) -> list[str]:
    """Start a detached worker for each of these targets that has none, and don't wait for it.

    `targets` are tables of campaign.toml by name; one that switched itself off is left alone. Returns the
    names of those that nothing is sent to, since nobody at this machine has agreed to their address.

    Call it once the command is recorded: a worker that is about to end looks at the journal once more after
    letting go of its lock, so that no command falls between two workers. Raises nothing.
    """
    held = []
    for name, table in targets.items():
        try:
            if is_held(bridge_file(folder, name, ".lock")) or _is_off(folder, name, table):
                continue
            if _is_agreed(folder, name, table):
                _start(folder, name)
            else:
                held.append(name)
        except (OSError, CampaignProblem):
            continue  # playing never fails over the bridge; `strike bridge status` shows the lag
    return held


def _is_agreed(folder: Path, name: str, table: Mapping[str, object]) -> bool:
    """Return whether a worker would be allowed to send.

    A table of this machine's own needs no agreement. Settings that were written otherwise, and come to what
    was agreed to, are noted: the next command knows them.
    """
    settings = settings_of(name, table)
    if is_likely(folder, settings):
        return True
    if settings.kind != "table" and agreed_origin(folder, name) is None:
        return False
    from .consent import is_agreed, record_consent
    from .targets import terms_of

    terms = terms_of(folder, settings)
    if terms is None:
        return True
    if not is_agreed(folder, name, terms):
        return False
    record_consent(folder, settings, terms)
    return True


def _is_off(folder: Path, name: str, table: Mapping[str, object]) -> bool:
    try:
        under = bridge_file(folder, name, OFF).read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return under == settings_of(name, table).digest()


def _start(folder: Path, name: str) -> None:
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
