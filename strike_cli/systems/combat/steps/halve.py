"""Half of what is coming."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World

from ..facts.causes import Halves
from ..powers.effects import lessen
from ..powers.power import Deed, called
from .keys import Rounding
from .step import EffectStep


class HalveStep(EffectStep):
    """Half of what is coming, rounded down unless `half` says up."""

    half: Rounding = "down"

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        if coming := deed.answering:
            left = (coming.amount + (self.half == "up")) // 2
            yield from lessen(world, deed, left - coming.amount, Halves(called(deed.power, deed.who)))

    def sheet(self, book: object) -> str:
        return f"half of it, rounded {self.half}"

    def told(self, book: object, who: str) -> str:
        return f"it is halved, rounded {self.half}"
