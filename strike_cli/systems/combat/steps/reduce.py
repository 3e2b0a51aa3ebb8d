"""What is coming becomes less."""

from __future__ import annotations

from collections.abc import Mapping

from strike_cli.kernel.procedure import Procedure, World

from ..facts.causes import Adds
from ..powers.effects import lessen
from ..powers.power import Deed, called
from .keys import Amount
from .step import EffectStep


class ReduceStep(EffectStep):
    """So much less of what is coming, down to nothing."""

    amount: Amount

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        yield from lessen(world, deed, -self.amount, Adds(-self.amount, called(deed.power, deed.who)))

    def sheet(self, book: object) -> str:
        return f"{self.amount_in_words(book)} less"

    def told(self, book: object, who: str) -> str:
        words = self.amount_in_words(book)
        return (
            f"it becomes less by {words}"
            if isinstance(self.table["amount"], Mapping)
            else f"it becomes {words} less"
        )
