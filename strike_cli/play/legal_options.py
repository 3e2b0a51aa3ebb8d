"""The moves that are legal now.

A move itself decides whether it is legal, so that list and check agree. Begin with
`legal_options_listed_by_bot`.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..kernel.procedure import Args, Data, Procedure, Question, World, as_driven
from ..kernel.state_changes import cached_values_of, pending_decisions_in, scene_table
from ..problems import Refused
from ..registry import shared_instance_of_class_or_base, systems_by_scene_key
from ..registry.installed_plugins import import_object
from ..registry.system_declaration import System
from ..tabletop.vtt_edit_types import METER, MOVED, InterpretedChange, TabletopChange
from .playable_moves_and_time_limit import Given, find_move, limit_processor_time

if TYPE_CHECKING:
    from .forecast import Preview


class Bot:
    """The part of a system that lists the moves of its scene, and evaluates positions.

    Subclass it, and name the class in `System.bot`. The system then has the commands `options` and `auto`,
    and suggestions of what to do next. `strike sim` needs `System.simulation`, too.
    """

    def options(self, world: World) -> Iterable[Option]:
        """Return all moves that could be made now; illegal ones may be among them, and are left out later.

        Each is an `Option`, with the move's name, its arguments, and the words typed for it after the
        system's name ("press", "vex", "brann"). An option with `answers`, such as a reaction to what somebody
        did, is listed, but no bot takes it.
        """
        return ()

    def evaluate(self, world: World, side: str) -> float:
        """Return how good a side's position is; a higher value is better.

        Bots compare their options by the values of the positions that these lead to. The unit doesn't matter.
        By default every position has the value 0.
        """
        return 0.0

    def preview(self, world: World, option: Option) -> Preview | None:
        """Return the system's own forecast of an option, or None.

        The forecast has chances, averages, the path, and who may strike at the actor. If the result is None,
        which is the default, strike computes a forecast from the values of `Move.odds`. Raises Refused if the
        move would be refused.
        """
        return None


def bot_of(system: System) -> Bot:
    """Return the bot of a system. Raises PluginProblem if its class can't be imported."""
    return shared_instance_of_class_or_base(system.absolute(system.bot), Bot)


if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from ..tabletop.scene import Scene

    class SceneEnd(Protocol):
        """The rules of a system that say how a scene ends, as declared for `strike sim`."""

        @property
        def result(self) -> Callable[[World], object]:
            """The function that returns the result of a scene.

            Until the scene is decided, the function returns a false value.
            """

        @property
        def finish(self) -> Callable[[World], Option | None]:
            """The function that returns the option to end a scene.

            If there is no such option, the function returns None.
            """


Kind = TypeVar("Kind", bound=Args)


class Option(NamedTuple):
    """A move that can be made, with its arguments and the words that one types for it."""

    command: str
    """The name of the move: "combat attack"."""
    args: Args
    """Its arguments, of the type that the move's procedure takes."""
    typed: tuple[str, ...]
    """What one types after the name of the system, word by word."""
    side: str = ""
    """The side or person whose option it is, if no order of turns says that."""
    answers: bool = False
    """Whether it answers something that was said, such as a reaction: it is listed, but no bot takes it."""
    ends: bool = False
    """Whether it ends a scene that is decided."""
    at: tuple[str, ...] = ()
    """Its targets, for a move whose `who` isn't the actor but gets a turn."""

    def given(self, kind: type[Kind]) -> Kind:
        """Return the arguments, typed as `kind`. Raises TypeError if they are of another type."""
        if not isinstance(self.args, kind):
            raise TypeError(f"{self.command} takes {type(self.args).__name__}, and no {kind.__name__}")
        return self.args

    def __str__(self) -> str:
        return " ".join(f'"{word}"' if any(char in word for char in " '") else word for word in self.typed)


def refusal_of_move(world: World, name: str, args: Given) -> Refused | None:
    """Return the refusal of a move that isn't legal now; None if the move is legal.

    A move checks whether it is legal before it asks or reports anything. So the move is played in a copy of
    the world, up to its first question. The world itself isn't changed.
    """
    own = World(world.book, world.state)
    procedure = find_move(name).start(own, args)
    try:
        with limit_processor_time(name):
            question = next(procedure)
    except Refused as refused:
        return refused
    except StopIteration:
        return None
    cached_values_of(world)[refusal_of_move] = name, args, own, _continue_procedure(procedure, question)
    return None


