"""Types of Team Conflicts, with their schemas.

They are types for the book, the state, the results of moves, and the tables of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NotRequired, Required, TypedDict

from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.kernel.roll_types import RollTold
from strike_cli.systems.core.data import ComplicationUsedData, SkillData
from strike_cli.validation import Either, KnownItemId, Names, Number, OneOf, Text
from strike_cli.validation_schemas_from_types import Default, PerFace, form, form_of

from .rule_numbers import WhichRoll

# The book


def _check_paired_keys(trait: TraitWritten, where: Place, faults: Faults) -> None:
    for one, other in (("either", "either_when"), ("next_on", "next_defense")):
        if (one in trait) != (other in trait):
            faults.append(Fault(where, f"{one} and {other} need each other"))


_Points = Annotated[int, Number(1, 9)]
_Modifier = Annotated[int, Number(-9, 9)]
_Ending = Literal["draw", "push"]


@form(_check_paired_keys)
class TraitWritten(TypedDict, total=False):
    """The effects of an active trait (STR-TC-16)."""

    name: Required[str]
    summary: Annotated[str, Default("")]
    advance: _Modifier  # a modifier of its side's roll in every round
    defense: _Modifier
    either: _Points  # a modifier of either roll, as its side chooses
    either_when: Literal["before", "after"]  # before or after the dice
    grows_advance: _Points  # growth at the end of each round
    grows_defense: _Points
    hit_on: _Ending  # when the opponents take an extra Hit
    next_on: _Ending  # when `next_defense` applies to the opponents
    next_defense: Annotated[int | Literal["margin"], Either(int, Number(-9, -1), OneOf("margin"))]
    recover_on: _Ending
    ablates: Annotated[int, Number(-9, -1)]  # the opponents' Defense, in place of a Hit's other effects
    drains: Literal["instead", "as-well"]
    ignores_hits: _Points
    ties: bool
    irremovable: bool
    strike_on_win: _Points  # Strikes that the opponents take when they win
    owed_on_win: Sequence[Literal["minor", "major"]]
    hit_for_loss: bool
    by_hand: str
    override: Annotated[bool, Default(False)]


class _MemberId(Text):
    """The schema of a character's id, as it is written in campaign.toml."""

    def resolve(self, value: object, where: Place, names: Names) -> object:
        if not names.has("characters", str(value)):
            names.full_id("characters", str(value), where)
        return value


_Names = Annotated[list[str], Default([])]
_Team = Annotated[list[Annotated[str, _MemberId()]], Default([])]


class ConflictWritten(TypedDict, total=False):
    """A prepared conflict, as it is written in the campaign."""

    name: Required[str]
    intent: Required[str]
    against: Required[str]
    their_intent: Required[str]
    advance: Annotated[int, Number(0, 20)]  # the opposition's, by default one less than the number of players
    defense: Annotated[int, Number(0, 20)]
    traits: _Names
    our_traits: _Names
    team: _Team
    their_team: _Team  # for players on the other side
    no_withdrawal: Annotated[bool, Default(False)]
    swaps: Annotated[dict[str, str], Default({})]  # events of the double tie, with those that replace them
    summary: Annotated[str, Default("")]


# The state

_Count = Annotated[int, Number(0)]


class DeclaredAction(TypedDict):
    """The action that a person, or the whole opposition, has declared for the round.

    Attributes:
        to: The roll that a secondary goal helps.
        came: The result of a secondary goal's Skill Roll.
        recover: What the action Recover will regain.
        next: The roll that the action Obscure helps.
    """

    action: str
    skill: NotRequired[str]
    using: NotRequired[str]
    to: NotRequired[WhichRoll]
    came: NotRequired[str]
    recover: NotRequired[str]
    next: NotRequired[WhichRoll]


class _CauseKept(TypedDict):
    clause: str
    action: NotRequired[str]
    by: NotRequired[str]
    side: NotRequired[str]
    name: NotRequired[str]


class RoundBonus(TypedDict):
    """A bonus that a side has in the rounds `first` to `last`; `why` is its reason, as a clause.

    In a conflict that began in an older version, `why` is text.
    """

    first: Annotated[int, Number(1)]
    last: Annotated[int, Number(1)]
    advance: NotRequired[int]
    defense: NotRequired[int]
    until_push: NotRequired[bool]
    why: Annotated[dict[str, object], Either(dict, form_of(_CauseKept), Text())]


