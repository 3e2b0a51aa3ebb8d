"""The campaign's sources as they were when a command was recorded, compressed beside the journal.

They are found by their hash. An evening goes on with the newest where campaign.toml has a fault now, and a
replay plays each entry with its own.
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
"""Bytes of a campaign that is kept so, unpacked."""


def keep(folder: Path, book: Book) -> None:
    """Keep a campaign. One that can't be kept stops no command."""
    path = last_good_path(folder, book.digest)
    packed = zlib.compress(json.dumps(book.compiled(), ensure_ascii=False).encode(), 6)
    with contextlib.suppress(OSError):
        scratch = files.write_scratch(path, packed)
        try:
            files.replace(scratch, path)
        except OSError:
            files.remove(scratch)


@lru_cache(maxsize=8)
def campaign_of_then(folder: Path, digest: str) -> Book | None:
    """Return the campaign with this digest; None where it isn't there, or in another form."""
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
