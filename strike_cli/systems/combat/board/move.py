"""Moving on the grid, and the Opportunities that it gives (STR-TAC-07, 08)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.state_changes import cached_values_of
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused
from strike_cli.tabletop.active_effects import can_fly, effect_banning
from strike_cli.tabletop.distance_units import SQUARES
from strike_cli.tabletop.grid import Grid, Predicate, Square, Toll, footprint, format_square

from ..facts.movement_and_sight import GoesBy, Moved, Stayed, ThroughZone, WillMove
from ..fight_state import (
    ActorArgs,
    Fight,
    action_taken_fact,
    is_asked_before_provoking_by_house,
    parse_square_argument,
)
from ..reactions.reaction_events_and_moments import ReactionEvent, play_reactions_to_event
from .opportunity_attacks import (
    ask_whether_to_decline,
    make_provoked_finder,
    opportunities_as_price,
    take_opportunities_before_step,
)
from .sight_and_hiding import discover_hidden_creature, hidden_creature_in_way, known_occupied_squares
from .square_entry import combatant_has_room_at, enter_square, known_damaging_zones

if TYPE_CHECKING:
    from ..data import MoveData, OpportunityData, WalkData


class MoveAction(ActorArgs):
    """The arguments of `combat move`.

    Attributes:
        to: The square to which the creature moves.
        via: Squares through which it moves.
        shift: Whether the move is a shift.
        trade: Whether a second move may use the Attack Action, if the Move Action is spent.
    """

    to: str
    via: Sequence[str] = ()
    shift: bool = False
    trade: bool = False

    RETIRED = ("sure",)


def make_walk_data(
    start: str | None,
    end: str | None,
    path: Sequence[str] = (),
    opportunities: Sequence[OpportunityData] = (),
) -> WalkData:
    """Return the data of a move that was made.

    Args:
        start: The square where the move began.
        end: The square where the move ended.
        path: The planned squares of the move, which can end earlier.
        opportunities: The Opportunities that enemies got.
    """
    return {"from": start, "to": end, "path": list(path), "opportunities": list(opportunities)}


def play_move(world: World, args: MoveAction) -> Procedure[MoveData]:
    """Play `combat move`: one Move Action.

    Within the Speed, the mover takes the path with the fewest Opportunities and harmful zones, and among such
    paths the shortest. On the way to a stop named in `via`, it takes the shortest path.

    If the path still has Opportunities or harmful zones, strike asks whether to stay. It doesn't ask for a
    shift, for a creature about which nobody is asked, or if the table has switched such questions off
    (`World.confirms`).

    The path may lead into a creature that is Hidden from the mover. The move then ends beside that creature.
    """
    fight, combatant = Fight(world), args.who
    action = fight.action_to_spend(combatant, "move", args.trade)
    way = find_move_path(
        fight, combatant, [*map(parse_square_argument, args.via), parse_square_argument(args.to)], args.shift
    )
    if not args.shift and world.confirms and (yield from ask_whether_to_stay(fight, combatant, way)):
        here = format_square(fight.at(combatant))
        yield world.tell(Stayed(combatant, here))
        return {"who": combatant, **make_walk_data(here, here), "action": None}
    yield action_taken_fact(fight, combatant, action, "shift" if args.shift else "move")
    gone = yield from walk_path_until_stopped(world, combatant, way, args.shift)
    return {"who": combatant, **gone, "action": action}


def ask_whether_to_stay(fight: Fight, combatant: str, path: Sequence[Square]) -> Procedure[bool]:
    """Ask whether a creature gives up a move because of its price; return True if it does.

    The price of a move is what it costs besides movement: enemies' Opportunities, and damage from zones.
    Nobody is asked if the path has no price, or if `is_asked_before_provoking_by_house` is False for the
    creature. Then the result is False.
    """
    if not is_asked_before_provoking_by_house(fight, combatant):
        return False
    price = path_price(fight, combatant, path)
    if not price.has_a_price:
        return False
    doing = GoesBy(tuple(map(format_square, path)))
    return (yield from ask_whether_to_decline(combatant, doing, [*price.reasons(fight)]))


class PathPrice(NamedTuple):
    """The price of a path for a creature besides movement, as far as the creature knows.

    `foes` are the creatures that get an Opportunity. `zones` are the ids of the entered zones that cause
    damage.
    """

    foes: list[str]
    zones: list[str]

    @property
    def has_a_price(self) -> bool:
        """Whether the path has a price besides movement: an enemy's Opportunity, or a harmful zone."""
        return bool(self.foes or self.zones)

    def reasons(self, fight: Fight) -> Iterator[Reason]:
        """Yield the reasons that make up the price: the Opportunities, then each harmful zone."""
        if self.foes:
            yield opportunities_as_price(fight, self.foes)
        for key in self.zones:
            yield ThroughZone(key, fight.zones[key]["damage"])


