"""Moving on the grid, and the Opportunities that it gives (STR-TAC-07, 08)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.facts import about
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused
from strike_cli.tabletop.distance_measure import SQUARES
from strike_cli.tabletop.grid import Grid, Predicate, Square, Toll, footprint, format_square
from strike_cli.tabletop.status_effects import ban_on, can_fly

from ..facts.movement import GoesBy, Moved, Stayed, ThroughZone, WillMove
from ..fight import Actor, Fight, action_taken, is_asked, square_named
from ..reactions.triggers import Impending, play_answers_before
from .enter_square import enter_square, is_free, known_hazards
from .opportunity import declines_at_prices, make_striker_finder, opportunities_for, strike_on_leaving
from .sight import bumped_into, discover_on_square, known_squares

if TYPE_CHECKING:
    from ..data import MoveData, OpportunityData, WalkData


class MoveAction(Actor):
    """The arguments of `combat move`: to the square `to`, through the squares `via`.

    `shift` makes it a shift. `trade` gives up the Attack Action if the Move Action is spent.
    """

    to: str
    via: Sequence[str] = ()
    shift: bool = False
    trade: bool = False

    RETIRED = ("sure",)


class Walk(NamedTuple):
    """A move that was made: its first and last square, its path, and the Opportunities that were taken.

    `path` is the whole path as planned, also where the creature was stopped. `start` or `end` is None for a
    creature that has left the fight meanwhile.
    """

    start: str | None
    end: str | None
    path: Sequence[str]
    opportunities: Sequence[OpportunityData] = ()

    def as_json(self) -> WalkData:
        return {
            "from": self.start,
            "to": self.end,
            "path": list(self.path),
            "opportunities": list(self.opportunities),
        }


def play_move(world: World, args: MoveAction) -> Procedure[MoveData]:
    """Play `combat move`: one Move Action.

    Creatures that are Hidden from the mover are unknown to it: a path may lead through their squares, and
    then ends beside them. The path is the shortest of those within the Speed that give the fewest
    Opportunities and enter the fewest harmful zones. If it still gives or enters any, the mover is asked
    first, where the table wants to be asked (`World.confirms`).
    """
    fight, combatant = Fight(world), args.who
    action = fight.must_be_able(combatant, "move", args.trade)
    way = find_way(fight, combatant, [*map(square_named, args.via), square_named(args.to)], args.shift)
    if not args.shift and world.confirms and (yield from prefers_to_stay(fight, combatant, way)):
        here = format_square(fight.at(combatant))
        yield world.tell(Stayed(combatant, here))
        return {"who": combatant, **Walk(here, here, ()).as_json(), "action": None}
    yield action_taken(fight, combatant, action, "shift" if args.shift else "move")
    gone = yield from walk_path(world, combatant, way, args.shift)
    return {"who": combatant, **gone.as_json(), "action": action}


def prefers_to_stay(fight: Fight, combatant: str, way: Sequence[Square]) -> Procedure[bool]:
    """Ask whether a creature would rather stay than pay the price of a path; return True if it would.

    It isn't asked if the path costs nothing, or if nobody is asked for this creature.
    """
    if not is_asked(fight, combatant):
        return False
    price = price_of(fight, combatant, way)
    if not price.is_any:
        return False
    doing = GoesBy(tuple(map(format_square, way)))
    return (yield from declines_at_prices(combatant, doing, [*price.reasons(fight)]))


class Price(NamedTuple):
    """The price of a path besides movement, as far as the moving creature knows it.

    `foes` are the creatures that get an Opportunity; `zones` are the ids of the zones that cause damage.
    """

    foes: list[str]
    zones: list[str]

    @property
    def is_any(self) -> bool:
        """Whether the path has a price at all."""
        return bool(self.foes or self.zones)

    def reasons(self, fight: Fight) -> Iterator[Reason]:
        """Yield the parts of the price as reasons."""
        if self.foes:
            yield opportunities_for(fight, self.foes)
        for key in self.zones:
            yield ThroughZone(key, fight.zones[key]["damage"])


def price_of(fight: Fight, combatant: str, way: Sequence[Square]) -> Price:
    """Return the price that a creature pays for moving along these squares."""
    return Price(
        provoked_by(fight, combatant, way),
        _strikers_along(_make_zone_finder(fight, combatant), fight.at(combatant), way),
    )


def walk_path(
    world: World, combatant: str, way: Sequence[Square], shift: bool = False, charging: bool = False
) -> Procedure[Walk]:
    """Move a creature along these squares one by one, with Opportunities unless the move is a shift.

    Effects, Opportunities and Hidden creatures in the way may end it early.
    """
    fight = Fight(world)
    path = [format_square(square) for square in way]
    if fight.is_out(combatant):  # what answers a shift came before it: Marked, say
        return Walk(None, None, path)
    start = fight.at(combatant)
    coming = yield from play_answers_before(
        world, Impending("moves", combatant, "", WillMove(combatant, path[-1]))
    )
    if not fight.is_on_map(combatant) or fight.is_out(combatant):
        return Walk(format_square(start), None, path)
    if coming.prevented or fight.at(combatant) != start:  # who was moved by an answer goes no further either
        yield world.tell(Moved(combatant))
        return Walk(format_square(start), format_square(fight.at(combatant)), path)
    opportunities: list[OpportunityData] = []
    flying, passed = can_fly(world, combatant), [start]
    for square in way:
        lands = square == way[-1]
        found = bumped_into(fight, combatant, combatant, square) if lands or not flying else None
        if found:
            yield from discover_on_square(world, combatant, found, square)
        elif not shift and not _is_stopped(fight, combatant):
            opportunities += yield from strike_on_leaving(world, combatant, square)
        stopped = found or _is_stopped(fight, combatant)
        if stopped or fight.at(combatant) != passed[-1] or not _has_room(fight, combatant, square, lands):
            yield from _drop_beside(world, combatant, passed)
            break
        yield from enter_square(world, combatant, square)
        passed.append(square)
    end = fight.combatant(combatant).get("at")
    how = "shift" if shift else "charge" if charging else "move"
    yield world.tell(Moved(combatant, how, format_square(start), end))
    return Walk(format_square(start), end, path, opportunities)


def _has_room(fight: Fight, combatant: str, square: Square, lands: bool) -> bool:
    """Return whether a creature can still enter a square, which has to be free if it `lands` there.

    An effect may have raised a wall there meanwhile.
    """
    return fight.grid.fits(square, fight.size(combatant)) and (not lands or is_free(fight, combatant, square))


def _is_stopped(fight: Fight, combatant: str) -> bool:
    """Return whether an Opportunity or a zone on the path has ended a creature's move."""
    return fight.is_out(combatant) or bool(ban_on(fight.world, combatant, "act", 1))


