"""Squares of a map, their names, and straight lines over them, with the walls that cut these lines.

A square is a tuple `(x, y)`, from 0, x to the right and y down; its written form is `C7`. A creature of size
n occupies n x n squares, and its place is the top left one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Final, cast

from ..kernel.statements import Language, Named, Several, Speaker, Statement
from ..values import Value

Square = tuple[int, int]
"""A square of a map: its column and its row from 0, the top left one first."""
LARGEST = 400
"""The most squares along a side of a map."""
FARTHEST = 1000
"""The greatest range of a light in squares, and its greatest strength relative to a plain one."""

ALIKE, ALTERNATE = "1-1-1", "1-2-1"
DIAGONALS = (ALIKE, ALTERNATE)
"""Ways to count diagonals: each as one square, or every second one as two."""
DIAGONALS_OF_MAP: Final = "diagonals"
"""The key of a map in the state for the counting of its diagonals, unless each counts as one."""


@lru_cache(maxsize=4096)
def parse_square(text: str) -> Square:
    """Return the square in a text: `"c7"` -> `(2, 6)`. Raises ValueError, with the valid form of a square."""
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

    Raises ValueError as parse_square does.
    """
    corner, _, opposite = text.partition(":")
    (x, y), (right, down) = parse_square(corner), parse_square(opposite or corner)
    columns, rows = range(min(x, right), max(x, right) + 1), range(min(y, down), max(y, down) + 1)
    return [(column, row) for row in rows for column in columns]


def column_name(x: int) -> str:
    """Return the letters over column `x`: A to Z, then AA, AB and so on."""
    letters = ""
    number = x + 1
    while number > 0:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def format_square(square: Square) -> str:
    """Return a square as text: `(2, 6)` -> `"C7"`. Raises ValueError for one left of or above the map."""
    x, y = square
    if x < 0 or y < 0:
        raise ValueError(f"({x}, {y}) has no name: columns and rows of a map start at 0")
    return f"{column_name(x)}{y + 1}"


def footprint(square: Square, size: int = 1) -> tuple[Square, ...]:
    """Return the squares under a creature of `size` squares a side, row by row from the top left."""
    if size == 1:
        return (square,)
    x, y = square
    return tuple((x + right, y + down) for down in range(size) for right in range(size))


class _AreaSort(Several[str]):
    """Squares in short form; those in the fog are left out."""

    def __init__(self) -> None:
        super().__init__(Named("square"))

    def words(
        self, value: Sequence[str], statement: Statement, speaker: Speaker, joint: str = ""
    ) -> str | None:
        known = self.left(value, statement, speaker)
        return None if known is None else extent(known, speaker.language)


Area = Annotated[Sequence[str], _AreaSort()]
"""The squares in a field of a fact, printed in short form: "C3 to D4"."""


