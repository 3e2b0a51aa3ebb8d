"""A plain picture of a map, for programs that want one where nobody has painted any: flat squares as PNG."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

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
"""How bright the line between two squares is, of the square's own colour."""


def draw(rows: Sequence[str], pixels: int) -> bytes:
    """Return the map as a PNG with `pixels` to a square; `rows` are in the common signs."""
    width = max(map(len, rows))
    lines = bytearray()
    for row in rows:
        inner, edge = bytearray([0]), bytearray([0])
        for sign in row.ljust(width):
            colour = bytes(_COLOURS[sign])
            darker = bytes(int(part * _LINE) for part in colour)
            inner += darker + colour * (pixels - 1)
            edge += darker * pixels
        lines += edge + inner * (pixels - 1)
    head = struct.pack(">IIBBBBB", width * pixels, len(rows) * pixels, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(lines), 6)), (b"IEND", b""))
    )
