"""Pictures of maps: a plain one for a map without a picture, and a smaller copy of a large one."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence

from ..tabletop.campaign_pictures import LARGEST_MAP, WIDEST, picture_size
from ..tabletop.grid import CLOSED_DOOR, DIFFICULT, FLOOR, NOTHING, OPEN_DOOR, WALL

_COLOURS = {
    FLOOR: (0xD9, 0xD2, 0xC3),
    DIFFICULT: (0xB8, 0xB2, 0x86),
    WALL: (0x4A, 0x44, 0x3C),
    CLOSED_DOOR: (0x8A, 0x5A, 0x2B),
    OPEN_DOOR: (0xC9, 0xA8, 0x78),
    NOTHING: (0x1E, 0x1C, 0x1A),
}
_LINE = 0.88
"""The brightness of the line between two squares, relative to a square's colour."""
_QUALITY = 88
_MOST_KEPT = 50_000_000
"""The most pixels of a picture that the table keeps decoded, to cut under fog."""
_MOST_PIXELS = 400_000_000
"""The most pixels that are decoded: more would need more memory than a laptop can spare."""


def draw_map(rows: Sequence[str], pixels_per_square: int) -> bytes:
    """Draw a map as a PNG picture, and return its bytes.

    Each of `rows` is a row of the map, with one sign for each square. `pixels_per_square` is the width of a
    square in pixels.
    """
    width = max(map(len, rows))
    lines = bytearray()
    for row in rows:
        inner, edge = bytearray([0]), bytearray([0])
        for sign in row.ljust(width):
            colour = bytes(_COLOURS[sign])
            darker = bytes(int(part * _LINE) for part in colour)
            inner += darker + colour * (pixels_per_square - 1)
            edge += darker * pixels_per_square
        lines += edge + inner * (pixels_per_square - 1)
    head = struct.pack(">IIBBBBB", width * pixels_per_square, len(rows) * pixels_per_square, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(lines), 6)), (b"IEND", b""))
    )


def shrink_large_picture_to_webp(image: bytes) -> tuple[bytes, str]:
    """Return a map's picture at a size that tabletops accept, and a text on the change.

    A picture that is too large becomes a smaller WebP. For any other picture, the picture is returned
    unchanged, and the text is "". Raises ValueError, with the reason, if the picture can't be made smaller.
    """
    wide, high = picture_size(image)
    if len(image) <= LARGEST_MAP and max(wide, high) <= WIDEST and wide * high <= _MOST_KEPT:
        return image, ""
    was = f"{wide} x {high} pixels and {len(image) / 2**20:.1f} MiB"
    allowed = f"{WIDEST} a side, {_MOST_KEPT:,} in all and {LARGEST_MAP // 2**20} MiB are allowed"
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise ValueError(f'has {was}; {allowed}: make it smaller, or install "strike-cli[table]"') from None
    if wide * high > _MOST_PIXELS:
        raise ValueError(f"has {was}; {allowed}: make it smaller")
    Image.MAX_IMAGE_PIXELS = None  # the size was checked above
    try:
        with Image.open(io.BytesIO(image)) as opened:
            kept = opened.convert("RGBA" if "A" in opened.getbands() else "RGB")
    except (OSError, ValueError, SyntaxError):
        raise ValueError("can't be read") from None
    scale = min(1.0, WIDEST / max(kept.size), (_MOST_KEPT / (wide * high)) ** 0.5)
    while True:
        size = max(1, int(wide * scale)), max(1, int(high * scale))
        out = io.BytesIO()
        kept.resize(size, Image.Resampling.LANCZOS).save(out, "WEBP", quality=_QUALITY, method=2)
        if out.tell() <= LARGEST_MAP:
            done = f"{size[0]} x {size[1]} as WebP, {out.tell() / 2**20:.1f} MiB"
            return out.getvalue(), f"has {was}, so it is made smaller: {done}"
        scale *= 0.8
