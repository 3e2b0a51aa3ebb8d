"""Miss Tokens."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World

from ..fight import Fight
from ..harm import gain_tokens
from ..powers.effects import comes_to_nothing
from ..powers.power import Deed
from .keys import Amount
from .step import EffectStep


class TokenStep(EffectStep):
    """Miss Tokens for a player."""

    amount: Amount = 1

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        if Fight(world).is_player(target):
            yield from gain_tokens(world, target, self.amount)
        else:
            yield comes_to_nothing(world, deed, target, "players")

    def would(self, fight: Fight, deed: Deed, target: str) -> bool:
        return fight.is_player(target)

    def sheet(self, book: object) -> str:
        return "a Miss Token" if self.amount == 1 else f"{self.amount_in_words(book)} Miss Tokens"

    def told(self, book: object, who: str) -> str:
        return f"{who} gets {self.sheet(book)}, if a player's"
