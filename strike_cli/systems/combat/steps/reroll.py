"""The die on the table is rolled again."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World

from ..facts.effects import DieBecomes
from ..powers.effects import noted
from ..powers.power import Deed
from .step import EffectStep


class RerollStep(EffectStep):
    """The die on the table is rolled again; the new one counts."""

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        coming = deed.answering
        if coming and coming.roll:
            before = coming.die
            coming.lie((yield from coming.roll()))
            yield noted(world, deed, coming.doer, DieBecomes(before, coming.die))

    def sheet(self, book: object) -> str:
        return "the die is rolled again"

    def told(self, book: object, who: str) -> str:
        return "the die on the table is rolled again, and the new one counts"
