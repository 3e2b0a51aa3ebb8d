"""The squares that the party sees, and a quick way to leave out squares that nobody can see.

The rule of sight, `Grid.has_line_of_sight`, tests one square at a time and is slow for a whole map. So this
module first leaves out squares that are surely behind walls. It keeps every square that the rule would show,
with one exception. A square that itself stops sight, such as a wall, may be left out if all its near corners
are hidden. In this case, a line of sight can reach only its far corners, through the square itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import ceil, floor
from typing import TYPE_CHECKING, cast

from ..kernel.procedure import Procedure, World
from ..kernel.state_changes import require_scene_table
from .characters_and_names import checked_creature_size
from .fog import parse_seen_squares, squares_to_rows
from .grid import Grid, grid_of
from .scene import people_table
from .scene_change_facts import GroundSeen
from .squares_and_lines import UNIT, Segment, Square, footprint, parse_square

if TYPE_CHECKING:
    from .data import PersonKept, SceneKept


Vertex = tuple[int, int]
"""A corner at which four squares meet, named by the square below it and to its right."""
Gap = tuple[float, float]
"""A range of slopes: lit with its ends, or in shadow without them."""

_LEAN = 0.2
"""How far a line of sight may pass the free end of a wall and still be stopped, in squares for each column.

Lines lean out by a tenth at either end.
"""
_EXACT = 1e-9
_JOINED = 1e-6
_OCTANTS = ((1, 0, 0, 1), (0, 1, 1, 0), (0, -1, 1, 0), (-1, 0, 0, 1),
            (-1, 0, 0, -1), (0, -1, -1, 0), (0, 1, -1, 0), (1, 0, 0, -1))  # fmt: skip
"""Where `i` and `j` lead on the map in each eighth of the circle: x by i, x by j, y by i, y by j."""


def possibly_visible_squares(grid: Grid, at: Square, size: int = 1) -> set[Square]:
    """Return all squares that a creature can possibly see from `at`, and perhaps some that it can't see.

    The creature is `size` squares wide. For each of the squares, `Grid.has_line_of_sight` decides whether the
    creature really sees it.
    """
    own = frozenset(footprint(at, size))
    lit: set[Vertex] = set()
    for x, y in {(x + right, y + down) for x, y in own for right in (0, 1) for down in (0, 1)}:
        for octant in _OCTANTS:
            lit.update(_Octant(grid, own, (x, y), octant).lit_corners())
    found = {(x + right, y + down) for x, y in lit for right in (-1, 0) for down in (-1, 0)}
    return {square for square in found if grid.is_on_map(square)} | own


class _Octant:
    """The search for square corners in view of a point (the eye), in one eighth of all directions.

    The directions lie between a row or column of the grid (the axis) and a diagonal. The search goes along
    the axis, away from the eye, one column of squares at a time. A column is at right angles to the axis. The
    place of a corner is given by two numbers, in squares from the eye: `i` along the axis, and `j` away from
    the axis. So `j / i` is the slope of the line from the eye to the corner. The slopes in the octant go from
    0 to 1.
    """

    def __init__(
        self, grid: Grid, own: frozenset[Square], eye: Vertex, octant: tuple[int, int, int, int]
    ) -> None:
        self.grid, self.own, self.eye = grid, own, eye
        self.x_by_i, self.x_by_j, self.y_by_i, self.y_by_j = octant
        self.walls = _fully_walled_sides(grid.sight_walls.segments) if grid.sight_walls else frozenset()

    def lit_corners(self) -> Iterator[Vertex]:
        """Yield the corners of squares in this octant, except those that a wall surely hides from the eye."""
        gaps: list[Gap] = [(0.0, 1.0)]
        for i in range(max(self.grid.width, self.grid.height)):
            if not self.grid.is_on_map(self._square_at(i, 0)):
                return
            gaps = _subtract_shadows(gaps, self._shadows_of_squares(i, gaps))
            yield from (self._vertex_at(i + 1, j) for j in _corners_within(gaps, i + 1))
            if self.walls:  # which may be seen themselves
                gaps = _subtract_shadows(gaps, self._shadows_of_walls_along_axis(i, gaps))
                gaps = _subtract_shadows(gaps, self._shadows_of_walls_across_axis(i + 1, gaps))
            if not gaps:
                return

    def _vertex_at(self, i: int, j: int) -> Vertex:
        x, y = self.eye
        return x + self.x_by_i * i + self.x_by_j * j, y + self.y_by_i * i + self.y_by_j * j

    def _square_at(self, i: int, j: int) -> Square:
        """Return the square between the corners (i, j) and (i + 1, j + 1)."""
        (x, y), (right, down) = self._vertex_at(i, j), self._vertex_at(i + 1, j + 1)
        return min(x, right), min(y, down)

    def _shadows_of_squares(self, i: int, gaps: list[Gap]) -> list[Gap]:
        """Return the shadows of the blocked squares in column `i`, counted along the axis from the eye.

        A shadow is a range of slopes. `gaps` has the ranges of slopes that are still in view. A square
        outside all of them casts no shadow, and neither do the viewer's own squares.
        """
        blocked, own = self.grid.is_blocked, self.own
        x, y = self._square_at(i, 0)
        right, down = self.x_by_j, self.y_by_j
        rows = {j for low, high in gaps for j in range(int(low * i), min(i, int(high * (i + 1))) + 1)}
        return [
            (j / (i + 1), (j + 1) / i if i else 2.0)
            for j in sorted(rows)
            if blocked((x + right * j, y + down * j)) and (x + right * j, y + down * j) not in own
        ]

    def _shadows_of_walls_along_axis(self, i: int, gaps: list[Gap]) -> list[Gap]:
        """Return the shadows of the walls between squares that run along the axis, in column `i`.

        A shadow is a range of slopes. `gaps` has the ranges of slopes that are still in view. Walls below the
        first gap or above the last gap are left out.
        """
        found = []
        for j in (
            range(max(1, int(gaps[0][0] * i)), min(i, int(gaps[-1][1] * (i + 1))) + 1) if i and gaps else ()
        ):
            if self._is_walled_between_octant_corners((i, j), (i + 1, j)):
                found.append(
                    (self._slope_where_shadow_begins((i + 1, j)), self._slope_where_shadow_ends((i, j)))
                )
        return found

    def _shadows_of_walls_across_axis(self, i: int, gaps: list[Gap]) -> list[Gap]:
        """Return the shadows of the walls at right angles to the axis, `i` squares from the eye.

        A shadow is a range of slopes. `gaps` has the ranges of slopes that are still in view. Walls below the
        first gap or above the last gap are left out.
        """
        found = []
        for j in range(int(gaps[0][0] * i), min(i - 1, int(gaps[-1][1] * i)) + 1) if gaps else ():
            if self._is_walled_between_octant_corners((i, j), (i, j + 1)):
                found.append(
                    (self._slope_where_shadow_begins((i, j)), self._slope_where_shadow_ends((i, j + 1)))
                )
        return found

    def _is_walled_between_octant_corners(self, one_in_octant: Vertex, other_in_octant: Vertex) -> bool:
        return (self._vertex_at(*one_in_octant), self._vertex_at(*other_in_octant)) in self.walls

    def _slope_where_shadow_begins(self, corner: Vertex) -> float:
        """Return the slope at which a wall's shadow begins. `corner` is the lower end of the wall.

        A line of sight may cut across a free end of a wall by a small margin (`_LEAN`). So if no other wall
        covers this margin at `corner`, the shadow begins a little past `corner`. Otherwise, it begins at
        `corner`.
        """
        (i, j), slope = corner, corner[1] / corner[0]
        while slope - j / i < _LEAN / corner[0]:
            if self._is_walled_between_octant_corners((i, j), (i, j - 1)):
                break
            if j == 0 or not self._is_walled_between_octant_corners((i, j), (i + 1, j)):
                return max(slope - _JOINED, (j + _LEAN) / i)
            i += 1
        return slope - _JOINED

    def _slope_where_shadow_ends(self, corner: Vertex) -> float:
        """Return the slope at which a wall's shadow ends; `corner` is the upper end of the wall."""
        (i, j), slope = corner, corner[1] / corner[0]
        while j / i - slope < _LEAN / corner[0]:
            if self._is_walled_between_octant_corners((i, j), (i, j + 1)):
                break
            if i == 1 or not self._is_walled_between_octant_corners((i, j), (i - 1, j)):
                return (j - _LEAN) / i
            i -= 1
        return slope + _JOINED


