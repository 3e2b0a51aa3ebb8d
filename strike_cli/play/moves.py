"""Moves as play knows them: the procedure, the name that a decision of it waits by, and what it reads and
changes."""

# Annotations are left as they are: kept as text, a NamedTuple would compile each of them at every start.

from collections.abc import Collection, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING

from ..kernel.args import Args, plain
from ..kernel.facts import State
from ..kernel.procedure import Data, Happen, Procedure, World, driven
from ..problems import PluginProblem
from ..registry import fact_class, known_systems, made, owner_of, scene_systems, system, systems
from ..registry.follower import Follower, Play, follower_of
from ..registry.installed import KnownMove, index, load_object
from ..values import Value
from .limits import MOST_ASKED, must_end, too_many
from .touched import sheet_of

if TYPE_CHECKING:
    from ..registry.declaration import System

Given = Args | Mapping[str, object]
"""Arguments as a program has them, or as the journal does."""

TABLE = "table"
"""The name by which a decision waits that is about everybody."""
NOBODY = "bare dice"
"""The name by which nothing ever waits."""


class PlayedMove(Value):
    """A move by its name, with the system that plays it, its `owner`, and the table of the state that holds
    that one's `scene`. To play it no more than its procedure is imported."""

    __slots__ = ("move", "name", "owner", "scene")

    def __init__(self, name: str, owner: str, scene: str, move: KnownMove) -> None:
        self.name = name
        self.owner = owner
        self.scene = scene
        self.move = move

    @property
    def system(self) -> "System":
        """Its system, imported now."""
        return system(self.owner)

    def procedure(self) -> Play:
        """The procedure, imported now; a scene's with all that its facts set off."""
        loaded = index().loaded
        play: Play | None = loaded.get(f"play {self.name}")
        if play is None:
            play = loaded[f"play {self.name}"] = self._procedure()
        return play

    def _procedure(self) -> Play:
        procedure = load_object(self.move.play)
        play: Play = partial(procedure, self.system) if self.move.by_hand else procedure
        follows = known_systems()[self.owner].follows
        return made(follows, Follower).middleware(play) if self.move.watched else play

    def args(self, given: Given) -> Args:
        """Arguments as the procedure takes them, whether they come from a program or from the journal.

        Raises CampaignProblem for what can't be read.
        """
        if isinstance(given, Args):
            return given
        return args_type(self.move.play).read(given)

    @property
    def fields(self) -> Collection[str]:
        """The names of its arguments, as the journal has them."""
        return [name.rstrip("_") for name in args_type(self.move.play).FIELDS]

    def start(self, world: World, given: Given) -> Procedure[Data]:
        """The procedure under way with these arguments."""
        return self.procedure()(world, self.args(given))

    def with_what_follows(self, world: World, given: Given) -> Procedure[Data]:
        """The same, and what goes on when something has passed with it: play's form, where odds look at a
        move alone."""
        scene = False
        procedure = driven(self.start(world, given))
        answer: object = None
        asks = 0
        while True:
            asks += 1
            if asks > MOST_ASKED:
                raise too_many(self.name, procedure)
            must_end(procedure)
            try:
                asked = procedure.send(answer)
            except StopIteration as end:
                data: Data = end.value
                break
            before = world.state
            answer = yield asked
            if type(asked) is Happen:
                scene = scene or fact_class(asked.fact.kind).closes_scene
                yield from _look(world, before)
                answer = world.state
        for what in filter(None, (self.move.passes, "scene" if scene else "")):
            for each in systems():
                if (follows := follower_of(each).passed(world, what)) is not None:
                    data = {**data, **(yield from follows)}
        return data

    def waits_as(self, given: Given) -> str:
        """The name by which a decision of it waits, fit for a path."""
        scope, args = self.move.scope, plain(given)
        if scope == "scene":
            return self.scene
        if scope == "table":
            return TABLE
        if scope == "path":
            return _at_path(str(args["path"]))
        # Of somebody who has no sheet nothing can change: no decision about them is ever open.
        if scope == "nothing" or args.get("known") is False:
            return NOBODY
        return sheet_of(str(args.get("who") or "somebody"))

    def reads(self, given: Given, world: World) -> set[str]:
        """What of the state it looks at: its scene, the sheet of each person in it, and what else its
        arguments say that it rests on."""
        args = self.args(given)
        of_all = self.move.scope == "scene" and not self.move.named
        people = people_in(world, self.system) if of_all else filter(None, args.people())
        return {self.waits_as(given), *map(sheet_of, people), *args.rests_on()}

    def may_change(self, given: Given, world: World) -> set[str]:
        """What of that it may change."""
        if self.move.scope == "scene" and not self.move.sheets:
            return {self.waits_as(given)}
        return self.reads(given, world)


def _look(world: World, before: State) -> Procedure[None]:
    """Where there is fog on a scene's map: what the party sees by what has changed."""
    for key in index().scenes:
        table = world.state.get(key)
        # A game master's hand may set it to anything.
        if table is not before.get(key) and isinstance(table, dict) and "seen" in table:
            system = scene_systems()[key]
            seen = follower_of(system).update_fog(world, before.get(key))
            if seen is None and system.scene.people:
                from ..tabletop.party_sight import look

                seen = look(world, key, system.scene.people, before.get(key))
            if seen is not None:
                yield from seen


def find_move(name: str) -> PlayedMove:
    """The move of a name. Raises CampaignProblem for one that this strike doesn't know."""
    loaded = index().loaded
    move: PlayedMove | None = loaded.get(f"move {name}")
    if move is None:
        owner = owner_of(name)
        known = known_systems()[owner]
        move = loaded[f"move {name}"] = PlayedMove(name, owner, known.scene, KnownMove(*known.moves[name]))
    return move


def people_in(world: World, system: "System") -> set[str]:
    """The characters that a system's scene under way is about; everybody where there is none."""
    from ..registry.scenes import scene_of

    everybody = set(world.book.characters)
    table = world.state.get(system.scene.key)
    if table is None:
        return everybody
    return everybody & {one.ref for one in scene_of(system, system.scene.key, table, {}).people.values()}


def _at_path(path: str) -> str:
    table, _, rest = path.partition(".")
    if table == "characters" and rest:
        return sheet_of(rest.partition(".")[0])
    return table if table in index().scenes else TABLE


@cache
def args_type(play: str) -> type[Args]:
    """The type of a procedure's arguments. Raises PluginProblem where its annotation says none."""
    procedure = load_object(play)
    kind = procedure.__annotations__.get("args")
    kind = procedure.__globals__.get(kind) if isinstance(kind, str) else kind
    if not (isinstance(kind, type) and issubclass(kind, Args)):
        raise PluginProblem(f"{play} doesn't say of which type its arguments are.", "`strike plugin doctor`.")
    return kind
