"""Retreat: when a bot breaks off a fight, and by which way (STR-TAC-15).

`flees_at` of a sheet or an encounter, or the habit `flee`, decides when. Leaving takes distance, the way
out of an objective, or a surrender.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from strike_cli.play.legal import Option
from strike_cli.tabletop.contributions import ban_on
from strike_cli.tabletop.grid import FAR, Square, footprint, gap, parse_square

from ..board.move import destinations, strikers_on_the_way
from ..encounter.reinforcements import may_leave
from ..fight import PARTY, place_of
from ..numbers import numbers
from .legal_options import leaving

if TYPE_CHECKING:
    from .heuristic import QuickTurn


def escape_options(turn: QuickTurn) -> Iterator[Option]:
    """Yield the ways out of the fight, where leaving is allowed; or else moves nearer to such a place."""
    fight, combatant = turn.fight, turn.who
    if turn.one["hp"] <= 0:
        return
    if may_leave(fight, combatant):
        yield leaving(combatant)
    elif "at" in turn.one and turn.may("move") and not ban_on(turn.world, combatant, "move", 1):
        yield from map(turn.move, _approach_squares(turn, _goals(turn)))


def breaking_off(turn: QuickTurn) -> Iterator[Option]:
    """Yield the commands to get away, or to surrender where that is impossible, for `flees_at` and `flee`.

    A creature that can still reach a way out doesn't surrender.
    """
    yield from escape_options(turn)
    if turn.one["hp"] > 0 and ("at" not in turn.one or not _goals(turn)):
        yield leaving(turn.who, surrender=True)


def _goals(turn: QuickTurn) -> frozenset[Square]:
    """Return the squares from which a creature can leave the fight, among those that it can walk to now.

    They are the way out of the objective, for the party, and squares far enough from every known enemy.
    """
    fight, size, far = turn.fight, turn.size, numbers()["defaults"]["leave_distance"]
    reach = fight.data.get("objective", {}).get("reach", ()) if turn.one["side"] == PARTY else ()
    ways = frozenset(map(parse_square, reach))
    foes = [place_of(foe) for *_, foe in turn.foes]
    return frozenset(
        square
        for square in destinations(fight, turn.who, FAR)
        if not ways.isdisjoint(footprint(square, size))
        or all(gap(square, size, at, large) >= far for at, large in foes)
    )


def _approach_squares(turn: QuickTurn, goals: frozenset[Square]) -> Iterator[Square]:
    """Yield the squares to go to, towards the nearest of the goals, by the fewest Opportunities."""
    fight, combatant, size = turn.fight, turn.who, turn.size
    if not goals:
        return
    far = fight.grid.distances(turn.at, size)
    goal = min(goals, key=lambda square: (far[square], square))
    left = fight.grid.distances_to(goal, size)
    found = destinations(fight, combatant)
    nearer = [square for square in found if left.get(square, FAR) < left.get(turn.at, FAR)]
    nearer.sort(key=lambda square: (turn.burns(square), left[square], found[square]))

    def worth(square: Square) -> tuple[bool, int]:
        return turn.burns(square), left[square] + STRUCK * len(strikers_on_the_way(fight, combatant, square))

    yield from sorted(nearer[:LOOKED_AT], key=worth)


LOOKED_AT = 6
"""The most squares whose way is examined."""
STRUCK = 5
"""The squares of distance that a creature gives up for each Opportunity that it avoids."""
