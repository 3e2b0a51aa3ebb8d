"""Conditions gained and lost, with what a third of a kind turns into (STR-CORE-12)."""

from __future__ import annotations

from .people import display_name
from .procedure import Procedure, World

# Three of the first become one of the second, and the three are gone.
ESCALATES = {"core:winded": ("core:exhausted", 3), "core:short": ("core:broke", 3)}


def gain_condition(world: World, who: str, condition: str, why: str) -> Procedure[str]:
    """Somebody gains a condition; returns the one they end up with."""
    path = f"characters.{who}.conditions"
    held = [*world.get(path, []), condition]
    gained = condition
    into, count = ESCALATES.get(condition, ("", 0))
    text = f"{display_name(world, who)} is {world.book.conditions[condition]['name']} ({why})."
    if into and held.count(condition) >= count:
        held = [*(item for item in held if item != condition), into]
        gained = into
        text = (
            f"{display_name(world, who)} is {world.book.conditions[condition]['name']} a third time and so "
            f"{world.book.conditions[into]['name']} ({why})."
        )
    yield world.happen("condition-gained", who, text, {path: held}, condition=gained)
    return gained
