"""Legal options as data: the move itself decides whether it is legal.

So the list and the check can't differ. Begin with `legal_options`.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..kernel.facts import about, scene_table, waiting_in
from ..kernel.procedure import Args, Data, Procedure, Question, World, driven
from ..problems import Refused
from ..registry import made, scene_systems
from ..registry.declaration import System
from ..registry.installed import load_object
from ..tabletop.vtt_changes import METER, MOVED, TabletopChange, TakenChange
from .moves import Given, find_move, limit_time

if TYPE_CHECKING:
    from .forecast import Preview


class Bot:
    """The legal moves in a system's scene, and the value of a side's position.

    Subclass it, and name the class in `System.bot`: it brings the commands `options` and `auto`, next steps,
    and `strike sim`.
    """

    def options(self, world: World) -> Iterable[Option]:
        """Return the moves that may be made now.

        Each is an `Option`: the move's name, its arguments, and the words behind the game's own that play it
        ("press", "vex", "brann"). The caller leaves out illegal ones, so list generously. An option that
        `answers` something said at the table (a reaction) is listed, and no bot takes it.
        """
        return ()

    def evaluate(self, world: World, side: str) -> float:
        """Return the value of a side's position, higher is better, in any unit.

        Bots compare the worlds after each option. Without a scene under way it is 0.
        """
        return 0.0

    def preview(self, world: World, option: Option) -> Preview | None:
        """Return the forecast of an option: chances, averages, the path, opportunities for others to strike.

        None, the default, makes the caller count `Move.odds`. Raises Refused where the move would be refused.
        """
        return None


def bot_of(system: System) -> Bot:
    """Return the bot of a system. Raises PluginProblem where its class can't be imported."""
    return made(system.absolute(system.bot), Bot)


if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from ..tabletop.scene import Scene

    class SceneEnd(Protocol):
        """The end of a scene, declared by a system for `strike sim`."""

        @property
        def result(self) -> Callable[[World], object]:
            """The result, once decided."""

        @property
        def finish(self) -> Callable[[World], Option | None]:
            """The command that ends the scene."""


Kind = TypeVar("Kind", bound=Args)


class Option(NamedTuple):
    """A move as `perform` plays it, and as one types it after the name of its system."""

    command: str
    """The name of the move: "combat attack"."""
    args: Args
    """Its arguments, in the type that the move's procedure takes."""
    typed: tuple[str, ...]
    """The words of the command after the name of its system, one by one."""
    side: str = ""
    """The side or person to whom it belongs, where no order of turns decides that."""
    answers: bool = False
    """Whether it answers something said at the table: it is listed, and no bot takes it by itself."""
    ends: bool = False
    """Whether it ends a scene that is decided."""
    at: tuple[str, ...] = ()
    """Its targets, where the `who` of its arguments is not the actor but receives a turn."""

    def given(self, kind: type[Kind]) -> Kind:
        """Return the option's arguments, typed. Raises TypeError for another command's."""
        if not isinstance(self.args, kind):
            raise TypeError(f"{self.command} takes {type(self.args).__name__}, and no {kind.__name__}")
        return self.args

    def __str__(self) -> str:
        return " ".join(f'"{word}"' if any(char in word for char in " '") else word for word in self.typed)


def why_not(world: World, name: str, args: Given) -> Refused | None:
    """Return why a move would be refused now; None where it is legal. Nothing is played.

    A move checks whether it is legal before it asks or reports anything, so its first question is enough.
    """
    own = World(world.book, world.state)
    procedure = find_move(name).start(own, args)
    try:
        with limit_time(name):
            question = next(procedure)
    except Refused as refused:
        return refused
    except StopIteration:
        return None
    about(world)[why_not] = name, args, own, _going_on(procedure, question)
    return None


def begin(world: World, name: str, args: Given) -> tuple[World, Procedure[Data]]:
    """Begin a move in a world of its own, which is returned with the procedure.

    Where `why_not` was last asked about this very move, the procedure goes on from there: everything before
    its first question is the same.
    """
    begun = about(world).pop(why_not, None)
    if begun is not None and begun[0] == name and begun[1] is args:
        own: World = begun[2]
        procedure: Procedure[Data] = begun[3]
        return own, procedure
    own = World(world.book, world.state)
    return own, find_move(name).start(own, args)


def _going_on(procedure: Procedure[Data], question: Question) -> Procedure[Data]:
    """Go on with a procedure that has asked its first question."""
    send = driven(procedure).send
    try:
        while True:
            question = send((yield question))
    except StopIteration as end:
        data: Data = end.value
        return data


def legal_options(system: System, world: World) -> list[Option]:
    """Return every legal move among the options that a system's scene offers now.

    In a decided scene its end comes first. Raises PluginProblem where listing them doesn't end.
    """
    with listing_in_time(system):
        offered = bot_of(system).options(world)
        found = [each for each in offered if why_not(world, each.command, each.args) is None]
        ending = ending_of(system, world)
        return [ending, *(each for each in found if each.typed != ending.typed)] if ending else found


def ending_of(system: System, world: World) -> Option | None:
    """Return the option that ends a system's scene once it is decided, by the system's declaration for sim.

    None while the scene goes on or a decision of it is open, and where the system declares none.
    """
    key = system.scene.key
    if not system.simulation.rules or scene_table(world.state, key) is None or key in waiting_in(world.state):
        return None
    from ..registry.installed import load_object

    rules: SceneEnd = load_object(system.absolute(system.simulation.rules))
    ending = rules.finish(world) if rules.result(world) else None
    if ending is None or why_not(world, ending.command, ending.args) is not None:
        return None
    return ending._replace(ends=True)


def next_moves(system: System, world: World, scene: Scene) -> list[tuple[str, Args]]:
    """Return the moves that `next` plays in a system's scene, in order; empty where the system has none.

    They are the scene's end, once it is decided; else the move that determines the order of turns; else those
    that end a turn and begin the next. The first one's refusal says what is missing.
    """
    if ending := ending_of(system, world):
        return [(ending.command, ending.args)]
    order, turn = scene.order, list(system.scene.next_turn)
    if system.scene.opening and not (order and order.round):
        moves = [system.scene.opening]
    else:
        moves = turn if order and order.active else turn[-1:]
    return [(move, find_move(move).args({})) for move in moves]


def listing_in_time(system: System) -> AbstractContextManager[None]:
    """Limit the listing of legal options to the time of a move."""
    return limit_time(f"{system.name} options")


def taken_as(world: World, change: TabletopChange) -> TakenChange:
    """Return the move or override that an edit at a tabletop means in the system of its scene.

    A system without a reader of its own takes it as an override of the scene's common keys.
    """
    system = scene_systems().get(change.scene)
    if system is not None and system.scene.takes:
        found: TakenChange = load_object(system.absolute(system.scene.takes))(world, change)
        return found
    key = {MOVED: "at", METER: change.meter}.get(change.kind, "")
    if not key or world.get(f"{change.scene}.people.{change.who}.{key}") is None:
        return TakenChange()
    return TakenChange(sets={f"{change.scene}.people.{change.who}.{key}": change.to})


def refusal(world: World, taken: TakenChange) -> Refused | None:
    """Return why the move of a change would be refused now; None where it is legal."""
    if not taken.command:
        return Refused("No move does this.")
    return why_not(world, taken.command, taken.args)
