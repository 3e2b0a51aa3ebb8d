"""Files that commands make: pages, pictures, exports. One that somebody else wrote is never written over."""

from __future__ import annotations

import os
from pathlib import Path

from strike_cli.refusals import UnwritableArgument

from ..pages.html import MADE
from ..problems import Usage

_LOOKED_AT = 500
"""Bytes at the beginning of a file in which it says who made it."""
_PDF = b"%PDF-"
"""How a PDF begins, which says who made it among its other particulars."""


def write_made(path: Path, made: str | bytes, *, new: bool = False) -> None:
    """Write a file that says in its first lines that strike made it (`MADE`); a PDF says so anywhere.

    With `new` it is written only where there is none yet. Raises Usage where the file is somebody's own, or
    can't be written.
    """
    from ..campaign.files import reason, write_out

    content = made if isinstance(made, bytes) else made.encode("utf-8", "replace")
    if not _has_mark(content) and not new:
        raise ValueError(f"{path} would not name its maker")
    try:
        if os.path.lexists(path) and (new or not _is_made(path)):
            raise Usage(f"{path} exists already, and strike didn't make it.", "Choose another file.")
        write_out(path, content)
    except OSError as error:
        raise UnwritableArgument(path, reason(error)) from None


def _is_made(path: Path) -> bool:
    with open(path, "rb") as file:
        begin = file.read(_LOOKED_AT)
        return _has_mark(begin + file.read() if begin.startswith(_PDF) else begin)


def _has_mark(content: bytes) -> bool:
    return MADE.encode() in (content if content.startswith(_PDF) else content[:_LOOKED_AT])
