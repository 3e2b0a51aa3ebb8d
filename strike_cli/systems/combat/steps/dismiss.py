"""Somebody who was summoned goes."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World

from ..encounter.summons import dismiss
from ..fight import Fight
from ..powers.effects import comes_to_nothing
from ..powers.power import Deed
from .step import EffectStep


class DismissStep(EffectStep):
    """Somebody who was summoned goes."""

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        if "summoned" in Fight(world).combatant(target):
            yield from dismiss(world, target)
        else:
            yield comes_to_nothing(world, deed, target, "stays")

    def sheet(self, book: object) -> str:
        return "is gone"

    def told(self, book: object, who: str) -> str:
        return f"{who}, if summoned, is gone"
