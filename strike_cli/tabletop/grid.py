"""The squares of a map: distance, movement, sight, cover and flanking.

This is pure geometry, in whole numbers. Nothing here knows creatures, powers or turns. The caller says which
squares a creature may pass, may stop on, or should avoid. All lengths are in squares. A diagonal step is one
square long (STR-TAC-07). On a map with `alternate`, every second diagonal step is two squares long.
`squares_and_lines` has the names of squares, lines across squares, and walls. `distance_units` has units of
length.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

from ..deprecated_api_names import OldName
from .squares_and_lines import (
    ALTERNATE,
    DIAGONALS_OF_MAP,
    UNIT,
    WALL_KINDS,
    EyePoints,
    Segment,
    Walls,
    centre_in_half_squares,
    corners_in_half_squares,
    eye_points_at,
    half_squares_to_wall_units,
    is_closed_corner,
    is_line_clear,
    is_whole_side_walled,
    middle_in_wall_units,
    segments_in_wall_units,
    squares_crossed,
    walk_length_on_open_ground,
)
from .squares_and_lines import Predicate as Predicate
from .squares_and_lines import Square as Square
from .squares_and_lines import column_name as column_name
from .squares_and_lines import footprint as footprint
from .squares_and_lines import format_square as format_square
from .squares_and_lines import parse_area as parse_area
from .squares_and_lines import parse_square as parse_square

if TYPE_CHECKING:
    from .data import BoardKept

Paid = frozenset[Hashable]
Toll = Callable[[Square, Square], Paid]

FLOOR = "."
WALL = "#"
DIFFICULT = "~"
CLOSED_DOOR = "+"
OPEN_DOOR = "/"
NOTHING = " "

LEGEND = {
    FLOOR: "floor",
    WALL: "wall",
    DIFFICULT: "difficult terrain",
    CLOSED_DOOR: "closed door",
    OPEN_DOOR: "open door",
    NOTHING: "nothing",
}
_BLOCKING = frozenset((WALL, CLOSED_DOOR, NOTHING))

STRAIGHT: tuple[Square, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL: tuple[Square, ...] = ((1, 1), (-1, 1), (-1, -1), (1, -1))
# Straight steps first: where two ways are equally good, the straighter one is found first.
DIRECTIONS = STRAIGHT + DIAGONAL


# --- distance, adjacency, flanking


def distance(a: Square, b: Square) -> int:
    """Return the distance from `a` to `b` in squares. A diagonal counts as 1 (STR-TAC-07)."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def distance_between_spaces(a: Square, size_a: int, b: Square, size_b: int, alternate: bool = False) -> int:
    """Return the distance between two creatures' spaces, in squares (STR-TAC-07).

    It is 1 if the spaces are adjacent, and 0 if they overlap. With `alternate`, every second diagonal counts
    as 2.
    """
    (left, top), (right, bottom) = a, b
    across = right - left - size_a + 1 if right > left else left - right - size_b + 1
    down = bottom - top - size_a + 1 if bottom > top else top - bottom - size_b + 1
    if alternate:
        return walk_length_on_open_ground(max(across, 0), max(down, 0), True)
    return max(across, down, 0)


def squares_between_spaces(a: Square, b: Square, size_a: int = 1, size_b: int = 1) -> list[Square]:
    """Return the squares on the line between the middles of two spaces, the nearest to `b` first.

    The squares of the two spaces themselves are left out.
    """
    own = {*footprint(a, size_a), *footprint(b, size_b)}
    found = [
        square
        for square in squares_crossed(centre_in_half_squares(a, size_a), centre_in_half_squares(b, size_b))
        if square not in own
    ]
    return sorted(found, key=lambda square: (distance_between_spaces(square, 1, b, size_b), square))


def are_adjacent(a: Square, b: Square, size_a: int = 1, size_b: int = 1) -> bool:
    """Return whether two spaces touch at a side or a corner, without overlapping (STR-TAC-07)."""
    return distance_between_spaces(a, size_a, b, size_b) == 1


def are_flanking(
    a: Square, target: Square, b: Square, size_a: int = 1, size_target: int = 1, size_b: int = 1
) -> bool:
    """Return whether `a` and `b` flank `target` (STR-TAC-20).

    Both must be adjacent to the target, at opposite sides or at opposite corners. At opposite sides of a
    large target, any square of the side is enough.
    """
    if not (are_adjacent(a, target, size_a, size_target) and are_adjacent(b, target, size_b, size_target)):
        return False
    across, down = _direction_of_space(a, size_a, target, size_target)
    return _direction_of_space(b, size_b, target, size_target) == (-across, -down)


