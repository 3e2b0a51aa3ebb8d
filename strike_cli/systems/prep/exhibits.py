"""What of all that is prepared lies on the table: clocks, the day, handouts, as the state has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from strike_cli.tabletop.exhibit import CLOCK, DAY, HANDOUT, SCENE, Exhibit

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
        yield Exhibit("day", DAY, day["date"], day.get("about", ""))
    for id, one in clocks_in(state).items():
        if "name" in one and "segments" in one and not one.get("gone"):
            hidden = not one.get("public")
            filled, segments = one["filled"], one["segments"]
            yield Exhibit(id, CLOCK, one["name"], filled=filled, segments=segments, hidden=hidden)
    for id, lying in handouts_in(state).items():
        yield Exhibit(id, HANDOUT, lying["name"], lying.get("text", ""), image=lying.get("image"))