def path_price(fight: Fight, combatant: str, path: Sequence[Square]) -> PathPrice:
    """Return the price of a move along the squares `path`: the Opportunities and the harmful zones."""
    return PathPrice(
        provoked_by_path(fight, combatant, path),
        _tolls_along(_make_damaging_zone_finder(fight, combatant), fight.at(combatant), path),
    )


def walk_path_until_stopped(
    world: World, combatant: str, way: Sequence[Square], shift: bool = False, charging: bool = False
) -> Procedure[WalkData]:
    """Move a creature along the squares `way`, one after the other; return the move as it happened.

    The move can end early: by an effect, an Opportunity, or a Hidden creature in the way. If `shift` is true,
    leaving a square gives no Opportunities. If `charging` is true, the move is reported as a charge.
    """
    fight = Fight(world)
    path = [format_square(square) for square in way]
    if fight.is_out(combatant):  # what answers a shift came before it: Marked, say
        return make_walk_data(None, None, path)
    start = fight.at(combatant)
    coming = yield from play_reactions_to_event(
        world, ReactionEvent("moves", combatant, "", WillMove(combatant, path[-1]))
    )
    if not fight.is_on_map(combatant) or fight.is_out(combatant):
        return make_walk_data(format_square(start), None, path)
    if coming.prevented or fight.at(combatant) != start:  # who was moved by an answer goes no further either
        yield world.tell(Moved(combatant))
        return make_walk_data(format_square(start), format_square(fight.at(combatant)), path)
    opportunities: list[OpportunityData] = []
    flying, passed = can_fly(world, combatant), [start]
    for square in way:
        lands = square == way[-1]
        found = hidden_creature_in_way(fight, combatant, combatant, square) if lands or not flying else None
        if found:
            yield from discover_hidden_creature(world, combatant, found, square)
        elif not shift and not _is_out_or_cannot_act(fight, combatant):
            opportunities += yield from take_opportunities_before_step(world, combatant, square)
        stopped = found or _is_out_or_cannot_act(fight, combatant)
        if (
            stopped
            or fight.at(combatant) != passed[-1]
            or not _may_still_enter(fight, combatant, square, lands)
        ):
            yield from _put_on_last_free_square(world, combatant, passed)
            break
        yield from enter_square(world, combatant, square)
        passed.append(square)
    end = fight.combatant(combatant).get("at")
    how = "shift" if shift else "charge" if charging else "move"
    yield world.tell(Moved(combatant, how, format_square(start), end))
    return make_walk_data(format_square(start), end, path, opportunities)


def _may_still_enter(fight: Fight, combatant: str, square: Square, ends_there: bool) -> bool:
    """Return whether a creature that moves may still enter a square.

    An effect may have raised a wall, or put a creature there, after the move was planned. The creature must
    fit between walls. If the move ends on the square (`ends_there`), no other creature may be there;
    otherwise no enemy may, unless the creature flies.
    """
    size = fight.size(combatant)
    if ends_there:
        return combatant_has_room_at(fight, combatant, square)
    foes = (
        frozenset[Square]() if can_fly(fight.world, combatant) else _known_squares_of_foes(fight, combatant)
    )
    return fight.grid.fits(square, size) and foes.isdisjoint(footprint(square, size))


def _is_out_or_cannot_act(fight: Fight, combatant: str) -> bool:
    """Return whether a creature can't move on: it is out of the fight, or can't act any more."""
    return fight.is_out(combatant) or bool(effect_banning(fight.world, combatant, "act", 1))


def _put_on_last_free_square(world: World, combatant: str, passed: Sequence[Square]) -> Procedure[None]:
    """Put a creature whose move was stopped onto the last free square among those that it passed.

    The move may have been stopped on an ally's square. If an effect has moved the creature elsewhere, it
    isn't moved again.
    """
    fight = Fight(world)
    if not fight.is_on_map(combatant) or fight.at(combatant) != passed[-1]:
        return
    taken, size = fight.occupied_squares(skip=combatant), fight.size(combatant)
    free = [square for square in passed if not any(part in taken for part in footprint(square, size))]
    if free and free[-1] != fight.at(combatant):
        yield from enter_square(world, combatant, free[-1])


