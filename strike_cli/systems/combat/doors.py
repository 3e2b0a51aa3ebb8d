"""Doors in a fight: squares that are a door, and doors in the walls between squares.

Opening or closing one takes no action of its own; the table says when it does.
"""

from __future__ import annotations

from typing import Any

from strike_cli.kernel.args import Args
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.doors import moved_door

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
    standing = {taken: fight.name(who) for taken, who in fight.occupied().items()}
    changed = moved_door(fight.data["map"], square, beyond, args.open, standing)
    if not changed:
        raise Refused(f"The door at {where} is {doing} already.")
    sets = {f"fight.map.{key}": value for key, value in changed.items()}
    yield world.happen("door-moved", "", text, sets, at=args.at, open=args.open)
    yield from look_around(world)
    return {"at": args.at, "open": args.open}
