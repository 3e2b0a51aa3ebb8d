"""Sessions and overrides: the start and end of a session, and values set by hand.

Each system declares its own changes at the start and end of a session (`EventResponses`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.kernel.state_changes import open_or_last_session_in
from strike_cli.problems import Refused
from strike_cli.registry import contain_failures, load_usable_systems, plugin_index_of
from strike_cli.registry.fact_follower import event_responses_of
from strike_cli.registry.scenes_and_decisions_in_state import scenes_of

from .facts import Overridden, SceneUsed, SessionEnded, SessionStarted

if TYPE_CHECKING:
    from .data import OverrideData, SessionEndData, SessionStartData, SystemUseData


class StartSession(Args):
    """The arguments of `session start`: the date in words (`at`), and a title."""

    at: str = ""
    title: str = ""


class UseSystem(Args):
    """The arguments of `scene use`: the system whose scene takes precedence."""

    system: str


class Override(Args):
    """The arguments of `override`: the dotted path, the reason, and the new value; None removes the value."""

    RETIRED = ("scene",)

    path: str
    why: str
    value: object = None


def play_start(world: World, args: StartSession) -> Procedure[SessionStartData]:
    """Play `session start`: begin a new session.

    Values that characters keep only for one session are removed. Then each system plays what it does at the
    start of a session. Raises Refused if the last session is still open.
    """
    if world.get("session.open"):
        number = open_or_last_session_in(world.state)["number"]
        raise Refused(f"Session {number} is still open.", "`strike session end` closes it.")
    number = world.get("session.number", 0) + 1
    session = {"number": number, "open": True, "started": args.at, "title": args.title}
    forgotten = [key for each in load_usable_systems(plugin_index_of(world)) for key in each.sheets.forgotten]
    past = {f"characters.{person}.{key}": None for person in world.book.characters for key in forgotten}
    yield world.tell(SessionStarted(number, args.title), {"session": session, **past})
    data: SessionStartData = {"number": number, "title": args.title}
    for system in load_usable_systems(plugin_index_of(world)):
        with contain_failures(system.name):
            if (begins := event_responses_of(system).session_started(world)) is not None:
                data = cast("SessionStartData", {**data, **(yield from begins)})
    return data


def play_end(world: World, args: Args) -> Procedure[SessionEndData]:
    """Play `session end`: the session ends, and each system makes its changes for that.

    Raises Refused if no session is open.
    """
    if not world.get("session.open"):
        raise Refused("No session is open.", "`strike session start` opens one.")
    number = open_or_last_session_in(world.state)["number"]
    yield world.tell(SessionEnded(number), {"session.open": False})
    scenes = [[scene.system, scene.name] for scene in scenes_of(world.state) if not scene.over]
    data: SessionEndData = {"number": number, "scenes": scenes}
    for system in load_usable_systems(plugin_index_of(world)):
        with contain_failures(system.name):
            if (ends := event_responses_of(system).session_ended(world)) is not None:
                data = cast("SessionEndData", {**data, **(yield from ends)})
    return data


def play_scene_use(world: World, args: UseSystem) -> Procedure[SystemUseData]:
    """Play `scene use`: choose one of several scenes under way.

    If a short command could belong to several scenes, it then belongs to the chosen scene.
    """
    yield world.tell(SceneUsed(args.system), {"session.scene": args.system})
    return {"system": args.system}


def play_override(world: World, args: Override) -> Procedure[OverrideData]:
    """Play `override`: the game master sets a value in the state by hand, with a reason."""
    before = world.get(args.path)
    shown = None if args.value is None else str(args.value)
    yield world.tell(Overridden(args.path, args.why, shown), {args.path: args.value})
    return {"path": args.path, "before": before, "after": args.value}
