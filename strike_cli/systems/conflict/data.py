"""What is kept of a Team Conflict, what its moves return, its tables of numbers: types alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from strike_cli.kernel.roll_data import RollTold
from strike_cli.systems.core.data import ComplicationUsedData, SkillData
from strike_cli.type_forms import Faces

from .numbers import WhichRoll

# What is kept


class DeclaredAction(TypedDict):
    """The action that somebody, or the whole opposition, has declared for the round.

    `to` is the roll that a secondary goal helps, `came` the result of its Skill Roll.
    """

    action: str
    to: NotRequired[str]
    skill: NotRequired[str]
    came: NotRequired[str]
    using: NotRequired[str]
    next: NotRequired[WhichRoll]
    recover: NotRequired[str]


class RoundBonus(TypedDict):
    """A bonus of a side in the rounds from `first` to `last`; `why` is the clause of its reason."""

    first: int
    last: int
    advance: NotRequired[int]
    defense: NotRequired[int]
    until_push: NotRequired[bool]
    why: NotRequired[dict[str, object]]


class ConflictSide(TypedDict):
    """A side of `[conflict]`. `grown` is what traits have added to its rolls."""

    name: str
    intent: str
    team: list[str]
    advance: int
    defense: int
    strikes: int
    traits: list[str]
    lost_traits: NotRequired[list[str]]
    prepared: NotRequired[dict[str, str]]
    actions: NotRequired[dict[str, DeclaredAction]]
    opposition: NotRequired[DeclaredAction]
    bonuses: NotRequired[list[RoundBonus]]
    withdrawn: NotRequired[list[str]]
    took_one: NotRequired[list[str]]
    inspired: NotRequired[list[Literal["each", "one"]]]
    cost_of_win: NotRequired[int]
    ignored: NotRequired[Mapping[str, int]]
    scouts: NotRequired[int]
    scouted: NotRequired[Mapping[str, int]]
    hits_due: NotRequired[int]
    irremovable: NotRequired[int]
    stock: NotRequired[list[str]]
    grown: NotRequired[Mapping[str, int]]


class RestOfRound(TypedDict):
    """The rest of a round, which waits until its Hits are dealt with.

    It has the result of the dice; in `recover` the purpose of a trait like Recovery; whether the conflict is
    `over`; the number of Strikes that winning costs; whether the Hits of actions were `struck`.
    """

    outcome: str
    counts_as: Mapping[str, str]
    margins: Mapping[str, int]
    recover: NotRequired[str]
    over: NotRequired[bool]
    costly: NotRequired[int]
    struck: NotRequired[bool]


class NamedPerson(TypedDict):
    """Somebody in it whom nobody has written down."""

    name: str


class OwnDice(TypedDict):
    """What a side that is no team adds to its dice."""

    advance: int
    defense: int


class ConflictState(TypedDict):
    """`[conflict]` of state.toml."""

    name: str
    round: int
    people: dict[str, NamedPerson]
    ours: ConflictSide
    theirs: ConflictSide
    death: NotRequired[bool]
    averts: NotRequired[int]
    no_withdrawal: NotRequired[bool]
    rest: NotRequired[RestOfRound]
    ended: NotRequired[str]
    id: NotRequired[str]
    swaps: NotRequired[dict[str, str]]


# What moves return


class ContestSide(TypedDict):
    """The two dice of a side, and what is added to them."""

    advance: int
    advance_bonus: int
    advance_roll: RollTold
    defense: int
    defense_bonus: int
    defense_roll: RollTold


class ContestData(TypedDict):
    """The dice of a round compared."""

    ours: ContestSide
    theirs: ContestSide
    comparison: dict[str, str]
    counts_as: dict[str, str]
    outcome: str
    hits: list[str]


class DoubleTieData(TypedDict):
    """The die of a Double Tie, what happens, and what changes places."""

    roll: RollTold
    event: str
    swaps: list[str]


class AftermathData(TypedDict):
    """The end of a conflict: Conditions by severity, Concessions owed.

    With `conflict end` also what was gained, and how the loser of a close conflict has spoiled the win.
    """

    result: str
    conditions: dict[str, str]
    concessions: list[str]
    personal: list[str]
    loser: NotRequired[str | None]
    loser_options: NotRequired[list[str]]
    gained: NotRequired[dict[str, str]]
    loser_chose: NotRequired[str]


class ConflictBareRoundData(ContestData):
    """The result of `conflict round`."""

    double_tie: DoubleTieData | None
    strikes: Mapping[str, int]
    ended: bool
    aftermath: None


class ConflictCounts(TypedDict):
    """What odds tell apart of a round."""

    outcome: str
    hits: tuple[str, ...]


class BonusToPlace(TypedDict):
    """What a bonus of choice would make of a round, by where it goes."""

    side: str
    comes_to: NotRequired[dict[str, str]]


class PrepGives(TypedDict):
    """What preparing brings."""

    hit: NotRequired[bool]
    bonuses: NotRequired[list[RoundBonus]]
    scouts: NotRequired[int]
    stock: NotRequired[str]
    inspire: NotRequired[str]


class ConflictPrepData(TypedDict):
    """The result of `conflict prep`."""

    who: str
    action: str
    roll: RollTold
    came: str
    gives: PrepGives


class ConflictActData(TypedDict):
    """The result of `conflict act`."""

    who: str
    action: str
    skill: NotRequired[str]
    next: NotRequired[str]
    using: NotRequired[str]
    missing: list[str]


class ConflictActsData(TypedDict):
    """What `conflict act` of several comes to."""

    acts: Sequence[ConflictActData]
    missing: list[str]


class ConflictOpposeData(TypedDict):
    """The result of `conflict oppose`."""

    action: str
    next: NotRequired[str]
    recover: NotRequired[str]
    missing: list[str]


class ConflictScoutData(TypedDict):
    """The result of `conflict scout`."""

    side: str
    which: str
    roll: RollTold
    left: int


class ConflictAvertData(TypedDict):
    """The result of `conflict avert`."""

    who: str
    strikes: Mapping[str, int]
    traits: Mapping[str, list[str]]
    ended: bool


class ConflictWithdrawData(TypedDict):
    """The result of `conflict withdraw`."""

    who: str
    conditions: dict[str, str]
    team: list[str]


class ConflictConcedeData(TypedDict):
    """The result of `conflict concede`."""

    side: str
    strikes: Mapping[str, int]
    ended: bool
    complications: list[ComplicationUsedData]
    aftermath: AftermathData


class ConflictRollData(ContestData):
    """The result of `conflict roll`."""

    round: int
    opposition: str | None
    double_tie: DoubleTieData | None
    strikes: Mapping[str, int]
    hits_due: Mapping[str, int]
    scouts: Mapping[str, int]
    ended: bool
    aftermath: AftermathData | None


class ConflictHitData(TypedDict):
    """The result of `conflict hit`."""

    side: str
    what: str
    strikes: Mapping[str, int]
    traits: list[str]
    lost_traits: list[str]
    hits_due: int
    ended: bool
    aftermath: AftermathData | None


class ConflictSecondaryData(SkillData):
    """The result of `conflict secondary`."""

    action: str
    to: str
    missing: list[str]


class TraitWritten(TypedDict, total=False):
    """What a trait does while it is active (STR-TC-16)."""

    name: str
    advance: int
    defense: int
    either: int
    either_when: Literal["before", "after"]
    grows_advance: int
    grows_defense: int
    hit_on: Literal["draw", "push"]
    next_on: Literal["draw", "push"]
    next_defense: int | Literal["margin"]
    recover_on: Literal["draw", "push"]
    ablates: int
    drains: Literal["instead", "as-well"]
    ignores_hits: int
    ties: bool
    irremovable: bool
    strike_on_win: int
    owed_on_win: Sequence[Literal["minor", "major"]]
    hit_for_loss: bool
    by_hand: str


class ConflictWritten(TypedDict, total=False):
    """A conflict as the campaign has it, or as it is typed."""

    id: str
    name: str
    intent: str
    against: str
    their_intent: str
    advance: int
    defense: int
    traits: list[str]
    our_traits: list[str]
    team: list[str]
    their_team: list[str]
    no_withdrawal: bool
    swaps: dict[str, str]
    summary: str


class StandingData(TypedDict, total=False):
    """What the data of a move say of how a conflict stands."""

    strikes: Mapping[str, int]
    hits_due: Mapping[str, int]
    aftermath: AftermathData | None
    ended: bool


class WeighTyped(TypedDict):
    """Which roll Conditions and Flaws are on: `default`, unless one of `picks` names them."""

    default: str
    picks: list[list[str]]


class ConflictAction(TypedDict):
    """An action of a round and its riders (STR-TC-02, 03)."""

    name: str
    basic: NotRequired[bool]
    of: NotRequired[Literal["players", "opposition"]]
    shared: NotRequired[bool]
    once: NotRequired[bool]
    advance: NotRequired[int]
    defense: NotRequired[int]
    next_advance: NotRequired[int]
    hit_self: NotRequired[Literal["always", "draw"]]
    hit_foe: NotRequired[Literal["always", "draw"]]
    irremovable: NotRequired[int]
    their_removal: NotRequired[int]
    scout: NotRequired[int]
    obscure: NotRequired[int]
    concession: NotRequired[bool]
    recover: NotRequired[bool]


class ConflictLimits(TypedDict):
    """Members with one action; points, Strikes and bonuses of rules."""

    same_action: int
    secondary: int
    concede: int
    avert: int
    stock: int
    fewer: int


class ContestRow(TypedDict):
    """What two rolls of a round come to, and the teams hit (STR-TC-05)."""

    outcome: Literal["win", "push", "double-tie", "draw", "lose"]
    hits: list[Literal["ours", "theirs"]]


class ContestRows(TypedDict):
    """By how the second roll came out."""

    win: ContestRow
    tie: ContestRow
    lose: ContestRow


class ContestTable(TypedDict):
    """By how the first roll came out."""

    win: ContestRows
    tie: ContestRows
    lose: ContestRows


SeverityRow = TypedDict("SeverityRow", {"from": int, "severity": Literal["major", "minor"]})
"""The Condition of so many Strikes or more (STR-TC-09)."""
OwedRow = TypedDict("OwedRow", {"from": int, "owed": list[Literal["major", "minor"]]})
"""The Concessions of so many Strikes or more (STR-TC-09)."""


class ConflictAftermath(TypedDict):
    """What is left of a conflict by the players' Strikes (STR-TC-09)."""

    conditions: list[SeverityRow]
    concessions: list[OwedRow]
    close_loss: int


