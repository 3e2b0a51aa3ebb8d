"""Responses of a system to facts and events: the class that systems subclass, and its callers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..deprecated_api_names import HasOldNames, OldName
from ..kernel.procedure import Args, Data, Procedure, World

if TYPE_CHECKING:
    from .system_declaration import System

Play = Callable[[World, Args], Procedure[Data]]
"""A move's procedure: called with the world and its arguments."""


class EventResponses(HasOldNames):
    """A system's responses to facts and events.

    Subclass it, and name the class in `System.follows`. Write only the methods that you need: the others do
    nothing.

    A response belongs to the command that caused it: `strike undo` takes both back.
    """

    def middleware(self, play: Play) -> Play:
        """Return the procedure that plays a move with the consequences of its facts.

        Consequences are, for example, reactions and morale. The method is called once for each move of the
        system's scene.

        Args:
            play: The move's own procedure.

        Returns:
            The procedure that is played instead.
        """
        return play

    def update_fog(self, world: World, before: Mapping[str, object] | None) -> Procedure[None] | None:
        """Add the squares that the party now sees to `seen`.

        `seen` is in the table of a scene whose map has fog. It has all squares that the party has seen so
        far.

        A system may override this method to follow its own rule of sight. If the method returns None, the
        party sees every square that no wall, closed door or darkness hides.

        The method is called after every fact that changes the scene's table, if the table has `seen`. It
        isn't called while odds are computed. `before` is the scene's table before the fact, or None if there
        was no scene.
        """
        return None

    def respond_to_event(self, world: World, what: str) -> Procedure[Data] | None:
        """Respond to an event; return None if nothing follows.

        It is called for moves of every system.

        Args:
            world: The world after the event.
            what: The event (`Move.passes`): "session", "rest" or "scene".

        Returns:
            A procedure, which returns the system's part of the command's data, or None.
        """
        return None

    def session_started(self, world: World) -> Procedure[Data] | None:
        """Respond to `session start`; None if nothing follows.

        The procedure returns the system's part of the command's data.
        """
        return None

    def session_ended(self, world: World) -> Procedure[Data] | None:
        """Respond to `session end`; None if nothing follows.

        The procedure returns the system's part of the command's data.
        """
        return None

    passed = OldName("respond_to_event")
    evening_began = OldName("session_started")
    evening_ended = OldName("session_ended")


def event_responses_of(system: System) -> EventResponses:
    """Return a system's responses to facts and events; by default, responses that do nothing.

    Raises PluginProblem if the class can't be imported.
    """
    from . import shared_instance_of_class_or_base

    return shared_instance_of_class_or_base(system.absolute(system.follows), EventResponses)


def procedure_after_saved_failure(move: str) -> Callable[[World, Mapping[str, object]], Procedure[Data]]:
    """Return the procedure to play if a failure of this move is turned into a success afterwards.

    The move's declaration names this procedure (`Move.saved`).
    """
    from .installed_plugins import import_object, load_known_system, system_name_of_move

    found = load_known_system(system_name_of_move(move))
    return import_object(found.absolute(found.moves[move].saved))
