"""How far somebody gets on a map, in the form in which every system may say it and every screen shows it."""

from __future__ import annotations

from typing import NamedTuple

from .squares import Square


class Ranges(NamedTuple):
    """The squares that somebody may reach, by walking and by attacking.

    `moves` are those where they may come to stand with the rest of their turn, or with a whole turn where it
    isn't theirs, each by its top left square. `attacks` are those that their attacks reach from their present
    place.
    """

    moves: tuple[Square, ...] = ()
    attacks: tuple[Square, ...] = ()
