"""Links, where anybody may make them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def link(place: Path, to: Path) -> None:
    """Make a symbolic link; the test is skipped on a Windows that wants a right of its own for that."""
    try:
        place.symlink_to(to, target_is_directory=to.is_dir())
    except (OSError, NotImplementedError):
        if os.name != "nt":
            raise
    if not place.is_symlink():
        pytest.skip("no right to make links")
