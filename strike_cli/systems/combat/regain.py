"""Powers that may be used once more."""

from __future__ import annotations

from strike_cli.kernel.procedure import Happen

from .facts.powers import PowerRegained
from .fight import Fight, path_of


def regained(fight: Fight, who: str, power: str) -> Happen:
    """The fact that somebody may use a power once more that they had used."""
    left = list(fight.combatant(who)["used"])
    left.remove(power)
    return fight.world.tell(PowerRegained(who, power), {path_of(who, "used"): left or None})