class PrepBonus(TypedDict):
    """A bonus for the rounds `first` to `last` (STR-TC-14)."""

    first: int
    last: int
    advance: NotRequired[int]
    defense: NotRequired[int]
    until_push: NotRequired[bool]


class PrepResult(TypedDict):
    """What a preparation brings."""

    bonuses: NotRequired[list[PrepBonus]]
    stock: NotRequired[Literal["before", "after"]]
    scouts: NotRequired[int]
    inspire: NotRequired[Literal["each", "one"]]
    hit: NotRequired[bool]


class PrepAction(TypedDict):
    """A preparation, done well or fairly."""

    name: str
    well: PrepResult
    fairly: PrepResult


class PrepNumbers(TypedDict):
    """Preparations (STR-TC-14)."""

    badly: PrepResult
    actions: dict[str, PrepAction]
    faces: Faces[Literal["well", "fairly", "badly"]]


class WeighsNumbers(TypedDict):
    """What each Condition and Flaw does to a roll (STR-TC-15)."""

    major: int
    minor: Literal["advantage", "disadvantage"]
    flaw: Literal["advantage", "disadvantage"]


class PolicyNumbers(TypedDict):
    """How a side plays where odds are counted."""

    each: list[str]
    or_else: str
    one_of: list[str]
    prefers: Literal["advance", "defense"]
    recover_from: NotRequired[int]
    when_high: NotRequired[list[str]]
    when_low: NotRequired[list[str]]


DoubleTieNumbers = TypedDict(
    "DoubleTieNumbers",
    {"1": str, "2": str, "3": str, "4": str, "5": str, "6": str, "swaps": list[str], "deadly": str},
)
"""What ends a double tie, by the die (STR-TC-08)."""


class ConflictNumbers(TypedDict):
    """numbers.toml of Team Conflicts."""

    actions: dict[str, ConflictAction]
    limits: ConflictLimits
    outcome: ContestTable
    double_tie: DoubleTieNumbers
    aftermath: ConflictAftermath
    prep: PrepNumbers
    weighs: WeighsNumbers
    policies: dict[str, PolicyNumbers]
