"""Fights that wait while another is played: several under way, one of them active."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from strike_cli.kernel.facts import State
from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.problems import Refused, listed

from ..facts.fights import FightParked, FightResumed
from ..fight import Fight
from ..scene import PARKED

if TYPE_CHECKING:
    from ..data import ParkData


class Return(Args):
    """The id of a fight that is parked."""

    fight: str


def touches(before: State, after: State) -> Iterator[str]:
    """Nothing rests on a fight that is parked."""
    yield from ()


def play_park(world: World, args: Args) -> Procedure[ParkData]:
    """`combat park`: the fight waits as it stands, and another may begin."""
    fight = Fight(world).data
    key = _free_key(world, fight["id"])
    waits = FightParked(fight["id"], fight["round"])
    yield world.tell(waits, {"fight": None, f"{PARKED}.{key}": fight})
    return {"name": fight["name"], "fight": key}


def play_return(world: World, args: Return) -> Procedure[ParkData]:
    """`combat return`: a parked fight goes on where it stopped; one under way is parked in its place."""
    parked = world.get(PARKED, {})
    if args.fight not in parked:
        raise Refused(f"No fight {args.fight!r} is parked.", f"Parked: {listed(parked)}.")
    if world.get("fight"):
        yield from play_park(world, args)
    fight = parked[args.fight]
    left = {f"{PARKED}.{args.fight}": None} if len(world.get(PARKED)) > 1 else {PARKED: None}
    yield world.tell(FightResumed(fight["id"], fight["round"]), {**left, "fight": fight})
    return {"name": fight["name"], "fight": args.fight}


def _free_key(world: World, wanted: str) -> str:
    known, number, key = world.get(PARKED, {}), 1, wanted
    while key in known:
        number += 1
        key = f"{wanted}-{number}"
    return key
