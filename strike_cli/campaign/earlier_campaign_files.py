"""Earlier versions of the campaign's files, stored compressed in the journal's folder.

A version is stored when a command is recorded, and found by its hash. If campaign.toml has a fault, play goes
on with the last stored version. A replay plays each entry with the version that was in use when the entry was
recorded.
"""

from __future__ import annotations

import contextlib
import json
import zlib
from functools import lru_cache
from pathlib import Path

from ..content.merged_content import Book, has_current_form
from . import file_access
from .journal import campaign_version_path

MAX_UNPACKED_BYTES = 64 * 1024 * 1024
"""The most bytes of a stored campaign, unpacked."""


def store_campaign_version(folder: Path, book: Book) -> None:
    """Store the present version of the campaign's files. A failure to write is ignored."""
    path = campaign_version_path(folder, book.digest)
    packed = zlib.compress(json.dumps(book.compiled(), ensure_ascii=False).encode(), 6)
    with contextlib.suppress(OSError):
        scratch = file_access.write_scratch(path, packed)
        try:
            file_access.replace_file_without_sync(scratch, path)
        except OSError:
            file_access.remove_if_possible(scratch)


@lru_cache(maxsize=8)
def load_campaign_version(folder: Path, digest: str) -> Book | None:
    """Return the stored version of the campaign's files with this digest.

    Return None if the version is missing, damaged or stored in another format.
    """
    if not (len(digest) == 8 and digest.isalnum()):
        return None
    try:
        packed = file_access.read_plain_file(campaign_version_path(folder, digest), MAX_UNPACKED_BYTES)
        unpacker = zlib.decompressobj()
        compiled = json.loads(unpacker.decompress(packed, MAX_UNPACKED_BYTES))
    except (OSError, ValueError, RecursionError, zlib.error):
        return None
    if not has_current_form({"stamps": {}, "compiled": compiled}, {}) or compiled.get("digest") != digest:
        return None
    return Book(compiled)
