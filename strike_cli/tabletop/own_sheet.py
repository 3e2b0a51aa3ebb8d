"""The data of players' own characters on their phones, in one form for every game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Holding(NamedTuple):
    """An entry on a character's sheet: a power, a Trick, a status.

    `text` is its effect, `note` its present state: "save ends", "2 of 3 charges left". One that is `used` up
    isn't available now; `last` marks one with a single use left.
    """

    name: str
    text: str = ""
    note: str = ""
    used: bool = False
    last: bool = False


class SheetPart(NamedTuple):
    """A part of a sheet, with its heading."""

    title: str
    items: Sequence[Holding] = ()


class OwnSheet(NamedTuple):
    """A system's part of a player's own sheet.

    `numbers` are by name, for the line at the top. `statuses` have their effects and durations; they are None
    where the common form of the scene is enough. `parts` follow below.
    """

    numbers: Sequence[tuple[str, str]] = ()
    statuses: Sequence[Holding] | None = None
    parts: Sequence[SheetPart] = ()


class OwnRoll(NamedTuple):
    """A roll that a player may propose.

    It has `n` dice of `sides` unless something else affects it; `typed` is the command for it.
    """

    name: str
    n: int
    sides: int
    typed: Sequence[str]
