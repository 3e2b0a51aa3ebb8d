"""Readers for the state's tables of preparation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.tabletop.scene import CLOCK, DAY, HANDOUT, SCENE, TableItem

if TYPE_CHECKING:
    from .data import CalendarKept, ClockKept, DeadlineKept, HandoutKept, StoryKept


def story_in(state: Mapping[str, object]) -> StoryKept:
    """Return the state's record of the scene under way and of the scenes that were played."""
    return cast("StoryKept", state.get("story", {}))


def calendar_in(state: Mapping[str, object]) -> CalendarKept:
    """Return the state's record of the days that have passed."""
    return cast("CalendarKept", state.get("calendar", {}))


def clock_changes_in(state: Mapping[str, object]) -> Mapping[str, ClockKept]:
    """Return the state's clocks by id.

    They are the clocks made at the table, and the progress of clocks that campaign.toml defines.
    """
    return cast("Mapping[str, ClockKept]", state.get("clocks", {}))


def deadline_changes_in(state: Mapping[str, object]) -> Mapping[str, DeadlineKept]:
    """Return the state's deadlines by id: those made at the table, and records of removed ones."""
    return cast("Mapping[str, DeadlineKept]", state.get("deadlines", {}))


def handouts_in(state: Mapping[str, object]) -> Mapping[str, HandoutKept]:
    """Return the handouts on the table, by id."""
    return cast("Mapping[str, HandoutKept]", state.get("handouts", {}))


def exhibits_with_hidden_ones(state: Mapping[str, object]) -> Iterator[TableItem]:
    """Yield everything on the table, in this order: the scene, the day, the clocks, the handouts.

    The newest handout comes last. A clock without a name in the state is left out. Its name is only in
    campaign.toml, and this function doesn't read that file.
    """
    story = story_in(state)
    if "now" in story:
        yield TableItem("scene", SCENE, story["name"], hidden=bool(story.get("secret")))
    day = calendar_in(state).get("shown")
    if day:
        yield TableItem("day", DAY, day["date"], day.get("about", ""))
    for id, one in clock_changes_in(state).items():
        if "name" in one and "segments" in one and not one.get("gone"):
            hidden = not one.get("public")
            filled, segments = one["filled"], one["segments"]
            yield TableItem(id, CLOCK, one["name"], filled=filled, segments=segments, hidden=hidden)
    for id, lying in handouts_in(state).items():
        yield TableItem(id, HANDOUT, lying["name"], lying.get("text", ""), image=lying.get("image"))
