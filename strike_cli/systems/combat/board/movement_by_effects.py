"""Movement by effects: push, pull, slide, shift and teleport.

Such movement gives no Opportunities. The following points are rulings. The cost of terrain doesn't count. A
push, pull, slide or shift stops at a wall or a creature, without harm to either. A push or pull goes
straight. If the straight path is cut short, the acting creature may choose a longer, bent path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import gt, lt
from typing import NamedTuple

from strike_cli.kernel.procedure import Choose, Happen, Procedure, World
from strike_cli.kernel.state_changes import cached_values_of
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused
from strike_cli.tabletop.active_effects import effect_banning
from strike_cli.tabletop.grid import (
    DIRECTIONS,
    Square,
    distance,
    distance_between_spaces,
    footprint,
    format_square,
)

from ..facts.movement_and_sight import (
    Bending,
    CantBeMoved,
    CutShort,
    Displaced,
    DisplaceTo,
    Pulled,
    Pushed,
    Shifted,
    Shifting,
    Slid,
    Teleported,
    WillBeMoved,
)
from ..facts.powers_and_fight_events import Noted
from ..fight_state import Fight, adjusted_number_and_reasons, parse_square_argument
from ..reactions.reaction_events_and_moments import ReactionEvent, play_reactions_to_event
from ..steps import DISPLACED
from .sight_and_hiding import discover_hidden_creature, hidden_creature_in_way, known_occupied_squares
from .square_entry import combatant_has_room_at, enter_square

STRAIGHT_KINDS: Mapping[str, Callable[[int, int], bool]] = {"push": gt, "pull": lt}
"""The kinds that go straight, with the comparison that each step's new and old distance must pass."""
FORCED = ("push", "pull", "slide")
"""The kinds that are forced on a creature, so that its abilities may resist them."""
STAY = "stay"


class Obstacle(NamedTuple):
    """The obstacle in a movement's way: a creature's id in `creature`, or "" for a wall or map edge."""

    creature: str = ""

    @property
    def is_wall(self) -> bool:
        """Whether the obstacle is a wall or the map's edge, and no creature."""
        return not self.creature


A_WALL = "a wall"
"""What stopped a movement: a wall or the map's edge."""


class Displacement(NamedTuple):
    """The result of a movement by an effect: the last square, the squares passed, and what stopped it.

    `stopped_by` is a creature's id, A_WALL, or None if nothing stopped it.
    """

    end: str
    path: Sequence[str] = ()
    stopped_by: str | None = None


PathsBySquare = Mapping[Square, list[Square]]
"""The squares where a movement may end, with the path to each, which is empty for the starting square."""


def displace_target(
    world: World,
    target: str,
    by: str,
    squares: int,
    kind: str,
    to: str | None = None,
    square_by_square: bool = False,
    power: Reason = "",
) -> Procedure[Displacement]:
    """Move `target` up to `squares` squares by an effect of `by`, without Opportunities.

    `kind` is the kind of movement:

    - A push goes straight away from `by`, and a pull straight towards `by`. If an obstacle cuts the straight
      path short and a bent path is longer, `by` chooses between them.
    - A slide goes to any square that can be reached. A shift does, too, but not into difficult terrain.
    - A teleport goes to any free square, past all obstacles.

    The last square of a slide, shift or teleport is `to` or, without it, the choice of `by`. With
    `square_by_square`, `by` chooses one square after another. Raises Refused if `to` can't be reached.
    """
    fight = Fight(world)
    start = format_square(fight.at(target))
    if kind == "shift" and (reason := effect_banning(world, target, "shift", 1)):
        yield world.tell(Noted(target, CantBeMoved(target, kind, reason.reason)))
        return Displacement(start)
    if by != target:
        squares = yield from _play_reactions_and_resistance(world, target, by, squares, kind)
        start = fight.combatant(target).get("at", start)
        if not squares:
            return Displacement(start)
    if square_by_square:
        return (yield from _move_square_by_square(world, target, by, squares, kind, power))
    ways = _possible_paths(fight, target, by, squares, kind)
    stopped = None
    if to is not None:
        goal = parse_square_argument(to)
        if goal not in ways:
            raise Refused(
                f"{fight.name(target)} can't be {DISPLACED[kind]} to {to}.", _reachable_squares_words(ways)
            )
        way = ways[goal]
    elif kind in STRAIGHT_KINDS:
        way, stopped = yield from _straight_path_or_ask_for_bent(
            fight, target, by, squares, kind, ways, power
        )
    elif len(ways) < 2:
        yield world.tell(Noted(target, CantBeMoved(target, kind, anywhere=True)))
        return Displacement(start)
    else:
        way = ways[(yield from _ask_for_last_square(fight, target, by, squares, kind, ways, power))]
    if kind == "shift" and way:
        yield world.tell(Shifting(target))  # before it happens, for those who answer it
        way = [] if effect_banning(world, target, "act", 1) else way
    at = parse_square_argument(start)
    path, found = yield from _move_along_until_hidden_found(world, target, by, way, at)
    stopped = Obstacle(found) if found else stopped
    yield _movement_fact(world, target, by, kind, path, stopped)
    return Displacement([start, *path][-1], path, (stopped.creature or A_WALL) if stopped else None)


