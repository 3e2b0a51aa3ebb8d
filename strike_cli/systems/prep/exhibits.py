"""What of all that is prepared lies on the table: clocks, the day, handouts, as the state has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from strike_cli.kernel.statements import clause_of_json, say
from strike_cli.tabletop.exhibit import CLOCK, DAY, HANDOUT, SCENE, Exhibit
from strike_cli.tabletop.people import GameMaster

from .state import calendar_in, clocks_in, handouts_in, story_in


def exhibits(state: Mapping[str, object]) -> Iterator[Exhibit]:
    """Yield the scene and the day first, then clocks, then handouts, the newest last.

    A clock whose name stands in campaign.toml alone is not known here.
    """
    story = story_in(state)
    if "now" in story:
        yield Exhibit("scene", SCENE, story["name"], hidden=bool(story.get("secret")))
    day = calendar_in(state).get("shown")
    if day:
        yield Exhibit("day", DAY, day["date"], _said(day.get("about", "")))
    for id, one in clocks_in(state).items():
        if "name" in one and "segments" in one and not one.get("gone"):
            hidden = not one.get("public")
            filled, segments = one["filled"], one["segments"]
            yield Exhibit(id, CLOCK, one["name"], filled=filled, segments=segments, hidden=hidden)
    for id, lying in handouts_in(state).items():
        yield Exhibit(id, HANDOUT, lying["name"], lying.get("text", ""), image=lying.get("image"))


def _said(about: str | Sequence[Mapping[str, object]]) -> str:
    """Return what there is to say about a day: clauses, or the words of an earlier strike."""
    if isinstance(about, str):
        return about
    speaker = GameMaster()
    try:
        return ", ".join(say(clause_of_json(each), speaker) or "" for each in about)
    except (KeyError, TypeError, ValueError):  # of a plugin that is gone
        return ""