def _direction_of_space(a: Square, size_a: int, target: Square, size_target: int) -> Square:
    """Return the direction of the space `a` from `target`, as (across, down).

    (-1, 0) is the left side, and (1, 1) the corner below and right.
    """
    across = (a[0] >= target[0] + size_target) - (a[0] + size_a <= target[0])
    down = (a[1] >= target[1] + size_target) - (a[1] + size_a <= target[1])
    return across, down


# --- the map


class Grid:
    """A map of squares, made from rows of text. It never changes.

    Each character of a row is a square: `.` is floor, `#` a wall, `~` difficult terrain, `+` a closed door,
    `/` an open door, and a blank nothing. Any other character raises ValueError, with its row and column. A
    short row is filled up with blanks.

    Args:
        rows: The rows of the map.
        rough: Further squares with difficult terrain.
        walls: Walls between squares.
        sight_walls: The walls that stop sight. By default these are `walls`.
        alternate: Whether every second diagonal step of a walk counts as two squares.
    """

    __slots__ = (
        *("_backwards", "_covered", "_distances", "_one_way", "_onward", "_priced"),
        *("_seen", "_steps", "_walls_near"),
        *("alternate", "bare", "height", "plain", "rough", "rows", "sight_walls", "walls", "width"),
    )

    def __init__(
        self,
        rows: Sequence[str],
        rough: Collection[Square] = (),
        walls: Walls | None = None,
        sight_walls: Walls | None = None,
        alternate: bool = False,
    ) -> None:
        self.alternate = alternate
        self.rough = rough
        self.plain = self
        """The same map, in which only what the rows say is difficult."""
        self.walls = walls or None
        self.sight_walls = self.walls if sight_walls is None else sight_walls or None
        self._one_way = bool(walls and walls.one_way)
        self._backwards: Grid | None = None
        self._walls_near: dict[Square, Walls] = {}
        self._seen: dict[tuple[frozenset[Square], Square, int, Square, int], bool] = {}
        self.height = len(rows)
        self.width = max(map(len, rows), default=0)
        for number, row in enumerate(rows, 1):
            if set(row) - LEGEND.keys():
                column, character = next(
                    (column, character) for column, character in enumerate(row, 1) if character not in LEGEND
                )
                known = ", ".join(f"{key!r} {meaning}" for key, meaning in LEGEND.items())
                raise ValueError(
                    f"row {number}, column {column} of the map: {character!r} is not known. Use {known}"
                )
        self.rows = tuple(row.ljust(self.width) for row in rows)
        self.bare = not any(_BLOCKING.intersection(row) for row in self.rows)
        """Whether no square of the map stops anything, so that only walls between squares can."""
        self._steps: dict[tuple[Square, int], tuple[Square, ...]] = {}
        self._priced: dict[tuple[Square, int], tuple[tuple[Square, int], ...]] = {}
        self._onward: dict[tuple[Square, int, bool, bool], tuple[tuple[Square, int, bool], ...]] = {}
        self._distances: dict[tuple[Square, int], dict[Square, int]] = {}
        self._covered: dict[tuple[Square, Square, int, int], bool] = {}

    def with_difficult_squares(self, rough: Collection[Square]) -> Grid:
        """Return a copy of the map in which the squares in `rough` are difficult terrain.

        They replace the earlier `rough` squares. Difficult terrain in the rows of the map stays. The copy
        shares everything that was computed about walls.
        """
        other = copy(self)
        other.rough = rough
        other._backwards = None
        other._priced, other._onward, other._distances = {}, {}, {}
        return other

    def is_on_map(self, square: Square) -> bool:
        """Return whether a square is within the rectangle of the map."""
        return 0 <= square[0] < self.width and 0 <= square[1] < self.height

    def sign_at(self, square: Square) -> str:
        """Return the sign of a square; NOTHING outside the map."""
        x, y = square
        return self.rows[y][x] if 0 <= x < self.width and 0 <= y < self.height else NOTHING

    def is_blocked(self, square: Square) -> bool:
        """Return whether a square stops movement and sight.

        These squares do: walls, closed doors, squares outside the room (a space on the map), and squares off
        the map.
        """
        return self.sign_at(square) in _BLOCKING

    def is_difficult(self, square: Square) -> bool:
        """Return whether a square is difficult terrain, which costs 2 and bars a Shift (STR-TAC-07)."""
        return self.sign_at(square) == DIFFICULT or square in self.rough

    # --- movement

    def fits(self, square: Square, size: int = 1) -> bool:
        """Return whether a creature has room if its top left corner is on a square.

        The creature is `size` squares wide and high. It has room if no square of its space is blocked and no
        wall goes through the space. A one-way wall may go through the space, since a large creature may be
        passing it.
        """
        if size == 1:
            return not self.is_blocked(square)
        x, y = square
        return not any(map(self.is_blocked, footprint(square, size))) and not any(
            self.is_step_walled(here, there) and (not self._one_way or self.is_step_walled(there, here))
            for here in footprint(square, size)
            for there in ((here[0] + 1, here[1]), (here[0], here[1] + 1))
            if there[0] < x + size and there[1] < y + size
        )

    def is_step_walled(self, here: Square, there: Square) -> bool:
        """Return whether a wall stops a step from the middle of a square to the middle of a neighbour."""
        if self.walls is None:
            return False
        if here not in self._walls_near:
            self._walls_near[here] = self.walls.walls_near(
                middle_in_wall_units(here), middle_in_wall_units(here)
            )
        return self._walls_near[here].stops_line(middle_in_wall_units(here), middle_in_wall_units(there))

    def neighbours(self, square: Square, size: int = 1) -> tuple[Square, ...]:
        """Return the squares to which a creature can go from a square with one step (STR-TAC-07).

        Walls and closed doors stop a step. A diagonal step around one corner is possible. A diagonal step
        between two blocked squares isn't.
        """
        known = self._steps.get((square, size))
        if known is None:
            known = self._steps[square, size] = tuple(self._find_steps_also_around_corner(square, size))
        return known

    def _find_steps_also_around_corner(self, square: Square, size: int) -> Iterator[Square]:
        x, y = square
        fits = {(right, down): self.fits((x + right, y + down), size) for right, down in DIRECTIONS}

        def is_unwalled(here: Square, step: Square) -> bool:
            return self.walls is None or not any(
                self.is_step_walled(part, (part[0] + step[0], part[1] + step[1]))
                for part in footprint(here, size)
            )

        def leads_around_corner(first: Square, second: Square) -> bool:
            corner = x + first[0], y + first[1]
            return fits[first] and is_unwalled(square, first) and is_unwalled(corner, second)

        for step in DIRECTIONS:
            right, down = step
            if not fits[step]:
                continue
            across, along = (right, 0), (0, down)
            straight = not right or not down
            if (
                is_unwalled(square, step)
                if straight
                else leads_around_corner(across, along) or leads_around_corner(along, across)
            ):
                yield x + right, y + down

    def step_cost(self, square: Square, shift: bool = False, size: int = 1) -> int:
        """Return the movement cost of a step onto `square` (STR-TAC-07).

        It is 2 if any square of the creature's space is difficult terrain, else 1. Raises ValueError if the
        step is a `shift` onto difficult terrain.
        """
        if not self._is_space_difficult(square, size):
            return 1
        if shift:
            raise ValueError(f"{format_square(square)} is difficult terrain, which bars a Shift: walk there")
        return 2

    def _is_space_difficult(self, square: Square, size: int) -> bool:
        if size == 1:
            return self.is_difficult(square)
        return any(map(self.is_difficult, footprint(square, size)))

    def steps_from(self, square: Square, size: int) -> tuple[tuple[Square, int], ...]:
        """Return the squares one step away (`neighbours`), each with the movement cost of the step."""
        known = self._priced.get((square, size))
        if known is None:
            known = self._priced[square, size] = tuple(
                (step, 2 if self._is_space_difficult(step, size) else 1)
                for step in self.neighbours(square, size)
            )
        return known

    def distances_from(self, start: Square, size: int = 1) -> dict[Square, int]:
        """Return the walking distance from a square to each square that can be reached, ignoring people.

        The result is cached, so callers must not change it.
        """
        known = self._distances.get((start, size))
        if known is None:
            if len(self._distances) >= MOST_DISTANCES:
                self._distances.clear()
            known = self._distances[start, size] = self.reachable(
                start,
                MORE_THAN_ANY_DISTANCE,
                passable=_allow_any_square,
                standable=_allow_any_square,
                size=size,
            )
        return known

    def distances_to(self, goal: Square, size: int = 1) -> dict[Square, int]:
        """Return the walking distance to `goal` from each square from which `goal` can be reached.

        People on the way are ignored. Difficult terrain costs as much as on the way back, from `goal` to the
        square. The result is cached, so callers must not change it.
        """
        return self.with_one_way_walls_reversed.distances_from(goal, size)

    @property
    def with_one_way_walls_reversed(self) -> Grid:
        """The same map, but with its one-way walls reversed.

        A path can be walked on this map if it can be walked in the opposite direction on the original map.
        """
        if self.walls is None or not self.walls.one_way:
            return self
        if self._backwards is None:
            self._backwards = Grid(
                self.rows, self.rough, self.walls.with_one_way_reversed(), alternate=self.alternate
            )
        return self._backwards

    def path_cost(self, path: Sequence[Square], size: int = 1, odd: bool = False) -> int:
        """Return the movement cost of a path (STR-TAC-07).

        The first square of `path` is the start, and costs nothing. On a grid with alternating diagonals,
        every second diagonal costs double. If `odd` is True, an odd number of diagonals was walked before.
        Then the first diagonal of this path costs double.
        """
        spent = 0
        for here, there in pairwise(path):
            cost = self.step_cost(there, size=size)
            if self.alternate and is_diagonal(here, there):
                cost, odd = cost * 2 if odd else cost, not odd
            spent += cost
        return spent

    def reachable(
        self,
        start: Square,
        speed: int,
        *,
        passable: Predicate,
        standable: Predicate,
        size: int = 1,
        ignore_difficult: bool = False,
        odd: bool = False,
    ) -> dict[Square, int]:
        """Return each square on which a walk of at most `speed` can end, with its cost (STR-TAC-07).

        `passable` tests whether a creature may walk through a square, and `standable` whether it may stop
        there. With `ignore_difficult`, difficult terrain costs nothing extra. `odd` is True if an odd number
        of diagonals was walked before.
        """
        cost = self._movement_costs(start, speed, passable, size, ignore_difficult, odd and self.alternate)
        return {
            square: spent
            for square, spent in cost.items()
            if square == start or _holds_for_whole_space(standable, square, size)
        }

    def _movement_costs(
        self, start: Square, speed: int, passable: Predicate, size: int, ignore_difficult: bool, odd: bool
    ) -> dict[Square, int]:
        """Return the least movement cost of each square within `speed`.

        If every second diagonal step costs double, the search keeps two costs for each square: one if the
        next diagonal step is cheap, and one if it is dear. A path that costs more up to a square may still
        lead further, if its next diagonal step is cheap. `odd` says whether the first diagonal step is dear.
        """
        least = {start: 0}
        costs: dict[bool, dict[Square, int]] = {odd: least, not odd: {}}
        """Costs of squares, by whether the next diagonal costs two; without alternation it never does."""
        rings = {0: [(start, odd)]}
        """Squares of equal distance, by distance: each ring is searched on from in order."""
        barred: set[Square] = set()
        spent = -1
        while rings:
            spent += 1
            for square, dear in sorted(rings.pop(spent, ())):
                if spent > costs[dear][square]:
                    continue
                for step, price, after in self._steps_with_diagonals(square, size, ignore_difficult, dear):
                    total, known = spent + price, costs[after]
                    if total > speed or total >= known.get(step, MORE_THAN_ANY_DISTANCE) or step in barred:
                        continue
                    if passable(step) if size == 1 else _holds_for_whole_space(passable, step, size):
                        known[step] = total
                        rings.setdefault(total, []).append((step, after))
                    else:
                        barred.add(step)
        for square, spent in costs[not odd].items():
            least[square] = min(spent, least.get(square, MORE_THAN_ANY_DISTANCE))
        return least

    def _steps_with_diagonals(
        self, square: Square, size: int, ignore_difficult: bool, next_diagonal_costs_2: bool
    ) -> tuple[tuple[Square, int, bool], ...]:
        """Return the steps from a square: the next square, the cost, and whether the next diagonal costs 2.

        On a map with alternating diagonals, every second diagonal step costs double. `next_diagonal_costs_2`
        says whether a diagonal step from this square does. With `ignore_difficult`, difficult terrain costs
        nothing extra.
        """
        known = self._onward.get((square, size, ignore_difficult, next_diagonal_costs_2))
        if known is None:
            found = []
            for step, price in self.steps_from(square, size):
                diagonal = self.alternate and is_diagonal(square, step)
                cost = (1 if ignore_difficult else price) * (2 if diagonal and next_diagonal_costs_2 else 1)
                found.append((step, cost, next_diagonal_costs_2 != diagonal))
            known = self._onward[square, size, ignore_difficult, next_diagonal_costs_2] = tuple(found)
        return known

    def shortest_path(
        self,
        start: Square,
        goal: Square,
        *,
        passable: Predicate,
        toll: Toll | None = None,
        avoid_first: bool = False,
        limit: int | None = None,
        size: int = 1,
        ignore_difficult: bool = False,
        odd: bool = False,
    ) -> list[Square] | None:
        """Return the best path from `start` to `goal`, including both; None if there is no path.

        The best path has the least movement cost, then the fewest tolls, then the straightest line
        (STR-TAC-07, 08). `toll(from, to)` returns the tolls of a step, such as enemies who get an
        Opportunity. Each toll counts once on a path. With `avoid_first`, fewer tolls come before less
        movement. `limit` is the most movement that the path may cost. `ignore_difficult` and `odd` are as in
        `reachable`.
        """
        if goal != start and not self.fits(goal, size):
            return None
        # Dijkstra. A later label is of use where it is cheaper or hasn't paid what an earlier has.
        labels: list[tuple[Square, int]] = []
        settled: dict[tuple[Square, bool], list[tuple[int, Paid]]] = {}
        frontier: list[tuple[tuple[int, int, int], Square, int, int, int, Paid, bool]] = []

        def add_label(square: Square, spent: int, paid: Paid, bend: int, came_from: int, dear: bool) -> None:
            total = spent + distance(square, goal)
            if limit is None or total <= limit:
                rank = (len(paid), total, bend) if avoid_first else (total, len(paid), bend)
                heappush(frontier, (rank, square, spent, bend, len(labels), paid, dear))
                labels.append((square, came_from))  # how many there are settles ties: sets have no order

        add_label(start, 0, frozenset(), 0, -1, odd and self.alternate)
        while frontier:
            _, square, spent, bend, label, paid, dear = heappop(frontier)
            if square == goal:
                return _path_to_label(labels, label)
            if _is_no_better(settled.get((square, dear), ()), spent, paid):
                continue
            settled.setdefault((square, dear), []).append((spent, paid))
            for step, price, after in self._steps_with_diagonals(square, size, ignore_difficult, dear):
                total = spent + price
                better_known = settled.get((step, after), ())
                if _is_no_better(better_known, total, paid):  # a toll is never negative
                    continue
                dues = paid | toll(square, step) if toll else paid
                if not _is_no_better(better_known, total, dues) and _holds_for_whole_space(
                    passable, step, size
                ):
                    bent = bend + _comparable_deviation_from_line(start, goal, step)
                    add_label(step, total, dues, bent, label, after)
        return None

    # --- sight

    def has_line_of_sight(self, a: Square, b: Square, size_a: int = 1, size_b: int = 1) -> bool:
        """Return whether a creature at `a` can see a creature at `b` (STR-TAC-22).

        A straight line between the two creatures must be clear. It may begin and end at any corner of their
        squares. Walls, closed doors and blocked squares stop the line. The line may graze a blocked square.
        It may not enter one, run along the seam of two, or slip through where two meet at a corner. The two
        squares at the ends of the line never block it.

        If a wall fills the whole side between two neighbouring squares, there is no line of sight between
        them. One creature can see another without being seen only if there are one-way walls.
        """
        return self.has_line_of_sight_past(frozenset(), a, b, size_a, size_b)

    def has_line_of_sight_past(
        self, opaque: frozenset[Square], a: Square, b: Square, size_a: int = 1, size_b: int = 1
    ) -> bool:
        """Return whether there is a line of sight that avoids the squares in `opaque`, such as smoke."""
        forward = a <= b or self._one_way
        key = (opaque, a, size_a, b, size_b) if forward else (opaque, b, size_b, a, size_a)
        known = self._seen.get(key)
        if known is None:
            ends = footprint(b, size_b)
            known = self._seen[key] = any(
                self._square_sees_square(start, end, opaque) for start in footprint(a, size_a) for end in ends
            )
        return known

    def _square_sees_square(self, a: Square, b: Square, veil: Collection[Square]) -> bool:
        def blocked(square: Square) -> bool:
            return square != a and square != b and (self.is_blocked(square) or square in veil)

        nothing_stands = self.bare and not veil
        if nothing_stands and not self.sight_walls:
            return True
        ends = [corner for corner in corners_in_half_squares(b) if not is_closed_corner(b, corner, blocked)]
        starts = [corner for corner in corners_in_half_squares(a) if not is_closed_corner(a, corner, blocked)]
        if not self.sight_walls:
            return any(is_line_clear(start, end, blocked) for start in starts for end in ends)
        near = self.sight_walls.walls_near(middle_in_wall_units(a), middle_in_wall_units(b))
        if self._one_way:
            near = near.with_one_way_walls_resolved(middle_in_wall_units(a), middle_in_wall_units(b))
        if nothing_stands and not near:
            return True
        if is_whole_side_walled(a, b, near):
            return False
        if nothing_stands and _has_straight_line_past_walls(a, starts, b, ends, near):
            return True
        eyes = [(start, eye_points_at(a, start, near, self.is_blocked)) for start in starts]
        aims = [(end, eye_points_at(b, end, near, self.is_blocked)) for end in ends]
        return any(
            (nothing_stands or is_line_clear(start, end, blocked))
            and _has_line_past_walls(looking, aim, near, blocked)
            for start, looking in eyes
            for end, aim in aims
        )

    def has_cover(self, a: Square, b: Square, size_a: int = 1, size_b: int = 1) -> bool:
        """Return whether `b` has cover from `a` (STR-TAC-24). Without a line of sight, the result is False.

        There is cover if the line between their middles enters a blocked square, passes exactly between two
        blocked squares, or meets a wall of any kind.
        """
        key = a, b, size_a, size_b
        if key not in self._covered:
            self._covered[key] = self._compute_cover(*key)
        return self._covered[key]

    def _compute_cover(self, a: Square, b: Square, size_a: int, size_b: int) -> bool:
        own = (*footprint(a, size_a), *footprint(b, size_b))

        def blocked(square: Square) -> bool:
            return square not in own and self.is_blocked(square)

        start, end = centre_in_half_squares(a, size_a), centre_in_half_squares(b, size_b)
        both = {id(walls): walls for walls in (self.walls, self.sight_walls) if walls}.values()
        eye, aim = half_squares_to_wall_units(start), half_squares_to_wall_units(end)
        met = any(walls.stops_line(eye, aim) or walls.count_terrain_wall_touches(eye, aim) for walls in both)
        if is_line_clear(start, end, blocked) and not met:
            return False
        return self.has_line_of_sight(a, b, size_a, size_b)

    char = OldName("sign_at")
    blocked = OldName("is_blocked")
    difficult = OldName("is_difficult")
    walled = OldName("is_step_walled")
    inside = OldName("is_on_map")
    roughened = OldName("with_difficult_squares")
    cover = OldName("has_cover")
    distances = OldName("distances_from")
    line_of_sight = OldName("has_line_of_sight")
    sees_past = OldName("has_line_of_sight_past")
    backwards = OldName("with_one_way_walls_reversed")


