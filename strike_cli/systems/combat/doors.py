"""Doors in a fight: squares that are a door, and doors in the walls between squares.

Opening or closing one takes no action of its own; the table says when it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.kernel.args import Args
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.grid import CLOSED_DOOR, OPEN_DOOR, Square, format_square
from strike_cli.tabletop.line_of_sight import middle
from strike_cli.tabletop.walls import UNIT, Walls, segments_of

from .fight import Fight, square_named
from .hide import look_around


class Door(Args):
    """The door `at` a square, where it is in a wall towards the square `beyond`; whether it is to be
    `open`."""

    at: str
    beyond: str = ""
    open: bool


def play_door(world: World, args: Door) -> Procedure[dict[str, Any]]:
    """`combat door open|close`. Raises Refused where there is no such door, where several are meant, and for
    closing it on somebody."""
    fight = Fight(world)
    square = square_named(args.at)
    beyond = square_named(args.beyond) if args.beyond else None
    where = args.at + (f" to {args.beyond}" if beyond else "")
    doing = "open" if args.open else "closed"
    text = f"The door at {where} is {doing}."
    if beyond is None and fight.grid.char(square) in (CLOSED_DOOR, OPEN_DOOR):
        sets = _square_door(fight, square, args.open)
    else:
        sets = _wall_door(fight, square, beyond, args.open)
    if not sets:
        raise Refused(f"The door at {where} is {doing} already.")
    yield world.happen("door-moved", "", text, sets, at=args.at, open=args.open)
    yield from look_around(world)
    return {"at": args.at, "open": args.open}


def _square_door(fight: Fight, square: Square, opens: bool) -> dict[str, Any]:
    sign = OPEN_DOOR if opens else CLOSED_DOOR
    if fight.grid.char(square) == sign:
        return {}
    blocking = fight.occupied().get(square)
    if blocking is not None:
        raise Refused(f"{fight.name(blocking)} stands in the door at {format_square(square)}.")
    x, y = square
    rows = list(fight.data["map"]["rows"])
    rows[y] = rows[y][:x] + sign + rows[y][x + 1 :]
    return {"fight.map.rows": rows}


def _wall_door(fight: Fight, square: Square, beyond: Square | None, opens: bool) -> dict[str, Any]:
    doors = fight.data["map"].get("doors", [])
    found = [number for number, door in enumerate(doors) if _is_at(door, square, beyond)]
    if not found:
        between = f" and {format_square(beyond)}" if beyond else ""
        raise Refused(
            f"There is no door at {format_square(square)}{between}.", "`strike combat map` shows the doors."
        )
    if len(found) > 1:
        raise Refused(
            f"There are {len(found)} doors at {format_square(square)}.",
            "Name the square on the other side, too: `strike combat door open C3 C4`.",
        )
    if doors[found[0]]["open"] == opens:
        return {}
    changed = [{**door, "open": opens} if n == found[0] else door for n, door in enumerate(doors)]
    return {"fight.map.doors": changed}


def _is_at(door: Mapping[str, Any], square: Square, beyond: Square | None) -> bool:
    """Whether a door is in the wall between two squares, or at a side of the one."""
    wall = Walls(segments_of([door["at"]]))
    if beyond is not None:
        return wall.cut(middle(square), middle(beyond))
    x, y = middle(square)
    return any(
        wall.cut((x, y), (x + right * UNIT, y + down * UNIT))
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1))
    )
