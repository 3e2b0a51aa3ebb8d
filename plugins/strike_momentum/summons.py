"""Summons: creatures that somebody has called, and Command over them (WSH-07)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import Procedure, Sets, World
from strike_cli.plugin.board import ACTED, Square, footprint, format_square

from .battle import Battle
from .facts import MomentumSummoned
from .order import in_order
from .refusals import NoRoomOn
from .setup import fighter
from .statuses import COMMANDED, START, add, has

if TYPE_CHECKING:
    from .data import CommandedData


def must_have_room(battle: Battle, ref: str, square: Square) -> None:
    """Refuse a square on which a creature can't stand."""
    size = battle.world.book.creatures[ref].get("size", 1)
    if not battle.grid.fits(square, size) or battle.on_squares(footprint(square, size)):
        raise NoRoomOn(format_square(square), "Name a free square.")


def summon(world: World, who: str, ref: str, square: Square) -> Procedure[str]:
    """Put a creature on a square, on the side of its summoner. Returns its id.

    It has turns from the next round on. Raises Refused where there is no room.
    """
    battle = Battle(world)
    must_have_room(battle, ref, square)
    written = world.book.creatures[ref]
    stem, number = ref.rpartition(":")[2], 1
    while f"{stem}-{number}" in (*battle.people, *world.book.characters):
        number += 1
    id, name = f"{stem}-{number}", f"{written['name']} {number}"
    told = {
        "name": name,
        "ref": ref,
        "side": battle.side(who),
        "at": format_square(square),
        "size": written.get("size", 1),
    }
    one = {**fighter(world, ref, told), "summoner": who, ACTED: battle.round, "rp": 0}
    sets: Sets = {f"momentum.people.{id}": one}
    sets["momentum.order"] = in_order(battle.people, [*battle.data.get("order", ()), id])
    yield world.tell(MomentumSummoned(who, id), sets)
    return id


def command(world: World, who: str) -> Procedure[CommandedData]:
    """All of somebody's summons obey until their next turn, but for those that nobody controls (WSH-07)."""
    commanded = []
    for one in list(Battle(world).there()):
        battle = Battle(world)
        if battle.people[one].get("summoner") == who and not has(battle, one, "loses_control"):
            yield from add(world, one, COMMANDED, until=START, of=who, by=who, takes=True)
            commanded.append(one)
    return {"commanded": commanded}
