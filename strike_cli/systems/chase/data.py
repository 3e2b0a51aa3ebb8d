"""The data types of the chase system, with their schemas: the state, results of moves, tables of numbers."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from strike_cli.kernel.roll_types import RollTold
from strike_cli.systems.core.data import OpposedHelperRollData
from strike_cli.validation import Number, OneOf
from strike_cli.validation_schemas_from_types import Default

ChaseSideId = Literal["runners", "chasers"]
_SIDE = OneOf("runners", "chasers")
_DANGER = Number(0, 2)
_ACTION = OneOf("flee", "hide", "double-back", "set-up", "risk")


class PreparedChase(TypedDict):
    """A prepared chase of campaign.toml."""

    name: str
    runners: list[str]
    chasers: list[str]
    range: Annotated[str, OneOf("close", "medium", "far"), Default("medium")]
    danger: Annotated[int, _DANGER, Default(0)]
    summary: NotRequired[Annotated[str, Default("")]]


class ShooterKept(TypedDict):
    """A person who will shoot in this round `at` a side. `driving` is whether they also drive."""

    who: str
    at: Annotated[str, _SIDE]
    driving: bool


class NamedInChase(TypedDict):
    """The name and the picture of somebody in a chase."""

    name: str
    image: NotRequired[str]


class ChaseState(TypedDict):
    """The table `[chase]` of state.toml. It has both sides' choices until the round is rolled."""

    id: NotRequired[str]
    name: str
    people: NotRequired[dict[str, NamedInChase]]
    runners: list[str]
    chasers: list[str]
    out: NotRequired[list[str]]
    range: Annotated[str, OneOf("caught", "close", "medium", "far", "escaped")]
    danger: Annotated[int, _DANGER]
    round: Annotated[int, Number(0)]
    runners_action: NotRequired[Annotated[str, _ACTION]]
    prediction: NotRequired[Annotated[str, _ACTION]]
    prediction_secret: NotRequired[bool]
    runners_advantage: NotRequired[bool]
    shooters: NotRequired[list[ShooterKept]]
    winner: NotRequired[Annotated[str, _SIDE]]
    ended: NotRequired[Annotated[str, OneOf("caught", "escaped", "hidden", "pinned", "crash", "stopped")]]
    crashed: NotRequired[list[Annotated[str, _SIDE]]]  # only if both sides crash


class ChaseDangerData(TypedDict):
    """The result of `chase danger`."""

    by: str
    before: int
    danger: int


class ChaseEndData(TypedDict):
    """The result of `chase end`."""

    name: str
    ended: str
    rounds: int
    crashed: NotRequired[list[str]]


class ChasePredictData(TypedDict):
    """The result of `chase predict`."""

    round: int
    prediction: str


class ChaseRunData(TypedDict):
    """The result of `chase run`."""

    round: int
    runners_action: str


class ChaseShootData(TypedDict):
    """The result of `chase shoot`."""

    who: str
    at: str
    driving: bool
    shooters: list[ShooterKept]


class RangeModifiers(TypedDict):
    """The modifiers of each side's roll, by range; a range that isn't listed gives 0 (STR-CH-04)."""

    runners: dict[str, int]
    chasers: dict[str, int]


class RoundEffect(TypedDict):
    """The effect of a round: steps along the track, a range, Advantage, or an end."""

    steps: NotRequired[int]
    ended: NotRequired[str]
    range: NotRequired[str]
    advantage: NotRequired[bool]


class ChaseAction(TypedDict):
    """An action that the Runners may choose (STR-CH-02, 05)."""

    name: str
    not_at: list[str]
    runners: RoundEffect
    chasers: RoundEffect
    tie: RoundEffect
    opposed: NotRequired[bool]
    range_modifiers: NotRequired[RangeModifiers]
    tie_at: NotRequired[dict[str, RoundEffect]]
    crash: NotRequired[int]
    fail: NotRequired[int]
    give_up: NotRequired[RoundEffect]
    failed: NotRequired[RoundEffect]


class DangerLevels(TypedDict):
    """The lowest and the highest Danger Level (STR-CH-06)."""

    least: int
    most: int


class ShootingNumbers(TypedDict):
    """Numbers about shooting in a chase (STR-CH-07).

    Attributes:
        outshot: The modifier for a driver whose roll a shooter has beaten.
        takes_out: The lowest total with which a shot takes somebody out.
        condition: The Condition of a character who is taken out.
    """

    outshot: int
    takes_out: int
    condition: str


class ChaseNumbers(TypedDict):
    """The tables of the chases' `numbers.toml` (STR-CH-01 to 07)."""

    track: list[str]
    start: str
    range_modifiers: RangeModifiers
    actions: dict[str, ChaseAction]
    prediction: dict[str, dict[str, str]]
    danger: DangerLevels
    shooting: ShootingNumbers


class ShotData(TypedDict):
    """The data of a shot in a round.

    `beats` says whether the shot's roll beat the driver. `taken_out` is the person whom the shot took out;
    None if nobody.
    """

    at: str
    roll: RollTold
    beats: bool
    taken_out: str | None


class ChaseRoundData(TypedDict):
    """The result of a round, for `chase roll` and `chase round`."""

    round: NotRequired[int]
    runners_action: str
    prediction: str
    runners: RollTold | None
    chasers: RollTold | None
    chasers_chose: str | None
    shots: list[ShotData]
    winner: str | None
    tie: bool
    helpers: list[OpposedHelperRollData]
    margin: int | None
    complete: bool | None
    loser_options: list[str]
    range_before: str
    range_after: str
    danger: int
    crashed: list[str]
    runners_advantage_next: bool
    ended: str | None
    may_change_danger: NotRequired[str | None]
    tie_broken_by: NotRequired[str]
    complication: NotRequired[str]
    loser_chose: NotRequired[str]


class ChaseCounts(TypedDict):
    """The values by which `strike odds` tells the results of a chase's round apart.

    They are the round's winner, the range after the round, and the kind of end, if any.
    """

    winner: str | None
    range_after: str
    ended: str | None


class RoundMore(TypedDict, total=False):
    """Further data of a round that is part of a chase under way."""

    round: int
    tie_broken_by: str
    complication: str
    loser_chose: str
    may_change_danger: str | None
