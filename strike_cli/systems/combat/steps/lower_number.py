"""The number of a status goes down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason

from ..facts.steps import NumberChanges
from ..fight import Fight
from ..harm import set_number
from ..powers.effects import comes_to_nothing
from ..powers.power import Deed
from . import measured
from .status_number import StatusNumberStep

if TYPE_CHECKING:
    from ..data import ContentOfFights


class LowerStep(StatusNumberStep):
    """The number of a status goes down; at 0 the status ends."""

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        if held := self.found(world, deed, target):
            yield from set_number(world, target, held, max(int(held.get("value", 0)) - self.amount, 0))
        else:
            yield comes_to_nothing(world, deed, target, "lacks", status=self.named_id(deed))

    def would(self, fight: Fight, deed: Deed, target: str) -> bool:
        return self.found(fight.world, deed, target) is not None

    def sheet(self, book: ContentOfFights) -> str:
        return f"{self.named(book)} -{self.amount_in_words(book)}"

    def short(self, fight: Fight, deed: Deed, target: str) -> Reason:
        by = measured(fight.world.book, self.amount) or str(self.amount)
        return NumberChanges(self.named_id(deed), True, by)

    def told(self, book: ContentOfFights, who: str) -> str:
        return f"{self.named(book, who)} goes down by {self.amount_in_words(book)}"
