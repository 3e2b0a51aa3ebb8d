"""Displays of a system's people, scenes and maps: the class that systems subclass, and its lookup."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..kernel.procedure import Args, World
from ..registry import contained, make_object, registry_of

if TYPE_CHECKING:
    from ..content.book import Book
    from ..registry.declaration import System
    from ..tabletop.distance_measure import Ranges
    from ..tabletop.grid import Square
    from ..tabletop.own_sheet import OwnRoll, OwnSheet
    from .sheet_view import PartyView, SheetView


class ToDo(NamedTuple):
    """A task that waits: `what` it is, and the `command` for it."""

    what: str
    command: str


class Views:
    """A system's displays of people, scenes and maps, for each audience.

    Subclass it, write the methods that you need, and name the class in `System.views`. A method that you
    leave out shows nothing.
    """

    def sheet(self, world: World, person: str) -> SheetView | None:
        """Return the system's part of `strike character show`, for the game master.

        `person` is a character's id.
        """
        return None

    def party(self, world: World, people: Sequence[str]) -> PartyView | None:
        """Return the system's part of `strike status` and reports for all these characters."""
        return None

    def scene(self, world: World) -> SheetView | None:
        """Return the further parts that `show` displays of the scene under way.

        `data` are added to those of the scene.
        """
        return None

    def own_sheet(self, world: World, person: str) -> OwnSheet | None:
        """Return the system's part of a player's own sheet on their phone, in the players' world."""
        return None

    def own_rolls(self, world: World, person: str) -> Iterable[OwnRoll]:
        """Return the rolls that a character's player may propose at any time.

        The world is as players know it.
        """
        return ()

    def card_boxes(self, book: Book, kind: str, sheet: Mapping[str, object]) -> Iterable[tuple[str, int]]:
        """Return the boxes to tick off on a printed card: their names and numbers.

        `kind` is "characters" or "creatures".
        """
        return ()

    def ranges(self, world: World, person: str) -> Ranges | None:
        """Return the squares that a person can go to and attack on the scene's map.

        Pages show them for the token that is touched.
        """
        return None

    def in_sight(self, world: World) -> Collection[Square]:
        """Return the squares of a map with fog that the party sees now.

        Pages dim the other squares that it has seen.
        """
        return ()

    def area(self, world: World, args: Args) -> Collection[Square]:
        """Return the squares that a possible move with these arguments covers.

        Pages draw them before the move is chosen.
        """
        return ()

    def suspended(self, world: World) -> Iterable[ToDo]:
        """Return tasks for the system's scenes that wait while another is played."""
        return ()

    def still_to_do(self, world: World) -> Iterable[ToDo]:
        """Return the tasks left when an evening has ended."""
        return ()


def views_of(system: System) -> Views:
    """Return the views of a system. Raises PluginProblem where its class can't be imported."""
    return make_object(system.absolute(system.views), Views)


Shown = TypeVar("Shown")


def shown_by_all(world: World, show: Callable[[Views], Shown]) -> list[Shown]:
    """Return the displays of every system that the campaign plays with and that declares `Views`.

    Other systems aren't imported; one whose code fails is switched off.
    """
    found = []
    registry = registry_of(world)
    for name in registry.standing():
        if views := registry.systems[name].views:
            with contained(name):
                found.append(show(make_object(views, Views)))
    return found


def parked_scenes(world: World) -> list[ToDo]:
    """Return a task for each system's parked scene."""
    from ..registry.scenes import parked_at

    found = [
        each for some in shown_by_all(world, lambda views: list(views.suspended(world))) for each in some
    ]
    return found + [
        ToDo(f"{name} is parked", f"strike {known.name} return {key}")
        for known in registry_of(world).systems.values()
        for key, name in parked_at(world.state, known.parked).items()
    ]
