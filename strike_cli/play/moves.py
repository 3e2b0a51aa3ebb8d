"""A system's moves as they are played, and which parts of the state each reads and changes.

There is also a time limit, since a move that never ends must not stop the game. Begin with `find_move`.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from time import thread_time
from types import FrameType
from typing import TYPE_CHECKING

from ..kernel.facts import MADE_UP, State, scene_table
from ..kernel.procedure import Args, Data, Happen, Procedure, World, as_driven
from ..problems import PluginProblem
from ..registry import (
    contained,
    fact_class,
    installed_systems,
    known_systems,
    load_system,
    make_object,
    registry_of,
)
from ..registry.fact_follower import Follower, Play, follower_of
from ..registry.installed import Index, KnownMove, index, known_move, load_object
from ..tabletop.people import characters_in
from ..values import Value

if TYPE_CHECKING:
    from types import FunctionType

    from ..registry.declaration import System


ALL = "all"
"""The part of the state on which every command depends: the session, and tables that say no more."""

Touches = Callable[[State, State], Iterable[str]]


def sheet_of(person: str) -> str:
    """Return the part of the state that is somebody's sheet; it is also the name under which they decide."""
    return f"roll {person}".replace(".", "-")


def changed_dependencies(before: State, after: State, of: Index | None = None) -> set[str]:
    """Return which parts of the state differ between two states.

    `of` says which systems are in use in the campaign.
    """
    changed = {key for key in {**before, **after} if before.get(key) != after.get(key)} - {"pending"}
    if not changed:
        return set()
    scenes, tables, unread = index().scenes, set[str](), set[str]()
    found = changed & scenes.keys()
    for each in installed_systems(of):
        unread.update(each.sheets.unread)
        if each.touches:
            tables.update(each.state)
            touches: Touches = load_object(each.absolute(each.touches))
            found.update(touches(before, after))
    if changed - scenes.keys() - tables - {"characters", "parked", MADE_UP}:
        found.add(ALL)
    was, now = characters_in(before), characters_in(after)
    for person in {**was, **now}:
        old, new = was.get(person, {}), now.get(person, {})
        if old is not new and any(old.get(key) != new.get(key) for key in {**old, **new}.keys() - unread):
            found.add(sheet_of(person))
    return found


MOST_ASKED = 20_000
"""How many rolls, decisions and facts a move may have."""
MOST_SECONDS = 10.0
"""How many seconds of the processor a move may take, or listing all options.

Waiting for people takes none.
"""

_timed: list[str] = []
"""The names of what is being timed, the outermost first.

The timer belongs to the outermost, and errors name the innermost.
"""


class _Timer:
    """The timer of the main thread: the time for a move, and whether its signal is handled."""

    seconds = 0.0
    is_handled = False


class _WatchedThread(threading.local):
    """What is being timed on a thread that has no timer, the outermost first, and when time is up."""

    names: tuple[str, ...] = ()
    until = 0.0
    seconds = 0.0


_watched = _WatchedThread()


def endless_move_problem(name: str, procedure: Generator[object, object, object]) -> PluginProblem:
    """Return the error for a move that rolls, asks or reports without end."""
    return _endless_problem(name, f"it rolled, asked or reported {MOST_ASKED:,} times", _frame_of(procedure))


def _frame_of(procedure: Generator[object, object, object]) -> FrameType | None:
    """Return where a procedure is, in the innermost generator that it has delegated to."""
    innermost: object = procedure
    while isinstance(inner := getattr(innermost, "gi_yieldfrom", None), Generator):
        innermost = inner
    return getattr(innermost, "gi_frame", None) or getattr(procedure, "gi_frame", None)


