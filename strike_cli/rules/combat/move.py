"""Moving on the grid, and the Opportunities that it gives (STR-TAC-07, 08)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...problems import Refused
from ..contributions import ban_on, remap_damage
from ..grid import Square, footprint, format_square, gap, parse_square
from ..numbers import numbers
from ..procedure import Choose, Procedure, World
from .fight import Fight
from .harm import hurt
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
            yield from _leaving(world, who, square, opportunities)
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
    penalty = _provoking(fight, who)
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


def _provoking(fight: Fight, who: str) -> Callable[[Square, Square], int]:
    """How many enemies a step would give an Opportunity, for the search of a way."""
    size = fight.size(who)
    threats = [
        (fight.at(foe), fight.size(foe), fight.reach(foe))
        for foe in fight.enemies_of(who)
        if "at" in fight.combatant(foe) and not ban_on(fight.world, foe, "opportunity")
    ]

    def count(start: Square, end: Square) -> int:
        return sum(_leaves(start, end, size, at, foe_size, reach) for at, foe_size, reach in threats)

    return count


def _leaves(start: Square, end: Square, size: int, at: Square, foe_size: int, reach: int) -> bool:
    """Leaving a square within reach without getting closer to that enemy (STR-TAC-08)."""
    before = gap(start, size, at, foe_size)
    return before <= reach and gap(end, size, at, foe_size) >= before


def _leaving(world: World, who: str, to: Square, told: list[dict[str, Any]]) -> Procedure[None]:
    """Each enemy whose reach this step leaves may strike first."""
    fight = Fight(world)
    start, size = fight.at(who), fight.size(who)
    for foe in list(fight.enemies_of(who)):
        if "out" in fight.combatant(who):
            return
        if "at" in fight.combatant(foe) and _leaves(
            start, to, size, fight.at(foe), fight.size(foe), fight.reach(foe)
        ):
            yield from opportunity(world, foe, who, f"leaving {format_square(start)}", told)


def may_take(fight: Fight, taker: str, provoker: str) -> bool:
    """Whether an Opportunity against this opponent is open: one a turn each, none banned, none unseen."""
    world = fight.world
    return not (
        f"{taker}>{provoker}" in world.get("fight.turn.opportunities", [])
        or ban_on(world, taker, "opportunity")
        or ban_on(world, provoker, "opportunity", side="against")
        or fight.combatant(provoker).get("hidden")
        or not fight.sees(taker, provoker)
    )


def opportunity(
    world: World, taker: str, provoker: str, why: str, told: list[dict[str, Any]]
) -> Procedure[None]:
    """An Opportunity, before what gave it (STR-TAC-08): players choose, creatures take theirs."""
    fight = Fight(world)
    if not may_take(fight, taker, provoker):
        return
    amount = opportunity_damage(fight, taker)
    names = fight.name(taker), fight.name(provoker)
    if fight.is_player(taker):
        labels = (f"{names[0]} strikes at {names[1]} for {amount}", "let it pass")
        if (yield Choose(taker, f"opportunity against {provoker}", ("take", "pass"), labels)) == "pass":
            return
    used = [*world.get("fight.turn.opportunities", []), f"{taker}>{provoker}"]
    text = f"{names[1]} gives {names[0]} an Opportunity by {why}."
    yield world.happen("opportunity-taken", taker, text, {"fight.turn.opportunities": used}, target=provoker)
    harm = yield from hurt(world, provoker, amount, f"{names[0]}'s Opportunity")
    told.append({"by": taker, "against": provoker, "damage": amount, **harm})


def opportunity_damage(fight: Fight, who: str) -> int:
    """HP that somebody's Opportunity takes: 2 unless its sheet says otherwise (STR-TAC-08), half of it while
    Weakened."""
    own = int(fight.sheet(who).get("opportunity", numbers("combat")["defaults"]["opportunity_damage"]))
    return remap_damage(fight.world, who, own)[0]


def threatened_by(fight: Fight, who: str) -> Iterator[str]:
    """Enemies next to somebody, who would get an Opportunity at a ranged attack."""
    return (foe for foe in fight.enemies_of(who) if "at" in fight.combatant(foe) and fight.gap(foe, who) == 1)
