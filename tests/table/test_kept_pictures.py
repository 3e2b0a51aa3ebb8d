"""The page lies as on the pictures that are kept: by blocks of light and dark, not by pixels.

`python -m table.take_pictures` takes them anew, where a change is meant.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .conftest import KEY
from .take_pictures import KEPT, take
from .take_pictures import shown as shown_scene

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ACROSS = 24
"""Blocks that a picture is wide."""
APART = 40
"""Of 255, by which a block may be lighter or darker."""
MOST = 0.06
"""Of the blocks may be farther apart: words, dice and the clock are others."""


def blocks(picture: bytes) -> list[int]:
    """How light each block of a picture is."""
    from PIL import Image

    image = Image.open(io.BytesIO(picture)).convert("L")
    return [
        *image.resize((ACROSS, round(ACROSS * image.height / image.width)), Image.Resampling.BOX).tobytes()
    ]


def differing(one: bytes, other: bytes) -> float:
    """The part of the blocks that are far apart."""
    pairs = [*zip(blocks(one), blocks(other), strict=True)]
    return sum(abs(left - right) > APART for left, right in pairs) / len(pairs)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["between", "fight", "fog", "conflict", "chase"])
def test_a_screen_lies_as_it_is_kept(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("STRIKE_TABLE_KEY", KEY)
    page = browser.new_page(reduced_motion="reduce", color_scheme="light")
    table = shown_scene(name, tmp_path)
    found = {
        size: differing(taken, (KEPT / f"{name}-{size}.webp").read_bytes())
        for size, taken in take(page, table)
    }
    table.end()
    page.close()
    assert len(found) == 4 and max(found.values()) <= MOST, found


@pytest.mark.slow
def test_a_picture_of_another_scene_is_found_out() -> None:
    kept = [
        (KEPT / f"{name}-1366x768.webp").read_bytes() for name in ("fight", "conflict", "chase", "between")
    ]
    assert all(differing(one, other) > MOST for one in kept for other in kept if one is not other)
