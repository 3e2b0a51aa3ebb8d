"""The players' tiles of a map picture with fog, masked here, so that no unseen pixel is sent.

A tile is named by a hash of its own masked pixels, so that neither its name nor its bytes depend on what the
fog hides. The tile is masked before it is scaled, since scaling mixes neighbouring pixels. A picture that
can't be read, or is too large to be decoded in memory, has no tiles: the map's squares are drawn instead. No
other module of this package imports Pillow, and this module imports it only when needed.
"""

from __future__ import annotations

import hashlib
import io
import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image

    from .schemas import PlacePayload, TilePayload

SIDE = 5
"""Squares along a side of a tile: with 8, one step of a creature costs twice the bytes."""
SIZES = (35, 70, 140)
"""The sizes of tiles, in pixels to a square."""
MOST_PIXELS = 50_000_000
"""The maximum number of pixels in a picture, which is held decoded: 150 MB."""
_QUALITY, _EFFORT = 75, 1
_CUTS_KEPT = 4000
_BYTES_KEPT = 32 * 1024 * 1024
_UNSEEN = re.compile("[^.]+")
_EXACT = 1e-6
"""The tolerance in pixels within which a coordinate counts as whole."""

log = logging.getLogger(__name__)
Box = tuple[int, int, int, int]
"""A box in pixels: left, top, right, bottom."""
Place = tuple[float, float, float, float]
"""A rectangle in squares: left, top, width and height."""


class _Cut(NamedTuple):
    """The source of a tile: a part of a picture, and the boxes to mask in it.

    `box` is the part of the picture that the tile shows, and `unseen` are the boxes to mask in that part.
    `pixels` is the width and height of a square in pixels of the picture.
    """

    picture: str
    box: Box
    unseen: tuple[Box, ...]
    pixels: tuple[float, float]


class Tiles:
    """Cuts and encodes tiles, and caches recent ones. It may be used from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._paintings: OrderedDict[str, Image | None] = OrderedDict()
        self._ids: OrderedDict[_Cut, str] = OrderedDict()
        self._cuts: dict[str, tuple[_Cut, Callable[[], bytes]]] = {}
        self._encoded: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._coming: dict[tuple[str, int], threading.Lock] = {}

    def cut_seen_tiles(
        self, picture: str, content: Callable[[], bytes], place: PlacePayload | None, seen: Sequence[str]
    ) -> list[TilePayload]:
        """Return the tiles of a picture that contain seen squares.

        `picture` is the hash of the picture's bytes, which `content` returns. The picture lies at `place`; if
        `place` is None, it covers the whole map. `seen` has a text for each row of the map, with a dot for
        each seen square.
        """
        if not any("." in row for row in seen):
            return []
        size = max(map(len, seen)), len(seen)
        at: Place = 0, 0, *size
        if place:
            at = place["x"], place["y"], place["width"], place["height"]
        with self._lock:
            painting = self._decoded_picture(picture, content)
            if painting is None:
                return []
            return [*self._yield_seen_tiles(picture, content, painting.size, at, seen)]

    def _yield_seen_tiles(
        self,
        picture: str,
        content: Callable[[], bytes],
        size: tuple[int, int],
        at: Place,
        seen: Sequence[str],
    ) -> Iterator[TilePayload]:
        across, down = size[0] / at[2], size[1] / at[3]
        for top in range(0, len(seen), SIDE):
            for left in range(0, max(map(len, seen), default=0), SIDE):
                squares = [row[left : left + SIDE].ljust(SIDE) for row in seen[top : top + SIDE]]
                if not any("." in row for row in squares):
                    continue
                # Whole pixels; one on the edge belongs to both neighbours.
                x, y = (left - at[0]) * across, (top - at[1]) * down
                far, low = x + SIDE * across, y + SIDE * down
                whole = floor(x + _EXACT), floor(y + _EXACT), ceil(far - _EXACT), ceil(low - _EXACT)
                box = _clip_box(whole, size)
                if box is None:
                    continue
                cut = _Cut(
                    picture,
                    box,
                    tuple(_unseen_boxes(seen, left, top, at, (across, down), box)),
                    (across, down),
                )
                name = self._register_cut_and_hash_pixels(cut, content)
                if name:
                    yield {
                        "id": name,
                        "x": round(box[0] / across + at[0], 5),
                        "y": round(box[1] / down + at[1], 5),
                        "width": round((box[2] - box[0]) / across, 5),
                        "height": round((box[3] - box[1]) / down, 5),
                    }

    def encoded_tile_if_cut_is_known(self, name: str, size: int) -> bytes | None:
        """Return a tile as WebP, with squares that are `size` pixels wide.

        It is None if the tile isn't cached any more.
        """
        key = name, size
        with self._lock:
            if key in self._encoded:
                self._encoded.move_to_end(key)
                return self._encoded[key]
            coming = self._coming.setdefault(key, threading.Lock())
        with coming:  # only requests for the same tile wait
            with self._lock:
                made, found = self._encoded.get(key), self._cuts.get(name)
                painting = self._decoded_picture(found[0].picture, found[1]) if found else None
            if made is None and found and painting:
                made = _encode_tile(painting, found[0], size)
            with self._lock:
                self._coming.pop(key, None)
                if made is not None:
                    self._encoded[key] = made
                while sum(map(len, self._encoded.values())) > _BYTES_KEPT:
                    self._encoded.popitem(last=False)
            return made

    def _register_cut_and_hash_pixels(self, cut: _Cut, content: Callable[[], bytes]) -> str:
        if cut not in self._ids:
            painting = self._decoded_picture(cut.picture, content)
            if painting is None:
                return ""
            masked = _crop_and_mask_unseen(painting, cut)
            made = hashlib.sha256(repr((masked.size, cut.pixels)).encode())
            made.update(masked.tobytes())
            self._ids[cut] = made.hexdigest()[:32]
            if len(self._ids) > _CUTS_KEPT:
                self._cuts.pop(self._ids.popitem(last=False)[1], None)
        self._ids.move_to_end(cut)
        self._cuts[self._ids[cut]] = cut, content
        return self._ids[cut]

    def _decoded_picture(self, picture: str, content: Callable[[], bytes]) -> Image | None:
        """Return a picture decoded; None if it can't be. The picture used last is cached."""
        if picture not in self._paintings:
            self._paintings.clear()
            self._paintings[picture] = _decode_picture(content)
        return self._paintings[picture]


