"""What players see of their own characters on their phones, in one form whatever is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Holding(NamedTuple):
    """Something on somebody's sheet: a power, a Trick, a status.

    `text` is its effect, `note` its present state: "save ends", "2 of 3 charges left". One that is `used` up
    can't be used for now; the `last` use of another uses it up.
    """

    name: str
    text: str = ""
    note: str = ""
    used: bool = False
    last: bool = False


class SheetPart(NamedTuple):
    """A part of a sheet, under a heading."""

    title: str
    items: Sequence[Holding] = ()


class OwnSheet(NamedTuple):
    """A system's part of somebody's own sheet.

    `numbers` are by name, for the line that is looked at first. `statuses` have their effects and their ends;
    they are None where the scene in its common form says enough. `parts` come below.
    """

    numbers: Sequence[tuple[str, str]] = ()
    statuses: Sequence[Holding] | None = None
    parts: Sequence[SheetPart] = ()


class OwnRoll(NamedTuple):
    """A roll that a player may propose.

    It has a name, the dice that it takes unless something else affects it, and what one would type for it.
    """

    name: str
    n: int
    sides: int
    typed: Sequence[str]
