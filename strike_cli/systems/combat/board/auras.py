"""Zones that go along with somebody, or are moved and made larger: which squares they come to, and the facts.

Who is taken in by a zone that comes to them is not hurt by that, and has not come in, just as where a zone
appears (STR-TAC-21): the power that moves it says what that does at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.grid import DIRECTIONS, Square

from ..facts.zones import ZoneMoved
from ..fight import Fight
from .areas import gone_along, names_of, squares_around
from .sight import look_around
from .zones import AddZone, add_zone


def without_walls(fight: Fight, squares: Iterable[Square], blocks: bool) -> list[Square]:
    """Return those of the squares that are ground of the map; for a wall, those on which nobody stands."""
    taken: Collection[Square] = fight.occupied() if blocks else ()
    return sorted(
        square
        for square in squares
        if fight.grid.inside(square) and not fight.grid.blocked(square) and square not in taken
    )


def follow(world: World, who: str) -> Procedure[None]:
    """Move the zones that go along with somebody to their place."""
    if Fight(world).is_on_map(who):
        for key, (path, _, now) in list(gone_along(Fight(world), who)):
            yield world.tell(ZoneMoved(who, key), {path: now})


def begin_auras(world: World, who: str) -> Procedure[None]:
    """Make the zones that somebody's sheet has around them, as they come into a fight."""
    fight = Fight(world)
    for aura in fight.sheet(who).get("auras", ()):
        if fight.is_on_map(who):
            squares = names_of(squares_around(fight, who, aura["spread"]))
            yield from add_zone(
                world,
                AddZone(
                    called=aura["name"],
                    squares=squares,
                    by=who,
                    along=who,
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
    """Let a zone take in other squares, as far as they are ground; it stays in place where none is.

    `grown` says that they are more squares than before.
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


def moved_by(squares: Iterable[Square], way: Square, steps: int) -> list[Square]:
    """Return the squares that lie so many steps further in a direction."""
    return [(x + way[0] * steps, y + way[1] * steps) for x, y in squares]


def grown(fight: Fight, squares: Collection[Square], by: int) -> set[Square]:
    """Return the squares and all squares within so many steps of them, around walls."""
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
