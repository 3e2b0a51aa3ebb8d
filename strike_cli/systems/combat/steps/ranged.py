"""A ranged basic attack on the effect's source."""

from __future__ import annotations

from collections.abc import Sequence

from strike_cli.kernel.procedure import Procedure, World

from ..powers.uses import RANGED_BASIC
from .compulsion import CompulsionStep, attack


class RangedStep(CompulsionStep):
    """A ranged basic attack."""

    does = "makes a ranged basic attack"

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        return (yield from attack(world, target, origin, RANGED_BASIC, drawbacks))
