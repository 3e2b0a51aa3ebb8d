"""Fights that wait while another is played, as the scenes of every game do.

Older journals, and scripts that read `--json`, have the word `fight` for the frame's scene.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from strike_cli.kernel.facts import State
from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.play.gm_override import parked
from strike_cli.registry.declaration import System

if TYPE_CHECKING:
    from ..data import ParkData


class ReturnToFight(parked.ReturnToScene):
    """The id of a fight that is parked."""

    scene: str = ""
    fight: str = ""


def touches(before: State, after: State) -> Iterator[str]:
    """Return nothing: no roll rests on a parked fight."""
    yield from ()


def play_park(system: System, world: World, args: Args) -> Procedure[ParkData]:
    """`combat park`."""
    data = yield from parked.play_park(system, world, args)
    return {"name": str(data["name"]), "fight": str(data["parked"])}


def play_return(system: System, world: World, args: ReturnToFight) -> Procedure[ParkData]:
    """`combat return`."""
    scene = args.scene or args.fight
    data = yield from parked.play_return(system, world, parked.ReturnToScene(scene=scene))
    return {"name": str(data["name"]), "fight": scene}
