"""Exact straight lines over squares: what they run through, and whether they are free.

In whole numbers throughout. Lengths along a line are half squares, so that corners (even) and centres (odd,
or even for creatures of even size) are both whole: the square x spans 2x to 2x + 2.
"""

# Annotations are left as they are: kept as text, a NamedTuple would compile each of them at every start.

from collections.abc import Callable, Iterator

from ..values import Value
from .squares import Square
from .walls import UNIT, Point, Walls

Predicate = Callable[[Square], bool]


def line(a: Square, b: Square) -> list[Square]:
    """The squares that the line from centre to centre runs through, both ends included.

    Passing exactly through a corner touches only the two squares it comes from and goes to. The
    line from `b` to `a` is the same one backwards.
    """
    squares = sorted(crossed(centre(a, 1), centre(b, 1)))
    # The line rises or falls all the way, so one of the two sorted orders follows it.
    if (b[0] - a[0]) * (b[1] - a[1]) < 0:
        squares.sort(key=lambda square: (square[0], -square[1]))
    return squares if squares[0] == a else squares[::-1]


def centre(square: Square, size: int) -> Square:
    """The middle of a footprint, in half squares."""
    return 2 * square[0] + size, 2 * square[1] + size


def corners(square: Square) -> tuple[Square, Square, Square, Square]:
    """The four corners, in half squares."""
    left, top = 2 * square[0], 2 * square[1]
    return (left, top), (left + 2, top), (left, top + 2), (left + 2, top + 2)


def crossed(start: Point, end: Point, unit: int = 2) -> Iterator[Square]:
    """Squares whose inside the segment passes; none for those that it only touches at the edge. `unit` is the
    length of a square's side: 2 for points in half squares."""
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
    """Whether nothing blocked lies on the segment.

    Blocked squares block by their inside, by the seam between two of them side by side, and by the
    corner where two of them meet, when the segment passes exactly between. An edge with blocked
    squares on one side only is grazed, and grazing is allowed.
    """
    if any(map(blocked, crossed(start, end))):
        return False
    return not any(blocked(one) and blocked(other) for one, other in _pinches(start, end))


def _pinches(start: Square, end: Square) -> Iterator[tuple[Square, Square]]:
    """Pairs of squares that close the segment between them when both are blocked."""
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
    """The pairs along the upright grid line at `x`: side by side, and crosswise at each corner."""
    for y in range(top // 2, -(-bottom // 2)):
        yield (x - 1, y), (x, y)
        if 2 * y > top:
            yield (x - 1, y - 1), (x, y)
            yield (x, y - 1), (x - 1, y)


def closed(square: Square, corner: Square, blocked: Predicate) -> bool:
    """Whether the squares beside a corner of `square` are both blocked: nobody looks out there."""
    x, y = square
    beside = (x + 1 if corner[0] > 2 * x else x - 1, y)
    beyond = (x, y + 1 if corner[1] > 2 * y else y - 1)
    return blocked(beside) and blocked(beyond)


_LEAN = UNIT // 10
"""How far an eye leans out beyond its corner, past the end of a wall; where one is in the way it stays as far
inside."""


class Eyes(Value):
    """The points that look out at a corner of a square, where walls run between squares: one leaning out or
    kept inside, and the corner itself, unless a wall touches the way there."""

    __slots__ = ("corner", "leaning")

    def __init__(
        self,
        leaning: Point,
        corner: Point | None,
    ) -> None:
        self.leaning = leaning
        self.corner = corner


def eyes_at(square: Square, corner: Square, walls: Walls, blocked: Predicate) -> Eyes:
    """What looks out at a corner of a square."""
    x, y = hundredths(corner)
    right = 1 if corner[0] > 2 * square[0] else -1
    down = 1 if corner[1] > 2 * square[1] else -1
    open_ = None if walls.cut(middle(square), (x, y)) else (x, y)
    leaning = x + right * _LEAN, y + down * _LEAN
    if blocked((square[0] + right, square[1] + down)) or walls.cut(middle(square), leaning):
        leaning = x - right * _LEAN, y - down * _LEAN
    return Eyes(leaning, open_)


def parted(a: Square, b: Square, walls: Walls) -> bool:
    """Whether walls take up the whole side that two neighbouring squares share."""
    right, down = b[0] - a[0], b[1] - a[1]
    if abs(right) + abs(down) != 1:
        return False
    (x, y), half = middle(a), UNIT // 2
    along = [(down * far, right * far) for far in (_LEAN - half, 0, half - _LEAN)]
    starts = [(x + over, y + up) for over, up in along]
    return all(walls.cut(start, (start[0] + right * UNIT, start[1] + down * UNIT)) for start in starts)


def middle(square: Square) -> Point:
    """The middle of a square as walls measure it."""
    return square[0] * UNIT + UNIT // 2, square[1] * UNIT + UNIT // 2


def hundredths(point: Square) -> Point:
    """A point in half squares as walls measure it."""
    return point[0] * UNIT // 2, point[1] * UNIT // 2
