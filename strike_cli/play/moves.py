"""Moves as play knows them: the procedure, the name that a decision of it waits by, and what it reads and
changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..registry import procedure_of, system_of_move
from ..registry.system import Move, Scope, System
from ..rules.procedure import Procedure, World

Play = Callable[[World, Mapping[str, Any]], Procedure[dict[str, Any]]]

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

    def waits_as(self, args: Mapping[str, Any]) -> str:
        """The name by which a decision of it waits, fit for a path."""
        scope = self.move.scope
        if scope is Scope.SCENE:
            return self.system.scene
        if scope is Scope.TABLE:
            return TABLE
        if scope is Scope.PATH:
            return _at_path(str(args["path"]))
        return _of_person(str(args.get("who") or "somebody"))

    def reads(self, args: Mapping[str, Any], world: World) -> set[str]:
        """What of the state it looks at, in the words of `waits_as`: its scene, and the sheets of those in
        it."""
        people = people_in(world, self.system) if self.move.scope is Scope.SCENE else _named(args)
        return {self.waits_as(args), *map(_of_person, people)}

    def changes(self, args: Mapping[str, Any], world: World) -> set[str]:
        """What of the state it may change. While a decision is pending, nothing may change what its move has
        read, so that it plays on from just what it met."""
        if self.move.scope is Scope.SCENE and not self.move.sheets:
            return {self.waits_as(args)}
        return self.reads(args, world)


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


def _named(args: Mapping[str, Any]) -> set[str]:
    sides = [args.get("ours") or {}, args.get("theirs") or {}]
    named = [args.get("who"), args.get("linked_for"), *(side.get("who") for side in sides)]
    named += [helper["name"] for helper in args.get("helpers", ()) if isinstance(helper, Mapping)]
    named += args.get("members", ())
    return {who for who in named if isinstance(who, str) and who}
