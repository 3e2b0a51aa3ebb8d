"""The squares of a map, their names, straight lines across squares, and walls that stop lines.

A square is a tuple `(x, y)`, counted from 0, x to the right and y down; as text it is `C7`. A creature of
size n is on n x n squares, and its place is the top left one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Final, cast

from ..immutable_records import Value
from ..kernel.statements import Language, ListField, NamedId, Speaker, Statement

Square = tuple[int, int]
"""A square of a map: its column and its row, counted from 0 at the top left."""
LARGEST = 400
"""How many squares wide or high a map may be."""
FARTHEST = 1000
"""How many squares a light may reach, and how strong it may be compared to a plain one."""

DIAGONALS_COUNT_ONE, ALTERNATE = "1-1-1", "1-2-1"
DIAGONALS = (DIAGONALS_COUNT_ONE, ALTERNATE)
"""How diagonals can count: each as one square, or every second one as two."""
DIAGONALS_OF_MAP: Final = "diagonals"
"""The key under which a map of the state says how its diagonals count, unless each is one square."""


@lru_cache(maxsize=4096)
def parse_square(text: str) -> Square:
    """Return the square with a name: `(2, 6)` for `"c7"`. Raises ValueError for any other text."""
    written = text.strip().upper()
    letters = written.rstrip("0123456789")
    digits = written[len(letters) :]
    sound = letters.isascii() and letters.isalpha() and len(letters) <= 3 and 1 <= len(digits) <= 4
    if not sound or int(digits) == 0:
        raise ValueError(f"{text!r} is not a square: write a column letter and a row number, like C7")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1, int(digits) - 1


def parse_area(text: str) -> list[Square]:
    """Return the squares in a text: `"C3"` is one square, `"C3:F6"` a rectangle, row by row.

    Raises ValueError, like `parse_square`.
    """
    corner, _, opposite = text.partition(":")
    (x, y), (right, down) = parse_square(corner), parse_square(opposite or corner)
    columns, rows = range(min(x, right), max(x, right) + 1), range(min(y, down), max(y, down) + 1)
    return [(column, row) for row in rows for column in columns]


def column_name(x: int) -> str:
    """Return the letters above column `x`: A to Z, then AA, AB and so on."""
    letters = ""
    number = x + 1
    while number > 0:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def format_square(square: Square) -> str:
    """Return the name of a square: `"C7"` for `(2, 6)`.

    Raises ValueError for a square that is left of the map, or above it.
    """
    x, y = square
    if x < 0 or y < 0:
        raise ValueError(f"({x}, {y}) has no name: columns and rows of a map start at 0")
    return f"{column_name(x)}{y + 1}"


def footprint(square: Square, size: int = 1) -> tuple[Square, ...]:
    """Return the squares of a creature's space, row by row. `square` is the top left one."""
    if size == 1:
        return (square,)
    x, y = square
    return tuple((x + right, y + down) for down in range(size) for right in range(size))


class _AreaField(ListField[str]):
    """The type of a field that holds a list of squares, and describes them in few words.

    Squares that the audience may not know of are left out.
    """

    def __init__(self) -> None:
        super().__init__(NamedId("square"))

    def words(
        self, value: Sequence[str], statement: Statement, speaker: Speaker, joint: str = ""
    ) -> str | None:
        known = self.known_part(value, statement, speaker)
        return None if known is None else summarize_squares(known, speaker.language)


Area = Annotated[Sequence[str], _AreaField()]
"""The squares in a field of a fact, with short words: "C3 to D4"."""


