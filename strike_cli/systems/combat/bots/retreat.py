"""Retreat: the options by which a bot's creature breaks off a fight (STR-TAC-15).

It does so when `flees_at` of its sheet or of the encounter says so, or its habit `flee`. To leave, a creature
has to be far from its enemies or at the way out of an objective; otherwise it surrenders.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from strike_cli.play.legal_options import Option
from strike_cli.tabletop.active_effects import effect_banning
from strike_cli.tabletop.grid import FAR, Square, footprint, gap, parse_square

from ..board.move import destinations, provoked_by_move_to
from ..encounter.joining_and_leaving import may_leave
from ..fight_state import PARTY, place_on_map
from ..numbers import numbers
from .legal_options import leave_option

if TYPE_CHECKING:
    from .quick_bot import QuickTurn


def escape_options(turn: QuickTurn) -> Iterator[Option]:
    """Yield the option to leave the fight; if that isn't allowed here, moves to where it is allowed."""
    fight, combatant = turn.fight, turn.who
    if turn.one["hp"] <= 0:
        return
    if may_leave(fight, combatant):
        yield leave_option(combatant)
    elif (
        "at" in turn.one
        and turn.has_action_left("move")
        and not effect_banning(turn.world, combatant, "move", 1)
    ):
        yield from map(turn.move_option, _approach_squares(turn, _exit_squares(turn)))


def break_off_options(turn: QuickTurn) -> Iterator[Option]:
    """Yield options to leave the fight, to get nearer to a square where that is allowed, or to surrender.

    A creature that can still walk to such a square doesn't surrender.
    """
    yield from escape_options(turn)
    if turn.one["hp"] > 0 and ("at" not in turn.one or not _exit_squares(turn)):
        yield leave_option(turn.who, surrender=True)


def _exit_squares(turn: QuickTurn) -> frozenset[Square]:
    """Return the squares that a creature can walk to and from which it may leave the fight.

    For the party, these are the squares of the objective's way out; for all creatures, also the squares far
    enough from all known enemies.
    """
    fight, size, far = turn.fight, turn.size, numbers()["defaults"]["leave_distance"]
    reach = fight.data.get("objective", {}).get("reach", ()) if turn.one["side"] == PARTY else ()
    ways = frozenset(map(parse_square, reach))
    foes = [place_on_map(foe) for *_, foe in turn.foes]
    return frozenset(
        square
        for square in destinations(fight, turn.who, FAR)
        if not ways.isdisjoint(footprint(square, size))
        or all(gap(square, size, at, large) >= far for at, large in foes)
    )


def _approach_squares(turn: QuickTurn, goals: frozenset[Square]) -> Iterator[Square]:
    """Yield squares that are on the way to the nearest of `goals`.

    Squares to which a move gives few Opportunities come first.
    """
    fight, combatant, size = turn.fight, turn.who, turn.size
    if not goals:
        return
    far = fight.grid.distances(turn.at, size)
    goal = min(goals, key=lambda square: (far[square], square))
    left = fight.grid.distances_to(goal, size)
    found = destinations(fight, combatant)
    nearer = [square for square in found if left.get(square, FAR) < left.get(turn.at, FAR)]
    nearer.sort(key=lambda square: (turn.is_harmful_square(square), left[square], found[square]))

    def danger_and_distance(square: Square) -> tuple[bool, int]:
        return turn.is_harmful_square(square), left[square] + STRUCK * len(
            provoked_by_move_to(fight, combatant, square)
        )

    yield from sorted(nearer[:LOOKED_AT], key=danger_and_distance)


LOOKED_AT = 6
"""The most squares that are compared by the Opportunities on the way to them."""
STRUCK = 5
"""How many squares nearer to the goal a move must get to be worth an Opportunity."""
