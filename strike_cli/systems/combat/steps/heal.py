"""HP are regained."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World

from ..fight import Fight
from ..harm import heal, is_whole
from ..powers.power import Deed, called
from ..powers.read_back import so_much
from .keys import Amount
from .step import EffectStep


class HealStep(EffectStep):
    """HP are regained, up to the most that one has (STR-TAC-15)."""

    amount: Amount

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        yield from heal(world, target, self.amount, called(deed.power, deed.who))

    def would(self, fight: Fight, deed: Deed, target: str) -> bool:
        """Return whether the target lacks HP, or boxes enough for the amount to heal one."""
        if isinstance(self.amount, int):
            return not is_whole(fight, target, self.amount)
        combatant = fight.combatant(target)
        return combatant["hp"] < combatant["max_hp"]

    def sheet(self, book: object) -> str:
        return f"heals {self.amount_in_words(book)}"

    def told(self, book: object, who: str) -> str:
        """Return the step in full: `the target regains 3 HP`."""
        return f"{who} regains {so_much(book, self.table['amount'], 'HP')}"