def _play_reactions_and_resistance(
    world: World, target: str, by: str, squares: int, kind: str
) -> Procedure[int]:
    """Play the reactions to a movement by an effect, and return how many squares of it remain.

    `squares` is the number before the reactions. If the movement is a push, pull or slide, the target's own
    resistance also counts. The result is 0 if the target isn't moved at all.
    """
    fight = Fight(world)
    what = WillBeMoved(target, kind, squares)
    coming = yield from play_reactions_to_event(world, ReactionEvent("displaced", by, target, what, squares))
    squares = coming.amount
    if not squares or not (fight.is_on_map(target) and fight.is_on_map(by)):
        return 0
    if kind in FORCED:
        squares = adjusted_number_and_reasons(fight, target, "forced", squares, by)[0]
        if not squares:
            yield world.tell(Noted(target, CantBeMoved(target, kind)))
    return squares


_FACTS: Mapping[str, type[Displaced]] = {
    "push": Pushed,
    "pull": Pulled,
    "slide": Slid,
    "shift": Shifted,
    "teleport": Teleported,
}


def _move_square_by_square(
    world: World, target: str, by: str, squares: int, kind: str, power: Reason
) -> Procedure[Displacement]:
    """Play a movement in which `by` chooses each next square, or ends the movement."""
    fight, start, path = Fight(world), format_square(Fight(world).at(target)), list[str]()
    found = None
    while len(path) < squares and not found and fight.is_on_map(target) and fight.is_on_map(by):
        here = fight.at(target)
        names = {format_square(square): square for square in _next_squares(fight, target, by, here, kind)}
        if not names:
            break
        about = DisplaceTo(by, target, kind, squares - len(path), power, onward=True)
        answer = yield Choose(by, f"{kind} {target} on to", (*names, STAY), about=about)
        if answer == STAY:
            break
        gone, found = yield from _move_along_until_hidden_found(world, target, by, [names[answer]], here)
        path += gone
    stopped = Obstacle(found) if found else None
    yield _movement_fact(world, target, by, kind, path, stopped)
    return Displacement([start, *path][-1], path, found)


def _move_along_until_hidden_found(
    world: World, target: str, by: str, path: list[Square], start: Square
) -> Procedure[tuple[list[str], str | None]]:
    """Move a creature from `start` along the squares `path`, until it arrives or is stopped.

    `by` is the combatant whose effect moves the creature. The movement stops early in three cases:

    - On the next square is a creature that is Hidden from `by`. It is discovered.
    - The creature has no room on the next square.
    - An effect has moved the creature elsewhere, or it is out of the fight.

    Returns the squares that the creature entered, and the id of the discovered creature or None.
    """
    fight, gone = Fight(world), list[str]()
    for square in path:
        if fight.is_out(target) or fight.at(target) != start:
            break
        if found := hidden_creature_in_way(fight, by, target, square):
            yield from discover_hidden_creature(world, target, found, square)
            return gone, found
        if not combatant_has_room_at(fight, target, square):
            break
        yield from enter_square(world, target, square)
        start = square
        gone.append(format_square(square))
    return gone, None


def _movement_fact(
    world: World, target: str, by: str, kind: str, path: Sequence[str], obstacle: Obstacle | None
) -> Happen:
    end = path[-1] if path else ""
    if obstacle is None:
        return world.tell(_FACTS[kind](target, by, end))
    return world.tell(_FACTS[kind](target, by, end, obstacle.creature, obstacle.is_wall))


def _straight_path_or_ask_for_bent(
    fight: Fight, target: str, by: str, squares: int, kind: str, paths: PathsBySquare, power: Reason
) -> Procedure[tuple[list[Square], Obstacle | None]]:
    """Return the path of a push or pull, and the obstacle at which it ends early (None for no obstacle).

    The path is straight. An obstacle may cut the straight path short. If longer bent paths exist then, the
    creature `by` chooses between the straight path and the bent ones. `paths` has the possible paths by their
    last square.
    """
    way, stopped = _straight_path(fight, target, by, squares, kind)
    further = {square: other for square, other in paths.items() if len(other) > len(way)} if stopped else {}
    if not further:
        return way, stopped
    assert stopped is not None
    end = format_square(way[-1]) if way else ""
    names = _names_furthest_first(fight.at(target), further)
    labels = (CutShort(end, stopped.creature, stopped.is_wall), *map(Bending, names))
    about = DisplaceTo(by, target, kind, squares, power)
    answer = yield Choose(by, f"{kind} {target} to", (end or STAY, *names), labels, about=about)
    return (further[names[answer]], None) if answer in names else (way, stopped)


