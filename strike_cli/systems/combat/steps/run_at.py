"""A run at the effect's source."""

from __future__ import annotations

from collections.abc import Sequence

from strike_cli.kernel.procedure import Procedure, World

from ..fight import Fight
from .compulsion import CompulsionStep, apart, run, walk_from


class RunAtStep(CompulsionStep):
    """As near as one Move Action goes, by the way that walking would take."""

    does = "runs at who gave it"

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        fight = Fight(world)
        if fight.gap(target, origin) <= 1:
            return True
        walk = walk_from(fight, target, origin, fight.grid.backwards)  # from there to the origin, that is
        return (
            yield from run(world, target, lambda square: (walk(square), apart(fight, target, origin, square)))
        )