def _drop_beside(world: World, combatant: str, passed: Sequence[Square]) -> Procedure[None]:
    """Put a creature that is stopped on its path onto the last free square that it passed.

    It may have been stopped while passing an ally's square. A creature that an effect has moved elsewhere
    stays there.
    """
    fight = Fight(world)
    if not fight.is_on_map(combatant) or fight.at(combatant) != passed[-1]:
        return
    taken, size = fight.occupied(skip=combatant), fight.size(combatant)
    free = [square for square in passed if not any(part in taken for part in footprint(square, size))]
    if free and free[-1] != fight.at(combatant):
        yield from enter_square(world, combatant, free[-1])


def find_way(
    fight: Fight, combatant: str, stops: Sequence[Square], shift: bool, most: int | None = None
) -> list[Square]:
    """Return the squares of a move through every one of `stops`, without the starting square.

    The move may take up to `most` squares, by default the creature's Speed. Raises Refused if there is no
    such path. The result is remembered with the world, since a legal move is usually played next.
    """
    # A caller that asks whether a move is legal usually plays it next: the search is made once.
    known, asked = about(fight.world), (_find_way, combatant, tuple(stops), shift, most)
    way: list[Square] | None = known.get(asked)
    if way is None:
        way = known[asked] = _find_way(fight, combatant, stops, shift, most)
    return way


def strikers_on_the_way(fight: Fight, combatant: str, square: Square) -> frozenset[str]:
    """Return the enemies that get an Opportunity from a move to a square, as far as the mover knows.

    Each enemy gets only one, even if several steps of the move would give it one (STR-TAC-08).
    """
    way, struck_by = (
        [fight.at(combatant), *find_way(fight, combatant, [square], shift=False)],
        make_striker_finder(fight, combatant),
    )
    return frozenset[str]().union(*(struck_by(start, end) for start, end in pairwise(way)))