def _has_straight_line_past_walls(
    a: Square, starts: Sequence[Square], b: Square, ends: Sequence[Square], walls: Walls
) -> bool:
    """Return whether some straight line from a corner of `a` to a corner of `b` is stopped by no wall.

    `starts` are the corners of `a` to try, and `ends` those of `b`. This is a quick test that comes first. If
    it fails, a slower test follows: there may still be a line around the end of a wall.
    """
    aims = [
        aim
        for aim in map(half_squares_to_wall_units, ends)
        if not walls.stops_line_ignoring_one_way(middle_in_wall_units(b), aim)
    ]
    return any(
        not walls.stops_line_ignoring_one_way(eye, aim)
        for eye in map(half_squares_to_wall_units, starts)
        if not walls.stops_line_ignoring_one_way(middle_in_wall_units(a), eye)
        for aim in aims
    )


def _has_line_past_walls(looking: EyePoints, aim: EyePoints, walls: Walls, blocked: Predicate) -> bool:
    """Return whether a line of sight from one corner to another gets past the walls between squares.

    `looking` and `aim` belong to the two corners. Each has the corner itself (`corner`), and a point beside
    it (`leaning`). Two lines are tried:

    - The first line joins the two corners. It isn't tried if `corner` is None at either end.
    - The second line joins the two points beside the corners. No blocked square may be in its way, either.
    """
    if looking.corner and aim.corner and not walls.stops_line_ignoring_one_way(looking.corner, aim.corner):
        return True
    return not walls.stops_line_ignoring_one_way(looking.leaning, aim.leaning) and not any(
        map(blocked, squares_crossed(looking.leaning, aim.leaning, UNIT))
    )


