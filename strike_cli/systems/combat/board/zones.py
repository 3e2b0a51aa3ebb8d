"""Zones and auras: making, moving and removing them, and the creatures in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, cast

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.grid import Square, format_square
from strike_cli.tabletop.rules_vocabulary import OF_TURNS, Sight, ZoneEnd, ZoneWho
from strike_cli.tabletop.scene_change_facts import ZoneAdded, ZoneRemoved
from strike_cli.tabletop.zones import free_zone_id_marked_if_secret, zone_affects

from ..facts.zones_and_summons import ZoneEnding, ZoneLasts, ZoneMoved
from ..fight_state import Fight, must_be_known_status, parse_square_argument
from .areas import burst_squares_in_sight, carried_zone_ids_and_changes, sorted_square_names
from .sight_and_hiding import end_or_expose_hiding_of_seen

if TYPE_CHECKING:
    from strike_cli.tabletop.data import ZoneKept

    from ..data import ZoneAddedData


class AddZone(Args):
    """The arguments of `combat zone add`, for a new zone.

    The words of `sight`, `ends` and `who` are explained in `tabletop.data`.

    Attributes:
        called: The zone's name.
        squares: The squares of the zone.
        by: The creature that makes the zone, or "". If the zone ends at the start or end of a turn, this
            creature's turn is meant.
        damage: The damage in HP.
        difficult: Whether the squares are Difficult Terrain.
        status: The full id of the status that creatures in the zone have.
        sight: How the zone affects sight.
        ends: The moment at which the zone ends.
        secret: Whether only the game master sees the zone.
        blocks: Whether the zone is a wall.
        cover: Whether the zone gives cover to creatures in it or behind it.
        along: The id of a creature with which the zone moves, or "".
        spread: How far the zone reaches from that creature, in squares.
        who: To which creatures damage and status apply.
    """

    called: str
    squares: Sequence[str]
    by: str = ""
    damage: int = 0
    difficult: bool = False
    status: str = ""
    sight: Literal["", Sight] = ""
    ends: ZoneEnd = "encounter"
    secret: bool = False
    blocks: bool = False
    cover: bool = False
    along: str = ""
    spread: int = 0
    who: Literal["", ZoneWho] = ""


STORED_FIELDS = (
    "by", "damage", "difficult", "sight", "secret", "status", "blocks", "cover", "along", "spread", "who",
)  # fmt: skip
"""The fields of a zone that the state stores only where they differ from the default."""


def play_zone_add(world: World, args: AddZone) -> Procedure[ZoneAddedData]:
    """Play `combat zone add`: add a zone to the fight.

    Raises Refused for a square outside the map, and PersonInTheWay for a wall on an occupied square.
    """
    fight = Fight(world)
    off = [square for square in map(parse_square_argument, args.squares) if not fight.grid.is_on_map(square)]
    if off:
        raise Refused(
            f"{format_square(off[0])} is outside the map.", "`strike combat map` shows where it ends."
        )
    for combatant in filter(None, (args.by, args.along)):
        fight.combatant(combatant)
    taken = fight.occupied_squares() if args.blocks else {}
    if found := [taken[square] for square in map(parse_square_argument, args.squares) if square in taken]:
        from strike_cli.refusals import PersonInTheWay

        raise PersonInTheWay(fight.name(found[0]), "Put a wall where nobody stands.")
    key = yield from add_zone(world, args)
    return {"zone": key, **fight.data["zones"][key]}


def add_zone(world: World, new: AddZone) -> Procedure[str]:
    """Add a zone, and return the zone's id.

    Raises Refused if the zone names a status that doesn't exist. Also raises Refused if the zone ends at a
    turn, but `new.by` doesn't say whose turn.
    """
    fight = Fight(world)
    if new.status:
        must_be_known_status(world, new.status)
    key = free_zone_id_marked_if_secret(new.called, fight.zones, new.secret)
    if new.ends in OF_TURNS and not new.by:
        raise Refused(
            f"A zone that ends at a {new.ends} needs a maker, whose turn counts.", "--by WHO names its maker."
        )
    kept = {name: value for name in STORED_FIELDS if (value := getattr(new, name))}
    zone = cast("ZoneKept", {"name": new.called, "squares": list(new.squares), "ends": new.ends, **kept})
    # As for a status: a zone made during that very turn doesn't end with it.
    if new.ends == "turn-end" and fight.data.get("active") == new.by:
        zone["later"] = True
    does = {name: getattr(new, name) for name in ("damage", "difficult", "sight", "blocks", "cover")}
    yield world.tell(ZoneAdded(new.by, key, zone["squares"], **does), {f"fight.zones.{key}": zone})
    return key


def end_zone_with_its_reactions(world: World, key: str) -> Procedure[None]:
    """End a zone.

    If the zone's status reacts to the end of the zone, the reaction is played first. It affects the creatures
    in the zone on which the zone has an effect.
    """
    fight = Fight(world)
    zone = fight.zones[key]
    if zone_status_reacts(world, zone, "zone-ends"):
        for combatant in [
            one for one in fight.still_in_fight() if is_in_zone_that_affects_it(fight, one, key)
        ]:
            if key in Fight(world).zones and not fight.is_out(combatant):
                yield world.tell(ZoneEnding(combatant, key, zone["status"]))
    if key in Fight(world).zones:  # an effect of its end may have removed it
        yield world.tell(ZoneRemoved(key), {f"fight.zones.{key}": None})


def zone_status_reacts(world: World, zone: ZoneKept, moment: str) -> bool:
    """Return whether the status of a zone has a reaction to a moment, such as "enters"."""
    definition = world.book.statuses.get(zone.get("status", ""))
    return definition is not None and any(does["on"] == moment for does in definition["reactions"])


def is_in_zone_that_affects_it(fight: Fight, combatant: str, key: str) -> bool:
    """Return whether a creature is on a square of a zone that affects it."""
    return (
        fight.is_on_map(combatant)
        and zone_affects(fight.zones[key], combatant, fight.data["combatants"])
        and not fight.zone_squares(key).isdisjoint(fight.squares_of(combatant))
    )


def end_or_postpone_zones_due_at_turn(world: World, moment: str, maker: str) -> Procedure[None]:
    """End the zones that creature `maker` made and that last until this `moment` of its turn.

    `moment` is `turn-start` or `turn-end`. A zone marked `later` loses this mark and lasts until the next
    time.
    """
    for key, zone in list(Fight(world).zones.items()):
        if zone["ends"] == moment and zone.get("by") == maker and key in Fight(world).zones:
            if zone.get("later"):
                yield world.tell(ZoneLasts(maker), {f"fight.zones.{key}.later": None})
            else:
                yield from end_zone_with_its_reactions(world, key)


def end_zones_that_depend_on_departed(world: World, creature: str) -> Procedure[None]:
    """End the zones that depend on a creature that has no more turns.

    A zone depends on the creature in two cases: the creature made it, and it lasts until one of the
    creature's turns; or it moves along with the creature.
    """
    for key, zone in list(Fight(world).zones.items()):
        waits = zone.get("by") == creature and zone["ends"] in OF_TURNS
        if (waits or zone.get("along") == creature) and key in Fight(world).zones:
            yield from end_zone_with_its_reactions(world, key)


def squares_for_new_zone(fight: Fight, squares: Iterable[Square], blocks: bool) -> list[Square]:
    """Return the squares among `squares` that a new zone can cover.

    Squares off the map and blocked squares, such as walls, are left out. For a zone that `blocks`, so are
    occupied squares.
    """
    taken: Collection[Square] = fight.occupied_squares() if blocks else ()
    return sorted(
        square
        for square in squares
        if fight.grid.is_on_map(square) and not fight.grid.is_blocked(square) and square not in taken
    )


def move_zones_along(world: World, combatant: str) -> Procedure[None]:
    """Move the zones that are attached to a creature to its present place."""
    if Fight(world).is_on_map(combatant):
        for key, (path, _, now) in list(carried_zone_ids_and_changes(Fight(world), combatant)):
            yield world.tell(ZoneMoved(combatant, key), {path: now})


def add_auras_of(world: World, combatant: str) -> Procedure[None]:
    """Add the zones that a creature's sheet puts around it, when it joins a fight."""
    fight = Fight(world)
    for aura in fight.sheet(combatant).get("auras", ()):
        if fight.is_on_map(combatant):
            squares = sorted_square_names(burst_squares_in_sight(fight, combatant, aura["spread"]))
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