@lru_cache(maxsize=16)
def _fully_walled_sides(segments: tuple[Segment, ...]) -> frozenset[tuple[Vertex, Vertex]]:
    """Return the sides of squares that are walls over their full length.

    A side is a pair of corners. The result contains each side twice: once in each order of its corners.
    """
    sides: set[tuple[Vertex, Vertex]] = set()
    for (ax, ay), (bx, by) in segments:
        across, down = int(ax != bx), int(ay != by)
        if across + down == 2 or (ay if across else ax) % UNIT:
            continue  # what runs otherwise is left to a closer look
        first, last = (min(ax, bx), max(ax, bx)) if across else (min(ay, by), max(ay, by))
        line = (ay if across else ax) // UNIT
        for at in range(-(-first // UNIT), last // UNIT):
            sides.add(((at, line), (at + 1, line)) if across else ((line, at), (line, at + 1)))
    return frozenset(side for one, other in sides for side in ((one, other), (other, one)))


def _subtract_shadows(gaps: list[Gap], shadows: list[Gap]) -> list[Gap]:
    """Return the parts of `gaps` without shadow. The edge of a shadow is lit."""
    if not shadows:
        return gaps
    left: list[Gap] = []
    shadows.sort()
    for low, high in gaps:
        for begins, ends in shadows:
            if ends <= low or begins >= high or begins >= ends:
                continue
            if begins >= low:
                left.append((low, begins))
            low = ends
        if low <= high:
            left.append((low, high))
    return left


def _corners_within(gaps: list[Gap], i: int) -> Iterator[int]:
    last = -1
    for low, high in gaps:
        for j in range(max(last + 1, ceil(low * i - _EXACT)), floor(high * i + _EXACT) + 1):
            yield j
            last = j


def record_squares_first_seen_in_fog(
    world: World, scene: str, people_key: str, before: Mapping[str, object] | None
) -> Procedure[None]:
    """Record the squares of a scene's map that the party sees for the first time.

    `before` is the scene's table before a command, or None. Nothing is recorded if since then nobody of the
    party has moved, and the map and the zones are the same. `people_key` is the key of the people in the
    table.
    """
    table = cast("SceneKept", require_scene_table(world.state, scene))
    if not table.get("map") or (
        before is not None and not _may_sight_have_changed(table, cast("SceneKept", before), people_key)
    ):
        return
    known = parse_seen_squares(table["seen"])
    seen = known | squares_seen_by_party(table, people_key)
    if seen == known:
        return
    rows = squares_to_rows(seen)
    yield world.tell(GroundSeen(), {f"{scene}.seen.{row}": text for row, text in rows.items()})


def _may_sight_have_changed(table: SceneKept, before: SceneKept, people_key: str) -> bool:
    if "seen" not in before or any(table.get(key) is not before.get(key) for key in ("map", "zones")):
        return True
    then = people_table(before, people_key)
    return any(
        person not in then or _sight_key(one) != _sight_key(then[person])
        for person, one in people_table(table, people_key).items()
        if one.get("side") == "party"
    )


def _sight_key(person: PersonKept) -> tuple[object, ...]:
    return person.get("at"), person.get("size"), person.get("out"), person.get("side")


def squares_seen_by_party(table: SceneKept, people_key: str) -> frozenset[Square]:
    """Return the squares of a scene's map that the party sees now.

    `people_key` is the key of the people in the table.
    """
    walls = _squares_of_zones_with(table, "blocks", True)
    dark, light = (
        _squares_of_zones_with(table, "sight", "dark"),
        _squares_of_zones_with(table, "sight", "light"),
    )
    grid, unlit = grid_of(table["map"], blocked=walls), dark - light
    found: set[Square] = set()
    for one in people_table(table, people_key).values():
        if one.get("side") != "party" or "out" in one or not one.get("at"):
            continue
        try:
            at = parse_square(one["at"])
        except ValueError:
            continue  # a place by words
        size = checked_creature_size(one.get("size", 1))
        found.update(footprint(at, size))
        found.update(
            square
            for square in possibly_visible_squares(grid, at, size) - found
            if square not in unlit and grid.has_line_of_sight(at, square, size)
        )
    return frozenset(found)


def _squares_of_zones_with(table: SceneKept, key: str, value: object) -> frozenset[Square]:
    """Return the squares of the zones with this `value` under `key`."""
    return frozenset(
        parse_square(square)
        for zone in table.get("zones", {}).values()
        if zone.get(key) == value
        for square in zone.get("squares", ())
    )