def _ask_for_last_square(
    fight: Fight, target: str, by: str, squares: int, kind: str, paths: PathsBySquare, power: Reason
) -> Procedure[Square]:
    """Ask `by` for the last square of the movement; the furthest is offered first."""
    start = fight.at(target)
    names = _names_furthest_first(start, [square for square in paths if square != start])
    if not names:
        return start
    about = DisplaceTo(by, target, kind, squares, power)
    answer = yield Choose(by, f"{kind} {target} to", (*names, STAY), about=about)
    return names.get(answer, start)


def _names_furthest_first(start: Square, squares: Iterable[Square]) -> dict[str, Square]:
    found = sorted(squares, key=lambda square: (-distance(start, square), square[1], square[0]))
    return {format_square(square): square for square in found}


def _possible_paths(fight: Fight, target: str, by: str, squares: int, kind: str) -> PathsBySquare:
    known, asked = cached_values_of(fight.world), (_possible_paths, target, by, squares, kind)
    found: PathsBySquare | None = known.get(asked)
    if found is None:
        found = known[asked] = _find_paths(fight, target, by, squares, kind)
    return found


def _find_paths(fight: Fight, target: str, by: str, squares: int, kind: str) -> PathsBySquare:
    start = fight.at(target)
    if kind == "teleport":
        return {
            square: [square] if square != start else []
            for square in _squares_to_teleport(fight, target, squares)
        }
    ways: dict[Square, list[Square]] = {start: []}
    edge = [start]
    for _ in range(squares):
        further = []
        for here in edge:
            for square in _next_squares(fight, target, by, here, kind):
                if square not in ways:
                    ways[square] = [*ways[here], square]
                    further.append(square)
        edge = further
    return ways


def _next_squares(fight: Fight, target: str, by: str, here: Square, kind: str) -> Iterator[Square]:
    taken, size = known_occupied_squares(fight, by, skip=target), fight.size(target)
    away, apart = STRAIGHT_KINDS.get(kind), _distance_to(fight, by, here, size)
    for square in fight.grid.neighbours(here, size):
        if any(part in taken for part in footprint(square, size)):
            continue
        if away and not away(_distance_to(fight, by, square, size), apart):
            continue
        if kind == "shift" and any(map(fight.grid.is_difficult, footprint(square, size))):
            continue
        yield square


def _straight_path(
    fight: Fight, target: str, by: str, squares: int, kind: str
) -> tuple[list[Square], Obstacle | None]:
    """Return the straight path of a push or pull, and the obstacle that cuts the path short.

    If nothing cuts the path short, the obstacle is None. A pull that has brought the creature next to `by` is
    not cut short.
    """
    start, source, size = fight.at(target), fight.at(by), fight.size(target)
    taken = known_occupied_squares(fight, by, skip=target)
    way: list[Square] = []
    while len(way) < squares:
        here = way[-1] if way else start
        apart = _distance_to(fight, by, here, size)
        if kind == "pull" and apart <= 1:
            return way, None
        around = [(here[0] + right, here[1] + down) for right, down in DIRECTIONS]
        further = [
            square for square in around if STRAIGHT_KINDS[kind](_distance_to(fight, by, square, size), apart)
        ]
        if not further:  # a large creature that pushes itself
            return way, None
        least = min(_measure_off_line(source, start, square) for square in further)
        straight = [square for square in further if _measure_off_line(source, start, square) == least]
        free = [square for square in _next_squares(fight, target, by, here, kind) if square in straight]
        if not free:
            others = (taken.get(part) for square in straight for part in footprint(square, size))
            return way, Obstacle(next(filter(None, others), ""))
        way.append(free[0])
    return way, None


def _squares_to_teleport(fight: Fight, combatant: str, squares: int) -> Iterator[Square]:
    (x, y), size = fight.at(combatant), fight.size(combatant)
    taken = known_occupied_squares(fight, combatant)
    for down in range(-squares, squares + 1):
        for right in range(-squares, squares + 1):
            square = x + right, y + down
            free = not any(part in taken for part in footprint(square, size))
            if free and fight.grid.fits(square, size):
                yield square


def _distance_to(fight: Fight, by: str, square: Square, size: int) -> int:
    return distance_between_spaces(fight.at(by), fight.size(by), square, size)


def _measure_off_line(source: Square, start: Square, square: Square) -> int:
    """Return a measure of how far a square is off the line from `source` through `start`, for comparison."""
    across, down = start[0] - source[0], start[1] - source[1]
    return abs(across * (square[1] - source[1]) - down * (square[0] - source[0]))


def _reachable_squares_words(paths: PathsBySquare) -> str:
    names = [format_square(square) for square, way in paths.items() if way]
    return (
        f"It reaches {', '.join(names[:12])}{' and more' if len(names) > 12 else ''}."
        if names
        else "No path is free."
    )
