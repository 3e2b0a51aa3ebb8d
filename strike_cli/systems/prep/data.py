"""Types of preparation: content in TOML, values in the state, and results of commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NotRequired, Required, TypedDict

from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.kernel.roll_types import RollTold
from strike_cli.kernel.statements import Clause
from strike_cli.tabletop.campaign_pictures import WANTED_FILE, begins_with_https, can_name_picture
from strike_cli.validation import ID, NAME, Either, ListOf, Number, OneOf, TableOf, Text
from strike_cli.validation_schemas_from_types import Default, form

from .clocks import CLOCK_EVENTS, MOST_SEGMENTS

# The book and the state


_Name = Annotated[str, NAME]
_Id = Annotated[str, ID]
_Names = Annotated[list[_Name], Default([])]
_Segments = Annotated[int, Number(1, MOST_SEGMENTS)]
_Filled = Annotated[int, Number(0, MOST_SEGMENTS)]


class StoryKept(TypedDict, total=False):
    """The table `[story]` of state.toml: the scene under way, and the scenes that have ended (`played`)."""

    now: _Id
    name: _Name
    secret: bool
    played: list[_Id]


class SceneWritten(TypedDict):
    """The head of a scene: its own values, and the names of everything that it begins or needs."""

    name: _Name
    summary: Annotated[str, Default("")]
    tonight: Annotated[bool, Default(False)]  # whether `strike prep` looks at it first
    secret: Annotated[bool, Default(False)]  # players aren't told that it begins and ends
    encounters: _Names
    conflicts: _Names
    chases: _Names
    people: _Names
    tables: _Names
    clocks: _Names
    handouts: _Names
    music: NotRequired[str]


class RestedSince(TypedDict):
    """The number of `days` for which somebody has rested without gaining a Condition.

    `held` has the Conditions that the person had on the last of these days.
    """

    days: Annotated[int, Number(1)]
    held: list[str]


class DayShown(TypedDict):
    """The present day as players see it: its date, and remarks on the day.

    The remarks in `about` are clauses. Older versions of strike stored one text.
    """

    date: _Name
    about: NotRequired[Annotated[str | list[dict[str, object]], Either(str, Text(), ListOf(TableOf(Text())))]]


class CalendarKept(TypedDict, total=False):
    """The table `[calendar]` of state.toml: the days that have passed since the campaign began."""

    passed: Annotated[int, Number(0)]
    rested: dict[_Id, RestedSince]
    shown: DayShown


class DeadlineKept(TypedDict, total=False):
    """A deadline in the state.

    It was made at the table. If `gone` is true, it is a deadline of campaign.toml that was removed.
    """

    name: _Name
    on: _Name
    public: bool
    gone: bool


class DeadlineWritten(TypedDict):
    """A deadline in campaign.toml."""

    name: _Name
    on: _Name
    summary: Annotated[str, Default("")]
    public: Annotated[bool, Default(False)]
    then: NotRequired[str]


class ClockKept(TypedDict, total=False):
    """A clock in the state: a clock made at the table, or the progress of a clock of campaign.toml."""

    filled: Required[_Filled]
    name: _Name
    segments: _Segments
    public: bool
    gone: bool


class ClockWritten(TypedDict):
    """A clock in campaign.toml."""

    name: _Name
    summary: Annotated[str, Default("")]
    segments: Annotated[_Segments, Default(6)]
    filled: Annotated[_Filled, Default(0)]  # when the campaign begins
    public: Annotated[bool, Default(False)]  # whether players are told of it
    advances: Annotated[Sequence[Annotated[str, OneOf(*CLOCK_EVENTS)]], Default([])]
    then: NotRequired[str]  # what happens when it is full


def _check_handout_content_keys(handout: dict[str, object], where: Place, faults: Faults) -> None:
    if not handout.keys() & {"text", "image", "picture"}:
        what = 'it is empty; write text = "..." or image = "handouts/map.png"'
        faults.append(Fault(where, what))
    if {"image", "picture"} <= handout.keys():
        faults.append(Fault(where, "picture is the earlier name of image; keep one of them"))


_Picture = Annotated[
    str, Text(lambda text: can_name_picture(text) and not begins_with_https(text), WANTED_FILE)
]
LONGEST = 20_000
"""The most characters of a handout's text."""
_Laid = Annotated[str, Text(most=LONGEST)]


@form(_check_handout_content_keys)
class HandoutWritten(TypedDict):
    """A handout in campaign.toml."""

    name: _Name
    summary: Annotated[str, Default("")]
    image: NotRequired[_Picture]
    picture: NotRequired[_Picture]  # the same, in campaigns of an earlier strike
    text: NotRequired[_Laid]


class HandoutPicture(TypedDict):
    """The picture of a handout: the path of its file in the campaign's folder, and the file's SHA-256."""

    file: str
    sha256: str


class HandoutKept(TypedDict):
    """A handout on the table, with the content that it had when it was shown."""

    name: _Name
    text: NotRequired[_Laid]
    image: NotRequired[HandoutPicture]


Clocks = dict[_Id, ClockKept]
Deadlines = dict[_Id, DeadlineKept]
Handouts = dict[_Id, HandoutKept]
"""The table of state.toml with handouts, in the order in which they were shown."""


# Results of moves


class ClockData(TypedDict):
    """A clock in its present state. `then` is what happens when the clock is full."""

    id: str
    name: str
    segments: int
    filled: int
    public: bool
    advances: list[str]
    then: str
    full: bool


class ClocksMoved(TypedDict, total=False):
    """The part of a command's result that lists the clocks it advanced.

    `clocks` has these clocks in their new state. If no clock advanced, the key `clocks` is missing.
    """

    clocks: list[ClockData]


class DaysData(ClocksMoved):
    """The result of letting days pass.

    It has the new date with remarks, the Conditions that ended (`recovered`, by person), and the ids of the
    deadlines that fell due.
    """

    days: int
    date: str
    about: list[Clause]
    recovered: dict[str, list[str]]
    deadlines: list[str]


DeadlineData = TypedDict("DeadlineData", {"deadline": str, "on": str, "in": int})
"""A deadline by its id, its date, and the number of days until then."""


class DeadlineNamed(TypedDict):
    """A deadline's id and name."""

    deadline: str
    name: str


class SceneNamed(ClocksMoved):
    """A scene's id and name.

    If `scene begin` ended another scene that was under way, `ended` is the id of that scene.
    """

    scene: str
    name: str
    ended: NotRequired[str]


class NoteData(TypedDict):
    """The text of a note, and the ids of the people in it."""

    text: str
    about: list[str]


class HandoutData(HandoutKept):
    """The result of showing or hiding a handout: its id and name. A shown handout also has its content."""

    handout: str


class InventedData(TypedDict, total=False):
    """The traits that were drawn for a made-up person."""

    name: str
    concept: str
    want: str
    trick: str
    complication: str


class DrawnEntry(TypedDict):
    """The text of a drawn entry, and the dice that were thrown for it."""

    text: str
    rolls: list[RollTold]


class DrawData(TypedDict):
    """The entries that were drawn from a random table."""

    table: str
    name: str
    drawn: list[DrawnEntry]
