"""A picture made small enough for tabletops, by Pillow, which alone is imported here."""

from __future__ import annotations

import io

from ..tabletop.pictures import LARGEST_MAP, WIDEST, size_of

_QUALITY = 88
_MOST_KEPT = 50_000_000
"""Pixels that the table cuts under fog, where it holds a picture decoded."""
_MOST_PIXELS = 400_000_000
"""That are decoded: more would take more memory than a laptop has to spare."""


def smaller(image: bytes) -> tuple[bytes, str]:
    """Return a map's picture, as a smaller WebP where tables don't take it as it is, and the change in words.

    Raises ValueError, saying why, for one that can't be made smaller here.
    """
    wide, high = size_of(image)
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
    Image.MAX_IMAGE_PIXELS = None  # the size was looked at
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
            return out.getvalue(), f"has {was}, and is made smaller: {done}"
        scale *= 0.8
