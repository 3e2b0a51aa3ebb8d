"""Earlier versions of the campaign's files, compressed beside the journal.

Each is stored when a command is recorded, and found by its hash. An evening goes on with the newest where
campaign.toml has a fault now, and a replay plays each entry with its own.
"""

from __future__ import annotations

import contextlib
import json
import zlib
from functools import lru_cache
from pathlib import Path

from ..content.book import Book, is_whole
from . import files
from .journal import last_good_path

LARGEST = 64 * 1024 * 1024
"""The most bytes of a stored campaign, unpacked."""


def store_campaign(folder: Path, book: Book) -> None:
    """Store a version of the campaign. A failure stops no command."""
    path = last_good_path(folder, book.digest)
    packed = zlib.compress(json.dumps(book.compiled(), ensure_ascii=False).encode(), 6)
    with contextlib.suppress(OSError):
        scratch = files.write_scratch(path, packed)
        try:
            files.replace(scratch, path)
        except OSError:
            files.remove(scratch)


@lru_cache(maxsize=8)
def stored_campaign(folder: Path, digest: str) -> Book | None:
    """Return the stored campaign with this digest; None where it is missing or in another form."""
    if not (len(digest) == 8 and digest.isalnum()):
        return None
    try:
        packed = files.read_plain(last_good_path(folder, digest), LARGEST)
        unpacker = zlib.decompressobj()
        compiled = json.loads(unpacker.decompress(packed, LARGEST))
    except (OSError, ValueError, RecursionError, zlib.error):
        return None
    if not is_whole({"stamps": {}, "compiled": compiled}, {}) or compiled.get("digest") != digest:
        return None
    return Book(compiled)
