"""Helpers for values in servers' answers, and the pixel grid of a map's image."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from strike_table.schemas import SquarePayload


def tables_in(value: object) -> list[Mapping[str, object]]:
    """Return the tables in a list from an answer; empty for a value that is no list."""
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def value_at_path_of_keys(data: object, path: str) -> object:
    """Return the value at a dotted path of keys, such as "system.hp.value"; None if there is none."""
    for part in path.split("."):
        data = data.get(part) if isinstance(data, Mapping) else None
    return data


def parse_number_empty_as_zero(value: object) -> float:
    """Return a number, which may be written as text.

    An empty text counts as 0, and so does a value that is neither a number nor text. Raises ValueError for
    any other text that is no number.
    """
    if isinstance(value, str):
        return float(value or 0)
    return value if isinstance(value, int | float) else 0


def nest_keys(data: Mapping[str, object]) -> dict[str, object]:
    """Return a table with dotted keys, such as `{"system.hp.value": 7}`, as nested tables."""
    found: dict[str, object] = {}
    for path, value in data.items():
        *outer, last = path.split(".")
        inner = found
        for part in outer:
            inner = inner.setdefault(part, {})  # type: ignore[assignment]  # a table, by the line itself
        inner[last] = value
    return found


class PixelGrid(NamedTuple):
    """A grid whose squares have `width` by `height` pixels; the first square begins at (`x`, `y`)."""

    x: float
    y: float
    width: float
    height: float

    def token_center(self, position: SquarePayload, size: int) -> tuple[int, int]:
        """Return the centre, in pixels, of a token whose first square is `position`.

        The token covers `size` by `size` squares.
        """
        across, down = position["x"] + size / 2, position["y"] + size / 2
        return round(self.x + across * self.width), round(self.y + down * self.height)

    def first_square_of_token_centered_at(
        self, center_x: float, center_y: float, size: float
    ) -> SquarePayload:
        """Return the top left square of a token whose centre is near the pixel (`center_x`, `center_y`).

        The token covers `size` by `size` squares.
        """
        across, down = (center_x - self.x) / self.width, (center_y - self.y) / self.height
        return {"x": round(across - size / 2), "y": round(down - size / 2)}


def make_grid(x: object, y: object, width: object, height: object) -> PixelGrid | None:
    """Return a grid made from a server's values.

    It is None if a value isn't a number, or if the squares would have no size.
    """
    numbers = [each for each in (x, y, width, height) if isinstance(each, int | float)]
    if len(numbers) < 4 or numbers[2] <= 0 or numbers[3] <= 0:
        return None
    return PixelGrid(*numbers)