def find_move_path(
    fight: Fight, combatant: str, stops: Sequence[Square], shift: bool, most_squares: int | None = None
) -> list[Square]:
    """Return the squares of a move that passes through all `stops`. The starting square is left out.

    The length of the move is limited to `most_squares`, by default the creature's Speed. With `shift` it is
    limited to 1 square. Raises Refused if there is no such path. The path is cached, since a caller that asks
    whether a move is legal usually plays it next.
    """
    # A caller that asks whether a move is legal usually plays it next: the search is made once.
    known, asked = (
        cached_values_of(fight.world),
        (_search_move_path, combatant, tuple(stops), shift, most_squares),
    )
    way: list[Square] | None = known.get(asked)
    if way is None:
        way = known[asked] = _search_move_path(fight, combatant, stops, shift, most_squares)
    return way


def provoked_by_move_to(fight: Fight, combatant: str, square: Square) -> frozenset[str]:
    """Return the enemies that get an Opportunity if a creature moves to a square.

    Only enemies of which the creature knows are counted. Each enemy gets only one Opportunity, even if
    several steps of the move would give it one (STR-TAC-08).
    """
    way, struck_by = (
        [fight.at(combatant), *find_move_path(fight, combatant, [square], shift=False)],
        make_provoked_finder(fight, combatant),
    )
    return frozenset[str]().union(*(struck_by(start, end) for start, end in pairwise(way)))


def _search_move_path(
    fight: Fight, combatant: str, stops: Sequence[Square], shift: bool, most_squares: int | None
) -> list[Square]:
    grid, size, name = fight.grid, fight.size(combatant), fight.name(combatant)
    start, goal, flying = fight.at(combatant), stops[-1], can_fly(fight.world, combatant)
    taken = known_occupied_squares(fight, combatant)
    for square in footprint(goal, size):
        if grid.is_blocked(square):
            where = format_square(square)
            raise Refused(
                f"Nobody can stand on {where}." if grid.is_on_map(square) else f"{where} is outside the map.",
                "`strike combat map` shows the map.",
            )
        if square in taken:
            from strike_cli.refusals import SquareTaken

            raise SquareTaken(fight.name(taken[square]), format_square(square))
    if goal == start:
        from strike_cli.refusals import AlreadyOnSquare

        raise AlreadyOnSquare(name, format_square(goal))
    speed, limit = (1, None) if shift else fight.speed(combatant, most_squares)
    if shift:
        reason = effect_banning(fight.world, combatant, "shift", 1)
        if reason or (grid.is_difficult(goal) and not flying):
            raise Refused(
                f"{name} can't shift there: {reason.name if reason else 'the terrain is difficult'}."
            )
    way = [start]
    for number, stop in enumerate(stops, 1):
        leg = _path_to_stop(fight, combatant, way, stop, speed if number == len(stops) else None, flying)
        if leg is None:
            raise Refused(
                f"{name} finds no path to {format_square(stop)}.", "Walls or enemies are in the way."
            )
        way += leg[1:]
    cost = _path_cost(fight, way, size, flying)
    if cost > speed:
        because = f" ({limit.name})" if limit else ""
        what = "A shift is 1 square" if shift else f"{name}'s Speed is {speed}{because}"
        raise Refused(f"The path to {format_square(goal)} takes {SQUARES.words(cost)}. {what}.")
    return way[1:]


def _path_to_stop(
    fight: Fight,
    combatant: str,
    path_so_far: Sequence[Square],
    stop: Square,
    speed_if_last_stop: int | None,
    flying: bool,
) -> list[Square] | None:
    """Return a path from the end of `path_so_far` to `stop`, both included, or None if there is none.

    If `stop` is the last stop of the walk, `speed_if_last_stop` is the movement for the whole walk, including
    `path_so_far`. Paths within `speed_if_last_stop` are preferred. The best of them has the fewest
    Opportunities and harmful zones; of several such paths, it is the shortest. If no path is within
    `speed_if_last_stop`, the shortest path is returned.

    If more stops follow, `speed_if_last_stop` is None, and the shortest path is returned.
    """
    search = partial(
        fight.grid.shortest_path,
        path_so_far[-1],
        stop,
        passable=_make_passable_test(fight, combatant, flying),
        toll=_make_toll(fight, combatant),
        size=fight.size(combatant),
        ignore_difficult=flying,
    )
    if speed_if_last_stop is None:
        return search()
    left = speed_if_last_stop - _path_cost(fight, path_so_far, fight.size(combatant), flying)
    return search(avoid_first=True, limit=left) or search()


