"""Squares nearer to who uses the power."""

from __future__ import annotations

from typing import Literal

from .displacement import DisplacementStep


class PullStep(DisplacementStep):
    """Squares nearer to who uses the power. With `way = "chosen"` each square is asked for."""

    way: Literal["chosen"] | None = None

    how = "pull"
    done = "pulled"
    in_full = "{who} is pulled {squares} nearer"
