"""Distance, reach and areas, on squares or with places in words (GRT-03, 08, 09)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from strike_cli.plugin import Refused
from strike_cli.plugin.board import Measure, Square, format_square, is_diagonal
from strike_cli.plugin.tactics import Spot

from .facts import CLOSE, NEAR
from .fight_state import WORDS, GritFight

FEET = Measure("foot", "feet", 5)
"""The unit of length: a square is 5 feet wide (GRT-03). How diagonals count is a house rule."""
CRAWLED = 1
"""How many squares a crawling combatant moves in a round (GRT-08)."""


def squares_per_round(fight: GritFight) -> int:
    """Return how many squares a combatant can move in a round."""
    return int(fight.world.book.house["grit.move"])


def squares_moved(fight: GritFight, combatant: str) -> int:
    """Return how many squares a combatant has moved in this round.

    If the combatant moved to a place that has only a name and no square, this counts as the whole movement of
    a round.
    """
    done = fight.person(combatant).get("moved", {})
    return int(done["squares"]) if done.get("round") == fight.round else 0


def moved_record_of_combatant_after_path(
    fight: GritFight, combatant: str, cost: int, path: Sequence[Square]
) -> Mapping[str, int]:
    """Return a combatant's new `moved` table, after a walk along `path` that costs `cost` squares.

    The table has the number of squares that the combatant has walked in this round. On a map where every
    second diagonal step costs two squares, it also has the number of diagonal steps.
    """
    record = {"round": fight.round, "squares": squares_moved(fight, combatant) + cost}
    if not (path and fight.grid.alternate):
        return record
    walked = sum(is_diagonal(here, there) for here, there in pairwise(path))
    return {**record, "diagonals": _diagonals_moved(fight, combatant) + walked}


def _diagonals_moved(fight: GritFight, combatant: str) -> int:
    done = fight.person(combatant).get("moved", {})
    return int(done.get("diagonals", 0)) if done.get("round") == fight.round else 0


def squares_left_to_move(fight: GritFight, combatant: str) -> int:
    """Return how many squares a combatant can still move in this round (GRT-08).

    Somebody who can only crawl moves one square in a round.
    """
    whole = CRAWLED if fight.can_only_crawl(combatant) else squares_per_round(fight)
    return max(0, whole - squares_moved(fight, combatant))


def uses_worded_places(fight: GritFight) -> bool:
    """Return whether places are words in this fight: it has no map, or the house rule says so."""
    return "map" not in fight.data or fight.world.book.house["grit.distance"] == WORDS


def place_on_map(fight: GritFight, one: str | Spot) -> Spot | None:
    """Return the place of a combatant on the map, given by id. If `one` is a place already, return it.

    Return None if the combatant is not on the map. Also return None for a combatant in a fight that gives
    places in words.
    """
    if isinstance(one, str) and (not fight.is_on_map(one) or uses_worded_places(fight)):
        return None
    return fight.spot(one)


def distance(fight: GritFight, first: str | Spot, second: str | Spot) -> int | None:
    """Return the distance in squares between two combatants or places; 1 if they are adjacent.

    Returns None if a combatant is off the map, or if the fight's places are words and not squares.
    """
    here, there = place_on_map(fight, first), place_on_map(fight, second)
    return fight.gap(here, there) if here and there else None


def distance_unit(fight: GritFight) -> Measure:
    """Return the unit, such as squares or metres, in which this fight's distances are shown."""
    return FEET.for_map(fight.data.get("map"))


def unhidden_neighbours(fight: GritFight, combatant: str) -> list[str]:
    """Return the adjacent combatants who aren't hidden.

    Where places are words, these are the combatants at the same place.
    """

    def is_adjacent(other: str) -> bool:
        apart = distance(fight, combatant, other)
        return apart == 1 or (
            apart is None and fight.people[combatant].get("at") == fight.people[other].get("at")
        )

    others = [
        other
        for other in fight.combatants_there()
        if other != combatant and not fight.people[other].get("hidden")
    ]
    return [other for other in others if is_adjacent(other)]


