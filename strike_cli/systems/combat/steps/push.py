"""Squares away from who uses the power."""

from __future__ import annotations

from typing import Literal

from .displacement import DisplacementStep


class PushStep(DisplacementStep):
    """Squares away from who uses the power. With `way = "chosen"` each square is asked for."""

    way: Literal["chosen"] | None = None

    how = "push"
    done = "pushed"
    in_full = "{who} is pushed {squares} away"
