"""What of all that is prepared lies on the table: clocks, the day, handouts, as the state has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from strike_cli.kernel.statements import clause_of_json, say
from strike_cli.tabletop.exhibit import CLOCK, DAY, HANDOUT, SCENE, Exhibit
from strike_cli.tabletop.people import GameMaster


def exhibits(state: Mapping[str, Any]) -> Iterator[Exhibit]:
    """The scene and the day first, then clocks, then handouts, the newest last. Of a clock whose name stands
    in campaign.toml alone nothing is known here."""
    story = state.get("story", {})
    if "now" in story:
        yield Exhibit("scene", SCENE, story["name"], hidden=bool(story.get("secret")))
    day = state.get("calendar", {}).get("shown")
    if day:
        yield Exhibit("day", DAY, day["date"], _said(day.get("about", "")))
    for id, one in state.get("clocks", {}).items():
        if "name" in one and "segments" in one and not one.get("gone"):
            hidden = not one.get("public")
            filled, segments = one["filled"], one["segments"]
            yield Exhibit(id, CLOCK, one["name"], filled=filled, segments=segments, hidden=hidden)
    for id, one in state.get("handouts", {}).items():
        yield Exhibit(id, HANDOUT, one["name"], one.get("text", ""), image=one.get("image"))


def _said(about: str | Sequence[Mapping[str, object]]) -> str:
    """What there is to say of a day: clauses, or the words of an earlier strike."""
    if isinstance(about, str):
        return about
    speaker = GameMaster()
    try:
        return ", ".join(say(clause_of_json(each), speaker) or "" for each in about)
    except (KeyError, TypeError, ValueError):  # of a plugin that is gone
        return ""
