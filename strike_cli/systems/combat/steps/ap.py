"""Action Points."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.people import gain_action_point

from ..fight import Fight
from ..powers.effects import comes_to_nothing
from ..powers.power import Deed
from .keys import Amount
from .step import EffectStep


class ApStep(EffectStep):
    """Action Points for a player."""

    amount: Amount = 1

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        fight = Fight(world)
        if fight.is_player(target):
            yield from gain_action_point(
                world, fight.combatant(target)["ref"], deed.power["name"], self.amount
            )
        else:
            yield comes_to_nothing(world, deed, target, "players")

    def would(self, fight: Fight, deed: Deed, target: str) -> bool:
        return fight.is_player(target)

    def sheet(self, book: object) -> str:
        return "an Action Point" if self.amount == 1 else f"{self.amount_in_words(book)} Action Points"

    def told(self, book: object, who: str) -> str:
        return f"{who} gains {self.sheet(book)}, if a player's"
