"""The party's sight of a map with fog, for games without a rule of their own.

Walls, closed doors and darkness stop it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from ..kernel.facts import table_under_way
from ..kernel.procedure import Procedure, World
from .fog import as_rows, seen_squares
from .gm_override_facts import GroundSeen
from .grid import grid_of
from .in_view import may_be_seen
from .people import squares_a_side
from .scene import people_in
from .squares import Square, footprint, parse_square

if TYPE_CHECKING:
    from .data import PersonKept, SceneKept


def look(world: World, scene: str, people: str, before: Mapping[str, object] | None) -> Procedure[None]:
    """Record the squares of a scene's map that the party sees for the first time.

    Nothing happens unless somebody has moved or the map has changed since `before`.
    """
    table = cast("SceneKept", table_under_way(world.state, scene))
    if not table.get("map") or (
        before is not None and not _may_show_more(table, cast("SceneKept", before), people)
    ):
        return
    known = seen_squares(table["seen"])
    seen = known | in_sight(table, people)
    if seen == known:
        return
    rows = as_rows(seen)
    yield world.tell(GroundSeen(), {f"{scene}.seen.{row}": text for row, text in rows.items()})


def _may_show_more(table: SceneKept, before: SceneKept, people: str) -> bool:
    if "seen" not in before or any(table.get(key) is not before.get(key) for key in ("map", "zones")):
        return True
    then = people_in(before, people)
    return any(
        who not in then or _stands(one) != _stands(then[who])
        for who, one in people_in(table, people).items()
        if one.get("side") == "party"
    )


def _stands(person: PersonKept) -> tuple[object, ...]:
    return person.get("at"), person.get("size"), person.get("out"), person.get("side")


def in_sight(table: SceneKept, people: str) -> frozenset[Square]:
    """Return the squares of a scene's map that somebody of the party sees."""
    walls = _zoned(table, "blocks", True)
    dark, light = _zoned(table, "sight", "dark"), _zoned(table, "sight", "light")
    grid, unlit = grid_of(table["map"], blocked=walls), dark - light
    found: set[Square] = set()
    for one in people_in(table, people).values():
        if one.get("side") != "party" or "out" in one or not one.get("at"):
            continue
        try:
            at = parse_square(one["at"])
        except ValueError:
            continue  # a place by words
        size = squares_a_side(one.get("size", 1))
        found.update(footprint(at, size))
        found.update(
            square
            for square in may_be_seen(grid, at, size) - found
            if square not in unlit and grid.line_of_sight(at, square, size)
        )
    return frozenset(found)


def _zoned(table: SceneKept, key: str, value: object) -> frozenset[Square]:
    """Return the squares of the zones whose `key` has this value."""
    return frozenset(
        parse_square(square)
        for zone in table.get("zones", {}).values()
        if zone.get(key) == value
        for square in zone.get("squares", ())
    )
