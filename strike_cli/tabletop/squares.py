"""Squares of a map and their names.

A square is a tuple `(x, y)`, from 0, x to the right and y down; at the table it is written `C7`.
A creature of size n stands on n x n squares and is placed by the top left one of them.
"""

from functools import lru_cache

Square = tuple[int, int]
"""A square of a map: its column and its row from 0, the top left one first."""


@lru_cache(maxsize=4096)
def parse_square(text: str) -> Square:
    """`"c7"` -> `(2, 6)`. Raises ValueError, saying how a square is written."""
    written = text.strip().upper()
    letters = written.rstrip("0123456789")
    digits = written[len(letters) :]
    sound = letters.isascii() and letters.isalpha() and len(letters) <= 3 and 1 <= len(digits) <= 4
    if not sound or int(digits) == 0:
        raise ValueError(f"{text!r} is not a square: write a column letter and a row number, like C7")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1, int(digits) - 1


def parse_area(text: str) -> list[Square]:
    """`"C3"` is one square, `"C3:F6"` a rectangle, row by row. Raises ValueError like parse_square."""
    corner, _, opposite = text.partition(":")
    (x, y), (right, down) = parse_square(corner), parse_square(opposite or corner)
    columns, rows = range(min(x, right), max(x, right) + 1), range(min(y, down), max(y, down) + 1)
    return [(column, row) for row in rows for column in columns]


def column_name(x: int) -> str:
    """The letters over column `x`: A to Z, then AA, AB and so on."""
    letters = ""
    number = x + 1
    while number > 0:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def format_square(square: Square) -> str:
    """`(2, 6)` -> `"C7"`. Raises ValueError for a square left of or above the map."""
    x, y = square
    if x < 0 or y < 0:
        raise ValueError(f"({x}, {y}) has no name: columns and rows of a map start at 0")
    return f"{column_name(x)}{y + 1}"


def footprint(square: Square, size: int = 1) -> tuple[Square, ...]:
    """The squares under a creature of `size` squares a side, row by row from the top left."""
    if size == 1:
        return (square,)
    x, y = square
    return tuple((x + right, y + down) for down in range(size) for right in range(size))
