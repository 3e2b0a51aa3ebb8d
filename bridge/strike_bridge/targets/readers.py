"""Checked reading of values from servers, and the grid of a map's image in pixels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from strike_table.schemas import SquarePayload


def tables_in(value: object) -> list[Mapping[str, object]]:
    """Return the tables in a value that should be a list of them."""
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def value_at(data: object, path: str) -> object:
    """Return the value at a path of keys with dots between them; None where nothing is there."""
    for part in path.split("."):
        data = data.get(part) if isinstance(data, Mapping) else None
    return data


def as_number(value: object) -> float:
    """Return a number, which may be written out as text; 0 where there is none.

    Raises ValueError for other text.
    """
    if isinstance(value, str):
        return float(value or 0)
    return value if isinstance(value, int | float) else 0


def nest_keys(data: Mapping[str, object]) -> dict[str, object]:
    """Return data such as `{"system.hp.value": 7}` as nested tables."""
    found: dict[str, object] = {}
    for path, value in data.items():
        *outer, last = path.split(".")
        inner = found
        for part in outer:
            inner = inner.setdefault(part, {})  # type: ignore[assignment]  # a table, by the line itself
        inner[last] = value
    return found


class PixelGrid(NamedTuple):
    """Squares of `width` by `height` pixels, the first of which begins at (`x`, `y`)."""

    x: float
    y: float
    width: float
    height: float

    def center(self, position: SquarePayload, size: int) -> tuple[int, int]:
        """Return the centre, in pixels, of a token whose first square is `position`.

        It covers `size` by `size` squares.
        """
        across, down = position["x"] + size / 2, position["y"] + size / 2
        return round(self.x + across * self.width), round(self.y + down * self.height)

    def square(self, x: float, y: float, size: float) -> SquarePayload:
        """Return the first square of a token of `size` whose centre is nearest to (`x`, `y`)."""
        across, down = (x - self.x) / self.width, (y - self.y) / self.height
        return {"x": round(across - size / 2), "y": round(down - size / 2)}


def grid_of(x: object, y: object, width: object, height: object) -> PixelGrid | None:
    """Return a grid from a server's values; None for values that make no grid."""
    numbers = [each for each in (x, y, width, height) if isinstance(each, int | float)]
    if len(numbers) < 4 or numbers[2] <= 0 or numbers[3] <= 0:
        return None
    return PixelGrid(*numbers)
