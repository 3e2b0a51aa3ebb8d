"""Scenes that wait while another of the same system is played."""

from __future__ import annotations

from ...kernel.procedure import Args, Data, Procedure, Sets, World
from ...problems import Refused, listed
from ...registry.declaration import System
from ...registry.gm_override import hand_of
from ...registry.scenes import PARKED, parked_in, parked_of, place_of_parked
from .table import OnTable


class ReturnToScene(Args):
    """The id of a scene that is parked."""

    scene: str


def play_park(system: System, world: World, args: Args) -> Procedure[Data]:
    """`park`: the scene waits as it stands, and another may begin."""
    table = OnTable(system, world, "park")
    scene = table.data
    id = str(scene.get("id", system.name))
    key, number = id, 1
    while key in parked_of(world.state, system):
        number += 1
        key = f"{id}-{number}"
    told = table.hand.parks(id, int(scene.get("round", 0)))
    yield world.tell(told, {system.scene.key: None, f"{place_of_parked(system)}.{key}": dict(scene)})
    return {"name": scene.get("name", id), "parked": key}


def play_return(system: System, world: World, args: ReturnToScene) -> Procedure[Data]:
    """`return`: a parked scene goes on where it stopped; one under way is parked in its place."""
    known = parked_of(world.state, system)
    if args.scene not in known:
        raise Refused(
            f"No scene {args.scene!r} is parked.",
            f"Parked: {listed(known)}." if known else f"`strike {system.name} park` parks the one under way.",
        )
    if world.get(system.scene.key):
        yield from play_park(system, world, Args())
    scene = parked_in(world.state, system)[args.scene]
    sets: Sets = {_emptied(world, system, args.scene): None, system.scene.key: scene}
    told = hand_of(system).resumes(str(scene.get("id", args.scene)), int(scene.get("round", 0)))
    yield world.tell(told, sets)
    return {"name": scene.get("name", args.scene), "returned": args.scene}


def _emptied(world: World, system: System, key: str) -> str:
    """Return the path to remove for a scene to wait no longer, so that no empty table stays."""
    place = place_of_parked(system)
    if len(parked_in(world.state, system)) > 1:
        return f"{place}.{key}"
    return PARKED if not system.scene.parked and len(world.get(PARKED, {})) == 1 else place
