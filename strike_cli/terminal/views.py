"""Views of a system's people, scenes and maps: the class that it subclasses, and its lookup."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..kernel.procedure import Args, World
from ..registry import contained, made, registry_of

if TYPE_CHECKING:
    from ..content.book import Book
    from ..registry.declaration import System
    from ..tabletop.grid import Square
    from ..tabletop.measure import Ranges
    from ..tabletop.own_sheet import OwnRoll, OwnSheet
    from .sheet_view import PartyView, SheetView


class ToDo(NamedTuple):
    """A task that waits: `what` it is, and the `command` to go on with."""

    what: str
    command: str


class Views:
    """A system's display of people, scenes and maps, and its audiences.

    Subclass it, write the methods that you need, and name the class in `System.views`: a method that you
    leave out shows nothing.
    """

    def sheet(self, world: World, person: str) -> SheetView | None:
        """Return the system's part of `strike character show`, for the game master.

        `person` is a character's id.
        """
        return None

    def party(self, world: World, people: Sequence[str]) -> PartyView | None:
        """Return what `strike status` and reports show of all these characters."""
        return None

    def scene(self, world: World) -> SheetView | None:
        """Return what `show` says of the scene under way besides its common form.

        `data` are laid over the scene's.
        """
        return None

    def own_sheet(self, world: World, person: str) -> OwnSheet | None:
        """Return what players see of their own character on their phones. The world is as players know it."""
        return None

    def own_rolls(self, world: World, person: str) -> Iterable[OwnRoll]:
        """Return the rolls that a character's player may propose at any time.

        The world is as players know it.
        """
        return ()

    def card_boxes(self, book: Book, kind: str, sheet: Mapping[str, object]) -> Iterable[tuple[str, int]]:
        """Return the boxes to tick off on a printed card: names, and the number of boxes for each.

        `kind` is "characters" or "creatures".
        """
        return ()

    def ranges(self, world: World, person: str) -> Ranges | None:
        """Return how far somebody gets on the scene's map: squares to go to, squares that attacks reach.

        Pages show it for the token that is touched.
        """
        return None

    def in_sight(self, world: World) -> Collection[Square]:
        """Return the squares of a map with fog that the party sees now.

        Pages dim the rest of what it has seen.
        """
        return ()

    def area(self, world: World, args: Args) -> Collection[Square]:
        """Return the squares that a possible move covers, with its arguments.

        Pages draw them before it is chosen.
        """
        return ()

    def suspended(self, world: World) -> Iterable[ToDo]:
        """Return scenes of the system that wait while another is played."""
        return ()

    def still_to_do(self, world: World) -> Iterable[ToDo]:
        """Return what is left to do when an evening has ended."""
        return ()


def views_of(system: System) -> Views:
    """Return the views of a system. Raises PluginProblem where its class can't be imported."""
    return made(system.absolute(system.views), Views)


Shown = TypeVar("Shown")


def shown_by_all(world: World, show: Callable[[Views], Shown]) -> list[Shown]:
    """Return what each system shows, of those that the campaign plays with and that name a class for it.

    No system is imported to find out; one that fails over it is switched off.
    """
    found = []
    registry = registry_of(world)
    for name in registry.standing():
        if views := registry.systems[name].views:
            with contained(name):
                found.append(show(made(views, Views)))
    return found


def parked_scenes(world: World) -> list[ToDo]:
    """Return the scenes of all systems that wait to be taken up again."""
    from ..registry.scenes import parked_at

    found = [
        each for some in shown_by_all(world, lambda views: list(views.suspended(world))) for each in some
    ]
    return found + [
        ToDo(f"{name} is parked", f"strike {known.name} return {key}")
        for known in registry_of(world).systems.values()
        for key, name in parked_at(world.state, known.parked).items()
    ]
