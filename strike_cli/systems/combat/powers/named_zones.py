"""The zones that steps and statuses name, and the creatures in them."""

from __future__ import annotations

from ..fight import Fight
from ..steps import StepTable
from .power import Deed


def zones_of_step(fight: Fight, deed: Deed, step: StepTable) -> list[str]:
    """Return the ids of the zones that a step is about.

    They have the name that the step gives, and were made by the power's user, or by the giver of the status
    that has the step. If the step gives no name, it is the zone that gave the status.
    """
    if "zone" not in step:
        own = str(deed.held.instance.get("zone", "")) if deed.held else ""
        return [own] if own in fight.zones else []
    makers = (deed.who, deed.giver)
    return [
        key for key, zone in fight.zones.items() if zone["name"] == step["zone"] and zone.get("by") in makers
    ]


def has_zone(fight: Fight, deed: Deed, step: StepTable) -> bool:
    """Return whether a zone that a step is about exists."""
    return bool(zones_of_step(fight, deed, step))


def people_in_zones(fight: Fight, deed: Deed, step: StepTable) -> list[str]:
    """Return all creatures that are in the zones of a step and affected by them."""
    from ..board.zones import is_in_zone

    keys = zones_of_step(fight, deed, step)
    return [one for one in fight.in_the_fight() if any(is_in_zone(fight, one, key) for key in keys)]


def zone_of(name: str) -> str:
    """Return the words for a step's zone on a sheet."""
    return name or "the zone"


def zone_words(name: str) -> str:
    """Return the words for a step's zone in a sentence."""
    return f"the zone {name}" if name else "the zone in question"
