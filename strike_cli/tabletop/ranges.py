"""How far somebody gets on a map, in the form in which every system may say it and every screen shows it."""

from __future__ import annotations

from typing import NamedTuple

from .squares import Square


class Ranges(NamedTuple):
    """The squares that somebody may come to stand on with what is left of their turn, or with a turn's worth
    where it isn't theirs, each by its top left one; and those that their attacks reach from where they
    are."""

    moves: tuple[Square, ...] = ()
    attacks: tuple[Square, ...] = ()
