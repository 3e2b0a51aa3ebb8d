"""The pictures that a campaign names: reading them, their kind and size, and their place under a map."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .data import PictureKept

MEDIA_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}
"""Media types by how a file name ends. SVG is not among them: it can have scripts."""

LARGEST = 4 * 1024 * 1024
"""How many bytes a creature's picture may have."""
LARGEST_MAP = 16 * 1024 * 1024
"""How many bytes a map's picture may have."""

WANTED_FILE = "a png, jpg or webp file below the campaign's folder"
WANTED = f"{WANTED_FILE}, or an https address"


def begins_with_https(image: str) -> bool:
    """Return whether a text names a picture by an address that begins with `https://`."""
    return image.startswith("https://")


def can_name_picture(image: str) -> bool:
    """Return whether a text can name a picture: a web address, or a file of a known kind.

    Files are not opened.
    """
    if len(image) > 500 or not image.isprintable() or "\\" in image:
        return False
    if begins_with_https(image):
        host = image.removeprefix("https://").partition("/")[0]
        return bool(host) and "@" not in host and " " not in image
    parts = image.split("/")
    return Path(image).suffix.lower() in MEDIA_TYPES and not any(part in ("", ".", "..") for part in parts)


def read_campaign_picture(folder: Path, file: str, largest: int | None = None) -> tuple[bytes, str]:
    """Return the content and the media type of a picture in a campaign's folder.

    Raises ValueError, with the reason, if the picture is missing, can't be read, is no png, jpg or webp, or
    is larger than `largest` bytes. Raises ValueError also if the picture is outside the folder, even if a
    link in the folder leads to it.
    """
    path = folder / file
    media_type = MEDIA_TYPES.get(path.suffix.lower())
    if media_type is None:
        raise ValueError("is not a png, jpg or webp")
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ValueError("is outside the campaign's folder")
    try:
        if path.exists() and not path.is_file():  # reading a pipe would block
            raise ValueError("is not a plain file")
        size = path.stat().st_size
        if largest is not None and size > largest:
            raise ValueError(f"has {size / 2**20:.1f} MiB, and {largest // 2**20} are allowed")
        content = path.read_bytes()
    except FileNotFoundError:
        raise ValueError("is not there") from None
    except OSError as error:
        raise ValueError(f"can't be read: {error.strerror}") from None
    if media_type_or_empty(content) != media_type:
        raise ValueError(f"is not a {media_type.partition('/')[2]}, despite its name")
    return content, media_type


def picture_size(content: bytes) -> tuple[int, int]:
    """Return the width and height of a picture in pixels, read from its content.

    Raises ValueError if the content ends before them, or says that they are 0.
    """
    kind = media_type_or_empty(content)
    try:
        if kind == "image/png":
            size = _number_at(content, 16, 4, "big"), _number_at(content, 20, 4, "big")
        else:
            size = _size_of_webp(content) if kind == "image/webp" else _size_of_jpeg(content)
    except IndexError:
        raise ValueError("ends before its size") from None
    if 0 in size:
        raise ValueError("has no width or height")
    return size


def _number_at(content: bytes, at: int, length: int, order: Literal["big", "little"]) -> int:
    """Return the number in `length` bytes. Raises IndexError if the content ends before them."""
    if len(content) < at + length:
        raise IndexError
    return int.from_bytes(content[at : at + length], order)


WIDEST = 10_000
"""How many pixels of a side every browser can show."""


def picture_place_unless_whole_map(
    content: bytes, pixels: float | Sequence[float] | None, offset: Sequence[float] | None = None
) -> dict[str, float] | None:
    """Return the place of a picture on its map, as {x, y, width, height}; None if it covers the whole map.

    The numbers are in squares, counted from the corner of A1. A picture covers the whole map if `pixels` is
    None. The same holds if the size of the picture can't be read, or is impossible.

    Args:
        content: The picture.
        pixels: The side of a square in pixels, or the square's width and height.
        offset: The pixel of the picture that is at the corner of A1.
    """
    if pixels is None:
        return None
    try:
        width, height = picture_size(content)
    except ValueError:
        return None
    if not 0 < min(width, height) <= max(width, height) <= WIDEST:
        return None
    left, top = offset or (0, 0)
    across, down = (pixels, pixels) if isinstance(pixels, int | float) else pixels
    return {"x": -left / across, "y": -top / down, "width": width / across, "height": height / down}


def picture_place_on_map(rows: Sequence[str], content: bytes, image: PictureKept | None) -> dict[str, float]:
    """Return the place of a map's picture, in squares from the corner of A1: {x, y, width, height}.

    `image` says where the picture lies. If it doesn't say so, or is None, the picture covers the whole map.
    The size of the map comes from its `rows`.
    """
    place = (
        picture_place_unless_whole_map(content, image.get("pixels"), image.get("offset")) if image else None
    )
    return place or {"x": 0, "y": 0, "width": max(map(len, rows), default=0), "height": len(rows)}


def pixels_and_offset_for_place(
    size: tuple[int, int], place: Sequence[float]
) -> tuple[float | list[float], list[float]]:
    """Return the `pixels` and the `offset` that put a picture at a `place`.

    This is the inverse of `picture_place_unless_whole_map`, exact to 0.001 squares. `size` is the picture's
    width and height in pixels. `place` is x, y, width and height in squares, from the corner of A1.
    """
    across, down = (
        _int_if_whole(round(pixels / squares, 4)) for pixels, squares in zip(size, place[2:], strict=True)
    )
    offset = [
        _int_if_whole(round(-at * pixels, 2)) for at, pixels in zip(place, (across, down), strict=False)
    ]
    # Drawing programs round sizes to whole pixels: that is no visible stretch.
    same = abs(across - down) * place[3] < 1
    return (across if same else [across, down]), offset


def _int_if_whole(value: float) -> float:
    return int(value) if value == int(value) else value


def _size_of_webp(content: bytes) -> tuple[int, int]:
    def little_endian(at: int, length: int) -> int:
        return _number_at(content, at, length, "little")

    match content[12:16]:
        case b"VP8X":
            return little_endian(24, 3) + 1, little_endian(27, 3) + 1
        case b"VP8L":
            packed = little_endian(21, 4)
            return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
    return little_endian(26, 2) & 0x3FFF, little_endian(28, 2) & 0x3FFF


def _size_of_jpeg(content: bytes) -> tuple[int, int]:
    """Return the width and height from the first frame segment of a JPEG.

    Raises ValueError or IndexError if the JPEG has no such segment.
    """
    at = 2
    while content[at] == _MARKER:
        kind = content[at + 1]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return _number_at(content, at + 7, 2, "big"), _number_at(content, at + 5, 2, "big")
        at += 2 + int.from_bytes(content[at + 2 : at + 4], "big")
    raise ValueError("has no size")


_MARKER = 0xFF


def media_type_or_empty(content: bytes) -> str:
    """Return the media type of a picture, found from its first bytes.

    It is "" if tabletops don't show this kind of picture.
    """
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    return "image/webp" if content[:4] == b"RIFF" and content[8:12] == b"WEBP" else ""


def is_argb_color_without_hash(text: str) -> bool:
    """Return whether a text is a colour as AARRGGBB in hexadecimal."""
    return len(text) == 8 and all(sign in "0123456789abcdefABCDEF" for sign in text)