def extent(names: Sequence[str], language: Language) -> str:
    """Return squares in words: a few are listed, a filled rectangle has its corners, others are counted."""
    if len(names) <= 3:
        return ", ".join(names)
    squares = [*map(parse_square, names)]
    columns, rows = zip(*squares, strict=True)
    first, last = (min(columns), min(rows)), (max(columns), max(rows))
    if len(set(squares)) == (last[0] - first[0] + 1) * (last[1] - first[1] + 1):
        return language.rectangle(format_square(first), format_square(last))
    return language.squares_around(len(names), names[len(names) // 2])


UNIT = 100
"""Units of walls' coordinates to a side of a square."""

Point = tuple[int, int]
Segment = tuple[Point, Point]
Box = tuple[int, int, int, int]
"""A rectangle: left, right, top and bottom."""


SEE_THROUGH: Final = "see_through_walls"
WALK_THROUGH: Final = "walk_through_walls"
"""Keys of a map: the walls that stop only steps (a window, a railing), and only sight (a curtain)."""
TERRAIN: Final = "terrain_walls"
"""Key of a map: terrain walls, past one of which people see, but not past two (a tree's outline, a rock's).
They give cover, and don't stop steps."""
WALL_KINDS: Final = ("walls", "one_way_walls", SEE_THROUGH, WALK_THROUGH, TERRAIN)
"""The keys of a map for walls between squares, each a list of lines."""


def by_what_they_stop(walls: Iterable[object]) -> dict[str, list[object]]:
    """Return the walls of an encounter as a map stores them: `walls`, which stop both, and the others.

    An encounter's wall is a line or `{line, sight, steps}`. Keys without walls are left out. A terrain wall
    that also stops steps becomes two walls of the map.
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


def as_written(board: Mapping[str, object]) -> list[object]:
    """Return the walls of a map in an encounter's form: the inverse of `by_what_they_stop`."""
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


def segments_of(polylines: Iterable[Sequence[Sequence[float]]]) -> list[Segment]:
    """Return the straight pieces of lines through points in squares, as in `[[0, 2], [3.5, 2], [3.5, 4]]`."""
    found = []
    for polyline in polylines:
        points = [(round(x * UNIT), round(y * UNIT)) for x, y in polyline]
        found += [(a, b) for a, b in pairwise(points) if a != b]
    return found


class Walls:
    """Straight walls; they never change.

    `segments` stop from both sides, `one_way` from their left, `terrain` stops a line that meets two of them.
    """

    __slots__ = ("_boxed", "_boxed_one_way", "_boxed_terrain", "one_way", "segments", "terrain")

    def __init__(
        self, segments: Iterable[Segment], one_way: Iterable[Segment] = (), terrain: Iterable[Segment] = ()
    ) -> None:
        self.segments = tuple(segments)
        self.one_way = tuple(one_way)
        self.terrain = tuple(terrain)
        self._boxed = _Boxed(self.segments)
        self._boxed_one_way = _Boxed(self.one_way)
        self._boxed_terrain = _Boxed(self.terrain)

    def __bool__(self) -> bool:
        return bool(self.segments or self.one_way or self.terrain)

    def near(self, a: Point, b: Point) -> Walls:
        """Return the walls that may be between two squares with these middles, or points leaning out."""
        all_ = self._boxed, self._boxed_one_way, self._boxed_terrain
        return Walls(*([wall for wall, *_ in boxed.near(a, b, _LEANING)] for boxed in all_))

    def facing(self, a: Point, b: Point) -> Walls:
        """Return the walls that count for looking or stepping from `a` to `b`, each stopping from both sides.

        A one-way wall counts from the left of its line, and not from the right. From the line itself one may
        go on past it, and not back.
        """
        if not self.one_way:
            return self
        there = [wall for wall in self.one_way if _faces(wall, a, b)]
        return Walls([*self.segments, *there], terrain=self.terrain)

    def stop(self, a: Point, b: Point) -> bool:
        """Return whether a wall stops a straight step or line of sight from `a` to `b`."""
        if not self.one_way:
            return self.cut(a, b)
        return self.cut(a, b) or any(_faces(wall, a, b) and Walls((wall,)).cut(a, b) for wall in self.one_way)

    def turned(self) -> Walls:
        """Return a copy with one-way walls turned to stop from their other side."""
        return Walls(self.segments, [(end, start) for start, end in self.one_way], self.terrain)

    def cut(self, a: Point, b: Point) -> bool:
        """Return whether a wall touches the straight line from `a` to `b`, or two terrain walls do.

        One-way walls count only after `facing` has made them ordinary walls.
        """
        if any(_met(a, b, self._boxed.near(a, b))):
            return True
        return bool(self.terrain) and self.terrain_met(a, b) > 1

    def terrain_met(self, a: Point, b: Point) -> int:
        """Return the number of places where terrain walls touch the straight line from `a` to `b`."""
        places = {
            place for c, d in _met(a, b, self._boxed_terrain.near(a, b)) for place in _meets_at(a, b, c, d)
        }
        return len(places)


def _met(a: Point, b: Point, boxed: Iterable[tuple[Segment, int, int, int, int]]) -> Iterator[Segment]:
    """Yield the walls that touch the straight line from `a` to `b`."""
    left, right, top, bottom = _box(a, b)
    for (c, d), begins, ends, above, below in boxed:
        if begins > right or ends < left or above > bottom or below < top:
            continue
        if _side(a, b, c) * _side(a, b, d) <= 0 and _side(c, d, a) * _side(c, d, b) <= 0:
            yield c, d


def _meets_at(a: Point, b: Point, c: Point, d: Point) -> Iterator[float]:
    """Yield the places where a wall touches the line from `a` to `b`, from 0 to 1.

    A wall along the line touches it at both of its ends.
    """
    before, after = _side(c, d, a), _side(c, d, b)
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
"""The greatest distance from a square's middle to an eye in it."""
_FEW, _CELL = 50, 8 * UNIT
"""The number of walls up to which all are tried, and the side of the cells that index more of them."""


class _Boxed:
    """Walls with their boxes, indexed by their place on the map."""

    __slots__ = ("_cells", "walls")

    def __init__(self, walls: Iterable[Segment]) -> None:
        self.walls = [(wall, *_box(*wall)) for wall in walls]
        self._cells: dict[tuple[int, int], list[int]] = {}

    def near(self, a: Point, b: Point, far: int = 0) -> Sequence[tuple[Segment, int, int, int, int]]:
        """Return the walls that may come within `far` of the straight line from `a` to `b`.

        The distance is along either axis.
        """
        found: Iterable[tuple[Segment, int, int, int, int]] = self.walls
        if len(self.walls) > _FEW:
            if not self._cells:
                for number, (wall, *_) in enumerate(self.walls):
                    for cell in _cells(*wall, 0):
                        self._cells.setdefault(cell, []).append(number)
            numbers = {number for cell in _cells(a, b, far) for number in self._cells.get(cell, ())}
            found = (self.walls[number] for number in sorted(numbers))
        elif not far:
            return self.walls
        left, right, top, bottom = _box(a, b)
        left, right, top, bottom = left - far, right + far, top - far, bottom + far
        return [each for each in found
                if each[1] <= right and each[2] >= left and each[3] <= bottom and each[4] >= top]  # fmt: skip


def _cells(a: Point, b: Point, far: int) -> Iterator[tuple[int, int]]:
    """Yield the cells, by column and row, within `far` of a straight line."""
    (ax, ay), (bx, by) = (a, b) if a[1] <= b[1] else (b, a)
    for row in range((ay - far) // _CELL, (by + far) // _CELL + 1):
        xs = ax, bx
        if ay != by:  # the piece of the line from which these rows can be reached
            begins, ends = max(ay, row * _CELL - far), min(by, (row + 1) * _CELL + far)
            xs = ax + (bx - ax) * (begins - ay) // (by - ay), ax + (bx - ax) * (ends - ay) // (by - ay)
        for column in range((min(xs) - far - 1) // _CELL, (max(xs) + far + 1) // _CELL + 1):
            yield column, row


def _faces(wall: Segment, a: Point, b: Point) -> bool:
    """Return whether a one-way wall that touches the line from `a` to `b` stops it."""
    return (_side(*wall, a) or -_side(*wall, b)) <= 0


def _box(a: Point, b: Point) -> Box:
    """Return the box around two points."""
    (ax, ay), (bx, by) = a, b
    left, right = (ax, bx) if ax < bx else (bx, ax)
    top, bottom = (ay, by) if ay < by else (by, ay)
    return left, right, top, bottom


def _side(a: Point, b: Point, point: Point) -> int:
    """Return the side of the line through `a` and `b` that a point is on: below 0, above 0, or 0 on it."""
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])


Predicate = Callable[[Square], bool]
"""A function that tests a square."""


def steps(across: int, down: int, alternate: bool = False) -> int:
    """Return the length in squares of a walk over open ground, `across` columns and `down` rows."""
    if alternate:
        return max(across, down) + min(across, down) // 2
    return max(across, down)


def line(a: Square, b: Square) -> list[Square]:
    """Return the squares that the line from centre to centre runs through, both ends included.

    Where the line passes exactly through a corner, only the two squares before and after it count. The line
    from `b` to `a` has the same squares in reverse order.
    """
    squares = sorted(crossed(centre(a, 1), centre(b, 1)))
    # The line rises or falls all the way, so one of the two sorted orders follows it.
    if (b[0] - a[0]) * (b[1] - a[1]) < 0:
        squares.sort(key=lambda square: (square[0], -square[1]))
    return squares if squares[0] == a else squares[::-1]


def centre(square: Square, size: int) -> Square:
    """Return the middle of a footprint, in half squares."""
    return 2 * square[0] + size, 2 * square[1] + size


def corners(square: Square) -> tuple[Square, Square, Square, Square]:
    """Return the four corners, in half squares."""
    left, top = 2 * square[0], 2 * square[1]
    return (left, top), (left + 2, top), (left, top + 2), (left + 2, top + 2)


def crossed(start: Point, end: Point, unit: int = 2) -> Iterator[Square]:
    """Yield the squares whose inside the segment crosses; those that it only touches are left out.

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


def clear(start: Square, end: Square, blocked: Predicate) -> bool:
    """Return whether nothing blocked is on the segment.

    Blocked squares block with their inside, with the seam between two of them side by side, and with the
    corner where two of them meet, when the segment passes exactly between. A segment may graze an edge with
    blocked squares on one side only.
    """
    if any(map(blocked, crossed(start, end))):
        return False
    return not any(blocked(one) and blocked(other) for one, other in _pinches(start, end))


def _pinches(start: Square, end: Square) -> Iterator[tuple[Square, Square]]:
    """Yield pairs of squares that close the segment between them if both are blocked."""
    (left, y_left), (right, y_right) = sorted((start, end))
    run, rise = right - left, y_right - y_left
    if run == 0:
        if left % 2 == 0:
            yield from _seam(left // 2, y_left, y_right)
        return
    if rise == 0:
        if y_left % 2 == 0:
            for one, other in _seam(y_left // 2, left, right):
                yield one[::-1], other[::-1]
        return
    for x in range(left // 2 + 1, -(-right // 2)):
        height = y_left * run + (2 * x - left) * rise
        if height % (2 * run) == 0:
            y = height // (2 * run)
            yield ((x - 1, y), (x, y - 1)) if rise > 0 else ((x - 1, y - 1), (x, y))


def _seam(x: int, top: int, bottom: int) -> Iterator[tuple[Square, Square]]:
    """Yield the pairs along the vertical grid line at `x`: side by side, and diagonal at each corner."""
    for y in range(top // 2, -(-bottom // 2)):
        yield (x - 1, y), (x, y)
        if 2 * y > top:
            yield (x - 1, y - 1), (x, y)
            yield (x, y - 1), (x - 1, y)


def closed(square: Square, corner: Square, blocked: Predicate) -> bool:
    """Return whether the squares beside a corner of `square` are both blocked: nobody looks out there."""
    x, y = square
    beside = (x + 1 if corner[0] > 2 * x else x - 1, y)
    beyond = (x, y + 1 if corner[1] > 2 * y else y - 1)
    return blocked(beside) and blocked(beyond)


_LEAN = UNIT // 10
"""The distance by which an eye leans out beyond its corner, past the end of a wall; where a wall is in the
way it stays as far inside."""


class Eyes(Value):
    """The eyes at a corner of a square, where walls run between squares.

    One leans out or stays inside; the other is the corner itself, unless a wall touches the way there.
    """

    __slots__ = ("corner", "leaning")

    def __init__(self, leaning: Point, corner: Point | None) -> None:
        self.leaning = leaning
        self.corner = corner


def eyes_at(square: Square, corner: Square, walls: Walls, blocked: Predicate) -> Eyes:
    """Return the eyes at a corner of a square."""
    x, y = hundredths(corner)
    right = 1 if corner[0] > 2 * square[0] else -1
    down = 1 if corner[1] > 2 * square[1] else -1
    open_ = None if walls.cut(middle(square), (x, y)) else (x, y)
    leaning = x + right * _LEAN, y + down * _LEAN
    if blocked((square[0] + right, square[1] + down)) or walls.cut(middle(square), leaning):
        leaning = x - right * _LEAN, y - down * _LEAN
    return Eyes(leaning, open_)


def parted(a: Square, b: Square, walls: Walls) -> bool:
    """Return whether walls cover the whole side that two neighbouring squares share."""
    right, down = b[0] - a[0], b[1] - a[1]
    if abs(right) + abs(down) != 1:
        return False
    (x, y), half = middle(a), UNIT // 2
    along = [(down * far, right * far) for far in (_LEAN - half, 0, half - _LEAN)]
    starts = [(x + over, y + up) for over, up in along]
    return all(walls.cut(start, (start[0] + right * UNIT, start[1] + down * UNIT)) for start in starts)


def middle(square: Square) -> Point:
    """Return the middle of a square in the unit of walls."""
    return square[0] * UNIT + UNIT // 2, square[1] * UNIT + UNIT // 2


def hundredths(point: Square) -> Point:
    """Return a point in half squares in the unit of walls."""
    return point[0] * UNIT // 2, point[1] * UNIT // 2
