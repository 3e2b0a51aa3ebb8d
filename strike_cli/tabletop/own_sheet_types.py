"""The sheet of a player's own character, as phones show it, in one form for every game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Holding(NamedTuple):
    """An item on a sheet: a power, a Trick, a status.

    `text` describes the item. `note` is its present state, such as "save ends" or "2 of 3 charges left". With
    `used` it isn't available now. With `last` it can be used only once more.
    """

    name: str
    text: str = ""
    note: str = ""
    used: bool = False
    last: bool = False


class SheetPart(NamedTuple):
    """A part of a sheet, with a heading."""

    title: str
    items: Sequence[Holding] = ()


class OwnSheet(NamedTuple):
    """What a game system adds to a character's sheet as the character's player sees it.

    Attributes:
        numbers: Pairs of a name and a value, for the line at the top.
        statuses: The character's statuses, with their effects and durations. If it is None, the statuses are
            shown in the form that all scenes share.
        parts: Further parts of the sheet.
    """

    numbers: Sequence[tuple[str, str]] = ()
    statuses: Sequence[Holding] | None = None
    parts: Sequence[SheetPart] = ()


class OwnRoll(NamedTuple):
    """A roll that a player can propose from a phone: its name, its dice, and the command to type.

    `n` and `sides` are the dice without any changes to the roll.
    """

    name: str
    n: int
    sides: int
    typed: Sequence[str]
