"""Moves as play knows them: the procedure, the name that a decision of it waits by, and what it reads and
changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from ..registry import procedure_of, system_of_move
from ..registry.installed import load_object
from ..registry.system import Move, Scope, System
from ..rules.args import Args, plain
from ..rules.procedure import Procedure, World

Play = Callable[[World, Any], Procedure[dict[str, Any]]]
Given = Args | Mapping[str, Any]
"""Arguments as a program has them, or as the journal does."""

TABLE = "table"
"""The name by which a decision waits that is about everybody."""


class PlayedMove(NamedTuple):
    """A move by its name, with the system that plays it."""

    name: str
    system: System
    move: Move

    def procedure(self) -> Play:
        """The procedure, imported now; a scene's with all that its facts set off."""
        return procedure_of(self.system, self.move)

    def args(self, given: Given) -> Any:
        """Arguments as the procedure takes them, whether they come from a program or from the journal.

        Raises CampaignProblem for what can't be read.
        """
        kind = args_type(self.system.absolute(self.move.play))
        return kind.read(given) if kind and not isinstance(given, Args) else given

    def start(self, world: World, given: Given) -> Procedure[dict[str, Any]]:
        """The procedure under way with these arguments."""
        return self.procedure()(world, self.args(given))

    def waits_as(self, given: Given) -> str:
        """The name by which a decision of it waits, fit for a path."""
        scope, args = self.move.scope, plain(given)
        if scope is Scope.SCENE:
            return self.system.scene
        if scope is Scope.TABLE:
            return TABLE
        if scope is Scope.PATH:
            return _at_path(str(args["path"]))
        return _of_person(str(args.get("who") or "somebody"))

    def reads(self, given: Given, world: World) -> set[str]:
        """What of the state it looks at, in the words of `waits_as`: its scene, and the sheets of those in
        it."""
        people = people_in(world, self.system) if self.move.scope is Scope.SCENE else _named(self.args(given))
        return {self.waits_as(given), *map(_of_person, people)}

    def changes(self, given: Given, world: World) -> set[str]:
        """What of the state it may change. While a decision is pending, nothing may change what its move has
        read, so that it plays on from just what it met."""
        if self.move.scope is Scope.SCENE and not self.move.sheets:
            return {self.waits_as(given)}
        return self.reads(given, world)


def find_move(name: str) -> PlayedMove:
    """The move of a name. Raises CampaignProblem for one that this strike doesn't know."""
    system = system_of_move(name)
    return PlayedMove(name, system, system.moves[name])


def people_in(world: World, system: System) -> set[str]:
    """The characters that a system's scene under way is about; everybody where there is none."""
    from ..registry.scenes import scene_of

    everybody = set(world.book.characters)
    table = world.state.get(system.scene)
    there = {one.ref for one in scene_of(system, system.scene, table, {}).people.values()} if table else set()
    return everybody & there or everybody


def _of_person(who: str) -> str:
    return f"roll {who}".replace(".", "-")


def _at_path(path: str) -> str:
    table, _, rest = path.partition(".")
    return _of_person(rest.partition(".")[0]) if table == "characters" and rest else table


def _named(args: Given) -> set[str]:
    if isinstance(args, Args):
        return {who for who in args.people() if who}
    sides = [args.get("ours") or {}, args.get("theirs") or {}]
    named = [args.get("who"), args.get("linked_for"), *(side.get("who") for side in sides)]
    named += [helper["name"] for helper in args.get("helpers", ()) if isinstance(helper, Mapping)]
    named += args.get("members", ())
    return {who for who in named if isinstance(who, str) and who}


@cache
def args_type(play: str) -> type[Args] | None:
    """The type of a procedure's arguments, as its annotation says."""
    procedure = load_object(play)
    kind = procedure.__annotations__.get("args")
    kind = procedure.__globals__.get(kind) if isinstance(kind, str) else kind
    return kind if isinstance(kind, type) and issubclass(kind, Args) else None
