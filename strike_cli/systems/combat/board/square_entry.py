"""Entering a square: a creature is put on the square, and the zones there affect the creature.

A zone damages a creature at most once a round (STR-TAC-21): when the creature enters the zone, or when it
starts its turn there. A zone that appears under a creature doesn't damage it, but the power that makes the
zone may.
"""

from __future__ import annotations

from collections.abc import Collection

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.grid import Square, footprint, format_square
from strike_cli.tabletop.zones import zone_affects

from ..facts.effects_and_causes import OfZone
from ..facts.movement_and_sight import Stepped, Swapped
from ..facts.zones_and_summons import ZoneEntered, ZoneLeft, ZoneStruck
from ..fight_state import Fight, combatant_path
from ..health_and_statuses import deal_damage
from .sight_and_hiding import end_or_expose_hiding_of_seen
from .zones import zone_status_reacts


def enter_square(world: World, combatant: str, square: Square) -> Procedure[None]:
    """Put a creature on a square, and play what follows at once.

    Zones there deal their damage, and zones that react to a crossing are told of it. Hidden creatures that
    are now seen may lose their hiding. For a large creature, `square` is its top left square.
    """
    before = Fight(world).squares_of(combatant)
    yield world.tell(Stepped(combatant), {combatant_path(combatant, "at"): format_square(square)})
    yield from _take_zone_damage(world, combatant, before)
    yield from _tell_crossings_of_reacting_zones(world, combatant, before)
    yield from end_or_expose_hiding_of_seen(world)


def combatant_has_room_at(fight: Fight, combatant: str, square: Square) -> bool:
    """Return whether a creature has room on a square: no wall and no other creature."""
    size = fight.size(combatant)
    return fight.grid.fits(square, size) and fight.occupied_squares(skip=combatant).keys().isdisjoint(
        footprint(square, size)
    )


def have_room_at_each_others_places(fight: Fight, first: str, second: str) -> bool:
    """Return whether each of two creatures on the map has room at the other's place."""
    if first == second or not (fight.is_on_map(first) and fight.is_on_map(second)):
        return False
    moved = (first, fight.at(second), second), (second, fight.at(first), first)
    areas = [frozenset(footprint(square, fight.size(combatant))) for combatant, square, _ in moved]
    others = {
        square for square, combatant in fight.occupied_squares().items() if combatant not in (first, second)
    }
    fits = all(fight.grid.fits(square, fight.size(combatant)) for combatant, square, _ in moved)
    return fits and areas[0].isdisjoint(areas[1]) and others.isdisjoint(areas[0].union(areas[1]))


def change_places(world: World, first: str, second: str) -> Procedure[None]:
    """Swap the places of two creatures.

    The swap gives no Opportunities, but zones that the creatures enter affect them.
    """
    fight = Fight(world)
    before = {combatant: fight.squares_of(combatant) for combatant in (first, second)}
    sets = {
        combatant_path(first, "at"): format_square(fight.at(second)),
        combatant_path(second, "at"): format_square(fight.at(first)),
    }
    yield world.tell(Swapped(first, second), sets)
    for combatant, squares in before.items():
        yield from _take_zone_damage(world, combatant, squares)
        yield from _tell_crossings_of_reacting_zones(world, combatant, squares)
    yield from end_or_expose_hiding_of_seen(world)


def known_damaging_zones(fight: Fight, combatant: str) -> dict[str, frozenset[Square]]:
    """Return, by id, the squares of each zone that would damage a creature that enters it now.

    Secret zones are left out.
    """
    now = fight.data["round"]
    return {
        key: fight.zone_squares(key)
        for key, zone in fight.zones.items()
        if zone.get("damage")
        and not zone.get("secret")
        and zone.get("hit", {}).get(combatant) != now
        and zone_affects(zone, combatant, fight.data["combatants"])
    }


def take_zone_damage_at_turn_start(world: World, combatant: str) -> Procedure[None]:
    """Play the damage that zones do to a creature at the start of its turn.

    Each zone damages the same creature only once in a round.
    """
    yield from _take_zone_damage(world, combatant, ())


def zones_that_damage(fight: Fight, combatant: str, squares_before: Collection[Square] = ()) -> list[str]:
    """Return the ids of the zones on a creature's squares that damage it now.

    A zone is left out if it has already damaged the creature in this round. After a move, `squares_before`
    are the squares on which the creature was before. A zone that covers one of them is left out, too, since
    the creature didn't enter it.
    """
    if not fight.is_on_map(combatant):
        return []
    inside, now = fight.squares_of(combatant), fight.data["round"]
    return [
        key
        for key, zone in fight.zones.items()
        if zone.get("damage")
        and zone.get("hit", {}).get(combatant) != now
        and zone_affects(zone, combatant, fight.data["combatants"])
        and not fight.zone_squares(key).isdisjoint(inside)
        and fight.zone_squares(key).isdisjoint(squares_before)
    ]


def _tell_crossings_of_reacting_zones(
    world: World, combatant: str, squares_before: Collection[Square]
) -> Procedure[None]:
    """Report the zones that a creature has entered or left since it was on `squares_before`.

    Only zones with a status that reacts to entering or leaving are reported.
    """
    fight = Fight(world)
    for key, zone in list(fight.data.get("zones", {}).items()):
        if "status" not in zone or fight.is_out(combatant) or key not in fight.zones:
            continue
        squares, people = fight.zone_squares(key), fight.data["combatants"]
        was, now = not squares.isdisjoint(squares_before), not squares.isdisjoint(fight.squares_of(combatant))
        if was == now or not zone_affects(zone, combatant, people):
            continue
        if now and zone_status_reacts(world, zone, "enters"):
            yield world.tell(ZoneEntered(combatant, key, zone["status"]))
        elif was and zone_status_reacts(world, zone, "leaves"):
            yield world.tell(ZoneLeft(combatant, key, zone["status"]))


def _take_zone_damage(world: World, combatant: str, squares_before: Collection[Square]) -> Procedure[None]:
    fight = Fight(world)
    for key in zones_that_damage(fight, combatant, squares_before):
        if key in zones_that_damage(
            fight, combatant, squares_before
        ):  # what the last one set off may have moved them
            zone = fight.zones[key]
            now = fight.data["round"]
            yield world.tell(ZoneStruck(combatant, key), {f"fight.zones.{key}.hit.{combatant}": now})
            yield from deal_damage(world, combatant, zone["damage"], OfZone(key))
