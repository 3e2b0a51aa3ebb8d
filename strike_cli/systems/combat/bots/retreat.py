"""Retreat: the options of a bot's creature that breaks off a fight (STR-TAC-15).

A creature breaks off the fight because of `flees_at` in its sheet or in the encounter, or by its habit
`flee`. It may leave the fight from any square that is far enough from all known enemies. A party member may
also leave at the way out of an objective. A creature that can get to no such square may surrender.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import apply_changes
from strike_cli.play.legal_options import Option
from strike_cli.tabletop.active_effects import effect_banning
from strike_cli.tabletop.doors import with_all_doors_open
from strike_cli.tabletop.grid import (
    MORE_THAN_ANY_DISTANCE,
    Square,
    distance_between_spaces,
    footprint,
    parse_square,
)

from ..board.move import destinations, provoked_by_move_to
from ..encounter.joining_and_leaving import may_leave_by_distance_or_way_out
from ..fight_state import PARTY, Fight, square_and_size_on_map
from ..rule_numbers import combat_numbers
from .legal_options import adjacent_door_opening_options, leave_option

if TYPE_CHECKING:
    from .quick_bot import QuickTurn


def flee_options(turn: QuickTurn, *, surrenders: bool = False) -> Iterator[Option]:
    """Yield options to leave the fight, or to move nearer to a square from which the creature may leave.

    If the creature may leave now, leaving is the only option. If only shut doors bar the way to such squares,
    opening a door beside the creature comes first. If no way leads to such a square, there are no options. In
    that case, a creature with `surrenders` has the option to surrender.
    """
    fight, combatant = turn.fight, turn.who
    if turn.combatant["hp"] <= 0:
        return
    if may_leave_by_distance_or_way_out(fight, combatant):
        yield leave_option(combatant)
        return
    exits = _reachable_squares_to_leave_from(turn, fight)
    open_fight = fight if exits else _fight_with_open_doors(fight)
    exits = exits or _reachable_squares_to_leave_from(turn, open_fight)
    if not exits:
        if surrenders:
            yield leave_option(combatant, surrender=True)
    elif turn.has_action_left("move") and not effect_banning(turn.world, combatant, "move", 1):
        far = open_fight.grid.distances_from(turn.at, turn.size)
        goal = min(exits, key=lambda square: (far[square], square))
        yield from adjacent_door_opening_options(fight, combatant, goal)
        yield from map(
            turn.move_option, _approach_squares(turn, open_fight.grid.distances_to(goal, turn.size))
        )


def _fight_with_open_doors(fight: Fight) -> Fight:
    change = ("fight.map", fight.data["map"], with_all_doors_open(fight.data["map"]))
    return Fight(World(fight.world.book, apply_changes(fight.world.state, [change])))


def _reachable_squares_to_leave_from(turn: QuickTurn, fight: Fight) -> frozenset[Square]:
    """Return the squares that a creature can walk to and from which it may leave the fight.

    Any creature may leave from a square that is far enough from all enemies it knows. A member of the party
    may also leave from the objective's way out.
    """
    size, far = turn.size, combat_numbers()["defaults"]["leave_distance"]
    reach = fight.data.get("objective", {}).get("reach", ()) if turn.combatant["side"] == PARTY else ()
    ways = frozenset(map(parse_square, reach))
    foes = [square_and_size_on_map(foe) for *_, foe in turn.known_foes_nearest_first]
    return frozenset(
        square
        for square in destinations(fight, turn.who, MORE_THAN_ANY_DISTANCE)
        if not ways.isdisjoint(footprint(square, size))
        or all(distance_between_spaces(square, size, at, large) >= far for at, large in foes)
    )


def _approach_squares(turn: QuickTurn, distances: Mapping[Square, int]) -> Iterator[Square]:
    """Yield a few squares that a move can reach and that are nearer to a goal, the best first.

    `distances` has the walking distances from squares to the goal. Squares that do no harm come before
    harmful ones. In both groups, squares come first that are near the goal and to which a move gives few
    Opportunities.
    """
    fight, combatant = turn.fight, turn.who
    found = destinations(fight, combatant)
    nearer = [
        square
        for square in found
        if distances.get(square, MORE_THAN_ANY_DISTANCE) < distances.get(turn.at, MORE_THAN_ANY_DISTANCE)
    ]
    nearer.sort(key=lambda square: (turn.is_harmful_square(square), distances[square], found[square]))

    def danger_and_distance(square: Square) -> tuple[bool, int]:
        return turn.is_harmful_square(square), distances[square] + STRUCK * len(
            provoked_by_move_to(fight, combatant, square)
        )

    yield from sorted(nearer[:MOST_COMPARED], key=danger_and_distance)


MOST_COMPARED = 6
"""The most squares that are compared by the Opportunities on the way to them."""
STRUCK = 5
"""How many squares nearer to the goal a move must get to be worth an Opportunity."""
