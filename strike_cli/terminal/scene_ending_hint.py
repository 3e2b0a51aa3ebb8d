"""The line below a result that names the command which ends a decided scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ..kernel.procedure import World
from ..kernel.state_changes import scene_table
from .command_output import Block, Line

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..play.command_execution import PerformedCommand


def ending_line(command: str) -> Line:
    """Return the line that names the command which ends a decided scene, such as "combat finish"."""
    return ["This is decided. ", (f"strike {command}", "command"), " ends it."]


def ending_lines_if_decided(campaign: Campaign, system_name: str) -> Iterator[Line]:
    """Yield the line with the command that ends a system's scene, if the scene is decided.

    While several sides are left and everybody is up, the scene counts as undecided. In all other cases the
    system says whether the scene is decided.
    """
    from ..registry import known_systems
    from ..registry.scenes_and_decisions_in_state import scene_or_bare_scene_from_table

    known = known_systems()[system_name]
    table = scene_table(campaign.state, known.scene)
    if table is None:
        return
    scene = scene_or_bare_scene_from_table(known, table, {})
    everybody = scene.people.values()
    if len({one.side for one in everybody}) > 1 and all(one.state == "up" for one in everybody):
        return  # the system's own test of endings takes 20 ms to import
    from ..play.legal_options import ending_option_if_decided
    from ..registry import load_known_system

    if ending := ending_option_if_decided(
        load_known_system(system_name), World(campaign.book, campaign.state)
    ):
        yield ending_line(f"{system_name} {ending}")


def ending_hint_shower(name: str) -> Callable[[Campaign | None, PerformedCommand], Iterable[Block]]:
    """Return a function that shows which command ends the scene, once the scene is decided.

    `name` is the scene's system. A command takes the function as `plays(show=...)`. It suits commands that go
    on to the next turn.
    """

    def show(campaign: Campaign | None, performed: PerformedCommand) -> Iterable[Block]:
        return ending_lines_if_decided(campaign, name) if campaign is not None else ()

    return show
