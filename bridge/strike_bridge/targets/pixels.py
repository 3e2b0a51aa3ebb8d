"""Squares and pixels: where a token stands on the image of a map, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from strike_table.schemas import SquarePayload


class PixelGrid(NamedTuple):
    """Squares of `width` by `height` pixels, the first of which begins at (`x`, `y`)."""

    x: float
    y: float
    width: float
    height: float

    def center(self, position: SquarePayload, size: int) -> tuple[int, int]:
        """Return the middle, in pixels, of a token whose first square is `position`.

        It covers `size` by `size` squares.
        """
        across, down = position["x"] + size / 2, position["y"] + size / 2
        return round(self.x + across * self.width), round(self.y + down * self.height)

    def square(self, x: float, y: float, size: float) -> SquarePayload:
        """Return the first square of such a token whose middle is nearest to (`x`, `y`)."""
        across, down = (x - self.x) / self.width, (y - self.y) / self.height
        return {"x": round(across - size / 2), "y": round(down - size / 2)}


def grid_of(x: object, y: object, width: object, height: object) -> PixelGrid | None:
    """Return a grid from what a server says of it, None where that makes none."""
    numbers = [each for each in (x, y, width, height) if isinstance(each, int | float)]
    if len(numbers) < 4 or numbers[2] <= 0 or numbers[3] <= 0:
        return None
    return PixelGrid(*numbers)
