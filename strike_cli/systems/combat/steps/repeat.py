"""Steps done several times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.faults import Fault, Faults, Place
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason

from ..facts.steps import TimesOver
from ..fight import Fight
from ..powers.effects import do_steps, steps_in_short
from ..powers.power import Deed
from . import MOST_TIMES, measured
from .keys import Amount, Steps
from .step import EffectStep, all_in_words, all_told

if TYPE_CHECKING:
    from strike_cli.validation import CheckedTable

    from ..data import ContentOfFights


class RepeatStep(EffectStep):
    """Steps done several times, as long as the one is in the fight."""

    amount: Amount
    steps: Steps

    def play(self, world: World, deed: Deed, target: str) -> Procedure[list[str]]:
        added: list[str] = []
        for _ in range(min(self.amount, MOST_TIMES)):
            if Fight(world).is_out(target):
                break
            added += yield from do_steps(world, deed, self.steps, target, deed.holding)
        return added

    def sheet(self, book: ContentOfFights) -> str:
        return f"{self.amount_in_words(book)} times: {all_in_words(book, self.steps)}"

    def told(self, book: ContentOfFights, who: str) -> str:
        return f"{self.amount_in_words(book)} times: {all_told(book, self.steps, who)}"

    def short(self, fight: Fight, deed: Deed, target: str) -> Reason:
        amount = measured(fight.world.book, self.amount)
        steps = steps_in_short(fight, deed, self.steps, target)
        return TimesOver(0 if amount else self.amount, steps, amount)

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        amount = table.get("amount")
        if isinstance(amount, int) and amount > MOST_TIMES:
            faults.append(Fault(where / "amount", f"{MOST_TIMES} times are the most"))
