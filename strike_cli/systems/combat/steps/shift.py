"""Squares without Opportunities."""

from __future__ import annotations

from ..powers.power import Deed
from .displacement import DisplacementStep


class ShiftStep(DisplacementStep):
    """Squares without Opportunities, where the one who shifts likes."""

    how = "shift"
    done = "shifts"
    in_full = "{who} shifts up to {squares}"

    def decider(self, deed: Deed, target: str) -> str:
        return target
