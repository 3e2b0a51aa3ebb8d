"""Moving on the grid, and the Opportunities that it gives (STR-TAC-07, 08)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...problems import Refused
from ..contributions import ban_on
from ..grid import Square, footprint, format_square, parse_square
from ..procedure import Procedure, World
from .fight import Fight
from .opportunity import on_leaving, provoking
from .place import step


def play_move(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat move`: one Move Action. Args: who, to, via (squares), shift, trade.

    The way is the cheapest one, and of those one that gives the fewest Opportunities.
    """
    fight = Fight(world)
    who = args["who"]
    action = fight.must_be_able(who, "move", args["trade"])
    way = find_way(fight, who, [*map(parse_square, args["via"]), parse_square(args["to"])], args["shift"])
    yield world.happen("action-taken", who, "", {f"fight.turn.{action}": fight.taken(action) + 1})
    return {"who": who, **(yield from walk(world, who, way, args["shift"])), "action": action}


def walk(world: World, who: str, way: Sequence[Square], shift: bool = False) -> Procedure[dict[str, Any]]:
    """Somebody goes these squares, one after the other, giving Opportunities unless it is a shift.

    Returns `from`, `to` (None for who is out of the fight), `path` and `opportunities`.
    """
    fight = Fight(world)
    start = fight.at(who)
    opportunities: list[dict[str, Any]] = []
    for square in way:
        if not shift:
            yield from on_leaving(world, who, square, opportunities)
        if "out" in fight.combatant(who) or ban_on(world, who, "act", 1):
            yield from _drop_beside(world, who, [start, *way])
            break
        yield from step(world, who, square)
    end = fight.combatant(who).get("at")
    yield world.happen("moved", who, _tell(fight, who, start, end, shift))
    return {
        "from": format_square(start),
        "to": end,
        "path": [format_square(square) for square in way],
        "opportunities": opportunities,
    }


def _drop_beside(world: World, who: str, way: Sequence[Square]) -> Procedure[None]:
    """Who drops while passing an ally lies on the last square of their way that is free."""
    fight = Fight(world)
    if "at" not in fight.combatant(who):
        return
    taken, size = fight.occupied(skip=who), fight.size(who)
    passed = way[: way.index(fight.at(who)) + 1]
    free = [square for square in passed if not any(part in taken for part in footprint(square, size))]
    if free and free[-1] != fight.at(who):
        yield from step(world, who, free[-1])


def _tell(fight: Fight, who: str, start: Square, end: str | None, shift: bool) -> str:
    verb = "shifts" if shift else "moves"
    if end is None:
        return f"{fight.name(who)} gets no further."
    return f"{fight.name(who)} {verb} from {format_square(start)} to {end}."


def find_way(fight: Fight, who: str, stops: Sequence[Square], shift: bool) -> list[Square]:
    """The squares of a move through every stop, without the first. Raises Refused where there is none,
    with the reason."""
    grid, size, name = fight.grid, fight.size(who), fight.name(who)
    start, goal = fight.at(who), stops[-1]
    taken = fight.occupied(skip=who)
    foes = {square for square, other in taken.items() if fight.side(other) != fight.side(who)}
    for square in footprint(goal, size):
        if grid.blocked(square):
            raise Refused(
                f"Nobody can stand on {format_square(square)}.", "`strike combat map` shows the map."
            )
        if square in taken:
            raise Refused(f"{fight.name(taken[square])} stands on {format_square(square)}.")
    if goal == start:
        raise Refused(f"{name} stands on {format_square(goal)} already.")
    speed, limit = (1, None) if shift else fight.speed(who)
    if shift:
        reason = ban_on(fight.world, who, "shift", 1)
        if reason or grid.difficult(goal):
            raise Refused(f"{name} can't shift there: {reason or 'the terrain is difficult'}.")
    way = [start]
    penalty = provoking(fight, who)
    for stop in stops:
        leg = grid.shortest_path(
            way[-1], stop, passable=lambda square: square not in foes, penalty=penalty, size=size
        )
        if leg is None:
            raise Refused(
                f"{name} finds no way to {format_square(stop)}.", "Walls or enemies stand in between."
            )
        way += leg[1:]
    cost = grid.path_cost(way, size)
    if cost > speed:
        because = f" ({limit})" if limit else ""
        what = "A shift is 1 square" if shift else f"{name}'s Speed is {speed}{because}"
        raise Refused(f"The way to {format_square(goal)} takes {cost} squares. {what}.")
    return way[1:]


def destinations(fight: Fight, who: str) -> dict[Square, int]:
    """Every other square where one Move Action can take somebody, with the squares of movement it costs."""
    taken = fight.occupied(skip=who)
    foes = {square for square, other in taken.items() if fight.side(other) != fight.side(who)}
    start, (speed, _) = fight.at(who), fight.speed(who)
    found = fight.grid.reachable(
        start,
        speed,
        passable=lambda square: square not in foes,
        standable=lambda square: square not in taken,
        size=fight.size(who),
    )
    return {square: cost for square, cost in found.items() if square != start}
