"""Options to open a door in a creature's way: on a square, or in the wall between two squares.

Opening or closing a door takes no action: its command is a game master's override,
`play/gm_override/maps.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from strike_cli.play.gm_override.maps import DoorByHand
from strike_cli.play.legal_options import Option
from strike_cli.tabletop.grid import Square, format_square
from strike_cli.tabletop.paths import doors_ahead, opened_grid

from ..fight import Fight


def door_opening_options(fight: Fight, combatant: str, there: Square) -> Iterator[Option]:
    """Yield options to open a door next to a creature, if only this door keeps it from the square `there`."""
    found = doors_ahead(
        fight.grid, opened_grid(fight.data["map"]), fight.at(combatant), fight.size(combatant), there
    )
    for square, beyond in found:
        where = [format_square(one) for one in (square, beyond) if one]
        args = DoorByHand(at=where[0], beyond=where[-1] if beyond else "", open=True)
        yield Option("combat door", args, ("door", "open", *where))
