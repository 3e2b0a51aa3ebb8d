"""A run away from the effect's source."""

from __future__ import annotations

from collections.abc import Sequence

from strike_cli.kernel.procedure import Procedure, World

from ..fight import Fight
from .compulsion import CompulsionStep, apart, run, walk_from


class RunFromStep(CompulsionStep):
    """As far as one Move Action goes."""

    does = "runs from who gave it"

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        fight = Fight(world)
        walk = walk_from(fight, target, origin, fight.grid)
        return (
            yield from run(
                world, target, lambda square: (-apart(fight, target, origin, square), -walk(square))
            )
        )
