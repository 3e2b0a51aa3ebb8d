"""The sheet of a player's own character, as phones show it, in one form for every game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Holding(NamedTuple):
    """An item on a sheet: a power, a Trick, a status.

    `text` is its effect, and `note` its present state: "save ends", "2 of 3 charges left". With `used` it
    isn't available now, and with `last` only one use is left.
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
    """The part that a system adds to a player's own sheet.

    `numbers` are pairs of name and value, for the line at the top. `statuses` say what they do and how long
    they last; None leaves them in the form that all scenes share. `parts` come below.
    """

    numbers: Sequence[tuple[str, str]] = ()
    statuses: Sequence[Holding] | None = None
    parts: Sequence[SheetPart] = ()


class OwnRoll(NamedTuple):
    """A roll that a player can propose from a phone.

    It has a name, the dice that it needs unless something changes them, and the command to type for it.
    """

    name: str
    n: int
    sides: int
    typed: Sequence[str]
