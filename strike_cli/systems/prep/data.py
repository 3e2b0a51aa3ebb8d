"""What moves of preparation and of the evening return: types alone."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from strike_cli.kernel.statements import Clause
from strike_cli.tabletop.dice import RollTold


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
