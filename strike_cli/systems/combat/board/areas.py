"""The squares of bursts, areas, lines and cones, for powers and for moving zones.

There are no dice here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import Change, apply_changes
from strike_cli.tabletop.grid import Square, distance, distance_between_spaces, footprint, format_square
from strike_cli.tabletop.squares_and_lines import all_squares_line_goes_through

from ..fight_state import Fight, area_shape_of, combatant_path

if TYPE_CHECKING:
    from ..data import AreaWritten, Power

AIMED = ("area", "line", "cone")
"""The shapes that have to be aimed at a square. A burst is not."""


def area_squares(fight: Fight, actor: str, power: AreaWritten, at: Square | None) -> frozenset[Square]:
    """Return the squares that a power covers: on the map, unblocked, and in sight of the origin.

    A burst N has all squares within N of the acting creature. An area N has all squares within N of `at`,
    which is then the origin. A line N goes N squares from the creature towards `at`. A cone N is a quarter of
    a burst N, centred on the direction of `at`. Only a burst needs no `at`.
    """
    shape = area_shape_of(power)
    reach, size, start = power[shape] if shape else 0, fight.size(actor), fight.at(actor)
    if shape == "area":
        assert at is not None
        found, start, size = _squares_in_and_around(at, 1, reach), at, 1
    elif shape == "line":
        assert at is not None
        found = frozenset(
            all_squares_line_goes_through(
                _nearest_own_square(fight, actor, at),
                _square_in_direction(_nearest_own_square(fight, actor, at), at, reach),
            )[1:]
        )
    else:
        found = _squares_in_and_around(start, size, reach)
        if shape == "cone":
            assert at is not None
            found = frozenset(square for square in found if _is_within_quarter(start, size, at, square))
    grid = fight.grid
    return frozenset(
        square
        for square in found
        if grid.is_on_map(square)
        and not grid.is_blocked(square)
        and grid.has_line_of_sight(start, square, size)
    )


def squares_to_aim_at(fight: Fight, actor: str, power: Power) -> Iterator[Square]:
    """Yield every square that a power's area may be aimed at.

    An `area` needs a square in range and in sight. A line or a cone may be aimed in any direction.
    """
    start, size, shape = fight.at(actor), fight.size(actor), area_shape_of(power)
    most = power["range"] if shape == "area" else power[shape] if shape else 0
    for square in sorted(
        _squares_in_and_around(start, size, most), key=lambda square: (square[1], square[0])
    ):
        if may_aim_area_at(fight, actor, power, square):
            yield square


def may_aim_area_at(fight: Fight, actor: str, power: Power, at: Square) -> bool:
    """Return whether a power's area may be aimed at a square.

    - A burst around a distant square: the square must be on the map, free of walls, in range and in sight.
    - Any other area, such as a line or a cone: the creature itself must not be on the square.
    """
    if area_shape_of(power) != "area":
        return at not in footprint(fight.at(actor), fight.size(actor))
    grid, start, size = fight.grid, fight.at(actor), fight.size(actor)
    return (
        grid.is_on_map(at)
        and not grid.is_blocked(at)
        and distance_between_spaces(start, size, at, 1) <= power["range"]
        and grid.has_line_of_sight(start, at, size)
    )


def _squares_in_and_around(middle: Square, size: int, reach: int) -> frozenset[Square]:
    (x, y), far = middle, reach + size
    return frozenset(
        (right, down)
        for right in range(max(0, x - reach), x + far)
        for down in range(max(0, y - reach), y + far)
    )


def _nearest_own_square(fight: Fight, combatant: str, at: Square) -> Square:
    return min(footprint(fight.at(combatant), fight.size(combatant)), key=lambda square: distance(square, at))


def _square_in_direction(start: Square, at: Square, reach: int) -> Square:
    """Return the square that is `reach` squares away from `start` in the direction of `at`."""
    (x, y), apart = start, distance(start, at)
    ways = (at[0] - x, at[1] - y)
    right, down = ((2 * way * reach + apart) // (2 * apart) for way in ways)
    return x + right, y + down


def _is_within_quarter(start: Square, size: int, at: Square, square: Square) -> bool:
    """Return whether a square is at most 45 degrees off the line from a creature's centre to `at`.

    `start` is the creature's top left square, and `size` its side length in squares.
    """
    middle = (2 * start[0] + size - 1, 2 * start[1] + size - 1)
    aim = (2 * at[0] - middle[0], 2 * at[1] - middle[1])
    way = (2 * square[0] - middle[0], 2 * square[1] - middle[1])
    along = aim[0] * way[0] + aim[1] * way[1]
    return any(way) and abs(aim[0] * way[1] - aim[1] * way[0]) <= along


# Zones that move along with a creature


def burst_squares_in_sight(fight: Fight, combatant: str, spread: int) -> frozenset[Square]:
    """Return the squares that are within `spread` of a creature and in its line of sight."""
    return area_squares(fight, combatant, {"burst": spread}, None)


def carried_zone_ids_and_changes(fight: Fight, combatant: str) -> Iterator[tuple[str, Change]]:
    """Yield the changes by which zones that move with a creature follow it to its present place.

    Each item is a zone's id and the change of its squares. Zones that are already in place are left out.
    """
    for key in fight.zones_moving_with(combatant):
        now = sorted_square_names(burst_squares_in_sight(fight, combatant, fight.zones[key].get("spread", 0)))
        if now != fight.zones[key]["squares"]:
            yield key, (f"fight.zones.{key}.squares", fight.zones[key]["squares"], now)


def with_combatant_and_zones_at(fight: Fight, combatant: str, square: Square) -> Fight:
    """Return a copy of the fight in which a creature and its zones have moved to another square."""
    state = apply_changes(fight.world.state, [(combatant_path(combatant, "at"), None, format_square(square))])
    moved = Fight(World(fight.world.book, state))
    if not fight.zones_moving_with(combatant):
        return moved
    changes = [change for _, change in carried_zone_ids_and_changes(moved, combatant)]
    return Fight(World(fight.world.book, apply_changes(state, changes)))


def sorted_square_names(squares: Iterable[Square]) -> list[str]:
    """Return the names of the squares in order, as the state stores them."""
    return [format_square(square) for square in sorted(squares)]