def must_reach_and_see(fight: GritFight, actor: str, target: str | Spot, weapon_range: str) -> None:
    """Raise Refused if an attack of the range `weapon_range` can't reach its target.

    On a map, this is so if the target is too far away or out of sight. In a fight with places in words, it is
    so only if the attack is a close one and the target is known to be at another place.
    """
    apart = distance(fight, actor, target)
    one = fight.people[target] if isinstance(target, str) else None
    at = one.get("at") if one else format_square(target.square) if not isinstance(target, str) else None
    names = f"{one['name'] if one else at} is"
    if apart is None:
        places = [fight.people[actor].get("at"), at]
        if weapon_range == CLOSE and None not in places and places[0] != places[1]:
            raise Refused(
                f"{names} elsewhere ({places[1]}), and it only reaches close targets.",
                f'`strike grit move {actor} "{places[1]}"` gets there.',
            )
        return
    most = {CLOSE: 1, NEAR: squares_per_round(fight)}.get(weapon_range)
    if most is not None and apart > most:
        raise Refused(
            f"{names} {distance_unit(fight).words(apart)} away, and it reaches "
            f"{distance_unit(fight).words(most)}.",
            f"`strike grit move {actor} SQUARE` gets nearer"
            + (f"; {one['name']} is at {at}." if one else "."),
        )
    if not fight.sees(actor, target):
        raise Refused(f"{names} out of sight.", f"`strike grit move {actor} SQUARE` moves into sight.")


def is_covered(fight: GritFight, actor: str | Spot, target: str) -> bool:
    """Return whether an obstacle gives a target cover from an attack by `actor` (GRT-05).

    Such an attack is impaired.
    """
    if (distance(fight, actor, target) or 0) < 2:
        return False
    (here, size), (there, as_large) = fight.spot(actor), fight.spot(target)
    return fight.grid.has_cover(here, there, size, as_large)


def find_path_within_movement(fight: GritFight, combatant: str, goal: Square) -> list[Square]:
    """Return the shortest path to a square within the combatant's movement, their own square first.

    It may pass creatures, but not end on an occupied square. Raises Refused if there is no such path.
    """
    left, crawls = squares_left_to_move(fight, combatant), fight.can_only_crawl(combatant)
    limit = None if crawls else left  # difficult ground doesn't matter for crawling
    way = fight.shortest_path(combatant, goal, limit, _next_diagonal_costs_two(fight, combatant))
    if not way or (crawls and len(way) > 1 + left):
        raise Refused(
            f"{fight.people[combatant]['name']} can't get to {format_square(goal)} with "
            f"{distance_unit(fight).words(left)} left.",
            "A wall or a creature is in the way, or it is too far.",
        )
    return way


def _next_diagonal_costs_two(fight: GritFight, combatant: str) -> bool:
    """Return whether the combatant's next diagonal step costs two squares.

    On some maps, every second diagonal step in a round costs two squares. On other maps, no diagonal step
    does, and the result is False.
    """
    return _diagonals_moved(fight, combatant) % 2 == 1


def path_cost(fight: GritFight, combatant: str, path: list[Square], size: int) -> int:
    """Return how many squares of movement a path costs."""
    return fight.grid.path_cost(path, size, _next_diagonal_costs_two(fight, combatant))


def nearer_reachable_square(fight: GritFight, actor: str, target: str) -> Square | None:
    """Return the square that an actor can reach now and that is nearest to a target on foot.

    The result is None in these cases: the actor is next to the target, has no movement left, or can't come
    any nearer. It is also None if the actor or the target isn't on a map.
    """
    own_spot, target_spot = place_on_map(fight, actor), place_on_map(fight, target)
    left = squares_left_to_move(fight, actor)
    if not own_spot or not target_spot or left < 1 or fight.gap(own_spot, target_spot) <= 1:
        return None
    ends = fight.reachable(actor, left, _next_diagonal_costs_two(fight, actor))

    def squares_to_walk_to_target(square: Square) -> int:
        return fight.ways.walking_distance(square, own_spot.size, *target_spot)

    best = min(ends, key=lambda square: (squares_to_walk_to_target(square), ends[square]))
    return best if squares_to_walk_to_target(best) < squares_to_walk_to_target(own_spot.square) else None


def adjacent_closed_doors_towards(fight: GritFight, actor: str, target: str) -> Iterator[tuple[str, str]]:
    """Yield the closed doors next to an actor on the way to a target, as pairs of square names.

    For a door in a wall, the second name is the square beyond it; for a door that fills its square, it is "".
    """
    own_spot, target_spot = place_on_map(fight, actor), place_on_map(fight, target)
    if own_spot and target_spot:
        for at, beyond in fight.ways.closed_doors_ahead(*own_spot, target_spot.square):
            yield format_square(at), format_square(beyond) if beyond else ""