def _find_way(
    fight: Fight, combatant: str, stops: Sequence[Square], shift: bool, most: int | None
) -> list[Square]:
    grid, size, name = fight.grid, fight.size(combatant), fight.name(combatant)
    start, goal, flying = fight.at(combatant), stops[-1], can_fly(fight.world, combatant)
    taken = known_squares(fight, combatant)
    for square in footprint(goal, size):
        if grid.blocked(square):
            where = format_square(square)
            raise Refused(
                f"Nobody can stand on {where}." if grid.inside(square) else f"{where} is outside the map.",
                "`strike combat map` shows the map.",
            )
        if square in taken:
            from strike_cli.refusals import SquareTaken

            raise SquareTaken(fight.name(taken[square]), format_square(square))
    if goal == start:
        from strike_cli.refusals import StandsThere

        raise StandsThere(name, format_square(goal))
    speed, limit = (1, None) if shift else fight.speed(combatant, most)
    if shift:
        reason = ban_on(fight.world, combatant, "shift", 1)
        if reason or (grid.difficult(goal) and not flying):
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
    cost = _cost(fight, way, size, flying)
    if cost > speed:
        because = f" ({limit.name})" if limit else ""
        what = "A shift is 1 square" if shift else f"{name}'s Speed is {speed}{because}"
        raise Refused(f"The path to {format_square(goal)} takes {SQUARES.words(cost)}. {what}.")
    return way[1:]


def _path_to_stop(
    fight: Fight, combatant: str, way: Sequence[Square], stop: Square, speed: int | None, flying: bool
) -> list[Square] | None:
    """Return the path from the end of `way` to the next stop, both included, or None if there is none.

    It is the shortest of the paths within the rest of `speed` that give the fewest Opportunities. If none is
    within the rest, or `speed` is None since another stop follows, it is the shortest of all paths.
    """
    search = partial(
        fight.grid.shortest_path,
        way[-1],
        stop,
        passable=_passable(fight, combatant, flying),
        toll=_make_toll(fight, combatant),
        size=fight.size(combatant),
        smooth=flying,
    )
    if speed is None:
        return search()
    left = speed - _cost(fight, way, fight.size(combatant), flying)
    return search(avoid_first=True, limit=left) or search()


def _cost(fight: Fight, way: Sequence[Square], size: int, flying: bool) -> int:
    return len(way) - 1 if flying else fight.grid.path_cost(way, size)


def _passable(fight: Fight, combatant: str, flying: bool) -> Predicate:
    """Return a test for the squares that a creature may pass: none of an enemy's, unless it flies."""
    if flying:
        return lambda square: True
    foes = _squares_of_foes(fight, combatant)
    return lambda square: square not in foes


def _squares_of_foes(fight: Fight, combatant: str) -> frozenset[Square]:
    side, taken = fight.side(combatant), known_squares(fight, combatant)
    return frozenset([square for square, other in taken.items() if fight.side(other) != side])


def provoked_by(fight: Fight, combatant: str, way: Sequence[Square]) -> list[str]:
    """Return the creatures that get an Opportunity if a creature moves along these squares, each once."""
    return _strikers_along(make_striker_finder(fight, combatant), fight.at(combatant), way)


def _strikers_along(toll: Toll, start: Square, way: Sequence[Square]) -> list[str]:
    steps = (sorted(map(str, toll(here, onward))) for here, onward in pairwise([start, *way]))
    return list(dict.fromkeys(due for dues in steps for due in dues))


def _make_zone_finder(fight: Fight, combatant: str) -> Toll:
    """Return a function that returns the ids of the zones that would damage a creature at a step."""
    areas, size = known_hazards(fight, combatant), fight.size(combatant)
    if not areas:
        return lambda here, onward: frozenset()

    def entered(here: Square, onward: Square) -> frozenset[str]:
        before, after = footprint(here, size), footprint(onward, size)
        return frozenset(
            key for key, area in areas.items() if not area.isdisjoint(after) and area.isdisjoint(before)
        )

    return entered


def _make_toll(fight: Fight, combatant: str) -> Toll:
    """Return a function that returns the price of a step: enemies with Opportunities, and harmful zones."""
    struck_by, entering = make_striker_finder(fight, combatant), _make_zone_finder(fight, combatant)
    if not known_hazards(fight, combatant):
        return struck_by
    return lambda here, onward: struck_by(here, onward).union(f"zone {key}" for key in entering(here, onward))


def destinations(fight: Fight, combatant: str, most: int | None = None) -> Mapping[Square, int]:
    """Return every square that a creature can move to, with its cost in squares of movement.

    The move is one Move Action, or one of up to `most` squares. The creature's own square is not included.
    """
    taken, flying = known_squares(fight, combatant), can_fly(fight.world, combatant)
    foes = frozenset() if flying else _squares_of_foes(fight, combatant)
    speed, _ = fight.speed(combatant, most)
    return _reachable(
        fight.grid, fight.at(combatant), speed, foes, frozenset(taken), fight.size(combatant), flying
    )


@lru_cache(maxsize=512)  # most often everybody stands as when it was last asked
def _reachable(
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
        smooth=flying,
    )
    return {square: cost for square, cost in found.items() if square != start}
