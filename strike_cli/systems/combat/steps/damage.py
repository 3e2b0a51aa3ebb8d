"""HP are lost."""

from __future__ import annotations

from typing import Any

from strike_cli.kernel.procedure import Procedure, World

from ..damage import dealt_by, hurt
from ..fight import Fight
from ..powers import Deed, called
from . import Step
from .keys import Amount


class Damage(Step):
    """HP are lost, as who uses the power deals them and as the one takes them."""

    amount: Amount

    brief = True

    def play(self, world: World, deed: Deed, one: str) -> Procedure[None]:
        """Deal it, and count it as dealt."""
        keywords = deed.power.get("keywords", ())
        damage, _ = dealt_by(Fight(world), deed.who, self.amount, one, keywords)
        cause = called(deed.power, deed.who)
        harm = yield from hurt(world, one, damage, cause, by=deed.who, keywords=keywords)
        if deed.tally:
            deed.tally.dealt += harm.amount

    def sheet(self, book: Any) -> str:
        """`2 more damage`."""
        return f"{self.amount_in_words(book)} more damage"

    def told(self, book: Any, who: str) -> str:
        """`the target takes 2 damage`."""
        return f"{who} takes {self.amount_in_words(book)} damage"
