"""The classes and functions for steps, and for handlers of powers and reactions, in fights of Strike!."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import cast

from ..deprecated_api_names import make_module_getattr_for_old_names
from ..kernel.procedure import Procedure, World
from ..systems.combat.fight_state import Fight
from ..systems.combat.powers import step_play_and_summaries
from ..systems.combat.powers.powers_and_targets import PowerUse
from ..systems.combat.steps import AmountKind, StepTable
from ..systems.combat.steps.step import EffectStep
from ..tabletop.rules_vocabulary import Duration, MomentKind

__all__ = ["AmountKind", "Duration", "EffectStep", "Fight", "MomentKind", "PowerUse", "do_steps"]

_BOOK_KEYS = {"status": "statuses", "if_status": "statuses", "power": "powers", "creature": "creatures"}
"""The keys in steps that name a thing of the book, each with the thing's kind."""


def do_steps(
    world: World,
    use: PowerUse,
    steps: Sequence[Mapping[str, object]],
    target: str = "",
    holding: Collection[str] = (),
) -> Procedure[list[str]]:
    """Play steps of a power, in order; a step that is only text is left to the players.

    Args:
        world: The world to play them in.
        use: The use of a power: its user, the power, its targets.
        steps: The steps, in the form that a power has them. A name in a step is a short name in the
            power's own plugin, or else any name that the campaign knows.
        target: The id of the creature that the steps affect, "" for none.
        holding: The conditions (`if`) that hold.

    Returns:
        The ids of the statuses that took hold.

    Raises:
        Usage: A name means nothing.
    """
    whole = [_resolve_book_ids(world, use, step) for step in steps]
    return step_play_and_summaries.play_steps_and_get_statuses_given(
        world, use, cast("Sequence[StepTable]", whole), target, holding
    )


def _resolve_book_ids(world: World, use: PowerUse, step: Mapping[str, object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in step.items():
        if key in _BOOK_KEYS and isinstance(value, str):
            table = world.book.table(_BOOK_KEYS[key])
            own = f"{use.power['id'].rpartition(':')[0]}:{value}"
            ids = (each for each in (own, value) if each in table)
            found[key] = next(ids, None) or world.book.find(_BOOK_KEYS[key], value)
        elif isinstance(value, list | tuple):
            found[key] = [
                _resolve_book_ids(world, use, each) if isinstance(each, Mapping) else each for each in value
            ]
        else:
            found[key] = value
    return found


_NEW_NAMES = {"Deed": "PowerUse"}
"""The new names of exported objects, by their old names, which go on for a version."""
__getattr__ = make_module_getattr_for_old_names(__name__, _NEW_NAMES)