def _decode_picture(content: Callable[[], bytes]) -> Image | None:
    try:
        from PIL import Image
    except ModuleNotFoundError:
        log.warning('painted maps under fog need Pillow: pip install "strike-cli[table]"; squares are drawn')
        return None
    try:
        opened = Image.open(io.BytesIO(content()), formats=("PNG", "JPEG", "WEBP"))
        if opened.width * opened.height > MOST_PIXELS:
            log.warning(
                "a map's picture has %s x %s pixels: too many to cut; squares are drawn", *opened.size
            )
            return None
        # No draft: a JPEG that is scaled while it is decoded mixes neighbours.
        opened.load()
        if not opened.has_transparency_data:
            return opened if opened.mode == "RGB" else opened.convert("RGB")
        painted, clear = Image.new("RGB", opened.size), opened.convert("RGBA")
        painted.paste(clear, mask=clear.getchannel("A"))
        return painted
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as problem:
        log.warning("a map's picture can't be read (%s); squares are drawn", problem)
        return None


def _crop_and_mask_unseen(painting: Image, cut: _Cut) -> Image:
    """Return a tile's part of a picture, black wherever a pixel touches an unseen square."""
    part = painting.crop(cut.box)
    for box in cut.unseen:
        part.paste((0, 0, 0), box)
    return part


def _encode_tile(painting: Image, cut: _Cut, pixels_per_square: int) -> bytes:
    """Return a tile as WebP, with squares that are `pixels_per_square` pixels wide.

    The tile isn't enlarged if the squares of the picture are smaller.
    """
    masked = _crop_and_mask_unseen(painting, cut)
    wide, high = (
        max(1, round(length * min(1, pixels_per_square / of)))
        for length, of in zip(masked.size, cut.pixels, strict=True)
    )
    out = io.BytesIO()
    # Averaging whole pixels first makes strong reductions ten times as fast.
    masked.resize((wide, high), reducing_gap=1).save(out, "WEBP", quality=_QUALITY, method=_EFFORT)
    return out.getvalue()


def _unseen_boxes(
    seen: Sequence[str], left: int, top: int, at: Place, pixels: tuple[float, float], box: Box
) -> Iterator[Box]:
    """Yield the boxes of pixels that must be masked in one tile: those that touch unseen squares.

    `box` is the tile's part of the picture. Unseen squares beside the tile count, too, since a pixel on the
    tile's edge may belong to one of them.
    """
    width, height = box[2] - box[0], box[3] - box[1]
    for y in range(top - 1, top + SIDE + 1):
        row = f" {seen[y]}" if 0 <= y < len(seen) else ""  # begins one column early
        for run in _UNSEEN.finditer(row[left : left + SIDE + 2].ljust(SIDE + 2)):
            begins, ends = (left - 1 + x for x in run.span())
            one = (
                floor((begins - at[0]) * pixels[0] + _EXACT) - box[0],
                floor((y - at[1]) * pixels[1] + _EXACT) - box[1],
                ceil((ends - at[0]) * pixels[0] - _EXACT) - box[0],
                ceil((y + 1 - at[1]) * pixels[1] - _EXACT) - box[1],
            )
            inside = _clip_box(one, (width, height))
            if inside:
                yield inside


def _clip_box(box: Box, size: tuple[int, int]) -> Box | None:
    """Return the part of a box within a picture of `size` pixels; None if nothing is left."""
    left, top, right, bottom = max(0, box[0]), max(0, box[1]), min(size[0], box[2]), min(size[1], box[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


TILES = Tiles()
"""The tiles shared by the table and the phones, which show the same pictures."""
