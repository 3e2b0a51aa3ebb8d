"""What play keeps of preparation, read from a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from .data import CalendarKept, ClockKept, DeadlineKept, HandoutKept, StoryKept


def story_in(state: Mapping[str, object]) -> StoryKept:
    """Return the scene under way, and those that were played."""
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
