"""Doors as ways: passages that join two squares, and doors in the walls between squares.

Opening or closing one takes no action of its own: the command is a game master's override,
`play/gm_override/ground.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from strike_cli.play.gm_override.ground import DoorByHand
from strike_cli.play.legal import Option
from strike_cli.tabletop.grid import Square, format_square
from strike_cli.tabletop.paths import doors_ahead, opened_grid

from ..fight import Fight


def way_through(fight: Fight, combatant: str, there: Square) -> Iterator[Option]:
    """Yield the command that opens a door beside a creature, where the door bars its way to a square.

    Yields nothing where another way leads there.
    """
    found = doors_ahead(
        fight.grid, opened_grid(fight.data["map"]), fight.at(combatant), fight.size(combatant), there
    )
    for square, beyond in found:
        where = [format_square(one) for one in (square, beyond) if one]
        args = DoorByHand(at=where[0], beyond=where[-1] if beyond else "", open=True)
        yield Option("combat door", args, ("door", "open", *where))
