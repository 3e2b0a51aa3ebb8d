"""Plays the game master's commands for a map: doors, zones, fog and the picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from strike_cli.refusals import (
    DoorAlreadyInPosition,
    FogOnMap,
    FogUnchanged,
    NoFogOnMap,
    NoZone,
    PersonInTheWay,
)

from ...kernel.procedure import Args, Data, Procedure, World
from ...problems import Refused, listed
from ...registry.system_declaration import System
from ...tabletop.doors import changes_moving_door
from ...tabletop.fog import parse_seen_squares, squares_to_rows
from ...tabletop.grid import format_square
from ...tabletop.scene_change_facts import DoorMoved, FogSet, PictureMoved, ZoneAdded, ZoneRemoved
from ...tabletop.zones import free_zone_id_marked_if_secret
from .overridden_and_parked_scenes import OverriddenScene


class DoorArgs(Args):
    """The arguments of `door`: the square `at`, and whether to `open` the door on it or to close it.

    With another square, `beyond`, the door is the one in the wall between the two squares.
    """

    at: str
    beyond: str = ""
    open: bool


class AddZoneArgs(Args):
    """The arguments of `zone add`: the zone's name (`called`), its squares, and its effects.

    Only the game master sees a `secret` zone.
    """

    called: str
    squares: Sequence[str]
    damage: int = 0
    difficult: bool = False
    sight: Literal["", "obscured", "dark", "light"] = ""
    blocks: bool = False
    cover: bool = False
    secret: bool = False


class RemoveZoneArgs(Args):
    """The arguments of `zone remove`: the id of a zone."""

    zone: str


class FogArgs(Args):
    """The arguments of `fog`: what to `do`, and to which `squares`.

    "on" puts fog on the whole map, and "off" takes it off. "lift" removes fog from the squares. "cover" puts
    it back on them.
    """

    do: Literal["on", "off", "lift", "cover"]
    squares: Sequence[str] = ()


class MovePictureArgs(Args):
    """The arguments of `map shift`: how many `pixels` of the picture a square is wide and high.

    `offset` is the pixel of the picture, from its left and top, at which the corner of A1 is.
    """

    pixels: Sequence[float]
    offset: Sequence[float]


def play_door(system: System, world: World, args: DoorArgs) -> Procedure[Data]:
    """Play `door open` or `door close`. It costs nobody an action.

    Raises DoorAlreadyInPosition if the door is in that position already, and Refused if the scene has no map.
    """
    table = OverriddenScene(system, world, "door")
    table.must_have_map("door")
    square = table.square_on_map(args.at)
    beyond = table.square_on_map(args.beyond) if args.beyond else None
    standing = {part: table.name(person) for part, person in table.occupied_squares().items()}
    changed = changes_moving_door(table.data["map"], square, beyond, args.open, standing)
    at = format_square(square) + (f" to {format_square(beyond)}" if beyond else "")
    if not changed:
        raise DoorAlreadyInPosition(at, "open" if args.open else "closed", "Nothing was changed.")
    sets = {f"{system.scene.key}.map.{key}": value for key, value in changed.items()}
    moved = DoorMoved(format_square(square), args.open, format_square(beyond) if beyond else "")
    yield world.tell(moved, sets)
    yield from table.play_after_map_change()
    return {"at": at, "open": args.open}


def play_zone_add(system: System, world: World, args: AddZoneArgs) -> Procedure[Data]:
    """Play `zone add`: add a zone to the map.

    Raises Refused for an effect for which the system has no rule, and PersonInTheWay for a wall where
    somebody is.
    """
    table = OverriddenScene(system, world, "zone")
    table.must_have_map("zone")
    squares = [format_square(table.square_on_map(text)) for text in args.squares]
    flags = {"difficult": args.difficult, "blocks": args.blocks, "cover": args.cover}
    does: dict[str, object] = {"damage": args.damage, **flags, "sight": args.sight}
    wanted = [args.sight if name == "sight" else name for name, so in does.items() if so]
    if idle := [name for name in wanted if name not in table.hand.zones_do]:
        reads = listed([f"--{name}" for name in table.hand.zones_do])
        raise Refused(
            f"This game has no rule for a zone with {listed([f'--{one}' for one in idle])}.",
            f"Leave it out: the table judges the zone's "
            f"effects.{f' It has rules for {reads}.' if reads else ''}",
        )
    if args.blocks:
        taken = table.occupied_squares()
        there = [taken[square] for square in map(table.square_on_map, squares) if square in taken]
        if there:
            raise PersonInTheWay(table.name(there[0]), "Put a wall where nobody stands.")
    key = free_zone_id_marked_if_secret(args.called, table.data.get("zones", {}), args.secret)
    zone: dict[str, object] = {"name": args.called, "squares": squares}
    zone |= {name: value for name, value in does.items() if value}
    zone |= {"secret": True} if args.secret else {}
    told = ZoneAdded("", key, squares, damage=args.damage, sight=args.sight, **flags)
    yield world.tell(told, {f"{system.scene.key}.zones.{key}": zone})
    yield from table.play_after_map_change()
    return {"zone": key, **zone}


def play_zone_remove(system: System, world: World, args: RemoveZoneArgs) -> Procedure[Data]:
    """Play `zone remove`. Raises NoZone for an unknown id."""
    table = OverriddenScene(system, world, "zone")
    zones = table.data.get("zones", {})
    if args.zone not in zones:
        raise NoZone(repr(args.zone), f"Zones here: {listed(zones) or 'none'}.")
    removes = table.hand.play_zone_removal(world, args.zone)
    if removes is not None:
        yield from removes
    else:
        left = f"{system.scene.key}.zones"
        yield world.tell(ZoneRemoved(args.zone), {f"{left}.{args.zone}" if len(zones) > 1 else left: None})
    yield from table.play_after_map_change()
    return {"zone": args.zone}


def play_fog(system: System, world: World, args: FogArgs) -> Procedure[Data]:
    """Play `fog`: change the part of the map that players see.

    Raises FogOnMap for "on" if the map has fog already, and NoFogOnMap for the other actions if it has none.
    Raises FogUnchanged if "lift" or "cover" would change no square.
    """
    table = OverriddenScene(system, world, "fog")
    table.must_have_map("fog")
    name, key = system.name, f"{system.scene.key}.seen"
    if args.do == "on" and "seen" in table.data:
        raise FogOnMap(f"`strike {name} fog off` takes it away.")
    if args.do != "on" and "seen" not in table.data:
        raise NoFogOnMap(f"`strike {name} fog on` brings it.")
    if args.do in ("on", "off"):
        yield world.tell(FogSet(args.do), {key: {} if args.do == "on" else None})
        return {"do": args.do, "squares": []}
    squares = dict.fromkeys(table.square_on_map(text) for text in args.squares)
    seen = parse_seen_squares(table.data["seen"])
    after = seen.union(squares) if args.do == "lift" else seen.difference(squares)
    if after == seen:
        raise FogUnchanged(
            "already see" if args.do == "lift" else "haven't seen any of", "Nothing was changed."
        )
    names = tuple(map(format_square, sorted(squares)))
    rows, before = squares_to_rows(after), table.data["seen"]
    sets = {f"{key}.{row}": rows.get(row) for row in {**before, **rows}}
    yield world.tell(FogSet(args.do, names), sets)
    return {"do": args.do, "squares": list(map(format_square, squares))}


def play_picture(system: System, world: World, args: MovePictureArgs) -> Procedure[Data]:
    """Play `map shift` in a scene under way: move and scale the map's picture under its squares."""
    table = OverriddenScene(system, world, "picture")
    image = table.data["map"].get("image") if table.data.get("map") else None
    if not image:
        raise Refused("This scene has no picture.", "Nothing was changed.")
    if len(args.pixels) != 2 or len(args.offset) != 2 or min(args.pixels) <= 0:
        raise Refused("A picture has pixels to a square across and down.", "Nothing was changed.")
    moved = {**image, "pixels": [*args.pixels], "offset": [*args.offset]}
    yield world.tell(PictureMoved(), {f"{system.scene.key}.map.image": moved})
    return {"image": moved}
