"""Into cover from the effect's source."""

from __future__ import annotations

from collections.abc import Sequence

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.grid import Square

from ..board.areas import with_at
from ..board.move import destinations
from ..board.sight import in_cover
from ..fight import Fight
from .compulsion import CompulsionStep, go


class TakeCoverStep(CompulsionStep):
    """A move to the nearest square in cover from the origin, if a Move Action reaches one.

    A square from which the origin can still be shot at comes first.
    """

    does = "takes cover"

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        fight = Fight(world)
        worth: dict[Square, tuple[bool, int]] = {}
        for square, cost in {fight.at(target): 0, **destinations(fight, target)}.items():
            moved = with_at(fight, target, square)
            seen = moved.sees(origin, target)
            if not seen or in_cover(moved, origin, target, melee=False):
                worth[square] = not seen, cost
        if not worth:
            return False
        best = min(worth, key=lambda square: (worth[square], square))
        return best == fight.at(target) or (yield from go(world, target, best))
