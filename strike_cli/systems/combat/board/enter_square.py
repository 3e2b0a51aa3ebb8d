"""Entering a square: every change of a creature's place by movement goes through here, with its effects.

A zone damages a creature at most once a round (STR-TAC-21): when the creature enters it, or starts its turn
there. A new zone doesn't damage the creatures in it merely by appearing: the power that makes it may do so.
"""

from __future__ import annotations

from collections.abc import Collection

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.grid import Square, footprint, format_square
from strike_cli.tabletop.zones import acts_on

from ..facts.effects import OfZone
from ..facts.movement import Stepped, Swapped
from ..facts.zones import ZoneEntered, ZoneLeft, ZoneStruck
from ..fight import Fight, path_of
from ..harm import deal_damage
from .sight import look_around
from .zones import zone_reacts


def enter_square(world: World, combatant: str, square: Square) -> Procedure[None]:
    """Put a creature on a square and apply the effects of zones there.

    A large creature's top left square is put on `square`.
    """
    before = Fight(world).squares_of(combatant)
    yield world.tell(Stepped(combatant), {path_of(combatant, "at"): format_square(square)})
    yield from _suffer_zones(world, combatant, before)
    yield from _pass_zones(world, combatant, before)
    yield from look_around(world)


def is_free(fight: Fight, combatant: str, square: Square) -> bool:
    """Return whether a creature has room on a square: no wall and no other creature."""
    size = fight.size(combatant)
    return fight.grid.fits(square, size) and fight.occupied(skip=combatant).keys().isdisjoint(
        footprint(square, size)
    )


def may_change_places(fight: Fight, one: str, other: str) -> bool:
    """Return whether each of two creatures on the map has room at the other's place."""
    if one == other or not (fight.is_on_map(one) and fight.is_on_map(other)):
        return False
    moved = (one, fight.at(other), other), (other, fight.at(one), one)
    areas = [frozenset(footprint(square, fight.size(combatant))) for combatant, square, _ in moved]
    others = {square for square, combatant in fight.occupied().items() if combatant not in (one, other)}
    fits = all(fight.grid.fits(square, fight.size(combatant)) for combatant, square, _ in moved)
    return fits and areas[0].isdisjoint(areas[1]) and others.isdisjoint(areas[0].union(areas[1]))


def change_places(world: World, one: str, other: str) -> Procedure[None]:
    """Swap the places of two creatures. It gives no Opportunities, but zones that they enter affect them."""
    fight = Fight(world)
    before = {combatant: fight.squares_of(combatant) for combatant in (one, other)}
    sets = {
        path_of(one, "at"): format_square(fight.at(other)),
        path_of(other, "at"): format_square(fight.at(one)),
    }
    yield world.tell(Swapped(one, other), sets)
    for combatant, squares in before.items():
        yield from _suffer_zones(world, combatant, squares)
        yield from _pass_zones(world, combatant, squares)
    yield from look_around(world)


def known_hazards(fight: Fight, combatant: str) -> dict[str, frozenset[Square]]:
    """Return the zones that would damage a creature that enters them now, by id, with their squares.

    Secret zones are left out.
    """
    now = fight.data["round"]
    return {
        key: fight.zone_squares(key)
        for key, zone in fight.zones.items()
        if zone.get("damage")
        and not zone.get("secret")
        and zone.get("hit", {}).get(combatant) != now
        and acts_on(zone, combatant, fight.data["combatants"])
    }


def start_in_zones(world: World, combatant: str) -> Procedure[None]:
    """Damage a creature by the zones in which it starts its turn."""
    yield from _suffer_zones(world, combatant, ())


def hurt_by_zones(fight: Fight, combatant: str, before: Collection[Square] = ()) -> list[str]:
    """Return the ids of the zones that now damage a creature, since it is in them and was not on `before`.

    A zone that has damaged the creature in this round is left out.
    """
    if not fight.is_on_map(combatant):
        return []
    inside, now = fight.squares_of(combatant), fight.data["round"]
    return [
        key
        for key, zone in fight.zones.items()
        if zone.get("damage")
        and zone.get("hit", {}).get(combatant) != now
        and acts_on(zone, combatant, fight.data["combatants"])
        and not fight.zone_squares(key).isdisjoint(inside)
        and fight.zone_squares(key).isdisjoint(before)
    ]


def _pass_zones(world: World, combatant: str, before: Collection[Square]) -> Procedure[None]:
    """Tell that a creature has entered or left zones, for those whose status has an effect then."""
    fight = Fight(world)
    for key, zone in list(fight.data.get("zones", {}).items()):
        if "status" not in zone or fight.is_out(combatant) or key not in fight.zones:
            continue
        squares, people = fight.zone_squares(key), fight.data["combatants"]
        was, now = not squares.isdisjoint(before), not squares.isdisjoint(fight.squares_of(combatant))
        if was == now or not acts_on(zone, combatant, people):
            continue
        if now and zone_reacts(world, zone, "enters"):
            yield world.tell(ZoneEntered(combatant, key, zone["status"]))
        elif was and zone_reacts(world, zone, "leaves"):
            yield world.tell(ZoneLeft(combatant, key, zone["status"]))


def _suffer_zones(world: World, combatant: str, before: Collection[Square]) -> Procedure[None]:
    fight = Fight(world)
    for key in hurt_by_zones(fight, combatant, before):
        if key in hurt_by_zones(fight, combatant, before):  # what the last one set off may have moved them
            zone = fight.zones[key]
            now = fight.data["round"]
            yield world.tell(ZoneStruck(combatant, key), {f"fight.zones.{key}.hit.{combatant}": now})
            yield from deal_damage(world, combatant, zone["damage"], OfZone(key))
