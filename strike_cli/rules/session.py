"""An evening's beginning and end (STR-CORE-21)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..problems import Refused
from .people import action_points, display_name
from .procedure import Procedure, World


def play_start(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`session start`: a new evening; who has no Action Point gets one."""
    if world.get("session.open"):
        number = world.get("session.number")
        raise Refused(f"Session {number} is still open.", "`strike session end` closes it.")
    number = world.get("session.number", 0) + 1
    session = {"number": number, "open": True, "started": args["at"], "title": args["title"]}
    title = f": {args['title']}" if args["title"] else ""
    yield world.happen("session-started", "", f"Session {number} begins{title}.", {"session": session})
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
    most = world.book.house["ap_carry_over"]
    clipped = {}
    for who in world.book.characters:
        had = action_points(world, who)
        if had > most:
            clipped[who] = had - most
            text = f"{display_name(world, who)} carries {most} Action Points over, of {had}."
            yield world.happen("ap-lost", who, text, {f"characters.{who}.ap": most})
    return {"number": number, "clipped": clipped}


def play_override(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`override`: the game master sets something by hand, and says why."""
    path, value = args["path"], args["value"]
    before = world.get(path)
    shown = "nothing" if value is None else value
    text = f"The game master sets {path} to {shown}: {args['why']}."
    yield world.happen("overridden", "", text, {path: value}, why=args["why"])
    return {"path": path, "before": before, "after": value}
