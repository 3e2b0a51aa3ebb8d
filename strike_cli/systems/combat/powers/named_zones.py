"""The zones that steps and statuses name: their makers, the creatures in them, their names."""

from __future__ import annotations

from ..fight import Fight
from ..steps import StepTable
from .power import Deed


def zones_of_step(fight: Fight, deed: Deed, step: StepTable) -> list[str]:
    """Return the ids of the zones that a step is about.

    They have the name in the step, and their maker is the user of the power, or the giver of the status that
    has the step. Without a name it is the zone that gave the status.
    """
    if "zone" not in step:
        own = str(deed.held.instance.get("zone", "")) if deed.held else ""
        return [own] if own in fight.zones else []
    makers = (deed.who, deed.giver)
    return [
        key for key, zone in fight.zones.items() if zone["name"] == step["zone"] and zone.get("by") in makers
    ]


def has_zone(fight: Fight, deed: Deed, step: StepTable) -> bool:
    """Return whether any of the zones that a step is about exists."""
    return bool(zones_of_step(fight, deed, step))


def people_in_zones(fight: Fight, deed: Deed, step: StepTable) -> list[str]:
    """Return all creatures in the zones of a step that these zones affect."""
    from ..board.zones import is_in_zone

    keys = zones_of_step(fight, deed, step)
    return [one for one in fight.in_the_fight() if any(is_in_zone(fight, one, key) for key in keys)]


def zone_of(name: str) -> str:
    """Return the words for the zone of a step, for a sheet."""
    return name or "the zone"


def zone_words(name: str) -> str:
    """Return the words for the zone of a step, in full."""
    return f"the zone {name}" if name else "the zone in question"
