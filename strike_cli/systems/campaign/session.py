"""An evening's beginning and end (STR-CORE-21).

What everybody has once an evening (an Awesome Point, the Fallback) is kept as the number of the evening in
which it was used, so a new one has nothing to hand out, and nothing unused is carried over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused
from strike_cli.systems.core.points import awards_left
from strike_cli.tabletop.people import action_points, display_name


def play_start(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`session start`: a new evening; who has no Action Point gets one.

    No more is carried over than the house allows, whatever was given since the last evening ended, and the
    Twist of an evening that is past can't be turned by a Fallback any more.
    """
    if world.get("session.open"):
        number = world.get("session.number")
        raise Refused(f"Session {number} is still open.", "`strike session end` closes it.")
    number = world.get("session.number", 0) + 1
    session = {"number": number, "open": True, "started": args["at"], "title": args["title"]}
    title = f": {args['title']}" if args["title"] else ""
    past = {f"characters.{who}.last_roll": None for who in world.book.characters}
    text = f"Session {number} begins{title}."
    yield world.happen("session-started", "", text, {"session": session, **past})
    if number > 1:
        yield from _carry_over(world)
    given = []
    for who in world.book.characters:
        if action_points(world, who) == 0:
            given.append(who)
            text = f"{display_name(world, who)} starts with an Action Point."
            yield world.happen("ap-gained", who, text, {f"characters.{who}.ap": 1})
    return {"number": number, "title": args["title"], "action_points_given": given}


def play_end(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`session end`: the evening closes; Action Points above what may be carried over are gone."""
    if not world.get("session.open"):
        raise Refused("No session is open.", "`strike session start` opens one.")
    number = world.get("session.number")
    yield world.happen("session-ended", "", f"Session {number} ends.", {"session.open": False})
    clipped = yield from _carry_over(world)
    return {"number": number, "clipped": clipped, "awards_left": awards_left(world)}


def _carry_over(world: World) -> Procedure[dict[str, int]]:
    """Action Points above what may be carried over are gone; how many of whom."""
    most = world.book.house["ap_carry_over"]
    clipped = {}
    for who in world.book.characters:
        had = action_points(world, who)
        if had > most:
            clipped[who] = had - most
            text = f"{display_name(world, who)} carries {most} Action Points over, of {had}."
            yield world.happen("ap-lost", who, text, {f"characters.{who}.ap": most})
    return clipped


def play_override(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`override`: the game master sets something by hand, and says why."""
    path, value = args["path"], args["value"]
    before = world.get(path)
    shown = "nothing" if value is None else value
    text = f"The game master sets {path} to {shown}: {args['why']}."
    yield world.happen("overridden", "", text, {path: value}, why=args["why"])
    return {"path": path, "before": before, "after": value}
