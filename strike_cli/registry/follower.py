"""What a system does when something has happened: the class that it subclasses, and who asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..kernel.procedure import Args, Data, Procedure, World

if TYPE_CHECKING:
    from .declaration import System

Play = Callable[[World, Args], Procedure[Data]]
"""A move's procedure: called with the world and its arguments."""


class Follower:
    """A system's responses to things that have happened or passed.

    Subclass it, write the methods that you need, and name the class in `System.follows`: a method that you
    leave out does nothing.

    What they play belongs to the command that led to it: `strike undo` takes all of it back.
    """

    def middleware(self, play: Play) -> Play:
        """Wrap a move of the system's scene with the consequences of its facts: reactions, morale.

        Called once for each move with its procedure; returns the one to play instead.
        """
        return play

    def update_fog(self, world: World, before: Mapping[str, object] | None) -> Procedure[None] | None:
        """Add the squares of a map with fog that the party has come to see to `seen`.

        Called after every fact that changes the scene's table, where that has `seen`; `before` is the table
        before the fact, None where there was no scene. Odds leave it out. Without a procedure, the party sees
        what no wall, closed door or darkness hides.
        """
        return None

    def passed(self, world: World, what: str) -> Procedure[Data] | None:
        """Go on with something that has passed: "session", "rest", "scene" (`Move.passes`).

        It is called whichever system played it. Returns its part of the command's data.
        """
        return None

    def evening_began(self, world: World) -> Procedure[Data] | None:
        """Follow `session start`. Returns the system's part of its data."""
        return None

    def evening_ended(self, world: World) -> Procedure[Data] | None:
        """Follow `session end`. Returns the system's part of its data."""
        return None


def follower_of(system: System) -> Follower:
    """Return the follower of a system; one that does nothing where it names no class.

    Raises PluginProblem where the class can't be imported.
    """
    from . import made

    return made(system.absolute(system.follows), Follower)


def saved_by(move: str) -> Callable[[World, Mapping[str, object]], Procedure[Data]]:
    """Return the procedure for the other consequences of a move whose failure is turned afterwards."""
    from .installed import load_object, owner_of, system

    found = system(owner_of(move))
    return load_object(found.absolute(found.moves[move].saved))
