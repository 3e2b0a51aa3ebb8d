"""What is coming befalls somebody else."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World

from ..facts.effects import Befalls
from ..powers.effects import noted
from ..powers.power import Deed, called
from . import USER
from .step import EffectStep


class RedirectStep(EffectStep):
    """What is coming befalls that one instead, the first of several; without `to` who uses the power."""

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        coming = deed.answering
        if coming and not coming.redirected and target not in (coming.befallen, coming.doer):
            coming.redirected = target
            coming.reasons.append(called(deed.power, deed.who))
            yield noted(world, deed, target, Befalls(target))

    def sheet(self, book: object) -> str:
        return "it befalls them instead"

    def told(self, book: object, who: str) -> str:
        return f"it befalls {USER if self.table['to'] == 'target' else who} instead"