def summarize_squares(names: Sequence[str], language: Language) -> str:
    """Return squares in words.

    Up to three squares are listed. If more squares form a rectangle, two of its corners are given. Otherwise
    the text has the number of squares and one of them: `7 squares around C3`.
    """
    if len(names) <= 3:
        return ", ".join(names)
    squares = [*map(parse_square, names)]
    columns, rows = zip(*squares, strict=True)
    first, last = (min(columns), min(rows)), (max(columns), max(rows))
    if len(set(squares)) == (last[0] - first[0] + 1) * (last[1] - first[1] + 1):
        return language.rectangle(format_square(first), format_square(last))
    return language.squares_around(len(names), names[len(names) // 2])


UNIT = 100
"""How many units of walls' coordinates the side of a square has."""

Point = tuple[int, int]
Segment = tuple[Point, Point]
Box = tuple[int, int, int, int]
"""A rectangle: its left, right, top and bottom."""


SEE_THROUGH: Final = "see_through_walls"
WALK_THROUGH: Final = "walk_through_walls"
"""The keys of a map for walls that stop only steps, such as windows, or only sight, such as curtains."""
TERRAIN: Final = "terrain_walls"
"""The key of a map for terrain walls: one can see past one, but not past two, as with outlines of trees.

They give cover, and don't stop steps.
"""
WALL_KINDS: Final = ("walls", "one_way_walls", SEE_THROUGH, WALK_THROUGH, TERRAIN)
"""The keys of a map for walls between squares. Each has a list of lines."""


def map_walls_of_encounter(walls: Iterable[object]) -> dict[str, list[object]]:
    """Return an encounter's walls as a map stores them: a list of lines for each kind of wall.

    A wall of an encounter is a line, or `{line, sight, steps}`. Kinds without walls are left out. A terrain
    wall that also stops steps becomes two walls of the map.
    """
    found: dict[str, list[object]] = {}
    for wall in walls:
        kinds, line = ["walls"], wall
        if isinstance(wall, Mapping):
            line, sight, steps = wall["line"], wall.get("sight", True), wall.get("steps", True)
            kinds = [SEE_THROUGH] if sight is not True and steps else []
            kinds += (
                [TERRAIN] if sight == "terrain" else [] if kinds else ["walls" if steps else WALK_THROUGH]
            )
        for kind in kinds:
            found.setdefault(kind, []).append(line)
    return found


def encounter_walls_of_map(board: Mapping[str, object]) -> list[object]:
    """Return a map's walls as an encounter writes them: the inverse of `map_walls_of_encounter`."""
    of = cast("Mapping[str, list[object]]", board)
    terrain, panes = of.get(TERRAIN, []), of.get(SEE_THROUGH, [])
    return [
        *of.get("walls", ()),
        *({"line": line, "sight": False} for line in panes if line not in terrain),
        *({"line": line, "steps": False} for line in of.get(WALK_THROUGH, ())),
        *(
            {"line": line, "sight": "terrain", **({} if line in panes else {"steps": False})}
            for line in terrain
        ),
    ]


def segments_in_wall_units(polylines: Iterable[Sequence[Sequence[float]]]) -> list[Segment]:
    """Return the straight segments of lines such as `[[0, 2], [3.5, 2], [3.5, 4]]`, in wall units (UNIT)."""
    found = []
    for polyline in polylines:
        points = [(round(x * UNIT), round(y * UNIT)) for x, y in polyline]
        found += [(a, b) for a, b in pairwise(points) if a != b]
    return found


class Walls:
    """Straight walls; the object never changes.

    Walls in `segments` stop a line from both sides, and those in `one_way` only from their left. Walls in
    `terrain` stop a line that touches two of them.
    """

    __slots__ = ("_boxed", "_boxed_one_way", "_boxed_terrain", "one_way", "segments", "terrain")

    def __init__(
        self, segments: Iterable[Segment], one_way: Iterable[Segment] = (), terrain: Iterable[Segment] = ()
    ) -> None:
        self.segments = tuple(segments)
        self.one_way = tuple(one_way)
        self.terrain = tuple(terrain)
        self._boxed = _WallIndex(self.segments)
        self._boxed_one_way = _WallIndex(self.one_way)
        self._boxed_terrain = _WallIndex(self.terrain)

    def __bool__(self) -> bool:
        return bool(self.segments or self.one_way or self.terrain)

    def walls_near(self, a: Point, b: Point) -> Walls:
        """Return the walls that can matter for a line between the middles of two squares.

        An eye may lean out a little beyond its square. Walls that matter only for such an eye are included.
        """
        all_ = self._boxed, self._boxed_one_way, self._boxed_terrain
        return Walls(*([wall for wall, *_ in boxed.boxed_walls_near(a, b, _LEANING)] for boxed in all_))

    def with_one_way_walls_resolved(self, a: Point, b: Point) -> Walls:
        """Return the walls to check on the way from `a` to `b`; none of them is one-way.

        A one-way wall that stops this way becomes a plain wall. Any other one-way wall is left out. A one-way
        wall stops ways that begin on its left, and lets ways pass that begin on its right. A way that begins
        on the wall's line can go to the left, but not to the right.
        """
        if not self.one_way:
            return self
        there = [wall for wall in self.one_way if _is_way_from_stopping_side(wall, a, b)]
        return Walls([*self.segments, *there], terrain=self.terrain)

    def stops_line(self, a: Point, b: Point) -> bool:
        """Return whether a wall, one-way or not, stops a straight step or line of sight from `a` to `b`."""
        if not self.one_way:
            return self.stops_line_ignoring_one_way(a, b)
        return self.stops_line_ignoring_one_way(a, b) or any(
            _is_way_from_stopping_side(wall, a, b) and Walls((wall,)).stops_line_ignoring_one_way(a, b)
            for wall in self.one_way
        )

    def with_one_way_reversed(self) -> Walls:
        """Return a copy in which each one-way wall stops lines from its other side."""
        return Walls(self.segments, [(end, start) for start, end in self.one_way], self.terrain)

    def stops_line_ignoring_one_way(self, a: Point, b: Point) -> bool:
        """Return whether walls stop a straight line from `a` to `b`, without regard to one-way walls.

        A line is stopped if it touches one plain wall. Terrain walls stop it only if they touch it at two or
        more places.
        """
        if any(_walls_touching(a, b, self._boxed.boxed_walls_near(a, b))):
            return True
        return bool(self.terrain) and self.count_terrain_wall_touches(a, b) > 1

    def count_terrain_wall_touches(self, a: Point, b: Point) -> int:
        """Return the number of places at which terrain walls touch the straight line from `a` to `b`."""
        places = {
            place
            for c, d in _walls_touching(a, b, self._boxed_terrain.boxed_walls_near(a, b))
            for place in _touch_positions(a, b, c, d)
        }
        return len(places)


def _walls_touching(
    a: Point, b: Point, boxed: Iterable[tuple[Segment, int, int, int, int]]
) -> Iterator[Segment]:
    left, right, top, bottom = _left_right_top_bottom(a, b)
    for (c, d), begins, ends, above, below in boxed:
        if begins > right or ends < left or above > bottom or below < top:
            continue
        if (
            _cross_product_with_line(a, b, c) * _cross_product_with_line(a, b, d) <= 0
            and _cross_product_with_line(c, d, a) * _cross_product_with_line(c, d, b) <= 0
        ):
            yield c, d


def _touch_positions(a: Point, b: Point, c: Point, d: Point) -> Iterator[float]:
    """Yield the positions at which a wall touches the line from `a` to `b`.

    `c` and `d` are the ends of the wall. A position is a number from 0 at `a` to 1 at `b`. A wall along the
    line touches it at both ends of the wall.
    """
    before, after = _cross_product_with_line(c, d, a), _cross_product_with_line(c, d, b)
    if before != after:
        yield round(before / (before - after), 6)
    elif a != b:
        run = [b[axis] - a[axis] for axis in (0, 1)]
        for end in (c, d):
            along = sum((end[axis] - a[axis]) * run[axis] for axis in (0, 1)) / sum(
                each * each for each in run
            )
            yield round(min(1.0, max(0.0, along)), 6)
    else:
        yield 0


_LEANING = 3 * UNIT // 2
"""How far from the middle of a square an eye in it can be."""
_FEW, _CELL = 50, 8 * UNIT
"""How many walls are all tried, and how large the cells are by which more of them are indexed."""


class _WallIndex:
    """An index of walls by their place on the map; each wall has the rectangle around it."""

    __slots__ = ("_cells", "walls")

    def __init__(self, walls: Iterable[Segment]) -> None:
        self.walls = [(wall, *_left_right_top_bottom(*wall)) for wall in walls]
        self._cells: dict[tuple[int, int], list[int]] = {}

    def boxed_walls_near(
        self, a: Point, b: Point, margin: int = 0
    ) -> Sequence[tuple[Segment, int, int, int, int]]:
        """Return the walls that may come within `margin` of the line from `a` to `b`.

        Each wall is returned with the rectangle around it.
        """
        found: Iterable[tuple[Segment, int, int, int, int]] = self.walls
        if len(self.walls) > _FEW:
            if not self._cells:
                for number, (wall, *_) in enumerate(self.walls):
                    for cell in _cells_near(*wall, 0):
                        self._cells.setdefault(cell, []).append(number)
            numbers = {number for cell in _cells_near(a, b, margin) for number in self._cells.get(cell, ())}
            found = (self.walls[number] for number in sorted(numbers))
        elif not margin:
            return self.walls
        left, right, top, bottom = _left_right_top_bottom(a, b)
        left, right, top, bottom = left - margin, right + margin, top - margin, bottom + margin
        return [each for each in found
                if each[1] <= right and each[2] >= left and each[3] <= bottom and each[4] >= top]  # fmt: skip


def _cells_near(a: Point, b: Point, margin: int) -> Iterator[tuple[int, int]]:
    """Yield the index cells near the straight line from `a` to `b`, each as (column, row).

    All cells within `margin` of the line are yielded. A few further cells may be among them.
    """
    (ax, ay), (bx, by) = (a, b) if a[1] <= b[1] else (b, a)
    for row in range((ay - margin) // _CELL, (by + margin) // _CELL + 1):
        xs = ax, bx
        if ay != by:  # the piece of the line from which these rows can be reached
            begins, ends = max(ay, row * _CELL - margin), min(by, (row + 1) * _CELL + margin)
            xs = ax + (bx - ax) * (begins - ay) // (by - ay), ax + (bx - ax) * (ends - ay) // (by - ay)
        for column in range((min(xs) - margin - 1) // _CELL, (max(xs) + margin + 1) // _CELL + 1):
            yield column, row


def _is_way_from_stopping_side(wall: Segment, a: Point, b: Point) -> bool:
    """Return whether a one-way wall that touches the line from `a` to `b` stops that line."""
    return (_cross_product_with_line(*wall, a) or -_cross_product_with_line(*wall, b)) <= 0


def _left_right_top_bottom(a: Point, b: Point) -> Box:
    (ax, ay), (bx, by) = a, b
    left, right = (ax, bx) if ax < bx else (bx, ax)
    top, bottom = (ay, by) if ay < by else (by, ay)
    return left, right, top, bottom


def _cross_product_with_line(a: Point, b: Point, point: Point) -> int:
    """Return the side of the line through `a` and `b` on which a point is.

    It is a negative number for one side, a positive one for the other, and 0 on the line.
    """
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])


Predicate = Callable[[Square], bool]
"""Tells whether something holds for a square."""


def walk_length_on_open_ground(across: int, down: int, alternate: bool = False) -> int:
    """Return the length in squares of a walk across this many columns and rows, on open ground.

    With `alternate`, every second diagonal counts as two.
    """
    if alternate:
        return max(across, down) + min(across, down) // 2
    return max(across, down)


def all_squares_line_goes_through(a: Square, b: Square) -> list[Square]:
    """Return the squares that the line between the middles of `a` and `b` goes through.

    `a` and `b` are included. If the line goes exactly through a corner, only the squares before and after
    that corner count. The line from `b` to `a` goes through the same squares, in reverse.
    """
    squares = sorted(squares_crossed(centre_in_half_squares(a, 1), centre_in_half_squares(b, 1)))
    # The line rises or falls all the way, so one of the two sorted orders follows it.
    if (b[0] - a[0]) * (b[1] - a[1]) < 0:
        squares.sort(key=lambda square: (square[0], -square[1]))
    return squares if squares[0] == a else squares[::-1]


def centre_in_half_squares(square: Square, size: int) -> Square:
    """Return the middle of a creature's space, in half squares."""
    return 2 * square[0] + size, 2 * square[1] + size


def corners_in_half_squares(square: Square) -> tuple[Square, Square, Square, Square]:
    """Return the four corners of a square, in half squares."""
    left, top = 2 * square[0], 2 * square[1]
    return (left, top), (left + 2, top), (left, top + 2), (left + 2, top + 2)


def squares_crossed(start: Point, end: Point, unit: int = 2) -> Iterator[Square]:
    """Yield the squares that a line goes through; squares that it only touches are left out.

    `unit` is the length of a square's side: 2 for points in half squares.
    """
    (left, y_left), (right, y_right) = sorted((start, end))
    run, rise = right - left, y_right - y_left
    if run == 0:
        if left % unit:
            for y in range(y_left // unit, max(-(-y_right // unit), y_left // unit + 1)):
                yield left // unit, y
        return
    for x in range(left // unit, -(-right // unit)):
        # Heights where the segment enters and leaves this column, times `run`.
        enter = y_left * run + (max(left, unit * x) - left) * rise
        leave = y_left * run + (min(right, unit * x + unit) - left) * rise
        for y in range(min(enter, leave) // (unit * run), -(-max(enter, leave) // (unit * run))):
            yield x, y


def is_line_clear(start_in_half_squares: Square, end: Square, blocked: Predicate) -> bool:
    """Return whether the line between two points is clear: no blocked square stops it.

    The points are given in half squares. Blocked squares stop a line in three cases:

    - The line runs through the inside of a blocked square.
    - The line runs along a side that two blocked squares share. A single blocked square doesn't stop a line
      along its side.
    - The line runs exactly through a corner that two blocked squares share, if they share no side.
    """
    if any(map(blocked, squares_crossed(start_in_half_squares, end))):
        return False
    return not any(
        blocked(one) and blocked(other)
        for one, other in _pairs_pinching_at_side_or_corner(start_in_half_squares, end)
    )


def _pairs_pinching_at_side_or_corner(start: Square, end: Square) -> Iterator[tuple[Square, Square]]:
    """Yield the pairs of squares that stop the line from `start` to `end` if both are blocked."""
    (left, y_left), (right, y_right) = sorted((start, end))
    run, rise = right - left, y_right - y_left
    if run == 0:
        if left % 2 == 0:
            yield from _straight_and_diagonal_seam_pairs(left // 2, y_left, y_right)
        return
    if rise == 0:
        if y_left % 2 == 0:
            for one, other in _straight_and_diagonal_seam_pairs(y_left // 2, left, right):
                yield one[::-1], other[::-1]
        return
    for x in range(left // 2 + 1, -(-right // 2)):
        height = y_left * run + (2 * x - left) * rise
        if height % (2 * run) == 0:
            y = height // (2 * run)
            yield ((x - 1, y), (x, y - 1)) if rise > 0 else ((x - 1, y - 1), (x, y))


def _straight_and_diagonal_seam_pairs(
    x: int, top_in_half_squares: int, bottom_in_half_squares: int
) -> Iterator[tuple[Square, Square]]:
    """Yield the pairs of squares that touch each other on a part of the vertical line at `x`.

    The part lies between `top_in_half_squares` and `bottom_in_half_squares`, which are given in half squares.
    Two squares of a pair share a side on the line, or they share only a corner on it.
    """
    for y in range(top_in_half_squares // 2, -(-bottom_in_half_squares // 2)):
        yield (x - 1, y), (x, y)
        if 2 * y > top_in_half_squares:
            yield (x - 1, y - 1), (x, y)
            yield (x, y - 1), (x - 1, y)


def is_closed_corner(square: Square, corner: Square, blocked: Predicate) -> bool:
    """Return whether a creature on `square` can't look out at one of the square's corners.

    Two neighbours of the square share a side with it and touch this corner. If both are blocked, the creature
    can't look out.
    """
    x, y = square
    beside = (x + 1 if corner[0] > 2 * x else x - 1, y)
    beyond = (x, y + 1 if corner[1] > 2 * y else y - 1)
    return blocked(beside) and blocked(beyond)


_LEAN = UNIT // 10
"""How far an eye leans out beyond its corner, past the end of a wall.

If a wall is in the way, it stays as far inside.
"""


class EyePoints(Value):
    """The two points at a corner of its square from which a creature may look past walls between squares.

    `corner` is the corner itself. It is None if a wall is between the corner and the middle of the square.
    `leaning` is a point just outside the corner. If something keeps the creature from leaning out, `leaning`
    is just inside the corner instead.
    """

    leaning: Point
    corner: Point | None


def eye_points_at(square: Square, corner: Square, walls: Walls, blocked: Predicate) -> EyePoints:
    """Return the points from which a creature on a square looks at one of the square's corners."""
    x, y = half_squares_to_wall_units(corner)
    right = 1 if corner[0] > 2 * square[0] else -1
    down = 1 if corner[1] > 2 * square[1] else -1
    open_ = None if walls.stops_line_ignoring_one_way(middle_in_wall_units(square), (x, y)) else (x, y)
    leaning = x + right * _LEAN, y + down * _LEAN
    if blocked((square[0] + right, square[1] + down)) or walls.stops_line_ignoring_one_way(
        middle_in_wall_units(square), leaning
    ):
        leaning = x - right * _LEAN, y - down * _LEAN
    return EyePoints(leaning, open_)


def is_whole_side_walled(a: Square, b: Square, walls: Walls) -> bool:
    """Return whether walls fill the whole side between two neighbouring squares.

    It is False for squares that aren't neighbours.
    """
    right, down = b[0] - a[0], b[1] - a[1]
    if abs(right) + abs(down) != 1:
        return False
    (x, y), half = middle_in_wall_units(a), UNIT // 2
    along = [(down * far, right * far) for far in (_LEAN - half, 0, half - _LEAN)]
    starts = [(x + over, y + up) for over, up in along]
    return all(
        walls.stops_line_ignoring_one_way(start, (start[0] + right * UNIT, start[1] + down * UNIT))
        for start in starts
    )


def middle_in_wall_units(square: Square) -> Point:
    """Return the middle of a square in wall units."""
    return square[0] * UNIT + UNIT // 2, square[1] * UNIT + UNIT // 2


def half_squares_to_wall_units(point: Square) -> Point:
    """Return a point in half squares, converted to wall units."""
    return point[0] * UNIT // 2, point[1] * UNIT // 2
