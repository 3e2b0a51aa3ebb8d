"""The classes and functions for steps, and for handlers of powers and reactions, in fights of Strike!."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import cast

from ..kernel.procedure import Procedure, World
from ..systems.combat.fight_state import Fight
from ..systems.combat.powers import effects
from ..systems.combat.powers.powers_and_targets import Deed
from ..systems.combat.steps import AmountKind, StepTable
from ..systems.combat.steps.step import EffectStep
from ..tabletop.rules_vocabulary import Duration, MomentKind

__all__ = ["AmountKind", "Deed", "Duration", "EffectStep", "Fight", "MomentKind", "do_steps"]

_NAMED = {"status": "statuses", "if_status": "statuses", "power": "powers", "creature": "creatures"}
"""The keys in steps that name a thing of the book, each with the thing's kind."""


def do_steps(
    world: World,
    deed: Deed,
    steps: Sequence[Mapping[str, object]],
    target: str = "",
    holding: Collection[str] = (),
) -> Procedure[list[str]]:
    """Play steps of a power, in order; a step that is only text is left to the players.

    Args:
        world: The world to play them in.
        deed: The use of a power: its user, the power, its targets.
        steps: The steps, in the form that a power has them. A short name in a step means a thing of the
            power's own plugin or, if that has none, whatever the campaign means by the name.
        target: The id of the creature that the steps affect, "" for none.
        holding: The conditions (`if`) that hold.

    Returns:
        The ids of the statuses that took hold.

    Raises:
        Usage: A name means nothing.
    """
    whole = [_resolve_ids(world, deed, step) for step in steps]
    return effects.do_steps(world, deed, cast("Sequence[StepTable]", whole), target, holding)


def _resolve_ids(world: World, deed: Deed, step: Mapping[str, object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in step.items():
        if key in _NAMED and isinstance(value, str):
            table = world.book.table(_NAMED[key])
            own = f"{deed.power['id'].rpartition(':')[0]}:{value}"
            ids = (each for each in (value, own) if each in table)
            found[key] = next(ids, None) or world.book.find(_NAMED[key], value)
        elif isinstance(value, list | tuple):
            found[key] = [
                _resolve_ids(world, deed, each) if isinstance(each, Mapping) else each for each in value
            ]
        else:
            found[key] = value
    return found