class ConflictSide(TypedDict):
    """A side in the table `[conflict]` of state.toml.

    `grown` is how often each of its traits has grown.
    """

    name: str
    intent: str
    team: list[Annotated[str, KnownItemId("characters")]]  # empty for an opposition
    advance: Annotated[int, Number(0, 20)]
    defense: Annotated[int, Number(0, 20)]
    strikes: _Count
    irremovable: NotRequired[_Count]
    cost_of_win: NotRequired[_Count]  # how many of them winning has cost, while the win may be averted
    traits: list[str]
    lost_traits: NotRequired[list[str]]
    actions: NotRequired[dict[str, DeclaredAction]]
    opposition: NotRequired[DeclaredAction]
    prepared: NotRequired[dict[str, str]]
    scouts: NotRequired[Annotated[int, Number(0, 2)]]
    scouted: NotRequired[Mapping[str, Annotated[int, Number(1, 6)]]]  # the other side's dice that it knows
    bonuses: NotRequired[list[RoundBonus]]
    stock: NotRequired[list[Annotated[str, OneOf("before", "after")]]]
    inspired: NotRequired[list[Literal["each", "one"]]]
    took_one: NotRequired[list[str]]
    withdrawn: NotRequired[list[str]]
    hits_due: NotRequired[_Count]
    ignored: NotRequired[Mapping[str, _Count]]
    grown: NotRequired[Mapping[str, _Count]]


class RestOfRound(TypedDict):
    """The rest of a round that waits because the effect of a Hit has to be decided.

    Attributes:
        outcome: The outcome of the dice.
        counts_as: For each side, whether the outcome counts as a win, a tie or a loss.
        margins: The margin of each side's roll.
        recover: What a trait regains, if it regains something after the round.
        over: Whether the conflict is over.
        costly: The number of Strikes that the winner still has to take for winning.
        struck: Whether the Hits that actions deal have been dealt.
    """

    outcome: str
    counts_as: Mapping[str, Annotated[str, OneOf("win", "tie", "lose")]]
    margins: Mapping[str, int]
    recover: NotRequired[str]
    over: NotRequired[bool]
    costly: NotRequired[_Count]
    struck: NotRequired[bool]


class NamedPerson(TypedDict):
    """A person in the conflict, by name, since they may have no sheet."""

    name: str


class ConflictState(TypedDict):
    """The table `[conflict]` of state.toml."""

    id: NotRequired[str]
    name: str
    people: NotRequired[dict[str, NamedPerson]]
    round: Annotated[int, Number(1)]
    ours: ConflictSide
    theirs: ConflictSide
    death: NotRequired[bool]
    no_withdrawal: NotRequired[bool]
    swaps: NotRequired[dict[Annotated[str, OneOf(*"123456")], str]]
    ended: NotRequired[
        Annotated[str, OneOf("win", "lose", "double-tie", "conceded", "they-conceded", "undecided")]
    ]
    rest: NotRequired[RestOfRound]  # the rest of a round that a Hit holds up


class ConflictInOdds(ConflictState):
    """A conflict in the computation of odds. `averts` is how many losses our side may still avert."""

    averts: int


class OppositionBonuses(TypedDict):
    """The bonuses that an opposition has on its two rolls."""

    advance: int
    defense: int


# Results of moves


class ContestSide(TypedDict):
    """A side's two dice, with their bonuses."""

    advance: int
    advance_bonus: int
    advance_roll: RollTold
    defense: int
    defense_bonus: int
    defense_roll: RollTold


class ContestData(TypedDict):
    """The dice of a round and their comparison."""

    ours: ContestSide
    theirs: ContestSide
    comparison: dict[str, str]
    counts_as: dict[str, str]
    outcome: str
    hits: list[str]


class DoubleTieData(TypedDict):
    """The die rolled for a double tie, and the `event` that it gives.

    `swaps` are the events that the game master may choose in place of this one.
    """

    roll: RollTold
    event: str
    swaps: list[str]


