"""Types of chases: their state, the results of their moves, and the tables of numbers with their forms."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from strike_cli.kernel.roll_data import RollTold
from strike_cli.systems.core.data import OpposedHelpTold
from strike_cli.type_forms import Default
from strike_cli.validation import Number, OneOf

ChaseSideId = Literal["runners", "chasers"]
_SIDE = OneOf("runners", "chasers")
_DANGER = Number(0, 2)
_ACTION = OneOf("flee", "hide", "double-back", "set-up", "risk")


class PreparedChase(TypedDict):
    """A chase of campaign.toml."""

    name: str
    runners: list[str]
    chasers: list[str]
    range: Annotated[str, OneOf("close", "medium", "far"), Default("medium")]
    danger: Annotated[int, _DANGER, Default(0)]
    summary: NotRequired[Annotated[str, Default("")]]


class ShooterKept(TypedDict):
    """A person who will shoot in this round, the side that is shot at, and whether they also drive."""

    who: str
    at: Annotated[str, _SIDE]
    driving: bool


class NamedInChase(TypedDict):
    """The name and the picture of a participant."""

    name: str
    image: NotRequired[str]


class ChaseState(TypedDict):
    """`[chase]` of state.toml. The picks of both sides are there until the round is rolled."""

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
    crashed: NotRequired[list[Annotated[str, _SIDE]]]  # where both sides crash


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
    """A range's modifier to each side's roll, by range; 0 at a range that isn't named (STR-CH-04)."""

    runners: dict[str, int]
    chasers: dict[str, int]


class RoundEffect(TypedDict):
    """The effect of a round: steps along the track, a range, Advantage, an end."""

    steps: NotRequired[int]
    ended: NotRequired[str]
    range: NotRequired[str]
    advantage: NotRequired[bool]


class ChaseAction(TypedDict):
    """An action that the Runners may pick (STR-CH-02, 05)."""

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
    """The effects of shots on rolls and on people (STR-CH-07)."""

    outshot: int
    takes_out: int
    condition: str


class ChaseNumbers(TypedDict):
    """numbers.toml of chases (STR-CH-01 to 07)."""

    track: list[str]
    start: str
    range_modifiers: RangeModifiers
    actions: dict[str, ChaseAction]
    prediction: dict[str, dict[str, str]]
    danger: DangerLevels
    shooting: ShootingNumbers


class ShotData(TypedDict):
    """A shot of a round."""

    at: str
    roll: RollTold
    beats: bool
    taken_out: str | None


class ChaseRoundData(TypedDict):
    """The result of a round: `chase roll`, `chase round`."""

    round: NotRequired[int]
    runners_action: str
    prediction: str
    runners: RollTold | None
    chasers: RollTold | None
    chasers_chose: str | None
    shots: list[ShotData]
    winner: str | None
    tie: bool
    helpers: list[OpposedHelpTold]
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
    """The outcome of a round as odds count it: the winner, the range after it, and the end, if any."""

    winner: str | None
    range_after: str
    ended: str | None


class RoundMore(TypedDict, total=False):
    """Further data of a round, present only in a chase under way."""

    round: int
    tie_broken_by: str
    complication: str
    loser_chose: str
    may_change_danger: str | None
