"""What is coming doesn't happen."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World

from ..facts.causes import Prevents
from ..facts.effects import ComesToNothing
from ..powers.effects import noted
from ..powers.power import Deed, called
from .step import EffectStep


class PreventStep(EffectStep):
    """What is coming doesn't happen."""

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        if coming := deed.answering:
            coming.prevented = True
            coming.amount = 0
            coming.reasons.append(Prevents(called(deed.power, deed.who)))
            yield noted(world, deed, coming.befallen or coming.doer, ComesToNothing("prevented"))

    def sheet(self, book: object) -> str:
        return "it doesn't happen"

    def told(self, book: object, who: str) -> str:
        return "it doesn't happen"
