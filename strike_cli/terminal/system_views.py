"""Views: what a game system shows of its people, scenes and maps.

A system writes a subclass of `Views`. The functions of this module find a system's views and call their
methods.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..kernel.procedure import Args, Rulebook, World
from ..registry import contain_failures, plugin_index_of, shared_instance_of_class_or_base

if TYPE_CHECKING:
    from ..registry.system_declaration import System
    from ..tabletop.distance_units import Ranges
    from ..tabletop.grid import Square
    from ..tabletop.own_sheet_types import OwnRoll, OwnSheet
    from .sheet_and_party_views import PartyView, SheetView


class Task(NamedTuple):
    """A task that is still to be done: `what` says what the task is, and `command` does it."""

    what: str
    command: str


class Views:
    """What a system shows of its people, scenes and maps, for each audience.

    Subclass it, write the methods that you need, and name the class in `System.views`. A method that you
    leave out shows nothing.
    """

    def sheet(self, world: World, person: str) -> SheetView | None:
        """Return the system's part of `strike character show`, for the game master.

        `person` is a character's id.
        """
        return None

    def party(self, world: World, people: Sequence[str]) -> PartyView | None:
        """Return the system's part of `strike status` and of reports, for all these characters."""
        return None

    def scene(self, world: World) -> SheetView | None:
        """Return what this system adds to the command `show` while its scene is under way; None for nothing.

        The `data` of the returned view is added to the data of the scene.
        """
        return None

    def own_sheet(self, world: World, person: str) -> OwnSheet | None:
        """Return the system's part of the sheet that a player sees on their phone.

        `world` is as players know it.
        """
        return None

    def own_rolls(self, world: World, person: str) -> Iterable[OwnRoll]:
        """Return the rolls that a character's player may propose at any time.

        `world` is as players know it.
        """
        return ()

    def card_boxes(self, book: Rulebook, kind: str, sheet: Mapping[str, object]) -> Iterable[tuple[str, int]]:
        """Return the rows of boxes to tick off on a printed card, each with its name and the number of boxes.

        `kind` is "characters" or "creatures".
        """
        return ()

    def ranges(self, world: World, person: str) -> Ranges | None:
        """Return the squares that a person can move to, and the squares that the person can attack.

        They are squares of the scene's map. Pages show them when the person's token is touched. By default,
        return None: no squares are shown.
        """
        return None

    def in_sight(self, world: World) -> Collection[Square]:
        """Return the squares that the party sees now on a map with fog.

        Pages dim the squares that the party saw before, but doesn't see now.
        """
        return ()

    def area(self, world: World, args: Args) -> Collection[Square]:
        """Return the squares that a move with these arguments would affect.

        Pages mark these squares before the move is played.
        """
        return ()

    def suspended(self, world: World) -> Iterable[Task]:
        """Return the tasks from the system's suspended scenes. By default there are none.

        A scene is suspended while another scene is played.
        """
        return ()

    def still_to_do(self, world: World) -> Iterable[Task]:
        """Return the system's tasks that are left at the end of an evening."""
        return ()


def views_of(system: System) -> Views:
    """Return the views of a system. Raises PluginProblem if their class can't be imported."""
    return shared_instance_of_class_or_base(system.absolute(system.views), Views)


Shown = TypeVar("Shown")


def collect_from_systems_with_views(world: World, get: Callable[[Views], Shown]) -> list[Shown]:
    """Return what `get` returns for the views of each usable system of the campaign's plugins.

    Systems without views aren't imported. A system whose code fails is switched off.
    """
    found = []
    registry = plugin_index_of(world)
    for name in registry.names_of_systems_not_switched_off():
        if views := registry.systems[name].views:
            with contain_failures(name):
                found.append(get(shared_instance_of_class_or_base(views, Views)))
    return found


def tasks_of_parked_scenes(world: World) -> list[Task]:
    """Return the tasks that are still to be done because of parked scenes.

    The tasks that the systems name come first (`Views.suspended`). Then comes a task for each parked scene:
    to return to it.
    """
    from ..registry.scenes_and_decisions_in_state import parked_names_at

    found = [
        each
        for some in collect_from_systems_with_views(world, lambda views: list(views.suspended(world)))
        for each in some
    ]
    return found + [
        Task(f"{name} is parked", f"strike {known.name} return {key}")
        for known in plugin_index_of(world).systems.values()
        for key, name in parked_names_at(world.state, known.parked).items()
    ]
