"""The moves of systems, ready to play, and the parts of the state that each reads and changes.

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

from ..immutable_records import Value
from ..kernel.procedure import Args, Data, Happen, Procedure, World, as_driven
from ..kernel.state_changes import MADE_UP, State, scene_table
from ..problems import PluginProblem
from ..registry import (
    contain_failures,
    fact_class,
    known_systems,
    load_known_system,
    load_usable_systems,
    plugin_index_of,
    shared_instance_of_class_or_base,
)
from ..registry.fact_follower import EventResponses, Play, event_responses_of
from ..registry.installed_plugins import KnownMove, PluginIndex, import_object, known_move, plugin_index
from ..tabletop.characters_and_names import character_changes_in

if TYPE_CHECKING:
    from types import FunctionType

    from ..registry.system_declaration import System


ALL = "all"
"""The part of the state on which every command depends: the session, and undivided tables."""

Touches = Callable[[State, State], Iterable[str]]


def state_part_key_of_sheet(person: str) -> str:
    """Return the key that stands for a character's sheet among the parts of the state, such as "roll vex".

    A decision that is only about this character is stored under the same key.
    """
    return f"roll {person}".replace(".", "-")


def changed_parts_of_state(
    before: State, after: State, systems_in_use: PluginIndex | None = None
) -> set[str]:
    """Return the parts of the state that differ between two states, such as scenes and sheets.

    `systems_in_use` is the index of systems in use in the campaign.
    """
    changed = {key for key in {**before, **after} if before.get(key) != after.get(key)} - {"pending"}
    if not changed:
        return set()
    scenes, tables, unread = plugin_index().scenes, set[str](), set[str]()
    found = changed & scenes.keys()
    for each in load_usable_systems(systems_in_use):
        unread.update(each.sheets.unread)
        if each.touches:
            tables.update(each.state)
            touches: Touches = import_object(each.absolute(each.touches))
            found.update(touches(before, after))
    if changed - scenes.keys() - tables - {"characters", "parked", MADE_UP}:
        found.add(ALL)
    was, now = character_changes_in(before), character_changes_in(after)
    for person in {**was, **now}:
        old, new = was.get(person, {}), now.get(person, {})
        if old is not new and any(old.get(key) != new.get(key) for key in {**old, **new}.keys() - unread):
            found.add(state_part_key_of_sheet(person))
    return found


MAX_REQUESTS = 20_000
"""How many rolls, decisions and facts a move may have."""
MOST_SECONDS = 10.0
"""How many seconds of the processor a move may take, or listing all options.

Waiting for people takes none.
"""

_timed: list[str] = []
"""The names of what is being timed, the outermost first.

