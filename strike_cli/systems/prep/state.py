"""Functions that read preparation's tables from a state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.tabletop.scene import CLOCK, DAY, HANDOUT, SCENE, Exhibit

if TYPE_CHECKING:
    from .data import CalendarKept, ClockKept, DeadlineKept, HandoutKept, StoryKept


def story_in(state: Mapping[str, object]) -> StoryKept:
    """Return the scene under way, and the scenes that were played."""
    return cast("StoryKept", state.get("story", {}))


def calendar_in(state: Mapping[str, object]) -> CalendarKept:
    """Return the state's record of the days that have passed."""
    return cast("CalendarKept", state.get("calendar", {}))


def clocks_in(state: Mapping[str, object]) -> Mapping[str, ClockKept]:
    """Return the changes of play to clocks, by their ids."""
    return cast("Mapping[str, ClockKept]", state.get("clocks", {}))


def deadlines_in(state: Mapping[str, object]) -> Mapping[str, DeadlineKept]:
    """Return the changes of play to deadlines, by their ids."""
    return cast("Mapping[str, DeadlineKept]", state.get("deadlines", {}))


def handouts_in(state: Mapping[str, object]) -> Mapping[str, HandoutKept]:
    """Return the handouts that lie on the table, by their ids."""
    return cast("Mapping[str, HandoutKept]", state.get("handouts", {}))


def exhibits(state: Mapping[str, object]) -> Iterator[Exhibit]:
    """Yield the scene and the day first, then clocks, then handouts, the newest last.

    A clock is left out if only campaign.toml has its name, since that isn't read here.
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
