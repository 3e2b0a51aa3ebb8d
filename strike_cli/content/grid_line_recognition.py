"""Recognition of the grid lines in a map's picture, to see whether they match the game's squares.

Pillow is imported only when needed.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple

_FEWEST, _SMALLEST = 4, 8
"""The fewest squares of a picture, and the smallest square in pixels, that can be judged."""
_CLEAR, _WIDE = 1.25, 4
"""How much stronger than usual a change must be to count as a line; the most adjacent pixels of one line."""
_FAR, _SURE = 0.06, 26
"""The smallest offset, in squares, that is reported; and how sure: chance makes it once in e^26."""
_STRETCH = 0.1
"""The largest share by which the picture's squares may differ in size from the game's in the search."""
_COARSE = 2000
"""Parts of a side that the first, coarse comparison of sizes uses."""


class GridLines(NamedTuple):
    """The grid lines found in a picture; `shown` says whether any were found.

    To align the lines with the game's squares, scale the picture by `scale`. Then move it to the right by
    `right` and down by `down`, both counted in squares.
    """

    shown: bool
    right: float = 0
    down: float = 0
    scale: float = 1

    @property
    def miss_squares(self) -> bool:
        """Whether the picture must be scaled or moved to align the lines with the game's squares."""
        return bool(self.right or self.down or self.scale != 1)

    def shift_command(self, encounter: str) -> str:
        """Return the command line that aligns the lines with the squares of an encounter's map."""
        size = f" --scale {self.scale:g}" if self.scale != 1 else ""
        return f"strike map shift {encounter} {self.right:g} {self.down:g}{size}"


def find_alignment_of_grid_lines(picture: bytes, place: Mapping[str, float]) -> GridLines:
    """Return the grid lines found in a picture that lies at `place`: x, y, width and height in squares.

    Raises:
        ModuleNotFoundError: Pillow is missing.
        ValueError: The picture can't be read, or is too large.
    """
    from PIL import Image, ImageChops

    try:
        with Image.open(io.BytesIO(picture)) as opened:
            grey = opened.convert("L")
    except (OSError, SyntaxError, Image.DecompressionBombError):
        raise ValueError("can't be read") from None
    sides = []
    for axis, (size, at, squares) in enumerate(
        zip(grey.size, (place["x"], place["y"]), (place["width"], place["height"]), strict=True)
    ):
        if squares < _FEWEST or size < _SMALLEST * squares:
            continue
        # How much changes from each column, or row, to the next.
        step = ImageChops.difference(grey, ImageChops.offset(grey, 1 - axis, axis))
        strip = step.convert("F").resize((size, 1) if axis == 0 else (1, size), Image.Resampling.BOX)
        marks = [*_line_candidates(array("f", strip.tobytes())[1:], round(size / squares))]
        sides.append(_Side(axis, marks, size, size / squares, -at * size / squares - 1))
    if not sides:
        return GridLines(False)
    longest, coarse = max(side.length for side in sides), [side.coarsened() for side in sides]
    far = round(_STRETCH * longest)
    scales = (1 + n / longest for n in range(-far, far + 1))
    best: float = max(scales, key=lambda each: sum(side.evidence(each) for side in coarse))
    same, most = (sum(side.evidence(each) for side in sides) for each in (1, best))
    if max(same, most) < _SURE:
        return GridLines(False)
    best = 1 if same > max(_SURE, most - _SURE / 2) else best
    shown = [side for side in sides if side.evidence(best) > _SURE / 3]
    scale = sum(side.fit_scale_and_offset(best)[0] for side in shown) / len(shown)
    scale = 1.0 if abs(scale - 1) * max(place["width"], place["height"]) < _FAR else round(scale, 5)
    away = {side.axis: side.offset_of_lines_in_squares(scale) for side in shown}
    return GridLines(True, 0 - away.get(0, 0), 0 - away.get(1, 0), round(1 / scale, 4))


