"""The zones that steps and statuses name, and the creatures in them."""

from __future__ import annotations

from ..fight_state import Fight
from ..steps import StepTable
from .powers_and_targets import Deed


def zones_named_by_step(fight: Fight, deed: Deed, step: StepTable) -> list[str]:
    """Return the ids of the zones that a step is about.

    If the step has the name of a zone, they are the zones of this name that were made by the power's user or,
    for a step of a status, by the status's giver. If the step has no name of a zone, it is the zone that gave
    the status to which the step belongs, if this zone still exists.
    """
    if "zone" not in step:
        own = str(deed.held.instance.get("zone", "")) if deed.held else ""
        return [own] if own in fight.zones else []
    makers = (deed.who, deed.giver)
    return [
        key for key, zone in fight.zones.items() if zone["name"] == step["zone"] and zone.get("by") in makers
    ]


def has_named_zone(fight: Fight, deed: Deed, step: StepTable) -> bool:
    """Return whether a zone that a step is about exists."""
    return bool(zones_named_by_step(fight, deed, step))


def people_in_zones(fight: Fight, deed: Deed, step: StepTable) -> list[str]:
    """Return all creatures in the zones that a step is about.

    Creatures that the zones don't affect are left out.
    """
    from ..board.zones import is_in_zone

    keys = zones_named_by_step(fight, deed, step)
    return [one for one in fight.still_in_fight() if any(is_in_zone(fight, one, key) for key in keys)]


def zone_words_on_sheet(name: str) -> str:
    """Return the words for a step's zone on a sheet."""
    return name or "the zone"


def zone_words_in_sentence(name: str) -> str:
    """Return the words for a step's zone in a sentence."""
    return f"the zone {name}" if name else "the zone in question"
