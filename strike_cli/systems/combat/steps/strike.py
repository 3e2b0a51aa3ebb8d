"""Strikes."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World

from ..fight import Fight
from ..harm import gain_strike
from ..powers.effects import comes_to_nothing
from ..powers.power import Deed, called
from .keys import Amount
from .step import EffectStep


class StrikeStep(EffectStep):
    """Strikes for a player."""

    amount: Amount = 1

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        if Fight(world).is_player(target):
            yield from gain_strike(world, target, called(deed.power, deed.who), self.amount)
        else:
            yield comes_to_nothing(world, deed, target, "players")

    def would(self, fight: Fight, deed: Deed, target: str) -> bool:
        return fight.is_player(target)

    def sheet(self, book: object) -> str:
        return "a Strike" if self.amount == 1 else f"{self.amount_in_words(book)} Strikes"

    def told(self, book: object, who: str) -> str:
        return f"{who} takes {self.sheet(book)}, if a player's"
