"""Zones and auras: making, moving and removing them, and the creatures in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, cast

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.gm_override_facts import ZoneAdded, ZoneRemoved
from strike_cli.tabletop.grid import DIRECTIONS, Square, format_square
from strike_cli.tabletop.vocabularies import OF_TURNS
from strike_cli.tabletop.zones import acts_on, free_id

from ..facts.zones import ZoneEnding, ZoneLasts, ZoneMoved
from ..fight import Fight, must_be_status, square_named
from .areas import burst_around, names_of, zones_moved_along
from .sight import look_around

if TYPE_CHECKING:
    from strike_cli.tabletop.data import ZoneKept

    from ..data import ZoneAddedData


class AddZone(Args):
    """A new zone with the name `called`.

    `damage` is in HP. `status` is the full id of the status that creatures in it have, and `who` the
    creatures to which damage and status apply. `ends` is the moment when it ends; a moment of a turn is of
    the turn of `by`. The words of `sight`, `ends` and `who` are explained in `tabletop.data`. A `secret` zone
    is only shown to the game master. A zone that `blocks` is a wall; a zone with `cover` covers creatures in
    it or behind it. A zone with `along`, the id of a creature, moves with it and covers the squares within
    `spread` of it.
    """

    called: str
    squares: Sequence[str]
    by: str = ""
    damage: int = 0
    difficult: bool = False
    status: str = ""
    sight: Literal["", "obscured", "dark", "light"] = ""
    ends: Literal["turn-start", "turn-end", "encounter"] = "encounter"
    secret: bool = False
    blocks: bool = False
    cover: bool = False
    along: str = ""
    spread: int = 0
    who: Literal["", "enemies", "allies", "friends", "others"] = ""


KEPT = (
    "by", "damage", "difficult", "sight", "secret", "status", "blocks", "cover", "along", "spread", "who",
)  # fmt: skip
"""The fields of a zone that the state stores only where they differ from the default."""


def play_zone_add(world: World, args: AddZone) -> Procedure[ZoneAddedData]:
    """Play `combat zone add`."""
    fight = Fight(world)
    off = [square for square in map(square_named, args.squares) if not fight.grid.inside(square)]
    if off:
        raise Refused(
            f"{format_square(off[0])} is outside the map.", "`strike combat map` shows where it ends."
        )
    for combatant in filter(None, (args.by, args.along)):
        fight.combatant(combatant)
    taken = fight.occupied() if args.blocks else {}
    if found := [taken[square] for square in map(square_named, args.squares) if square in taken]:
        from strike_cli.refusals import StandsOnIt

        raise StandsOnIt(fight.name(found[0]), "Put a wall where nobody stands.")
    key = yield from add_zone(world, args)
    return {"zone": key, **fight.data["zones"][key]}


def add_zone(world: World, new: AddZone) -> Procedure[str]:
    """Add a zone and return its id.

    Raises Refused if its status doesn't exist, or if it ends at a turn and `by` is empty.
    """
    fight = Fight(world)
    if new.status:
        must_be_status(world, new.status)
    key = free_id(new.called, fight.zones, new.secret)
    if new.ends in OF_TURNS and not new.by:
        raise Refused(
            f"A zone that ends at a {new.ends} needs a maker, whose turn counts.", "--by WHO names its maker."
        )
    kept = {name: value for name in KEPT if (value := getattr(new, name))}
    zone = cast("ZoneKept", {"name": new.called, "squares": list(new.squares), "ends": new.ends, **kept})
    # As for a status: a zone made during that very turn doesn't end with it.
    if new.ends == "turn-end" and fight.data.get("active") == new.by:
        zone["later"] = True
    does = {name: getattr(new, name) for name in ("damage", "difficult", "sight", "blocks", "cover")}
    yield world.tell(ZoneAdded(new.by, key, zone["squares"], **does), {f"fight.zones.{key}": zone})
    return key


def remove_zone(world: World, key: str) -> Procedure[None]:
    """End a zone. First its status's reactions to the end affect the creatures in it."""
    fight = Fight(world)
    zone = fight.zones[key]
    if zone_reacts(world, zone, "zone-ends"):
        for combatant in [one for one in fight.in_the_fight() if is_in_zone(fight, one, key)]:
            if key in Fight(world).zones and not fight.is_out(combatant):
                yield world.tell(ZoneEnding(combatant, key, zone["status"]))
    if key in Fight(world).zones:  # an effect of its end may have removed it
        yield world.tell(ZoneRemoved(key), {f"fight.zones.{key}": None})


def zone_reacts(world: World, zone: ZoneKept, moment: str) -> bool:
    """Return whether the status of a zone has a reaction to a moment, such as "enters"."""
    definition = world.book.statuses.get(zone.get("status", ""))
    return definition is not None and any(does["on"] == moment for does in definition["reactions"])


