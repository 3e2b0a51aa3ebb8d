"""What moves of preparation and of the evening return: types alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from strike_cli.kernel.roll_data import RollTold
from strike_cli.kernel.statements import Clause

# What is kept


class StoryKept(TypedDict, total=False):
    """`[story]` of state.toml: the scene under way, and those that were."""

    now: str
    name: str
    secret: bool
    played: list[str]


class SceneWritten(TypedDict):
    """A scene as campaign.toml has it."""

    name: str
    secret: bool


class TableEntryWritten(TypedDict):
    """An entry of a random table; `on` are the numbers of its dice."""

    text: str
    weight: int
    on: NotRequired[str]


class TableWritten(TypedDict):
    """A random table."""

    name: str
    summary: str
    dice: NotRequired[str]
    repeats: bool
    secret: bool
    entries: Sequence[str | TableEntryWritten]


class LeapWritten(TypedDict):
    """How many days more a month has, each `every` years."""

    every: int
    days: int


class MonthWritten(TypedDict):
    """A month of a calendar."""

    name: str
    days: int
    leap: NotRequired[LeapWritten]


class MoonWritten(TypedDict):
    """A moon, and a day on which it is full."""

    name: str
    cycle: int
    full: NotRequired[str]


class HolidayWritten(TypedDict):
    """What is kept on a day."""

    name: str
    on: str


class CalendarWritten(TypedDict):
    """A calendar as campaign.toml has it."""

    months: Sequence[str | MonthWritten]
    today: str
    weekdays: Sequence[str]
    weekday: NotRequired[str]
    era: str
    moons: Sequence[MoonWritten]
    holidays: Sequence[HolidayWritten]


class RestedSince(TypedDict):
    """For how many days somebody has rested, with the Conditions that they had."""

    days: int
    held: list[str]


class DayShown(TypedDict):
    """Today as it is displayed.

    It has its date, and what there is to say about it, as clauses (in words by an earlier strike).
    """

    date: str
    about: NotRequired[str | list[dict[str, object]]]


class CalendarKept(TypedDict, total=False):
    """`[calendar]` of state.toml: the days that have passed."""

    passed: int
    rested: dict[str, RestedSince]
    shown: DayShown


class DeadlineKept(TypedDict, total=False):
    """A deadline that was made at the table, or one of campaign.toml that is `gone`."""

    name: str
    on: str
    public: bool
    gone: bool


class DeadlineWritten(DeadlineKept, total=False):
    """A deadline as campaign.toml has it."""

    summary: str
    then: str


class ClockKept(TypedDict, total=False):
    """A clock that was made at the table, or how far one of campaign.toml is."""

    filled: int
    name: str
    segments: int
    public: bool
    gone: bool


class ClockWritten(ClockKept, total=False):
    """A clock as campaign.toml has it."""

    summary: str
    advances: Sequence[str]
    then: str


# What moves return


class ClockData(TypedDict):
    """A clock as it stands. `then` is what happens when it is full."""

    id: str
    name: str
    segments: int
    filled: int
    public: bool
    advances: list[str]
    then: str
    full: bool


class ClocksMoved(TypedDict, total=False):
    """The clocks that advanced with what has passed, as they stand now; left out where none did."""

    clocks: list[ClockData]


class DaysData(ClocksMoved):
    """Days that passed: what is noted of the new one, what ended for who rested, deadlines that came."""

    days: int
    date: str
    about: list[Clause]
    recovered: dict[str, list[str]]
    deadlines: list[str]


DeadlineData = TypedDict("DeadlineData", {"deadline": str, "on": str, "in": int})
"""A deadline by its id, its date, and in how many days that is."""


class DeadlineNamed(TypedDict):
    """A deadline by its id and name."""

    deadline: str
    name: str


class SceneNamed(ClocksMoved):
    """A scene by its id and name; with `scene begin` the one that `ended` for it."""

    scene: str
    name: str
    ended: NotRequired[str]


class NoteData(TypedDict):
    """What was noted, and about whom."""

    text: str
    about: list[str]


class HandoutPicture(TypedDict):
    """A picture by its file in the campaign's folder and its SHA-256."""

    file: str
    sha256: str


class HandoutKept(TypedDict):
    """A handout as it lies on the table."""

    name: str
    text: NotRequired[str]
    image: NotRequired[HandoutPicture]


class HandoutData(HandoutKept):
    """A handout by its id, as it was laid there or taken away."""

    handout: str


class InventedData(TypedDict, total=False):
    """What was drawn for somebody made up."""

    name: str
    concept: str
    want: str
    trick: str
    complication: str


class DrawnEntry(TypedDict):
    """What a table says, and the dice that were thrown for it."""

    text: str
    rolls: list[RollTold]


class DrawData(TypedDict):
    """Drawings from a table."""

    table: str
    name: str
    drawn: list[DrawnEntry]
