"""Pictures of maps and creatures in the campaign's folder.

A payload contains only a picture's address and digest; targets that take the picture read it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.tabletop.campaign_pictures import LARGEST, is_address, may_name_picture, read_campaign_picture

if TYPE_CHECKING:
    from .payloads import ShownImage


class PictureFile(NamedTuple):
    """A picture's bytes, media type and digest."""

    content: bytes
    media_type: str
    sha256: str


def read_picture(folder: Path, image: Mapping[str, object] | None) -> PictureFile | None:
    """Return the picture in the file that `image` names, {file, sha256}.

    Without `sha256` the picture is whatever the file has now. The result is None for a web address, and for a
    file that is missing, is outside the campaign's folder, is no picture, or has another digest.
    """
    if not image or "file" not in image:
        return None
    try:
        content, media_type = read_campaign_picture(folder, str(image["file"]))
    except ValueError:
        return None
    digest = sha256(content).hexdigest()
    return PictureFile(content, media_type, digest) if digest == image.get("sha256", digest) else None


class Portraits:
    """Reads pictures of creatures and maps, and remembers them until their files change.

    A file that is no picture is left out; `strike doctor` says why.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[tuple[str, int], tuple[tuple[int, int], ShownImage | None]] = {}

    def image_source(self, image: str, largest: int = LARGEST) -> ShownImage | None:
        """Return a picture's source: {url} for a web address, {file, sha256, media_type} for a file.

        It is None for a file larger than `largest` bytes, a missing one, and one that is no picture.
        """
        if not may_name_picture(image):
            return None  # a hand edit, or another program's state
        if is_address(image):
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