def is_in_zone(fight: Fight, combatant: str, key: str) -> bool:
    """Return whether a creature stands in a zone that affects it."""
    return (
        fight.is_on_map(combatant)
        and acts_on(fight.zones[key], combatant, fight.data["combatants"])
        and not fight.zone_squares(key).isdisjoint(fight.squares_of(combatant))
    )


def end_turn_of(world: World, moment: str, of: str) -> Procedure[None]:
    """End the zones that last until a moment (`turn-start`, `turn-end`) of the turn of the creature `of`."""
    for key, zone in list(Fight(world).zones.items()):
        if zone["ends"] == moment and zone.get("by") == of and key in Fight(world).zones:
            if zone.get("later"):
                yield world.tell(ZoneLasts(of), {f"fight.zones.{key}.later": None})
            else:
                yield from remove_zone(world, key)


def end_waiting_for(world: World, gone: str) -> Procedure[None]:
    """End the zones that depend on a creature that has no more turns (`gone`).

    These are its own that would last until one of its turns, and all that move with it.
    """
    for key, zone in list(Fight(world).zones.items()):
        waits = zone.get("by") == gone and zone["ends"] in OF_TURNS
        if (waits or zone.get("along") == gone) and key in Fight(world).zones:
            yield from remove_zone(world, key)


def placeable_squares(fight: Fight, squares: Iterable[Square], blocks: bool) -> list[Square]:
    """Return the squares that a new zone can cover: on the map and no wall, and unoccupied if it blocks."""
    taken: Collection[Square] = fight.occupied() if blocks else ()
    return sorted(
        square
        for square in squares
        if fight.grid.inside(square) and not fight.grid.blocked(square) and square not in taken
    )


def move_zones_along(world: World, combatant: str) -> Procedure[None]:
    """Move the zones that move along with a creature to its place."""
    if Fight(world).is_on_map(combatant):
        for key, (path, _, now) in list(zones_moved_along(Fight(world), combatant)):
            yield world.tell(ZoneMoved(combatant, key), {path: now})


def begin_auras(world: World, combatant: str) -> Procedure[None]:
    """Make the zones around a creature that its sheet gives it, when it joins a fight."""
    fight = Fight(world)
    for aura in fight.sheet(combatant).get("auras", ()):
        if fight.is_on_map(combatant):
            squares = names_of(burst_around(fight, combatant, aura["spread"]))
            yield from add_zone(
                world,
                AddZone(
                    called=aura["name"],
                    squares=squares,
                    by=combatant,
                    along=combatant,
                    spread=aura["spread"],
                    damage=aura.get("amount", 0),
                    difficult=aura.get("difficult", False),
                    cover=aura.get("cover", False),
                    sight=aura.get("sight", ""),
                    status=aura.get("status", ""),
                    who=aura.get("who", ""),
                ),
            )


def place_zone(
    world: World, key: str, squares: Iterable[Square], *, grown: bool = False, spread: int = 0
) -> Procedure[None]:
    """Move a zone to those of `squares` that it can cover; if there are none, it stays where it is.

    It can cover squares on the map that aren't blocked by anything but itself and, if it blocks, aren't
    occupied. `grown`: it is reported as growth, not as movement. `spread`, unless 0, becomes the radius of
    the zone around its bearer, in squares.
    """
    fight = Fight(world)
    zone = fight.zones[key]
    blocks = zone.get("blocks")
    old = fight.zone_squares(key) if blocks else frozenset()
    taken: Collection[Square] = fight.occupied() if blocks else ()
    now = sorted(
        square
        for square in squares
        if fight.grid.inside(square)
        and (square in old or not fight.grid.blocked(square))
        and square not in taken
    )
    names = names_of(now)
    if not now or names == zone["squares"]:
        return
    sets: dict[str, object] = {f"fight.zones.{key}.squares": names}
    if spread:
        sets[f"fight.zones.{key}.spread"] = spread
    yield world.tell(ZoneMoved(zone.get("by", ""), key, names, grown), sets)
    yield from look_around(world)


def shift_squares(squares: Iterable[Square], way: Square, steps: int) -> list[Square]:
    """Return the squares after a move of `steps` steps in the direction `way`."""
    return [(x + way[0] * steps, y + way[1] * steps) for x, y in squares]


def grow_squares(fight: Fight, squares: Collection[Square], by: int) -> set[Square]:
    """Return the squares and all squares within `by` steps of them that are not behind walls."""
    found, edge = set(squares), set(squares)
    for _ in range(by):
        edge = {
            (x + right, y + down)
            for x, y in edge
            for right, down in DIRECTIONS
            if fight.grid.inside((x + right, y + down)) and not fight.grid.blocked((x + right, y + down))
        } - found
        found |= edge
    return found
