"""What handlers of powers and of reactions take from fights of Strike!."""

from __future__ import annotations

from ..systems.combat.effects import do_steps
from ..systems.combat.fight import Fight
from ..systems.combat.powers import Deed

__all__ = ["Deed", "Fight", "do_steps"]
