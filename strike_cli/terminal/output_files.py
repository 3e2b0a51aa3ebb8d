"""Writes files that commands make: pages, pictures, exports.

A file that strike didn't make is never replaced.
"""

from __future__ import annotations

import os
from pathlib import Path

from strike_cli.refusals import UnwritableArgument

from ..pages.html import MADE
from ..problems import Usage

_LOOKED_AT = 500
"""The number of bytes at a file's beginning that are searched for the mark of its maker."""
_PDF = b"%PDF-"
"""The beginning of a PDF, which has the mark of its maker somewhere among its data."""


def write_marked_file(path: Path, made: str | bytes, *, new: bool = False) -> None:
    """Write a file that names strike as its maker (`MADE`) in its first lines, or in a PDF's data.

    With `new` the file must not exist yet. Raises Usage if the file exists and strike didn't make it, or if
    the file can't be written.
    """
    from ..campaign.file_access import error_reason, write_user_file

    content = made if isinstance(made, bytes) else made.encode("utf-8", "replace")
    if not _has_mark(content) and not new:
        raise ValueError(f"{path} would not name its maker")
    try:
        if os.path.lexists(path) and (new or not _is_made_by_strike(path)):
            raise Usage(f"{path} exists already, and strike didn't make it.", "Choose another file.")
        write_user_file(path, content)
    except OSError as error:
        raise UnwritableArgument(path, error_reason(error)) from None


def _is_made_by_strike(path: Path) -> bool:
    with open(path, "rb") as file:
        begin = file.read(_LOOKED_AT)
        return _has_mark(begin + file.read() if begin.startswith(_PDF) else begin)


def _has_mark(content: bytes) -> bool:
    return MADE.encode() in (content if content.startswith(_PDF) else content[:_LOOKED_AT])
