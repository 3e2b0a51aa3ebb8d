"""The measure of distance in a game: squares or zones.

Rules count squares or zones, and people read feet, metres, or the units of their game. This module makes all
words for distances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ..deprecated_api_names import OldName
from ..immutable_records import Value
from .squares_and_lines import ALTERNATE, DIAGONALS, DIAGONALS_COUNT_ONE, DIAGONALS_OF_MAP, Square

if TYPE_CHECKING:
    from .data import BoardKept


ZONES = "zones"


class Measure(Value):
    """The measure of distance in a game. The side of a square is `side` units long.

    `one` and `many` are the words for one unit and for several. With the `diagonals` "1-1-1", each diagonal
    counts as one square; with "1-2-1", every second diagonal counts as two. With "zones" there are no
    squares. Then people are in named places, and a unit is a border between two places. The scene's `borders`
    list them.
    """

    __slots__ = ("diagonals", "many", "one", "side")

    def __init__(
        self,
        one: str = "square",
        many: str = "squares",
        side: float = 1,
        diagonals: str = DIAGONALS_COUNT_ONE,
    ) -> None:
        if diagonals not in (*DIAGONALS, ZONES):
            raise ValueError(f"diagonals {diagonals!r}: one of {', '.join((*DIAGONALS, ZONES))}")
        self.one, self.many, self.side, self.diagonals = one, many, side, diagonals

    @property
    def diagonals_alternate(self) -> bool:
        """Whether every second diagonal counts as two squares."""
        return self.diagonals == ALTERNATE

    @property
    def by_squares(self) -> bool:
        """Whether distances are in squares rather than zones."""
        return self.diagonals != ZONES

    def words(self, steps: int) -> str:
        """Return a number of squares or zones in the game's units: `30 feet`, `1 square`, `4.5 m`."""
        much = steps * self.side
        return f"{much:g} {self.one if much == 1 else self.many}"

    def walk_length(self, walk: Sequence[tuple[int, int]]) -> int | None:
        """Return the length of a walk in squares. Difficult ground doesn't count.

        The result is None if two successive squares of the walk aren't neighbours.
        """
        diagonals = 0
        for (x, y), (right, down) in pairwise(walk):
            if max(abs(right - x), abs(down - y)) != 1:
                return None
            diagonals += right != x and down != y
        return max(len(walk) - 1, 0) + (diagonals // 2 if self.diagonals_alternate else 0)

    def for_map(self, board: Mapping[str, object] | None) -> Measure:
        """Return the measure for a map in the state. A map can have its own way to count diagonals."""
        counted = board.get(DIAGONALS_OF_MAP) if board else None
        return self.but(diagonals=counted) if counted in DIAGONALS else self

    def map_keys(self) -> BoardKept:
        """Return the keys with which a map in the state says how diagonals count.

        If every second diagonal counts as two squares, one key says so. Otherwise the result is {}.
        """
        return {DIAGONALS_OF_MAP: ALTERNATE} if self.diagonals_alternate else {}

    along = OldName("walk_length")
    on = OldName("for_map")
    of_map = OldName("map_keys")
    alternate = OldName("diagonals_alternate")


SQUARES = Measure()
"""The measure by default: squares, with each diagonal counting as one."""


def count_borders_between(
    start: str | None, goal: str | None, borders: Mapping[str, Sequence[str]] | None = None
) -> int | None:
    """Return the number of borders between two named places; 0 for the same place.

    The result is None if no borders connect the two, or if a place isn't known. A border in the list of one
    place can be crossed both ways.
    """
    if not start or not goal:
        return None
    beside: dict[str, set[str]] = {}
    for place, others in (borders or {}).items():
        for each in others:
            beside.setdefault(place, set()).add(each)
            beside.setdefault(each, set()).add(place)
    far, edge, reached = 0, {start}, {start}
    while edge:
        if goal in edge:
            return far
        edge = {each for place in edge for each in beside.get(place, ())} - reached
        reached |= edge
        far += 1
    return None


class Ranges(NamedTuple):
    """The squares that a person can move to, and the squares that the person can attack.

    - `moves` are the squares on which the person can stand at the end of the turn, with the movement that
      remains. For a person whose turn it isn't, they are the squares for a whole turn. A large person is on
      several squares: the top left one counts.
    - `attacks` are the squares that the person can attack from the present place.
    """

    moves: tuple[Square, ...] = ()
    attacks: tuple[Square, ...] = ()
