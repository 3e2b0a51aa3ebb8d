"""The pictures of maps and creatures, kept as files named by the SHA-256 of what they hold. No HTTP here."""

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
"""Bytes of one picture."""

WINDOWS = os.name == "nt"
REPLACE_WAIT = 2.0
"""Seconds to wait for who reads a file that is to be replaced."""

UNNAMED_KEPT = 40
"""Pictures that may wait to be named, the newest: a scene's creatures, uploaded before the scene."""

MEDIA_TYPES = ("image/png", "image/jpeg", "image/webp")
"""What a page may be given to draw. No SVG: it may carry scripts."""


class Images:
    """A directory of pictures. Safe to use from several threads: a file appears whole or not at all."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._unnamed: dict[str, None] = {}
        """What was uploaded and not named by anything yet, oldest first: who uploads names it next."""

    def put(self, digest: str, media_type: str, content: bytes) -> None:
        """Store a picture.

        Raises InvalidBody where it isn't what its name and type say, OSError where it can't be stored.
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
        put_in_place(beside, self._directory / digest)
        sync_folder(self._directory)
        sync_folder(self._directory.parent)

    def named(self, digest: str) -> None:
        """Note that something names a picture now: it stays for as long as that does."""
        self._unnamed.pop(digest, None)

    def has(self, digest: str) -> bool:
        return (self._directory / digest).is_file()

    def open(self, digest: str) -> BinaryIO | None:
        """Return the file of a picture, for the caller to close; None where there is none."""
        try:
            return (self._directory / digest).open("rb")
        except FileNotFoundError:
            return None

    def content(self, digest: str) -> bytes:
        """Return a picture's bytes. Raises OSError where it is not stored any more."""
        return (self._directory / digest).read_bytes()

    def keep_only(self, digests: Collection[str]) -> None:
        """Let go of every picture but these, and those that are still to be named."""
        if self._directory.is_dir():
            for file in self._directory.iterdir():
                if file.name not in digests and file.name not in self._unnamed:
                    with contextlib.suppress(PermissionError):  # Windows, while somebody loads it
                        file.unlink(missing_ok=True)


def put_in_place(beside: Path, path: Path) -> None:
    """Put a file in the place of another, whole. Raises OSError.

    On Windows it waits for a program that reads either, as a guard against viruses does with what is new.
    """
    deadline = time.monotonic() + REPLACE_WAIT
    while True:
        try:
            beside.replace(path)
            return
        except PermissionError:
            if not WINDOWS or time.monotonic() > deadline:
                raise
            time.sleep(0.005)


def sync_folder(directory: Path) -> None:
    """Make a name in a directory last through a power cut, where the system can."""
    if WINDOWS:
        return
    file = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def media_type_of(content: bytes) -> str | None:
    """Return the type that a picture's first bytes declare; None for one that pages aren't given."""
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return None