MORE_THAN_ANY_DISTANCE = 10_000
"""More than any distance on a map."""
MOST_DISTANCES = 400
"""How many squares of a map have their distances cached."""


def is_diagonal(here: Square, there: Square) -> bool:
    """Return whether a step to a neighbouring square is diagonal."""
    return here[0] != there[0] and here[1] != there[1]


def _allow_any_square(square: Square) -> bool:
    return True


def _holds_for_whole_space(allowed: Predicate, square: Square, size: int) -> bool:
    return allowed(square) if size == 1 else all(map(allowed, footprint(square, size)))


def _comparable_deviation_from_line(start: Square, goal: Square, square: Square) -> int:
    """Return a measure of the distance of a square from the straight line from `start` to `goal`.

    It isn't in squares, and only serves to compare squares.
    """
    across, down = goal[0] - start[0], goal[1] - start[1]
    return abs(across * (square[1] - start[1]) - down * (square[0] - start[0]))


def _is_no_better(
    known: Iterable[tuple[int, frozenset[Hashable]]], spent: int, paid: frozenset[Hashable]
) -> bool:
    """Return whether a path is no better than one of the `known` paths to the same square.

    `spent` is what the path costs, and `paid` has its tolls. The path is no better if a known path costs the
    same or less, and has no toll that isn't in `paid`.
    """
    return any(less <= spent and fewer <= paid for less, fewer in known)