def copied_world_and_procedure_of_move(world: World, name: str, args: Given) -> tuple[World, Procedure[Data]]:
    """Begin a move in a copy of the world; return that copy and the procedure.

    If `refusal_of_move` has just begun the same move in a copy, that copy and its procedure are returned.
    This saves time.
    """
    begun = cached_values_of(world).pop(refusal_of_move, None)
    if begun is not None and begun[0] == name and begun[1] is args:
        own: World = begun[2]
        procedure: Procedure[Data] = begun[3]
        return own, procedure
    own = World(world.book, world.state)
    return own, find_move(name).start(own, args)


def _continue_procedure(procedure: Procedure[Data], question: Question) -> Procedure[Data]:
    """Continue a procedure that has already asked its first question (`question`)."""
    send = as_driven(procedure).send
    try:
        while True:
            question = send((yield question))
    except StopIteration as end:
        data: Data = end.value
        return data


def legal_options_listed_by_bot(system: System, world: World) -> list[Option]:
    """Return the options in a system's scene that are legal now, as its bot lists them.

    If the scene is decided, the option that ends it comes first. Raises PluginProblem if listing takes too
    long.
    """
    with limit_listing_time(system):
        offered = bot_of(system).options(world)
        found = [each for each in offered if refusal_of_move(world, each.command, each.args) is None]
        ending = ending_option_if_decided(system, world)
        return [ending, *(each for each in found if each.typed != ending.typed)] if ending else found


def ending_option_if_decided(system: System, world: World) -> Option | None:
    """Return the option that ends a system's scene, if the scene is decided.

    Return None if it isn't decided, if a decision is open in it, if ending it would be refused, or if the
    system doesn't say how scenes end.
    """
    key = system.scene.key
    if (
        not system.simulation.rules
        or scene_table(world.state, key) is None
        or key in pending_decisions_in(world.state)
    ):
        return None
    rules: SceneEnd = import_object(system.absolute(system.simulation.rules))
    ending = rules.finish(world) if rules.result(world) else None
    if ending is None or refusal_of_move(world, ending.command, ending.args) is not None:
        return None
    return ending._replace(ends=True)


def moves_played_by_next(system: System, world: World, scene: Scene) -> list[tuple[str, Args]]:
    """Return the moves that `next` plays in a system's scene, in order, each with its arguments.

    There are three cases. The first case that fits counts:

    - If the scene is decided, the only move is the move that ends the scene.
    - If the first round hasn't begun, and the system has an opening move, the opening move is the only move.
    - In all other cases, the moves end the present turn, if there is one, and begin the next turn. If the
      system has no such moves, the list is empty.

    Whether the moves are legal isn't checked.
    """
    if ending := ending_option_if_decided(system, world):
        return [(ending.command, ending.args)]
    order, turn = scene.order, list(system.scene.next_turn)
    if system.scene.opening and not (order and order.round):
        moves = [system.scene.opening]
    else:
        moves = turn if order and order.active else turn[-1:]
    return [(move, find_move(move).read_args({})) for move in moves]


def limit_listing_time(system: System) -> AbstractContextManager[None]:
    """Limit the time for listing a system's options to the time that a single move may take."""
    return limit_processor_time(f"{system.name} options")


def meaning_of_change(world: World, edit: TabletopChange) -> InterpretedChange:
    """Return the move, or the changes of the state, that an edit on a virtual tabletop stands for.

    If the system has a function for this, that function decides. Otherwise, a moved token changes the
    person's square in the state, and a changed number changes the same number. If the person has no such
    value, the result is empty.
    """
    system = systems_by_scene_key().get(edit.scene)
    if system is not None and system.scene.takes:
        found: InterpretedChange = import_object(system.absolute(system.scene.takes))(world, edit)
        return found
    key = {MOVED: "at", METER: edit.meter}.get(edit.kind, "")
    if not key or world.get(f"{edit.scene}.people.{edit.who}.{key}") is None:
        return InterpretedChange()
    return InterpretedChange(sets={f"{edit.scene}.people.{edit.who}.{key}": edit.to})


def refusal_if_no_legal_move(world: World, meaning: InterpretedChange) -> Refused | None:
    """Return the refusal that the move for a tabletop edit would get now; None if the move is legal.

    `meaning` is the interpreted edit. If no move corresponds to the edit, the refusal says so.
    """
    if not meaning.command:
        return Refused("No move does this.")
    return refusal_of_move(world, meaning.command, meaning.args)
