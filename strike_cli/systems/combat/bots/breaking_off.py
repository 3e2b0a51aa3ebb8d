"""Who breaks off a fight, and how they get away: `flees_at` of a sheet or an encounter, the habit `flee`.
Leaving takes distance, or a way off the map with no enemy beside one (STR-TAC-15, the latter a ruling)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from strike_cli.play.by_hand.people import LeaveByHand
from strike_cli.play.legal import Option
from strike_cli.tabletop.contributions import ban_on
from strike_cli.tabletop.grid import FAR, Grid, Square, gap, parse_square

from ..board.move import destinations, find_way
from ..board.opportunity import provoking
from ..encounter.objective import is_way_out
from ..fight import ENEMIES, PARTY, Fight
from ..numbers import numbers

if TYPE_CHECKING:
    from .heuristic import QuickTurn

WHY = "breaks off"


def flees(fight: Fight, who: str) -> bool:
    """Whether somebody breaks off as their sheet says, or as the encounter says of the enemies: they have no
    more HP than that, or there are no more of them left."""
    one, data = fight.combatant(who), fight.data
    if one["hp"] <= fight.sheet(who).get("flees_at", 0):
        return True
    if "flees_at" not in data or one["side"] != ENEMIES:
        return False
    left = sum(fight.side(other) == ENEMIES for other in fight.in_the_fight())
    return left <= int(data["flees_at"])


def away(turn: QuickTurn) -> Iterator[Option]:
    """Out of the fight, or nearer to where one may leave it; nothing for who is cornered."""
    fight, who = turn.fight, turn.who
    if turn.one["hp"] <= 0 or ban_on(turn.world, who, "move", 1):
        return
    far = numbers()["defaults"]["leave_distance"]
    near, exits = fight.nearest_enemy(who) or far, ways_out(fight, who)
    if near >= far or (turn.at in exits and near > 1) or is_way_out(fight.data, who):
        yield Option("combat leave", LeaveByHand(who=who, why=WHY), ("leave", who, "--why", WHY))
        return
    if turn.may("move"):
        yield from map(turn.move, _nearer(turn, exits))


def ways_out(fight: Fight, who: str) -> frozenset[Square]:
    """Squares where somebody may leave the map: where the party is to get out, or else its edge."""
    reach = fight.data.get("objective", {}).get("reach")
    if reach and fight.side(who) == PARTY:
        return frozenset(map(parse_square, reach))
    return _edge(fight.grid, fight.size(who))


def _edge(grid: Grid, size: int) -> frozenset[Square]:
    right, bottom = grid.width - 1, grid.height - 1
    squares = {(x, y) for x in range(grid.width) for y in (0, bottom - size + 1)}
    squares |= {(x, y) for y in range(grid.height) for x in (0, right - size + 1)}
    return frozenset(square for square in squares if grid.fits(square, size))


def _nearer(turn: QuickTurn, exits: frozenset[Square]) -> Iterator[Square]:
    """Where to go: towards the nearest way out that no enemy stands beside, by the fewest Opportunities."""
    fight, who, size = turn.fight, turn.who, turn.size
    far = fight.grid.distances(turn.at, size)
    foes = [(fight.at(foe), fight.size(foe)) for _, foe, _ in turn.foes]

    def is_guarded(square: Square) -> bool:
        return any(gap(square, size, at, large) <= 1 for at, large in foes)

    open_ = [square for square in exits if square in far and turn.is_free(square) and not is_guarded(square)]
    if not open_:
        return
    goal = min(open_, key=lambda square: (far[square], square))
    left = fight.grid.distances_to(goal, size)
    found = destinations(fight, who)
    nearer = [square for square in found if left.get(square, FAR) < left.get(turn.at, FAR)]
    nearer.sort(key=lambda square: (turn.burns(square), left[square], found[square]))
    count = provoking(fight, who)

    def struck(square: Square) -> int:
        way = [turn.at, *find_way(fight, who, [square], shift=False)]
        return sum(count(start, end) for start, end in pairwise(way))

    def worth(square: Square) -> tuple[bool, int]:
        return turn.burns(square), left[square] + STRUCK * struck(square)

    yield from sorted(nearer[:LOOKED_AT], key=worth)


LOOKED_AT = 6
"""Squares whose way is looked at."""
STRUCK = 2
"""Squares that one goes less far for each Opportunity that is spared."""