The timer belongs to the outermost, and errors name the innermost.
"""


class _MainThreadTimer:
    """The timer of the main thread: its limit in seconds, and whether its signal has a handler."""

    seconds = 0.0
    is_handled = False


class _ThreadTimeLimit(threading.local):
    """The time limit of a thread that has no timer.

    `names` are the names of the timed blocks that the thread is in, the outermost first. `until` is the
    thread time at which the limit is reached.
    """

    names: tuple[str, ...] = ()
    until = 0.0
    seconds = 0.0


_watched = _ThreadTimeLimit()


def endless_move_problem(name: str, procedure: Generator[object, object, object]) -> PluginProblem:
    """Return the error for a move that has rolled, asked and reported too many times to ever end."""
    return _endless_problem(
        name, f"it rolled, asked or reported {MAX_REQUESTS:,} times", _frame_of(procedure)
    )


def _frame_of(procedure: Generator[object, object, object]) -> FrameType | None:
    """Return the frame in which a procedure is suspended.

    If the procedure has handed over to another generator (`yield from`), it is the innermost generator's
    frame.
    """
    innermost: object = procedure
    while isinstance(inner := getattr(innermost, "gi_yieldfrom", None), Generator):
        innermost = inner
    return getattr(innermost, "gi_frame", None) or getattr(procedure, "gi_frame", None)


@contextmanager
def limit_processor_time(name: str, seconds: float | None = None) -> Iterator[None]:
    """Raise PluginProblem once the block has used `seconds` of processor time.

    The default is MOST_SECONDS. A block within another one shares the limit of the outermost. On the main
    thread, if the operating system has such timers, the error is raised in the middle of whatever the block
    does. On other threads and on Windows only `check_time_left` raises it, which is called at every roll,
    decision and fact; a loop without any of these isn't stopped there.
    """
    seconds = MOST_SECONDS if seconds is None else seconds
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        with _limit_time_of_thread_at_checks(name, seconds):
            yield
        return
    if not _timed:
        _MainThreadTimer.seconds = seconds
        if not _MainThreadTimer.is_handled:
            signal.signal(signal.SIGVTALRM, _raise_time_up)
            _MainThreadTimer.is_handled = True
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    _timed.append(name)
    try:
        yield
    finally:
        _timed.pop()
        if not _timed:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@contextmanager
def _limit_time_of_thread_at_checks(name: str, seconds: float) -> Iterator[None]:
    before = _watched.names
    if not before:
        _watched.until, _watched.seconds = thread_time() + seconds, seconds
    else:
        check_time_left()
    _watched.names = (*before, name)
    try:
        yield
    finally:
        _watched.names = before


def check_time_left(procedure: Generator[object, object, object] | None = None) -> None:
    """Raise PluginProblem if the current `limit_processor_time` block on this thread has used up its time.

    It does nothing on a thread with a timer, which raises the error by itself. `procedure` is the move being
    played, to name the place in the plugin's code.
    """
    if _watched.names and thread_time() > _watched.until:
        how = f"it used the processor for {_watched.seconds:g} seconds"
        raise _endless_problem(_watched.names[-1], how, _frame_of(procedure) if procedure else None)


def _raise_time_up(number: int, frame: FrameType | None) -> None:
    if _timed:
        raise _endless_problem(
            _timed[-1], f"it used the processor for {_MainThreadTimer.seconds:g} seconds", frame
        )


def _endless_problem(name: str, reason: str, frame: FrameType | None) -> PluginProblem:
    from ..registry.plugin_failures import plugin_line_on_stack

    place = plugin_line_on_stack(frame)
    return PluginProblem(
        f"`{name}` did not end{f' in {place}' if place else ''}: {reason}.",
        "Nothing was recorded. Its rule has a fault; please tell its author.",
    )


Given = Args | Mapping[str, object]
"""The arguments of a move, as a program or a journal gives them."""

TABLE = "table"
"""The name under which a decision waits that concerns everybody."""
NOBODY = "bare dice"
"""The name for moves whose decisions never have to wait."""


class PlayableMove(Value):
    """A move that can be played.

    The module of the move's procedure is imported when the procedure is first loaded.

    Attributes:
        name: The name of the move.
        owner: The name of its system.
        scene: The key of its scene in the state.
        move: The entry of the move in the plugin index.
    """

    name: str
    owner: str
    scene: str
    move: KnownMove

    @property
    def system(self) -> System:
        """The system of the move, imported when it is first needed."""
        return load_known_system(self.owner)

    def load_procedure_with_responses(self) -> Play:
        """Return the move's procedure, which is imported at the first call.

        If the move is `watched`, its system may have responses to the facts of the move (`EventResponses`).
        The returned procedure then plays the responses, too.
        """
        loaded = plugin_index().loaded
        play: Play | None = loaded.get(f"play {self.name}")  # type: ignore[assignment]  # which it is
        if play is None:
            if self.move.by_hand:
                of_system: Callable[[System, World, Args], Procedure[Data]] = import_object(self.move.play)
                play = partial(of_system, self.system)
            else:
                play = import_object(self.move.play)
            if self.move.watched:
                play = shared_instance_of_class_or_base(
                    known_systems()[self.owner].follows, EventResponses
                ).middleware(play)
            loaded[f"play {self.name}"] = play
        return play

    def read_args(self, given: Given) -> Args:
        """Return the arguments in the type that the procedure takes.

        Raises CampaignProblem if they don't fit it.
        """
        if isinstance(given, Args):
            return given
        return args_type(self.move.play).read(given)

    @property
    def argument_names(self) -> Collection[str]:
        """The names of the move's arguments, as journals have them."""
        return _field_names(self.move.play)

    def start(self, world: World, given: Given) -> Procedure[Data]:
        """Return the move's procedure, begun with these arguments."""
        return self.load_procedure_with_responses()(world, self.read_args(given))

    def play_with_consequences(self, world: World, given: Given) -> Procedure[Data]:
        """Play the move, then the responses of the systems to it, and return the data of both.

        Commands use this method. Odds are computed from the move alone.

        Before the move, creatures that are made up for it are added. After each fact of the move, the squares
        that the party sees are recorded. Raises PluginProblem for a move that never ends.
        """
        scene = False
        args = self.read_args(given)
        if args.made_up:
            from ..tabletop.new_creatures_and_made_up_content import add_and_prune_made_up_content

            yield from add_and_prune_made_up_content(world, args.made_up)
        procedure = as_driven(self.start(world, args))
        answer: object = None
        asks = 0
        while True:
            asks += 1
            if asks > MAX_REQUESTS:
                raise endless_move_problem(self.name, procedure)
            check_time_left(procedure)
            try:
                asked = procedure.send(answer)
            except StopIteration as end:
                data: Data = end.value
                break
            before = world.state
            answer = yield asked
            if type(asked) is Happen:
                scene = scene or fact_class(asked.fact.kind).closes_scene
                yield from _record_seen_squares(world, before)
                answer = world.state
        for what in filter(None, (self.move.passes, "scene" if scene else "")):
            for each in load_usable_systems(plugin_index_of(world)):
                with contain_failures(each.name):
                    if (follows := event_responses_of(each).respond_to_event(world, what)) is not None:
                        data = {**data, **(yield from follows)}
        if self.owner in plugin_index_of(world).state_versions_above_first:
            from ..campaign.state_versions import record_state_version_if_missing

            yield from record_state_version_if_missing(self.owner, world)
        return data

    def pending_decision_key(self, given: Given) -> str:
        """Return the key under which the state stores an open decision of this move.

        It is usually the key of a scene or of a sheet. If the decision concerns the whole table, the key is
        TABLE. If a decision of this move is never stored, the key is NOBODY.
        """
        scope = self.move.scope
        if scope == "scene":
            return self.scene
        if scope == "table":
            return TABLE
        args = self.read_args(given)
        if scope == "path":
            table, _, rest = str(getattr(args, "path", "")).partition(".")
            if table == "characters" and rest:
                return state_part_key_of_sheet(rest.partition(".")[0])
            return table if table in plugin_index().scenes else TABLE
        # Somebody without a sheet has no stored state, so no decision about them is ever open.
        if scope == "nothing" or getattr(args, "known", None) is False:
            return NOBODY
        return state_part_key_of_sheet(str(getattr(args, "who", "") or "somebody"))

    def state_parts_read(self, given: Given, world: World) -> set[str]:
        """Return the keys of the parts of the state that the move reads.

        These parts are the move's scene, the sheets of people, and anything else that the move's arguments
        depend on.
        """
        args = self.read_args(given)
        of_all = self.move.scope == "scene" and not self.move.named
        people = {*filter(None, args.people())}
        if of_all:  # named characters may be outside of the scene
            people = characters_in_scene_or_all(world, self.system) | (people & world.book.characters.keys())
        return {self.pending_decision_key(given), *map(state_part_key_of_sheet, people), *args.rests_on()}

    def parts_it_may_change(self, given: Given, world: World) -> set[str]:
        """Return the keys of the parts of the state that the move may change.

        If the move belongs to a scene and changes no sheets, the only part is this scene. Otherwise, the
        parts are all those that the move reads.
        """
        if self.move.scope == "scene" and not self.move.sheets:
            return {self.pending_decision_key(given)}
        return self.state_parts_read(given, world)