@contextmanager
def limit_time(name: str, seconds: float | None = None) -> Iterator[None]:
    """Raise PluginProblem once the block has used `seconds` of processor time, by default MOST_SECONDS.

    Blocks inside share the limit of the outermost one. On the main thread, if the operating system has such
    timers, the error is raised wherever the block is. On other threads and on Windows it is raised only in
    `must_end`, which is called at every roll, decision and fact; a loop without any of these is not stopped
    there.
    """
    seconds = MOST_SECONDS if seconds is None else seconds
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        with _watch(name, seconds):
            yield
        return
    if not _timed:
        _Timer.seconds = seconds
        if not _Timer.is_handled:
            signal.signal(signal.SIGVTALRM, _stop)
            _Timer.is_handled = True
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    _timed.append(name)
    try:
        yield
    finally:
        _timed.pop()
        if not _timed:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@contextmanager
def _watch(name: str, seconds: float) -> Iterator[None]:
    before = _watched.names
    if not before:
        _watched.until, _watched.seconds = thread_time() + seconds, seconds
    else:
        must_end()
    _watched.names = (*before, name)
    try:
        yield
    finally:
        _watched.names = before


def must_end(procedure: Generator[object, object, object] | None = None) -> None:
    """Raise PluginProblem if this thread, which has no timer, has used up the time of its block."""
    if _watched.names and thread_time() > _watched.until:
        how = f"it used the processor for {_watched.seconds:g} seconds"
        raise _endless_problem(_watched.names[-1], how, _frame_of(procedure) if procedure else None)


def _stop(number: int, frame: FrameType | None) -> None:
    if _timed:
        raise _endless_problem(_timed[-1], f"it used the processor for {_Timer.seconds:g} seconds", frame)


def _endless_problem(name: str, how: str, frame: FrameType | None) -> PluginProblem:
    from ..registry.code_origin import place_of_plugin

    place = place_of_plugin(frame)
    return PluginProblem(
        f"`{name}` did not end{f' in {place}' if place else ''}: {how}.",
        "Nothing was recorded. Its rule has a fault; please tell its author.",
    )


Given = Args | Mapping[str, object]
"""The arguments of a move, as a program or a journal gives them."""

TABLE = "table"
"""The name under which a decision waits that concerns everybody."""
NOBODY = "bare dice"
"""The name for moves whose decisions never have to wait."""


class PlayedMove(Value):
    """A move: its name, the system that plays it (`owner`), and the state's table for its `scene`.

    To play it, only its procedure is imported.
    """

    name: str
    owner: str
    scene: str
    move: KnownMove

    @property
    def system(self) -> System:
        """The system of the move, which is imported when it is first needed."""
        return load_system(self.owner)

    def procedure(self) -> Play:
        """Return the procedure, which is imported now; in a scene, with everything that its facts trigger."""
        loaded = index().loaded
        play: Play | None = loaded.get(f"play {self.name}")  # type: ignore[assignment]  # which it is
        if play is None:
            if self.move.by_hand:
                of_system: Callable[[System, World, Args], Procedure[Data]] = load_object(self.move.play)
                play = partial(of_system, self.system)
            else:
                play = load_object(self.move.play)
            if self.move.watched:
                play = make_object(known_systems()[self.owner].follows, Follower).middleware(play)
            loaded[f"play {self.name}"] = play
        return play

    def args(self, given: Given) -> Args:
        """Return the arguments in the type that the procedure takes.

        Raises CampaignProblem if they can't be read.
        """
        if isinstance(given, Args):
            return given
        return args_type(self.move.play).read(given)

    @property
    def fields(self) -> Collection[str]:
        """The names of its arguments, as journals have them."""
        return _fields_of(self.move.play)

    def start(self, world: World, given: Given) -> Procedure[Data]:
        """Begin the procedure with these arguments."""
        return self.procedure()(world, self.args(given))

    def with_what_follows(self, world: World, given: Given) -> Procedure[Data]:
        """Begin the procedure, and play after it what other systems do because of it.

        Commands are played like this; odds look at the move alone.
        """
        scene = False
        args = self.args(given)
        if args.made_up:
            from ..tabletop.reinforcements import add_made_up

            yield from add_made_up(world, args.made_up)
        procedure = as_driven(self.start(world, args))
        answer: object = None
        asks = 0
        while True:
            asks += 1
            if asks > MOST_ASKED:
                raise endless_move_problem(self.name, procedure)
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
                yield from _record_sight(world, before)
                answer = world.state
        for what in filter(None, (self.move.passes, "scene" if scene else "")):
            for each in installed_systems(registry_of(world)):
                with contained(each.name):
                    if (follows := follower_of(each).passed(world, what)) is not None:
                        data = {**data, **(yield from follows)}
        if self.owner in registry_of(world).state_versions:
            from ..campaign.state_versions import version_noted

            yield from version_noted(self.owner, world)
        return data

    def waits_as(self, given: Given) -> str:
        """Return the name under which a decision of this move waits; it can be part of a path."""
        scope = self.move.scope
        if scope == "scene":
            return self.scene
        if scope == "table":
            return TABLE
        args = self.args(given)
        if scope == "path":
            table, _, rest = str(getattr(args, "path", "")).partition(".")
            if table == "characters" and rest:
                return sheet_of(rest.partition(".")[0])
            return table if table in index().scenes else TABLE
        # Somebody without a sheet has no stored state, so no decision about them is ever open.
        if scope == "nothing" or getattr(args, "known", None) is False:
            return NOBODY
        return sheet_of(str(getattr(args, "who", "") or "somebody"))

    def reads(self, given: Given, world: World) -> set[str]:
        """Return the parts of the state that the move reads.

        They are its scene, the sheets of people, and what its arguments depend on.
        """
        args = self.args(given)
        of_all = self.move.scope == "scene" and not self.move.named
        people = {*filter(None, args.people())}
        if of_all:  # named characters may be outside of the scene
            people = people_in(world, self.system) | (people & world.book.characters.keys())
        return {self.waits_as(given), *map(sheet_of, people), *args.rests_on()}

    def may_change(self, given: Given, world: World) -> set[str]:
        """Return the parts of the state that the move may change; it reads all of these."""
        if self.move.scope == "scene" and not self.move.sheets:
            return {self.waits_as(given)}
        return self.reads(given, world)


