"""Files that commands make: pages, pictures, exports. One that somebody else wrote is never written over."""

from __future__ import annotations

import os
from pathlib import Path

from strike_cli.refusals import UnwritableArgument

from ..pages.html import MADE
from ..problems import Usage

_LOOKED_AT = 500
"""Characters at the beginning of a file in which it says who made it."""


def write_made(path: Path, text: str, *, new: bool = False) -> None:
    """Write a file that says in its first lines that strike made it (`MADE`); with `new` where none is yet.
    Raises Usage where the file is somebody's own, or can't be written."""
    from ..campaign.files import reason, write_out

    if MADE not in text[:_LOOKED_AT] and not new:
        raise ValueError(f"{path} would not say who made it")
    try:
        if os.path.lexists(path) and (new or not _is_made(path)):
            raise Usage(f"{path} is there already, and strike didn't make it.", "Choose another file.")
        write_out(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise UnwritableArgument(path, reason(error)) from None


def _is_made(path: Path) -> bool:
    with open(path, encoding="utf-8", errors="replace") as file:
        return MADE in file.read(_LOOKED_AT)