class AftermathData(TypedDict):
    """The end of a conflict: the Condition of each person, by severity, and the Concessions to be made.

    After `conflict end`, `gained` has the Conditions that were chosen. If the conflict was close,
    `loser_chose` is the option with which the loser spoilt the win.
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


class RoundOddsKey(TypedDict):
    """The values by which `strike odds` tells the results of a round apart.

    They are the outcome, and the sides that are hit.
    """

    outcome: str
    hits: tuple[str, ...]


class BonusToPlace(TypedDict):
    """The data of a question: which of a side's two rolls gets a bonus?

    `comes_to` has the round's outcome for each answer. Before the dice are rolled, it is left out.
    """

    side: str
    comes_to: NotRequired[dict[str, str]]


class PrepEffects(TypedDict):
    """The effects of a preparation that was rolled."""

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
    gives: PrepEffects


class ConflictActData(TypedDict):
    """The result of `conflict act`."""

    who: str
    action: str
    skill: NotRequired[str]
    next: NotRequired[str]
    using: NotRequired[str]
    missing: list[str]


class ConflictActsData(TypedDict):
    """The result of `conflict act` for several members."""

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


class ConflictAfterMoveData(TypedDict, total=False):
    """The part of a move's data that shows the conflict after the move.

    It has each side's Strikes, the number of each side's Hits that aren't decided yet, the aftermath, and
    whether the conflict has ended.
    """

    strikes: Mapping[str, int]
    hits_due: Mapping[str, int]
    aftermath: AftermathData | None
    ended: bool


class TypedWeighOption(TypedDict):
    """The rolls that Conditions and Flaws affect, as the user typed them.

    `picks` has pairs: a Condition or Flaw, and the roll that it affects. `default` is the roll that all
    others affect.
    """

    default: str
    picks: list[list[str]]


class ConflictAction(TypedDict):
    """An action that may be taken in a round, with its effects (STR-TC-02, 03)."""

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
    """Numbers set by the rules of conflicts, for instance how many members may take the same action."""

    same_action: int
    secondary: int
    concede: int
    avert: int
    stock: int
    fewer: int


class ContestRow(TypedDict):
    """The result of a round, and the sides that are hit (STR-TC-05)."""

    outcome: Literal["win", "push", "double-tie", "draw", "lose"]
    hits: list[Literal["ours", "theirs"]]


class ContestRows(TypedDict):
    """The rows of the contest table, by the result of the other side's Advance."""

    win: ContestRow
    tie: ContestRow
    lose: ContestRow


class ContestTable(TypedDict):
    """The contest table, by the result of our side's Advance."""

    win: ContestRows
    tie: ContestRows
    lose: ContestRows


SeverityRow = TypedDict("SeverityRow", {"from": int, "severity": Literal["major", "minor"]})
"""A row of the table of Conditions, for this many Strikes or more (STR-TC-09)."""
OwedRow = TypedDict("OwedRow", {"from": int, "owed": list[Literal["major", "minor"]]})
"""A row of the table of Concessions, for this many Strikes or more (STR-TC-09)."""


class ConflictAftermath(TypedDict):
    """The rules' numbers for the aftermath of a conflict, by the number of Strikes (STR-TC-09)."""

    conditions: list[SeverityRow]
    concessions: list[OwedRow]
    close_loss: int


class PrepBonus(TypedDict):
    """A bonus in the rounds `first` to `last` (STR-TC-14)."""

    first: int
    last: int
    advance: NotRequired[int]
    defense: NotRequired[int]
    until_push: NotRequired[bool]


class PrepResult(TypedDict):
    """The effects of a preparation that goes well, fairly or badly."""

    bonuses: NotRequired[list[PrepBonus]]
    stock: NotRequired[Literal["before", "after"]]
    scouts: NotRequired[int]
    inspire: NotRequired[Literal["each", "one"]]
    hit: NotRequired[bool]


class PrepAction(TypedDict):
    """A preparatory action: its name, and its effects if the preparation goes `well` or only `fairly`."""

    name: str
    well: PrepResult
    fairly: PrepResult


class PrepNumbers(TypedDict):
    """The rules of preparations, from the table `prep` of `numbers.toml` (STR-TC-14).

    `actions` has the preparatory actions. `faces` says for each face of the die whether a preparation goes
    well, fairly or badly. `badly` has the effects of any preparation that goes badly.
    """

    badly: PrepResult
    actions: dict[str, PrepAction]
    faces: PerFace[Literal["well", "fairly", "badly"]]


class WeighsNumbers(TypedDict):
    """The effects of Conditions and Flaws on a roll (STR-TC-15)."""

    major: int
    minor: Literal["advantage", "disadvantage"]
    flaw: Literal["advantage", "disadvantage"]


class PolicyNumbers(TypedDict):
    """A policy: the rules by which a side chooses its actions when the program computes odds."""

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
"""The events of a double tie, by the die; `swaps` may replace them, and `deadly` may kill (STR-TC-08)."""


class ConflictNumbers(TypedDict):
    """The tables of the conflicts' `numbers.toml`."""

    actions: dict[str, ConflictAction]
    limits: ConflictLimits
    outcome: ContestTable
    double_tie: DoubleTieNumbers
    aftermath: ConflictAftermath
    prep: PrepNumbers
    weighs: WeighsNumbers
    policies: dict[str, PolicyNumbers]
