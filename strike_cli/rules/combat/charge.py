"""Charging: a straight rush at somebody and a Melee Basic Attack, in one Attack Action (STR-TAC-13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...problems import Refused
from ..contributions import ban_on
from ..grid import Square, footprint, format_square, gap
from ..procedure import Procedure, World
from .attack import given_reasons, perform
from .fight import Fight, action_taken
from .move import walk
from .opportunity import provoking
from .powers import MELEE_BASIC, Deed, must_be_usable, power_of, take_aim

ANYWHERE = 1000
"""A reach beyond any map, in squares: whom a charge could be aimed at, were they near."""


def play_charge(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat charge`. Args: who, target, adv, dis, mods; optional: to, the square it ends on. Returns the
    data of the attack, and of the walk under `charge`. Raises Refused where no way leads there."""
    fight = Fight(world)
    who, target = args["who"], args["target"]
    action = fight.must_be_able(who, "attack")
    power = power_of(fight, who, MELEE_BASIC)
    must_be_usable(fight, who, power)
    take_aim(fight, who, {**power, "reach": ANYWHERE}, [target])
    way = charge_way(fight, who, target, args.get("to", ""))
    yield action_taken(fight, who, action, "charge")
    went = yield from walk(world, who, way, charging=True)
    there = "out" not in fight.combatant(who) and fight.at(who) == way[-1]
    if there and not ban_on(world, who, "act", 1) and "out" not in fight.combatant(target):
        deed = Deed(who, power, take_aim(fight, who, power, [target]), *given_reasons(args))
        data = yield from perform(world, deed)
    else:
        data = {"who": who, "power": MELEE_BASIC, "attacks": [], "miss_token": False, "opportunities": []}
        data["decided"] = fight.decided()
    return {**data, "opportunities": [*went["opportunities"], *data["opportunities"]], "charge": went}


def charge_way(fight: Fight, who: str, target: str, to: str = "") -> list[Square]:
    """The squares of a charge, each nearer to the target than the last, none difficult, up to Speed; of
    those ways one that gives the fewest Opportunities, and ends on `to` if that is said. Raises Refused
    where there is none."""
    name, named = fight.name(who), fight.name(target)
    start, apart = fight.at(who), fight.gap(who, target)
    if apart <= 1:
        raise Refused(f"{name} is next to {named} already.", "`strike combat attack` needs no charge.")
    speed, limit = fight.speed(who)
    if apart - 1 > speed:
        because = f" ({limit})" if limit else ""
        raise Refused(f"{named} is {apart} squares away; {name}'s Speed is {speed}{because}.")
    ways: dict[Square, tuple[int, list[Square]]] = {start: (0, [])}
    penalty = provoking(fight, who)
    for left in range(apart - 1, 0, -1):
        onward: dict[Square, tuple[int, list[Square]]] = {}
        for here, (given, way) in ways.items():
            for square in _nearer(fight, who, target, here, left):
                cost = given + penalty(here, square)
                if square not in onward or cost < onward[square][0]:
                    onward[square] = cost, [*way, square]
        ways = onward
    taken, size = fight.occupied(skip=who), fight.size(who)
    ways = {
        square: way
        for square, way in ways.items()
        if to in ("", format_square(square)) and taken.keys().isdisjoint(footprint(square, size))
    }
    if not ways:
        raise Refused(
            f"No way leads straight to {named}{f' on {to}' if to else ''}.",
            "Each square of a charge is nearer than the last, and none is difficult (STR-TAC-13).",
        )
    return min(ways.values())[1]


def _nearer(fight: Fight, who: str, target: str, here: Square, apart: int) -> list[Square]:
    """The next squares of a charge, so far from the target, on which no enemy stands."""
    size, grid = fight.size(who), fight.grid
    goal = fight.at(target), fight.size(target)
    foes = {
        square for square, other in fight.occupied(skip=who).items() if fight.side(other) != fight.side(who)
    }
    return [
        square
        for square in grid.neighbours(here, size)
        if gap(square, size, *goal) == apart
        and foes.isdisjoint(footprint(square, size))
        and not any(map(grid.difficult, footprint(square, size)))
    ]
