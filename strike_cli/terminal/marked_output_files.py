"""Writes files that commands make: pages, pictures, exports.

A file that strike didn't make is never replaced.
"""

from __future__ import annotations

import os
from pathlib import Path

from strike_cli.refusals import UnwritableArgument

from ..pages.html import MADE
from ..problems import Usage

_SEARCHED_BYTES = 500
"""The number of bytes at a file's beginning that are searched for the mark of its maker."""
_PDF = b"%PDF-"
"""The beginning of a PDF, which has the mark of its maker somewhere among its data."""


def write_already_marked_file(path: Path, made: str | bytes) -> None:
    """Write a file that names strike as its maker.

    The name (`MADE`) is in the first bytes of the content, or anywhere in a PDF. Raises ValueError if the
    content doesn't have it. Raises Usage if the file can't be written, or if it exists and strike didn't make
    it.
    """
    from ..campaign.file_access import error_reason, write_user_file

    content = made if isinstance(made, bytes) else made.encode("utf-8", "replace")
    if not _has_mark(content):
        raise ValueError(f"{path} would not name its maker")
    try:
        if os.path.lexists(path) and not _is_existing_file_made_by_strike(path):
            raise Usage(f"{path} exists already, and strike didn't make it.", "Choose another file.")
        write_user_file(path, content)
    except OSError as error:
        raise UnwritableArgument(path, error_reason(error)) from None


def _is_existing_file_made_by_strike(path: Path) -> bool:
    with open(path, "rb") as file:
        begin = file.read(_SEARCHED_BYTES)
        return _has_mark(begin + file.read() if begin.startswith(_PDF) else begin)


def _has_mark(content: bytes) -> bool:
    return MADE.encode() in (content if content.startswith(_PDF) else content[:_SEARCHED_BYTES])
