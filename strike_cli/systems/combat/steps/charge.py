"""A charge at the effect's source."""

from __future__ import annotations

from collections.abc import Sequence

from strike_cli.kernel.procedure import Procedure, World

from ..fight import Fight
from ..powers.charge import Charge, play_charge
from ..powers.uses import MELEE_BASIC
from .compulsion import CompulsionStep, attack, tried


class ChargeStep(CompulsionStep):
    """A charge; of who is next to its origin the attack of one."""

    does = "charges who gave it"

    def act(self, world: World, target: str, origin: str, drawbacks: Sequence[str]) -> Procedure[bool]:
        if Fight(world).gap(target, origin) <= 1:
            return (yield from attack(world, target, origin, MELEE_BASIC, drawbacks))
        return (yield from tried(play_charge(world, Charge(who=target, target=origin, dis=drawbacks))))
