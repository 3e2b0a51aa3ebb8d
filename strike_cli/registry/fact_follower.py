"""Responses of a system to facts and events: the class that systems subclass, and its callers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..kernel.procedure import Args, Data, Procedure, World

if TYPE_CHECKING:
    from .system_declaration import System

Play = Callable[[World, Args], Procedure[Data]]
"""A move's procedure: called with the world and its arguments."""


class Follower:
    """A system's responses to facts and events.

    Subclass it, write the methods that you need, and name the class in `System.follows`: a method that you
    leave out does nothing.

    A response belongs to the command that caused it: `strike undo` takes both back.
    """

    def middleware(self, play: Play) -> Play:
        """Return the procedure that plays a move with the consequences of its facts.

        This procedure is played in place of the move's own. Consequences are, for example, reactions and
        morale. The method is called once for each move of the system's scene, and `play` is the move's own
        procedure.
        """
        return play

    def update_fog(self, world: World, before: Mapping[str, object] | None) -> Procedure[None] | None:
        """Add the squares that the party now sees to `seen`, on a map with fog.

        The method is called after every fact that changes the scene's table, if the table has `seen`. Odds
        don't call it. `before` is the scene's table before the fact, or None if there was no scene. If the
        method returns None, the party sees every square that no wall, closed door or darkness hides.
        """
        return None

    def passed(self, world: World, what: str) -> Procedure[Data] | None:
        """Respond to an event: "session", "rest" or "scene" (`Move.passes`); None if nothing follows.

        It is called for moves of every system. The procedure returns the system's part of the command's data.
        """
        return None

    def evening_began(self, world: World) -> Procedure[Data] | None:
        """Respond to `session start`; None if nothing follows.

        The procedure returns the system's part of the command's data.
        """
        return None

    def evening_ended(self, world: World) -> Procedure[Data] | None:
        """Respond to `session end`; None if nothing follows.

        The procedure returns the system's part of the command's data.
        """
        return None


def follower_of(system: System) -> Follower:
    """Return the follower of a system; one that does nothing if the system declares no class.

    Raises PluginProblem if the class can't be imported.
    """
    from . import single_object_of

    return single_object_of(system.absolute(system.follows), Follower)


def procedure_after_saved_failure(move: str) -> Callable[[World, Mapping[str, object]], Procedure[Data]]:
    """Return the procedure to play when a move's failure is later turned into a success.

    The move's declaration names the procedure (`Move.saved`).
    """
    from .installed_plugins import load_object, load_system, system_of_move

    found = load_system(system_of_move(move))
    return load_object(found.absolute(found.moves[move].saved))