def move_or_grow_zone_to(
    world: World, key: str, squares: Iterable[Square], *, grown: bool = False, spread: int = 0
) -> Procedure[None]:
    """Move a zone to `squares`. Squares that the zone can't cover are left out.

    A zone can cover squares that are on the map and not blocked. A zone that blocks squares doesn't block its
    own way. But it can't cover squares with creatures. If no square is left, nothing happens.

    Args:
        world: The world.
        key: The key of the zone.
        squares: The squares to cover.
        grown: Whether the report says that the zone grows, not that it moves.
        spread: The zone's new radius around the creature that it follows, in squares; 0 leaves it as it is.
    """
    fight = Fight(world)
    zone = fight.zones[key]
    blocks = zone.get("blocks")
    old = fight.zone_squares(key) if blocks else frozenset()
    taken: Collection[Square] = fight.occupied_squares() if blocks else ()
    now = sorted(
        square
        for square in squares
        if fight.grid.is_on_map(square)
        and (square in old or not fight.grid.is_blocked(square))
        and square not in taken
    )
    names = sorted_square_names(now)
    if not now or names == zone["squares"]:
        return
    sets: dict[str, object] = {f"fight.zones.{key}.squares": names}
    if spread:
        sets[f"fight.zones.{key}.spread"] = spread
    yield world.tell(ZoneMoved(zone.get("by", ""), key, names, grown), sets)
    yield from end_or_expose_hiding_of_seen(world)


def shift_squares(squares: Iterable[Square], direction: Square, steps: int) -> list[Square]:
    """Return the squares after a move of `steps` steps in the direction `direction`."""
    return [(x + direction[0] * steps, y + direction[1] * steps) for x, y in squares]


def grow_squares(fight: Fight, squares: Collection[Square], by: int) -> set[Square]:
    """Return `squares` together with all squares within `by` steps of them.

    Steps are those of a creature (`Grid.neighbours`): walls and closed doors stop them.
    """
    found, edge = set(squares), set(squares)
    for _ in range(by):
        edge = {step for square in edge for step in fight.grid.neighbours(square)} - found
        found |= edge
    return found
