"""A melee basic attack on the effect's source."""

from __future__ import annotations

from collections.abc import Sequence

from strike_cli.kernel.procedure import Procedure, World

from ..powers.uses import MELEE_BASIC
from .compulsion import CompulsionStep, attack


class MeleeStep(CompulsionStep):
    """A melee basic attack."""

    does = "makes a melee basic attack"

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        return (yield from attack(world, target, origin, MELEE_BASIC, drawbacks))
