"""Zones: squares that hurt, hinder or hide whoever is in them (STR-TAC-21, 22).

What they look like and how long they last; that they hurt whoever comes in is in `place`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.grid import Square, format_square, parse_square
from strike_cli.tabletop.zones import describe_zone

from .fight import Fight

ENDS = ("turn-start", "turn-end", "encounter")
"""Until when a zone may last: the next start or end of its maker's turn, or the end of the fight."""
SIGHT = ("obscured", "dark")
"""How a zone hides: what is in it is concealed, or can't be seen at all (STR-TAC-22)."""


def play_zone_add(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat zone add`. Args: called, squares, and the rest of `add_zone`."""
    fight = Fight(world)
    squares = [parse_square(square) for square in args["squares"]]
    off = [square for square in squares if not fight.grid.inside(square)]
    if off:
        raise Refused(
            f"{format_square(off[0])} is outside the map.", "`strike combat map` shows where it ends."
        )
    key = yield from add_zone(
        world,
        args["called"],
        squares,
        by=args["by"],
        damage=args["damage"],
        difficult=args["difficult"],
        sight=args["sight"],
        ends=args["ends"],
        secret=args["secret"],
    )
    return {"zone": key, **fight.data["zones"][key]}


def play_zone_remove(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat zone remove`. Args: zone (its id)."""
    if args["zone"] not in Fight(world).zones:
        raise Refused(f"There is no zone {args['zone']!r}.", "`strike combat show` lists them.")
    yield from remove_zone(world, args["zone"])
    return {"zone": args["zone"]}


def add_zone(
    world: World,
    name: str,
    squares: Sequence[Square],
    *,
    by: str = "",
    damage: int = 0,
    difficult: bool = False,
    sight: str = "",
    ends: str = "encounter",
    secret: bool = False,
) -> Procedure[str]:
    """A zone appears; returns its id. `damage` in HP; `sight` is one of SIGHT or nothing; `ends` one of
    ENDS, of the turns of `by`; a `secret` zone is the game master's alone."""
    fight = Fight(world)
    key = free_id(name, fight.zones)
    zone: dict[str, Any] = {"name": name, "squares": [format_square(square) for square in squares]}
    zone["ends"] = ends
    if ends in ("turn-start", "turn-end") and not by:
        raise Refused(
            f"A zone that ends at a {ends} needs somebody whose turn it is.", "--by WHO names them."
        )
    told = {"by": by, "damage": damage, "difficult": difficult, "sight": sight, "secret": secret}
    zone.update({item: value for item, value in told.items() if value})
    # As for a status: made on that very turn it doesn't end with it.
    if ends == "turn-end" and fight.data.get("active") == by:
        zone["later"] = True
    what = ", ".join(describe_zone(zone))
    text = f"{name}: {what or 'a zone'} on {extent(squares)}."
    yield world.happen("zone-added", by, text, {f"fight.zones.{key}": zone}, zone=key)
    return key


def remove_zone(world: World, key: str) -> Procedure[None]:
    """A zone is gone."""
    name = Fight(world).zones[key]["name"]
    yield world.happen("zone-removed", "", f"{name} is gone.", {f"fight.zones.{key}": None}, zone=key)


def ended_at(world: World, moment: str, of: str) -> Procedure[None]:
    """Zones that last until this moment (`turn-start`, `turn-end`) of somebody's turn end."""
    for key, zone in list(Fight(world).zones.items()):
        if zone["ends"] == moment and zone.get("by") == of:
            if zone.get("later"):
                yield world.happen("zone-lasts", of, "", {f"fight.zones.{key}.later": None})
            else:
                yield from remove_zone(world, key)


def let_go(world: World, gone: str) -> Procedure[None]:
    """Zones that were to last until a turn of somebody who has no more turns end now."""
    for key, zone in list(Fight(world).zones.items()):
        if zone.get("by") == gone and zone["ends"] in ("turn-start", "turn-end"):
            yield from remove_zone(world, key)


def free_id(name: str, taken: Collection[str]) -> str:
    """An id made of a name, and of a number where it is taken."""
    words = "".join(each if each.isascii() and each.isalnum() else " " for each in name.lower()).split()
    key = "-".join(words) or "zone"
    number = 1
    while (key if number == 1 else f"{key}-{number}") in taken:
        number += 1
    return key if number == 1 else f"{key}-{number}"


def extent(squares: Sequence[Square]) -> str:
    """The squares in words: all of a few, the corners of a filled rectangle, else how many there are."""
    if len(squares) <= 3:
        return ", ".join(map(format_square, squares))
    columns, rows = zip(*squares, strict=True)
    first, last = (min(columns), min(rows)), (max(columns), max(rows))
    if len(set(squares)) == (last[0] - first[0] + 1) * (last[1] - first[1] + 1):
        return f"{format_square(first)} to {format_square(last)}"
    return f"{len(squares)} squares around {format_square(squares[len(squares) // 2])}"
