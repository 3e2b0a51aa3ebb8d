"""Whether the lines that a map's picture shows at every square are the game's."""

from __future__ import annotations

import io
from random import Random

import pytest
from support.cases import case

from strike_cli.content.grid_line_recognition import find_alignment_of_grid_lines

Image, ImageDraw = pytest.importorskip("PIL.Image"), pytest.importorskip("PIL.ImageDraw")
WIDE, HIGH, SIDE = 1400, 980, 70


def painting(side: float, begins: tuple[float, float], seed: int = 1) -> bytes:
    """Noise with things on it, and with lines every so many pixels; none where that is 0."""
    image = Image.effect_noise((WIDE // 8, HIGH // 8), 60).resize((WIDE, HIGH)).convert("RGB")
    pen, source = ImageDraw.Draw(image), Random(seed)
    for _ in range(30):
        x, y = source.randrange(WIDE), source.randrange(HIGH)
        box = x, y, x + source.randrange(40, 400), y + source.randrange(40, 400)
        pen.rectangle(box, fill=(source.randrange(256),) * 3)
    for n in range(int(WIDE / side) + 1 if side else 0):
        x, y = begins[0] + n * side, begins[1] + n * side
        pen.line((x, 0, x, HIGH), fill="black", width=2)
        pen.line((0, y, WIDE, y), fill="black", width=2)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=85)
    return out.getvalue()


@pytest.mark.slow
def test_lines_beside_the_squares_are_seen_and_put_under_them() -> None:
    place = {"x": 0, "y": 0, "width": WIDE / SIDE, "height": HIGH / SIDE}
    for side, begins in (
        (SIDE, (0, 0)),
        (SIDE, (21, 0)),
        (SIDE, (-14, 28)),
        (70.7, (0, 0)),
        (69.4, (12, 25)),
        (75, (0, 0)),
    ):
        with case(side, begins):
            found = find_alignment_of_grid_lines(painting(side, begins), place)
            assert found.shown and found.miss_squares == ((side, begins) != (SIDE, (0, 0)))
            # After the shift the first line is on one of the game's, and so is the last.
            for at, moved in zip(begins, (found.right, found.down), strict=True):
                for line in (at, at + 12 * side):
                    assert abs((line / SIDE * found.scale + moved + 0.5) % 1 - 0.5) < 0.06


@pytest.mark.slow
def test_a_picture_without_lines_is_told_nothing_of() -> None:
    for seed in range(4):
        with case(seed):
            place = {"x": 0, "y": 0, "width": WIDE / SIDE, "height": HIGH / SIDE}
            assert not find_alignment_of_grid_lines(painting(0, (0, 0), seed), place).shown
    with pytest.raises(ValueError, match="can't be read"):
        find_alignment_of_grid_lines(b"\x89PNG", {"x": 0, "y": 0, "width": 9, "height": 9})
