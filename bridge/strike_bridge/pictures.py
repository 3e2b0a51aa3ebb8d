"""Pictures of maps and creatures from the campaign's folder.

A payload carries only a picture's address and digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.tabletop.pictures import LARGEST, is_address, may_be_picture, read_bytes

if TYPE_CHECKING:
    from .payloads import ShownImage


class PictureFile(NamedTuple):
    """A picture's bytes, with their media type."""

    content: bytes
    media_type: str
    sha256: str


def read_picture(folder: Path, image: Mapping[str, object] | None) -> PictureFile | None:
    """Return the picture that `image` ({file, sha256}) names; without `sha256`, the current file.

    None where it is missing, lies outside of the campaign's folder or at a web address, or has another
    digest: a scene or a creature is sent without it then.
    """
    if not image or "file" not in image:
        return None
    try:
        content, media_type = read_bytes(folder, str(image["file"]))
    except ValueError:
        return None
    digest = sha256(content).hexdigest()
    return PictureFile(content, media_type, digest) if digest == image.get("sha256", digest) else None


class Portraits:
    """The current pictures of creatures, by the text that names them.

    A file is read again only when it has changed. A file that is no picture is left out; `strike doctor`
    gives the reason.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[tuple[int, int], ShownImage | None]] = {}

    def named(self, image: str, largest: int = LARGEST) -> ShownImage | None:
        """Return {url} for a picture at a web address; {file, sha256, media_type} for a file.

        None for a file of more than `largest` bytes, one that is missing, and one that is no picture.
        """
        if not may_be_picture(image):
            return None  # a hand edit, or another program's state
        if is_address(image):
            return {"url": image}
        try:
            found = (self._folder / image).stat()
        except OSError:
            return None
        stamp = found.st_mtime_ns, found.st_size
        known = self._known.get(image)
        if known is None or known[0] != stamp:
            known = self._known[image] = stamp, self._read(image, largest)
        return known[1]

    def _read(self, file: str, largest: int) -> ShownImage | None:
        try:
            content, media_type = read_bytes(self._folder, file, largest)
        except ValueError:
            return None
        return {"file": file, "sha256": sha256(content).hexdigest(), "media_type": media_type}