def _record_seen_squares(world: World, before: State) -> Procedure[None]:
    """Record what the party sees after a change, in each changed scene whose map has fog."""
    for key, owner in plugin_index().scenes.items():
        if world.state.get(key) is before.get(key):
            continue
        table, was = scene_table(world.state, key), scene_table(before, key)
        # An override may have set it to anything.
        if isinstance(table, dict) and "seen" in table:
            of_scene = load_known_system(owner)
            seen = event_responses_of(of_scene).update_fog(world, was)
            if seen is None and of_scene.scene.people:
                from ..tabletop.party_sight import record_squares_first_seen_in_fog

                seen = record_squares_first_seen_in_fog(world, key, of_scene.scene.people, was)
            if seen is not None:
                yield from seen


def find_move(name: str) -> PlayableMove:
    """Return the move with this name. Raises CampaignProblem if there is none."""
    loaded = plugin_index().loaded
    move: PlayableMove | None = loaded.get(f"move {name}")  # type: ignore[assignment]  # which it is
    if move is None:
        known = known_move(name)
        scene = known_systems()[known.system].scene
        move = loaded[f"move {name}"] = PlayableMove(name, known.system, scene, known)
    return move


def characters_in_scene_or_all(world: World, system: System) -> set[str]:
    """Return the ids of the characters in a system's scene; all characters if no scene is under way."""
    from ..registry.scenes_and_decisions_in_state import scene_or_bare_scene_from_table

    everybody = set(world.book.characters)
    table = scene_table(world.state, system.scene.key)
    if table is None:
        return everybody
    return everybody & {one.ref for one in scene_or_bare_scene_from_table(system, table, {}).people.values()}


@cache
def args_type(reference: str) -> type[Args]:
    """Return the class of a procedure's arguments; `reference` names it as "module:function".

    Raises PluginProblem if its annotation names no such class.
    """
    procedure: FunctionType = import_object(reference)
    kind = procedure.__annotations__.get("args")
    kind = procedure.__globals__.get(kind) if isinstance(kind, str) else kind
    if not (isinstance(kind, type) and issubclass(kind, Args)):
        raise PluginProblem(f"{reference} doesn't say the type of its arguments.", "`strike plugin doctor`.")
    return kind


@cache
def _field_names(reference: str) -> frozenset[str]:
    return frozenset(name.rstrip("_") for name in args_type(reference).FIELDS)
