"""The results of moves of preparation and of the evening: types, with the forms of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NotRequired, Required, TypedDict

from strike_cli.faults import Fault, Faults, Place
from strike_cli.kernel.roll_data import RollTold
from strike_cli.kernel.statements import Clause
from strike_cli.tabletop.pictures import WANTED_FILE, is_address, may_be_picture
from strike_cli.type_forms import Default, form
from strike_cli.validation import ID, NAME, Either, ListOf, Number, OneOf, TableOf, Text

from .clocks import MOST_SEGMENTS, PASSES

# The book and the state


_Name = Annotated[str, NAME]
_Id = Annotated[str, ID]
_Names = Annotated[list[_Name], Default([])]
_Segments = Annotated[int, Number(1, MOST_SEGMENTS)]
_Filled = Annotated[int, Number(0, MOST_SEGMENTS)]


class StoryKept(TypedDict, total=False):
    """The table `[story]` of state.toml: the scene under way, and past ones in the order they ended."""

    now: _Id
    name: _Name
    secret: bool
    played: list[_Id]


class SceneWritten(TypedDict):
    """A scene as campaign.toml has it."""

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
    """The number of days that somebody has rested, with their Conditions then."""

    days: Annotated[int, Number(1)]
    held: list[str]


class DayShown(TypedDict):
    """Today as it is displayed.

    It has its date, and the remarks on it, as clauses (an earlier strike stored words).
    """

    date: _Name
    about: NotRequired[Annotated[str | list[dict[str, object]], Either(str, Text(), ListOf(TableOf(Text())))]]


class CalendarKept(TypedDict, total=False):
    """The table `[calendar]` of state.toml: the days that have passed since the campaign began."""

    passed: Annotated[int, Number(0)]
    rested: dict[_Id, RestedSince]
    shown: DayShown


class DeadlineKept(TypedDict, total=False):
    """A deadline that was made at the table, or one of campaign.toml that is `gone`."""

    name: _Name
    on: _Name
    public: bool
    gone: bool


class DeadlineWritten(TypedDict):
    """A deadline as campaign.toml has it."""

    name: _Name
    on: _Name
    summary: Annotated[str, Default("")]
    public: Annotated[bool, Default(False)]
    then: NotRequired[str]


class ClockKept(TypedDict, total=False):
    """A clock that was made at the table, or the progress of one of campaign.toml."""

    filled: Required[_Filled]
    name: _Name
    segments: _Segments
    public: bool
    gone: bool


class ClockWritten(TypedDict):
    """A clock as campaign.toml has it."""

    name: _Name
    summary: Annotated[str, Default("")]
    segments: Annotated[_Segments, Default(6)]
    filled: Annotated[_Filled, Default(0)]  # when the campaign begins
    public: Annotated[bool, Default(False)]  # whether players are told of it
    advances: Annotated[Sequence[Annotated[str, OneOf(*PASSES)]], Default([])]
    then: NotRequired[str]  # what happens when it is full


def _check_handout(handout: dict[str, object], where: Place, faults: Faults) -> None:
    if not handout.keys() & {"text", "image", "picture"}:
        what = 'it is empty; write text = "..." or image = "handouts/map.png"'
        faults.append(Fault(where, what))
    if {"image", "picture"} <= handout.keys():
        faults.append(Fault(where, "picture is the earlier name of image; keep one of them"))


_Picture = Annotated[str, Text(lambda text: may_be_picture(text) and not is_address(text), WANTED_FILE)]
LONGEST = 20_000
"""The most characters of a handout's text."""
_Laid = Annotated[str, Text(most=LONGEST)]


@form(_check_handout)
class HandoutWritten(TypedDict):
    """A handout as campaign.toml has it."""

    name: _Name
    summary: Annotated[str, Default("")]
    image: NotRequired[_Picture]
    picture: NotRequired[_Picture]  # the same, in campaigns of an earlier strike
    text: NotRequired[_Laid]


class HandoutPicture(TypedDict):
    """The picture of a handout: its file in the campaign's folder, and that file's SHA-256."""

    file: str
    sha256: str


class HandoutKept(TypedDict):
    """A handout as it lies on the table."""

    name: _Name
    text: NotRequired[_Laid]
    image: NotRequired[HandoutPicture]


Clocks = dict[_Id, ClockKept]
Deadlines = dict[_Id, DeadlineKept]
Handouts = dict[_Id, HandoutKept]
"""The table of state.toml with handouts, in the order in which they were shown."""


# Results of moves


class ClockData(TypedDict):
    """A clock in its present state. `then` is the event when it is full."""

    id: str
    name: str
    segments: int
    filled: int
    public: bool
    advances: list[str]
    then: str
    full: bool


class ClocksMoved(TypedDict, total=False):
    """The clocks that advanced with an event, in their new state; left out where none did."""

    clocks: list[ClockData]


class DaysData(ClocksMoved):
    """Days that passed: notes on the new day, what ended for those who rested, deadlines that came."""

    days: int
    date: str
    about: list[Clause]
    recovered: dict[str, list[str]]
    deadlines: list[str]


DeadlineData = TypedDict("DeadlineData", {"deadline": str, "on": str, "in": int})
"""A deadline by its id, its date, and the number of days until then."""


class DeadlineNamed(TypedDict):
    """A deadline by its id and name."""

    deadline: str
    name: str


class SceneNamed(ClocksMoved):
    """A scene by its id and name; for `scene begin` also the scene that it `ended`."""

    scene: str
    name: str
    ended: NotRequired[str]


class NoteData(TypedDict):
    """The text of a note, and the people it is about."""

    text: str
    about: list[str]


class HandoutData(HandoutKept):
    """A handout by its id, as it was shown or taken away."""

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
    """Drawings from a table."""

    table: str
    name: str
    drawn: list[DrawnEntry]
