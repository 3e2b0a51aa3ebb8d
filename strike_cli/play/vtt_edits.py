"""The command that plays an edit made on a virtual tabletop.

The move itself decides whether it is legal.
"""

from __future__ import annotations

from ..kernel.procedure import World
from ..problems import Refused
from ..registry import scene_systems
from ..registry.installed import load_object
from ..tabletop.vtt_changes import METER, MOVED, TabletopChange, TakenChange
from .legal import why_not


def taken_as(world: World, change: TabletopChange) -> TakenChange:
    """Return the move or override that an edit at the tabletop means to the system of its scene.

    A system without a reader of its own takes it as an override of the scene's common keys.
    """
    system = scene_systems().get(change.scene)
    if system is not None and system.scene.takes:
        found: TakenChange = load_object(system.absolute(system.scene.takes))(world, change)
        return found
    key = {MOVED: "at", METER: change.meter}.get(change.kind, "")
    if not key or world.get(f"{change.scene}.people.{change.who}.{key}") is None:
        return TakenChange()
    return TakenChange(sets={f"{change.scene}.people.{change.who}.{key}": change.to})


def refusal(world: World, taken: TakenChange) -> Refused | None:
    """Return why the move of a change would be refused now; None where it is legal."""
    if not taken.command:
        return Refused("No move does this.")
    return why_not(world, taken.command, taken.args)
