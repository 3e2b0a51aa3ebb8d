"""The measure of distance in a game.

It is in squares, with the length of a side and a way to count diagonals, or it is in zones. Rules count
squares or zones, while people read feet, metres, or the units of their game. All words for distances are made
here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ..values import Value
from .squares_and_lines import ALIKE, ALTERNATE, DIAGONALS, DIAGONALS_OF_MAP, Square

if TYPE_CHECKING:
    from .data import BoardKept


ZONES = "zones"


class Measure(Value):
    """The measure of distance in a game: the side of a square is `side` units long.

    A unit is called `one`, and several are called `many`. With the `diagonals` "1-1-1", each diagonal counts
    as one square; with "1-2-1", every second diagonal counts as two. With "zones" there are no squares.
    People are then in places that have names, and a unit is a border between two of these places, as the
    scene's `borders` lists them.
    """

    __slots__ = ("diagonals", "many", "one", "side")

    def __init__(
        self, one: str = "square", many: str = "squares", side: float = 1, diagonals: str = ALIKE
    ) -> None:
        if diagonals not in (*DIAGONALS, ZONES):
            raise ValueError(f"diagonals {diagonals!r}: one of {', '.join((*DIAGONALS, ZONES))}")
        self.one, self.many, self.side, self.diagonals = one, many, side, diagonals

    @property
    def alternate(self) -> bool:
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

    def along(self, way: Sequence[tuple[int, int]]) -> int | None:
        """Return the length of a walk in squares; difficult ground doesn't count.

        Return None if two successive squares of the walk aren't neighbours.
        """
        diagonals = 0
        for (x, y), (right, down) in pairwise(way):
            if max(abs(right - x), abs(down - y)) != 1:
                return None
            diagonals += right != x and down != y
        return max(len(way) - 1, 0) + (diagonals // 2 if self.alternate else 0)

    def on(self, board: Mapping[str, object] | None) -> Measure:
        """Return the measure for a map in the state, which may say itself how its diagonals count."""
        counted = board.get(DIAGONALS_OF_MAP) if board else None
        return self.but(diagonals=counted) if counted in DIAGONALS else self

    def of_map(self) -> BoardKept:
        """Return the keys that a map in the state has if diagonals on it count as in this measure."""
        return {DIAGONALS_OF_MAP: ALTERNATE} if self.alternate else {}


SQUARES = Measure()
"""The measure by default: squares, with each diagonal counting as one."""


def zones_apart(
    one: str | None, other: str | None, borders: Mapping[str, Sequence[str]] | None = None
) -> int | None:
    """Return the number of borders between two places that have names; 0 if they are the same place.

    Return None if no borders connect the two, or if a place isn't known. A border that one place lists can be
    crossed both ways.
    """
    if not one or not other:
        return None
    beside: dict[str, set[str]] = {}
    for place, others in (borders or {}).items():
        for each in others:
            beside.setdefault(place, set()).add(each)
            beside.setdefault(each, set()).add(place)
    far, edge, reached = 0, {one}, {one}
    while edge:
        if other in edge:
            return far
        edge = {each for place in edge for each in beside.get(place, ())} - reached
        reached |= edge
        far += 1
    return None


class Ranges(NamedTuple):
    """The squares that a person can move to, and those that the person can attack.

    `moves` has the squares on which the rest of the person's turn can end; out of turn, those on which a
    whole turn can end. For a large person, each is the top left square. `attacks` has the squares that the
    person's attacks reach from the present place.
    """

    moves: tuple[Square, ...] = ()
    attacks: tuple[Square, ...] = ()
