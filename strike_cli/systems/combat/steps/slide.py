"""Squares in any direction."""

from __future__ import annotations

from typing import Literal

from .displacement import DisplacementStep


class SlideStep(DisplacementStep):
    """Squares in any direction. With `way = "chosen"` each square is asked for."""

    way: Literal["chosen"] | None = None

    how = "slide"
    done = "slid"
    in_full = "{who} is slid {squares} anywhere"
