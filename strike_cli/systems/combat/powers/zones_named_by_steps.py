"""The zones that steps and statuses name, and the creatures in them."""

from __future__ import annotations

from ..fight_state import Fight
from ..steps import StepTable
from .powers_and_targets import PowerUse


def ids_of_zones_step_is_about(fight: Fight, use: PowerUse, step: StepTable) -> list[str]:
    """Return the ids of the zones that a step affects.

    If the step names a zone, the result has all zones of that name that the power's user made. If the step
    belongs to a status, zones that the giver of the status made count, too.

    If the step names no zone, the result is the zone that gave the status to which the step belongs. The
    result is empty if no zone gave it, or if that zone no longer exists.
    """
    if "zone" not in step:
        own = str(use.held.instance.get("zone", "")) if use.held else ""
        return [own] if own in fight.zones else []
    makers = (use.who, use.giver)
    return [
        key for key, zone in fight.zones.items() if zone["name"] == step["zone"] and zone.get("by") in makers
    ]


def has_zone_step_is_about(fight: Fight, use: PowerUse, step: StepTable) -> bool:
    """Return whether the fight has a zone that a step affects.

    `ids_of_zones_step_is_about` says which zones a step affects.
    """
    return bool(ids_of_zones_step_is_about(fight, use, step))


def people_in_zones_step_is_about(fight: Fight, use: PowerUse, step: StepTable) -> list[str]:
    """Return the creatures that are affected by a zone in which they stand.

    Only zones that the step is about count. `ids_of_zones_step_is_about` says which zones these are.
    """
    from ..board.zones import is_in_zone_that_affects_it

    keys = ids_of_zones_step_is_about(fight, use, step)
    return [
        one
        for one in fight.still_in_fight()
        if any(is_in_zone_that_affects_it(fight, one, key) for key in keys)
    ]


def zone_words_on_sheet(name: str) -> str:
    """Return the words for a step's zone on a sheet: its name, or `the zone`."""
    return name or "the zone"


def zone_words_in_sentence(name: str) -> str:
    """Return the words for a zone in a sentence, such as `the zone Fog`.

    If the zone has no name, they are `the zone in question`.
    """
    return f"the zone {name}" if name else "the zone in question"
