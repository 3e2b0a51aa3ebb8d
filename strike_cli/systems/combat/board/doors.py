"""The way through doors: squares that are one, and doors in the walls between squares.

Opening or closing one takes no action of its own: it is the game master's hand, `play/gm_override/ground.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from strike_cli.play.gm_override.ground import DoorByHand
from strike_cli.play.legal import Option
from strike_cli.tabletop.grid import Square, format_square
from strike_cli.tabletop.paths import doors_ahead, opened_grid

from ..fight import Fight


def way_through(fight: Fight, combatant: str, there: Square) -> Iterator[Option]:
    """Yield the opening of the door beside a creature that is in its way to a square.

    Yields nothing where a way leads there without it.
    """
    found = doors_ahead(
        fight.grid, opened_grid(fight.data["map"]), fight.at(combatant), fight.size(combatant), there
    )
    for square, beyond in found:
        where = [format_square(one) for one in (square, beyond) if one]
        args = DoorByHand(at=where[0], beyond=where[-1] if beyond else "", open=True)
        yield Option("combat door", args, ("door", "open", *where))