def _path_cost(fight: Fight, path: Sequence[Square], size: int, flying: bool) -> int:
    return len(path) - 1 if flying else fight.grid.path_cost(path, size)


def _make_passable_test(fight: Fight, combatant: str, flying: bool) -> Predicate:
    """Return a function that returns whether a creature can pass a square, as far as the creature knows.

    A flying creature can pass any square. A creature that doesn't fly can pass any square without a known
    enemy.
    """
    if flying:
        return lambda square: True
    foes = _known_squares_of_foes(fight, combatant)
    return lambda square: square not in foes


def _known_squares_of_foes(fight: Fight, combatant: str) -> frozenset[Square]:
    side, taken = fight.side(combatant), known_occupied_squares(fight, combatant)
    return frozenset([square for square, other in taken.items() if fight.side(other) != side])


def provoked_by_path(fight: Fight, combatant: str, path: Sequence[Square]) -> list[str]:
    """Return the creatures that get an Opportunity if a combatant moves along `path`.

    Each creature is listed once, even if several steps of the path give it an Opportunity.
    """
    return _tolls_along(make_provoked_finder(fight, combatant), fight.at(combatant), path)


def _tolls_along(toll: Toll, start: Square, path: Sequence[Square]) -> list[str]:
    steps = (sorted(map(str, toll(here, onward))) for here, onward in pairwise([start, *path]))
    return list(dict.fromkeys(due for dues in steps for due in dues))


def _make_damaging_zone_finder(fight: Fight, combatant: str) -> Toll:
    """Return a function that finds the zones which would damage a creature because of a step.

    The function takes the squares before and after the step, and returns the zones' ids. Zones that the
    creature doesn't know of are left out.
    """
    areas, size = known_damaging_zones(fight, combatant), fight.size(combatant)
    if not areas:
        return lambda here, onward: frozenset()

    def zones_entered(here: Square, onward: Square) -> frozenset[str]:
        before, after = footprint(here, size), footprint(onward, size)
        return frozenset(
            key for key, area in areas.items() if not area.isdisjoint(after) and area.isdisjoint(before)
        )

    return zones_entered


def _make_toll(fight: Fight, combatant: str) -> Toll:
    """Return a function that says what a creature's step brings about besides its cost in movement.

    The function takes the squares before and after the step. It returns the ids of the enemies that get an
    Opportunity. It also returns `zone ID` for each harmful zone that the step enters, if the creature knows
    of the zone.
    """
    struck_by, entering = make_provoked_finder(fight, combatant), _make_damaging_zone_finder(fight, combatant)
    if not known_damaging_zones(fight, combatant):
        return struck_by
    return lambda here, onward: struck_by(here, onward).union(f"zone {key}" for key in entering(here, onward))


def destinations(fight: Fight, combatant: str, most_squares: int | None = None) -> Mapping[Square, int]:
    """Return every square that a creature can move to, with its cost in squares of movement.

    The creature moves at most `most_squares` squares; if that isn't given, it moves as far as one Move Action
    allows. The square where it is now is left out.
    """
    taken, flying = known_occupied_squares(fight, combatant), can_fly(fight.world, combatant)
    foes = frozenset() if flying else _known_squares_of_foes(fight, combatant)
    speed, _ = fight.speed(combatant, most_squares)
    return _reachable_squares(
        fight.grid, fight.at(combatant), speed, foes, frozenset(taken), fight.size(combatant), flying
    )


@lru_cache(maxsize=512)  # most often everybody stands as when it was last asked
def _reachable_squares(
    grid: Grid,
    start: Square,
    speed: int,
    foes: frozenset[Square],
    taken: frozenset[Square],
    size: int,
    flying: bool,
) -> Mapping[Square, int]:
    found = grid.reachable(
        start,
        speed,
        passable=lambda square: square not in foes,
        standable=lambda square: square not in taken,
        size=size,
        ignore_difficult=flying,
    )
    return {square: cost for square, cost in found.items() if square != start}
