"""Doors in a fight: squares that are a door, and doors in the walls between squares.

Opening or closing one takes no action of its own; the table says when it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from strike_cli.kernel.facts import ByIdentity
from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.play.legal import Option
from strike_cli.refusals import DoorIsSo
from strike_cli.tabletop.doors import all_open, moved_door
from strike_cli.tabletop.grid import Grid, Square, format_square, grid_of
from strike_cli.tabletop.hand_facts import DoorMoved
from strike_cli.tabletop.ways import doors_ahead

from ..fight import Fight, square_named
from .sight import look_around

if TYPE_CHECKING:
    from ..data import DoorData


class SetDoor(Args):
    """The door `at` a square, where it is in a wall towards the square `beyond`; whether it is to be
    `open`."""

    at: str
    beyond: str = ""
    open: bool


def play_door(world: World, args: SetDoor) -> Procedure[DoorData]:
    """`combat door open|close`. Raises Refused where there is no such door, where several are meant, and for
    closing it on somebody."""
    fight = Fight(world)
    square = square_named(args.at)
    beyond = square_named(args.beyond) if args.beyond else None
    where = args.at + (f" to {args.beyond}" if beyond else "")
    doing = "open" if args.open else "closed"
    standing = {taken: fight.name(who) for taken, who in fight.occupied().items()}
    changed = moved_door(fight.data["map"], square, beyond, args.open, standing)
    if not changed:
        raise DoorIsSo(where, doing)
    sets = {f"fight.map.{key}": value for key, value in changed.items()}
    moved = DoorMoved(format_square(square), args.open, format_square(beyond) if beyond else "")
    yield world.tell(moved, sets)
    yield from look_around(world)
    return {"at": args.at, "open": args.open}


# The way through doors, for who looks for one


_opened = ByIdentity(lambda board: grid_of(all_open(board)))


def opened_grid(fight: Fight) -> Grid:
    """The map as it would be with every door open."""
    return _opened(fight.data["map"])


def way_through(fight: Fight, who: str, there: Square) -> Iterator[Option]:
    """The door beside somebody that is in their way to a square, to be opened; none where a way leads there
    without."""
    found = doors_ahead(fight.grid, opened_grid(fight), fight.at(who), fight.size(who), there)
    for square, beyond in found:
        where = [format_square(one) for one in (square, beyond) if one]
        args = SetDoor(at=where[0], beyond=where[-1] if beyond else "", open=True)
        yield Option("combat door", args, ("door", "open", *where))
