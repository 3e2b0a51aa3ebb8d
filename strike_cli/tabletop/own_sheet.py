"""What players see of their own characters on their phones, in one form for every game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Holding(NamedTuple):
    """Something that a sheet has: a power, a Trick, a status.

    `text` is what it does, and `note` how it stands: "save ends", "2 of 3 charges left". With `used` it isn't
    available now, and with `last` only one use is left.
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
    """What a system adds to a player's own sheet.

    `numbers` are by name, for the line at the top. `statuses` have what they do and how long they last; they
    are None if the form that all scenes share is enough. `parts` come below.
    """

    numbers: Sequence[tuple[str, str]] = ()
    statuses: Sequence[Holding] | None = None
    parts: Sequence[SheetPart] = ()


class OwnRoll(NamedTuple):
    """A roll that a player can propose.

    It has a name, the dice that it needs unless something changes them, and the command that one types for
    it.
    """

    name: str
    n: int
    sides: int
    typed: Sequence[str]
