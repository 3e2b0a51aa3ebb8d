"""What steps, handlers of powers and of reactions take from fights of Strike!, and the classes of words."""

from __future__ import annotations

from ..systems.combat.fight import Fight
from ..systems.combat.powers.effects import do_steps
from ..systems.combat.powers.power import Deed
from ..systems.combat.steps import AmountKind
from ..systems.combat.steps.step import EffectStep
from ..tabletop.vocabularies import Duration, MomentKind

__all__ = ["AmountKind", "Deed", "Duration", "EffectStep", "Fight", "MomentKind", "do_steps"]
