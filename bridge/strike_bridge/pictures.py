"""Pictures of maps, out of the campaign's folder. A payload carries only where one is and what it was."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

_MEDIA_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}


class Picture(NamedTuple):
    """A picture's bytes, and what they are."""

    content: bytes
    media_type: str
    sha256: str


def read_picture(folder: Path, image: Any) -> Picture | None:
    """The picture that `image` ({file, sha256}) names; None where there is none, where it lies outside of the
    campaign's folder, or where it isn't the one that was imported: a scene is told without it then."""
    if not image:
        return None
    path = folder / image["file"]
    media_type = _MEDIA_TYPES.get(path.suffix.lower())
    if media_type is None or not path.resolve().is_relative_to(folder.resolve()):
        return None
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest = sha256(content).hexdigest()
    return Picture(content, media_type, digest) if digest == image["sha256"] else None
