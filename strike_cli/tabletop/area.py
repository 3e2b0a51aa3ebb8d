"""Several squares as a field of what is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from ..kernel.statements import Language, Named, Several, Speaker, Statement, spoken_language
from .squares import format_square, parse_square


class _AreaSort(Several):
    """Squares in the short form; those in the fog are left out."""

    def __init__(self) -> None:
        super().__init__(Named("square"))

    def words(
        self, value: Sequence[str], statement: Statement, speaker: Speaker, joint: str = ""
    ) -> str | None:
        known = self.left(value, statement, speaker)
        return None if known is None else extent(known, speaker.language)


Area = Annotated[Sequence[str], _AreaSort()]
"""Squares of the map, like C7, as a field of a fact: "C3 to D4"."""


def extent(names: Sequence[str], language: Language | None = None) -> str:
    """Squares in words: all of a few, the corners of a filled rectangle, else how many there are."""
    if len(names) <= 3:
        return ", ".join(names)
    squares, language = [*map(parse_square, names)], language or spoken_language()
    columns, rows = zip(*squares, strict=True)
    first, last = (min(columns), min(rows)), (max(columns), max(rows))
    if len(set(squares)) == (last[0] - first[0] + 1) * (last[1] - first[1] + 1):
        return language.rectangle(format_square(first), format_square(last))
    return language.squares_around(len(names), names[len(names) // 2])
