"""The doors of a map: squares that are doors, and doors in the walls between squares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..problems import Refused, listed
from .grid import CLOSED_DOOR, OPEN_DOOR
from .squares_and_lines import (
    UNIT,
    Square,
    Walls,
    format_square,
    middle_in_wall_units,
    segments_in_wall_units,
)

if TYPE_CHECKING:
    from .data import BoardKept, DoorKept


def has_door(board: BoardKept, square: Square, beyond: Square | None = None) -> bool:
    """Return whether there is a door at a square, or in a wall beside it.

    With `beyond`, only a door in the wall between the two squares counts.
    """
    return _is_door_square(board, square, beyond) or bool(_wall_door_indexes(board, square, beyond))


def is_door_open(board: BoardKept, square: Square, beyond: Square | None = None) -> bool:
    """Return whether the door at a square, or in a wall beside it, is open.

    With `beyond`, only a door in the wall between the two squares counts. Raises Refused if there is no such
    door, or if there are several.
    """
    if _is_door_square(board, square, beyond):
        return _sign_at(board, square) == OPEN_DOOR
    number = _must_find_one_wall_door(board, square, beyond)
    return bool(board["doors"][number]["open"])


def changes_moving_door(
    board: BoardKept, square: Square, beyond: Square | None, opens: bool, standing: Mapping[Square, str]
) -> dict[str, object]:
    """Return the changed keys of a scene's `map` for a door that opens or closes.

    `opens` is True to open the door. The result is {} if the door already is as wanted. The door is at
    `square`, or in the wall between `square` and `beyond`. `standing` has people's names by their squares.
    Raises Refused if there is no such door, if there are several, or if a person stands in a door that is a
    square.
    """
    if is_door_open(board, square, beyond) == opens:
        return {}
    if _is_door_square(board, square, beyond):
        if square in standing:
            raise Refused(f"{standing[square]} stands in the door at {format_square(square)}.")
        x, y = square
        rows = list(board["rows"])
        rows[y] = rows[y][:x] + (OPEN_DOOR if opens else CLOSED_DOOR) + rows[y][x + 1 :]
        return {"rows": rows}
    number = _must_find_one_wall_door(board, square, beyond)
    return {
        "doors": [
            {**door, "open": opens} if each == number else door for each, door in enumerate(board["doors"])
        ]
    }


def with_all_doors_open(board: BoardKept) -> BoardKept:
    """Return a scene's `map` with all doors open."""
    rows = [row.replace(CLOSED_DOOR, OPEN_DOOR) for row in board.get("rows", ())]
    return {**board, "rows": rows, "doors": [{**door, "open": True} for door in board.get("doors", ())]}


def _is_door_square(board: BoardKept, square: Square, beyond: Square | None) -> bool:
    return beyond is None and _sign_at(board, square) in (CLOSED_DOOR, OPEN_DOOR)


def _sign_at(board: BoardKept, square: Square) -> str:
    x, y = square
    rows = board.get("rows", ())
    return rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[y]) else ""


def _must_find_one_wall_door(board: BoardKept, square: Square, beyond: Square | None) -> int:
    found = _wall_door_indexes(board, square, beyond)
    if not found:
        between = f" and {format_square(beyond)}" if beyond else ""
        known = list(_door_places_in_words(board))
        hint = f"There are doors at {listed(known)}." if known else "This map has no doors."
        raise Refused(f"There is no door at {format_square(square)}{between}.", hint)
    if len(found) > 1:
        raise Refused(
            f"There are {len(found)} doors at {format_square(square)}.",
            "Name the square on the other side, too.",
        )
    return found[0]


def _door_places_in_words(board: BoardKept) -> Iterator[str]:
    """Yield the place of each door of a map in words: a square, or the two squares beside a wall."""
    squares = [(x, y) for y, row in enumerate(board.get("rows", ())) for x in range(len(row))]
    for x, y in squares:
        if _sign_at(board, (x, y)) in (CLOSED_DOOR, OPEN_DOOR):
            yield format_square((x, y))
    for x, y in squares if board.get("doors") else ():
        for other in ((x + 1, y), (x, y + 1)):
            if _wall_door_indexes(board, (x, y), other):
                yield f"{format_square((x, y))} to {format_square(other)}"


def _wall_door_indexes(board: BoardKept, square: Square, beyond: Square | None) -> list[int]:
    return [n for n, door in enumerate(board.get("doors", ())) if _is_wall_door_at(door, square, beyond)]


def _is_wall_door_at(door: DoorKept, square: Square, beyond: Square | None) -> bool:
    """Return whether a door is in the wall between two squares.

    Without `beyond`, a door on any side of the square counts.
    """
    wall = Walls(segments_in_wall_units([door["at"]]))
    if beyond is not None:
        return wall.stops_line_ignoring_one_way(middle_in_wall_units(square), middle_in_wall_units(beyond))
    x, y = middle_in_wall_units(square)
    return any(
        wall.stops_line_ignoring_one_way((x, y), (x + right * UNIT, y + down * UNIT))
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1))
    )