def _line_candidates(changes: Sequence[float], square: int) -> Iterator[int]:
    """Yield the positions in `changes` at which the picture changes much more than usual.

    The usual change is the median of a block of `square` entries, the width of one square.
    """
    for start in range(0, len(changes), square):
        part = changes[start : start + square]
        usual = sorted(part)[len(part) // 2]
        yield from (at for at, change in enumerate(part, start) if change > _CLEAR * usual)


class _Side(NamedTuple):
    """One side of a picture, with the places along it at which grid lines may be.

    All numbers are in pixels: `length` is the length of the picture's side, `marks` are the places, and
    `pixels` is the width of one square. `offset` is the distance of A1's corner from the picture's edge.
    """

    axis: int
    marks: Sequence[int]
    length: int
    pixels: float
    offset: float

    def coarsened(self) -> _Side:
        """Return a copy with fewer, larger pixels, for a quick comparison."""
        by = max(1, self.length // _COARSE)
        marks = sorted({mark // by for mark in self.marks})
        return _Side(self.axis, marks, self.length // by, self.pixels / by, self.offset / by)

    def line_counts(self, scale: float) -> list[int]:
        """Count the possible grid lines (`marks`) by their position within a square.

        Return a list with one number for each position from a square's edge to the next edge. The number says
        how many marks are at this position or one pixel beside it. True grid lines are all at the same
        position, so that its number is high.
        """
        side = self.pixels * scale
        count = round(side)
        found, step, start = [0] * count, count / side, -self.offset / side % 1 * count
        for at in {mark + by for mark in self.marks for by in (-1, 0, 1)}:
            found[int(start + at * step) % count] += 1
        return found

    def evidence(self, scale: float) -> float:
        """Return how strongly the marks speak for grid lines at this scale; 0 if they don't.

        The marks speak for grid lines if unusually many squares have a mark at the same place within the
        square. The result is approximately the negative natural logarithm of the probability that chance
        alone puts so many marks there.
        """
        counts, squares = self.line_counts(scale), self.length / self.pixels / scale
        usual = min(max(sum(counts) / len(counts) / squares, 1 / self.length), 0.99)
        share = min(max(counts) / squares, 1 - 1e-9)
        if share <= usual:
            return 0
        return squares * (share * log(share / usual) + (1 - share) * log((1 - share) / (1 - usual)))

    def fit_scale_and_offset(self, scale: float) -> tuple[float, float]:
        """Return the scale and the offset with which grid lines fit the picture's marks best.

        `scale` is a first guess, and the result is near it. The offset is the distance of the lines from the
        game's squares, in squares, from -0.5 to 0.5. The fit is by least squares. Only marks near a line
        count.
        """
        counts, side = self.line_counts(scale), self.pixels * scale
        start = (counts.index(max(counts)) + 0.5) * side / len(counts)
        for _ in range(4):  # a better fit has other marks near its lines
            numbers = [(mark - self.offset - start) / side for mark in self.marks]
            near = [(round(n), (n - round(n)) * side) for n in numbers if abs(n - round(n)) * side <= _WIDE]
            if not near:
                break
            mean, off = (sum(each) / len(near) for each in zip(*near, strict=True))
            spread = sum((n - mean) ** 2 for n, _ in near)
            slope = sum((n - mean) * by for n, by in near) / spread if spread else 0
            start, side = start + off - slope * mean, side + slope
        return side / self.pixels, (start / side + 0.5) % 1 - 0.5

    def offset_of_lines_in_squares(self, scale: float) -> float:
        """Return how far the picture's lines are from the edges of the game's squares, in squares.

        A distance of at most `_FAR` counts as 0. To find the distance, the lines at each place within a
        square are counted. If the edges have nearly as many lines as the place with the most, the result is
        0, too.
        """
        counts = self.line_counts(scale)
        if max(*counts[-2:], *counts[:2]) > 0.85 * max(counts):
            return 0
        away = self.fit_scale_and_offset(scale)[1]
        return round(away, 2) if abs(away) > _FAR else 0
