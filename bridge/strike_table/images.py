"""The pictures of maps and creatures, stored as files that are named by the SHA-256 of their content."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO

from .schemas import InvalidBody

IMAGE_LIMIT = 16 * 1024 * 1024
"""The maximum size of a picture in bytes."""

WINDOWS = os.name == "nt"
REPLACE_WAIT = 2.0
"""Seconds to wait for another program that reads a file to be replaced."""

UNNAMED_KEPT = 40
"""The number of uploaded pictures that may wait to be named, the newest; those of a scene's creatures are
uploaded before the scene."""

MEDIA_TYPES = ("image/png", "image/jpeg", "image/webp")
"""The media types that pages may be given. No SVG: it may carry scripts."""


class Images:
    """A directory of pictures. It may be used from several threads: a file is always complete or absent."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._unnamed: dict[str, None] = {}
        """Uploaded pictures that nothing has named yet, the oldest first."""

    def put(self, digest: str, media_type: str, content: bytes) -> None:
        """Store a picture.

        Raises InvalidBody if its digest or type doesn't fit its content, and OSError if it can't be stored.
        """
        if media_type not in MEDIA_TYPES:
            raise InvalidBody("Content-Type", f"must be one of {', '.join(MEDIA_TYPES)}")
        if media_type_of(content) != media_type:
            raise InvalidBody("body", f"is not a {media_type}")
        if hashlib.sha256(content).hexdigest() != digest:
            raise InvalidBody("body", "has another SHA-256 than its address")
        self._unnamed.pop(digest, None)
        self._unnamed[digest] = None
        for oldest in list(self._unnamed)[:-UNNAMED_KEPT]:
            del self._unnamed[oldest]
        if self.has(digest):
            return
        self._directory.mkdir(parents=True, exist_ok=True)
        beside = self._directory / f"{digest}.new"
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        replace_file_without_sync(beside, self._directory / digest)
        sync_folder(self._directory)
        sync_folder(self._directory.parent)

    def end_protection_as_new(self, digest: str) -> None:
        """Record that a token, scene or exhibit uses a picture.

        Before that, the picture counts as new, and `delete_unused` keeps it although nothing uses it.
        """
        self._unnamed.pop(digest, None)

    def has(self, digest: str) -> bool:
        return (self._directory / digest).is_file()

    def open(self, digest: str) -> BinaryIO | None:
        """Return a picture's open file, which the caller closes; None if there is none."""
        try:
            return (self._directory / digest).open("rb")
        except FileNotFoundError:
            return None

    def content(self, digest: str) -> bytes:
        """Return a picture's bytes. Raises OSError if it is no longer stored."""
        return (self._directory / digest).read_bytes()

    def delete_unused(self, digests_in_use: Collection[str]) -> None:
        """Delete every picture except those in `digests_in_use` and new ones that nothing has used yet."""
        if self._directory.is_dir():
            for file in self._directory.iterdir():
                if file.name not in digests_in_use and file.name not in self._unnamed:
                    with contextlib.suppress(PermissionError):  # Windows, while somebody loads it
                        file.unlink(missing_ok=True)


def replace_file_without_sync(new_file: Path, path: Path) -> None:
    """Replace the file `path` by `new_file`, atomically.

    On Windows, another program may hold one of the files for a moment, such as a virus scanner. Then the
    replacement is tried again for a short time. Raises OSError if it fails.
    """
    deadline = time.monotonic() + REPLACE_WAIT
    while True:
        try:
            new_file.replace(path)
            return
        except PermissionError:
            if not WINDOWS or time.monotonic() > deadline:
                raise
            time.sleep(0.005)


def sync_folder(directory: Path) -> None:
    """Sync a directory's entries to disk, if the system allows that."""
    if WINDOWS:
        return
    file = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def media_type_of(content: bytes) -> str | None:
    """Return a picture's media type by its first bytes; None unless it is PNG, JPEG or WebP."""
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return None