def _record_sight(world: World, before: State) -> Procedure[None]:
    """Record what the party sees after a change, if the map of a scene has fog."""
    for key, owner in index().scenes.items():
        if world.state.get(key) is before.get(key):
            continue
        table, was = scene_table(world.state, key), scene_table(before, key)
        # An override may have set it to anything.
        if isinstance(table, dict) and "seen" in table:
            of_scene = load_system(owner)
            seen = follower_of(of_scene).update_fog(world, was)
            if seen is None and of_scene.scene.people:
                from ..tabletop.sight_preselection import record_seen_squares

                seen = record_seen_squares(world, key, of_scene.scene.people, was)
            if seen is not None:
                yield from seen


def find_move(name: str) -> PlayedMove:
    """Return the move with this name. Raises CampaignProblem if there is none."""
    loaded = index().loaded
    move: PlayedMove | None = loaded.get(f"move {name}")  # type: ignore[assignment]  # which it is
    if move is None:
        known = known_move(name)
        scene = known_systems()[known.system].scene
        move = loaded[f"move {name}"] = PlayedMove(name, known.system, scene, known)
    return move


def people_in(world: World, system: System) -> set[str]:
    """Return the characters in a system's scene; all characters if no scene is under way."""
    from ..registry.scenes import scene_of

    everybody = set(world.book.characters)
    table = scene_table(world.state, system.scene.key)
    if table is None:
        return everybody
    return everybody & {one.ref for one in scene_of(system, table, {}).people.values()}


@cache
def args_type(play: str) -> type[Args]:
    """Return the type of a procedure's arguments. Raises PluginProblem if no annotation names one."""
    procedure: FunctionType = load_object(play)
    kind = procedure.__annotations__.get("args")
    kind = procedure.__globals__.get(kind) if isinstance(kind, str) else kind
    if not (isinstance(kind, type) and issubclass(kind, Args)):
        raise PluginProblem(f"{play} doesn't say the type of its arguments.", "`strike plugin doctor`.")
    return kind


@cache
def _fields_of(play: str) -> frozenset[str]:
    return frozenset(name.rstrip("_") for name in args_type(play).FIELDS)
