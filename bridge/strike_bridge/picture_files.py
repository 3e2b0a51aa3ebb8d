"""Reads the picture files that a campaign names, for creatures, maps and handouts.

A payload has only a picture's path or address and its digest. Targets that take pictures read the bytes here.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.tabletop.campaign_pictures import (
    LARGEST,
    begins_with_https,
    can_name_picture,
    read_campaign_picture,
)

if TYPE_CHECKING:
    from .payloads import ShownImage


class PictureFile(NamedTuple):
    """A picture's bytes, media type and digest."""

    content: bytes
    media_type: str
    sha256: str


def read_picture(folder: Path, image: Mapping[str, object] | None) -> PictureFile | None:
    """Return the picture in the file that `image` names, or None if there is no such picture.

    `image` is {file, sha256}, where `sha256` may be missing. The result is None for a web address. It is also
    None if the file is missing, lies outside the campaign's folder, isn't a picture, or has another digest
    than `sha256`.
    """
    if not image or "file" not in image:
        return None
    try:
        content, media_type = read_campaign_picture(folder, str(image["file"]))
    except ValueError:
        return None
    digest = sha256(content).hexdigest()
    return PictureFile(content, media_type, digest) if digest == image.get("sha256", digest) else None


class PictureSources:
    """A cache of picture sources. A file is read again when it has changed.

    The source of a picture is its web address, or its file with hash and media type. A file that isn't a
    picture has no source.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[tuple[str, int], tuple[tuple[int, int], ShownImage | None]] = {}

    def image_reference(self, image: str, largest: int = LARGEST) -> ShownImage | None:
        """Return the source of a picture, or None if the picture can't be used.

        The source is {url} for a web address, and {file, sha256, media_type} for a file. A file can't be used
        if it is missing, isn't a picture, or has more than `largest` bytes.
        """
        if not can_name_picture(image):
            return None  # a hand edit, or another program's state
        if begins_with_https(image):
            return {"url": image}
        try:
            found = (self._folder / image).stat()
        except OSError:
            return None
        stamp = found.st_mtime_ns, found.st_size
        known = self._known.get((image, largest))
        if known is None or known[0] != stamp:
            known = self._known[image, largest] = stamp, self._read_source(image, largest)
        return known[1]

    def _read_source(self, file: str, largest: int) -> ShownImage | None:
        try:
            content, media_type = read_campaign_picture(self._folder, file, largest)
        except ValueError:
            return None
        return {"file": file, "sha256": sha256(content).hexdigest(), "media_type": media_type}
