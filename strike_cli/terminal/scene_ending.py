"""The last line of a turn after which a scene is decided: the command that finishes the scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ..kernel.facts import scene_table
from ..kernel.procedure import World
from .result import Block, Line

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..play.execute import Performed


def ending_line(command: str) -> Line:
    """Return the line for a decided scene, with the command that ends it: "combat finish"."""
    return ["This is decided. ", (f"strike {command}", "command"), " ends it."]


def ending_lines(campaign: Campaign, name: str) -> Iterator[Line]:
    """Yield the ending line for a system's scene under way.

    There is none while a decision waits, or while two whole sides are up.
    """
    from ..registry import known_systems
    from ..registry.scenes import scene_of

    known = known_systems()[name]
    table = scene_table(campaign.state, known.scene)
    if table is None:
        return
    scene = scene_of(known, table, {})
    everybody = scene.people.values()
    if len({one.side for one in everybody}) > 1 and all(one.state == "up" for one in everybody):
        return  # the system's own test of endings takes 20 ms to import
    from ..play.legal_options import ending_of
    from ..registry import load_system

    if ending := ending_of(load_system(name), World(campaign.book, campaign.state)):
        yield ending_line(f"{name} {ending}")


def ending_below(name: str) -> Callable[[Campaign | None, Performed], Iterable[Block]]:
    """Return a function for `plays(show=...)` that shows how to end a decided scene.

    It is for commands that go on to the next turn.
    """

    def show(campaign: Campaign | None, performed: Performed) -> Iterable[Block]:
        return ending_lines(campaign, name) if campaign is not None else ()

    return show
