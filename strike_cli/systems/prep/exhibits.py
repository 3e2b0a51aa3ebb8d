"""What of all that is prepared lies on the table: clocks, the day, handouts, as the state has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from strike_cli.tabletop.exhibit import CLOCK, DAY, HANDOUT, SCENE, Exhibit


def exhibits(state: Mapping[str, Any]) -> Iterator[Exhibit]:
    """The scene and the day first, then clocks, then handouts, the newest last. Of a clock whose name stands
    in campaign.toml alone nothing is known here."""
    story = state.get("story", {})
    if "now" in story:
        yield Exhibit("scene", SCENE, story["name"], hidden=bool(story.get("secret")))
    day = state.get("calendar", {}).get("shown")
    if day:
        yield Exhibit("day", DAY, day["date"], day.get("about", ""))
    for id, one in state.get("clocks", {}).items():
        if "name" in one and "segments" in one and not one.get("gone"):
            hidden = not one.get("public")
            filled, segments = one["filled"], one["segments"]
            yield Exhibit(id, CLOCK, one["name"], filled=filled, segments=segments, hidden=hidden)
    for id, one in state.get("handouts", {}).items():
        yield Exhibit(id, HANDOUT, one["name"], one.get("text", ""), image=one.get("image"))