def _path_to_label(labels: Sequence[tuple[Square, int]], label: int) -> list[Square]:
    path = []
    while label >= 0:
        square, label = labels[label]
        path.append(square)
    return path[::-1]


def grid_of(
    board: BoardKept, rough: frozenset[Square] = frozenset(), blocked: frozenset[Square] = frozenset()
) -> Grid:
    """Return the grid of a scene's map.

    `rough` are squares that zones make difficult, and `blocked` those that zones make walls.
    """
    rows = tuple(board["rows"])
    of: Mapping[str, Iterable[Sequence[Sequence[float]]]] = board  # type: ignore[assignment]  # these keys alone
    others = [tuple(segments_in_wall_units(of.get(kind, ()))) for kind in WALL_KINDS if kind != "walls"]
    alternate = board.get(DIAGONALS_OF_MAP) == ALTERNATE
    shut = [door["at"] for door in board.get("doors", ()) if not door["open"]]
    walls = tuple(segments_in_wall_units([*board.get("walls", ()), *shut]))
    if blocked:
        rows = tuple(
            "".join(WALL if (x, y) in blocked and sign != NOTHING else sign for x, sign in enumerate(row))
            for y, row in enumerate(rows)
        )
    return _build_grid(rows, rough, walls, *others, alternate)


@lru_cache(maxsize=32)
def _build_grid(
    rows: tuple[str, ...],
    rough: frozenset[Square],
    walls: tuple[Segment, ...],
    one_way: tuple[Segment, ...],
    see_through: tuple[Segment, ...],
    walk_through: tuple[Segment, ...],
    terrain: tuple[Segment, ...],
    alternate: bool,
) -> Grid:
    if rough:
        bare = _build_grid(rows, frozenset(), walls, one_way, see_through, walk_through, terrain, alternate)
        return bare.with_difficult_squares(rough)
    walked = Walls([*walls, *see_through], one_way)
    other = see_through or walk_through or terrain
    seen = Walls([*walls, *walk_through], one_way, terrain) if other else None
    return Grid(rows, rough, walked, seen, alternate)
