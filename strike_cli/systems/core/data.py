"""Types of the core, with their schemas.

They are types for the book, the state, the results of commands, and the tables of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, NotRequired, Protocol, TypedDict

from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.kernel.roll_types import RollTold
from strike_cli.problems import listed
from strike_cli.tabletop.data import (
    BankedKept,
    CharacterWritten,
    Contributions,
    FavorKept,
    FlawKept,
    NamedTrick,
    OtherKept,
)
from strike_cli.tabletop.rules_vocabulary import NEEDS, TIMES
from strike_cli.validation import NAME, ListOf, Names, Number, OneOf, Reference
from strike_cli.validation_schemas_from_types import Default, PerFace, form

from .facts.conditions import SEVERITIES


class ContentOfCore(Protocol):
    """The parts of the book that are about characters, whichever game is played."""

    severities: Mapping[str, Mapping[str, object]]
    conditions: Mapping[str, ConditionWritten]
    characters: Mapping[str, CharacterWritten]


class SeverityName(Reference):
    """The schema of a severity: a built-in word, or the id of a severity in the book."""

    def __init__(self) -> None:
        super().__init__("severities")

    def resolve(self, value: object, where: Place, names: Names) -> object:
        """Return the full id of a severity in the book; a built-in word stays as it is."""
        return value if value in SEVERITIES else super().resolve(value, where, names)


def _check_recovery(recovery: RecoveryWritten, where: Place, faults: Faults) -> None:
    if "times" in recovery and not set(recovery["needs"]) & set(TIMES):
        faults.append(Fault(where / "times", f"needs one of {listed(TIMES)} in needs, for counting"))
    roll = recovery.get("roll", {})
    if ("worse_on" in roll) != ("to" in roll):
        faults.append(Fault(where / "roll", "worse_on and to need each other"))
    if roll.get("worse_on", 0) >= roll.get("at_least", 7):
        faults.append(Fault(where / "roll" / "worse_on", "should be less than at_least"))


_Condition = Annotated[str, Reference("conditions")]


class RecoveryDie(TypedDict):
    """The die roll that decides a recovery.

    The Condition ends if the die shows `at_least` or more. If it shows `worse_on` or less, the Condition
    turns into the Condition `to`.
    """

    at_least: Annotated[int, Number(2, 6)]
    worse_on: NotRequired[Annotated[int, Number(1, 5)]]
    to: NotRequired[_Condition]


@form(_check_recovery)
class RecoveryWritten(TypedDict):
    """The recovery that ends a Condition.

    `needs` lists what the recovery requires, and `own` adds requirements in free words ("a silver bell").
    `times` is how often they must be met. If there is a `roll`, it decides once everything else is met.
    """

    needs: Sequence[Annotated[str, OneOf(*NEEDS)]]
    text: str
    own: NotRequired[Annotated[Sequence[str], ListOf(NAME, 1)]]
    times: NotRequired[Annotated[int, Number(2, 99)]]
    roll: NotRequired[RecoveryDie]  # a die roll, once everything else is met


class SeverityWritten(TypedDict):
    """A severity that the book adds.

    `stacks` is whether several instances of a Condition count separately. `like` is the built-in severity
    whose rules apply to this one.
    """

    name: Annotated[str, NAME]
    summary: Annotated[str, Default("")]
    stacks: Annotated[bool, Default(True)]
    like: NotRequired[Annotated[str, OneOf(*SEVERITIES)]]
    override: Annotated[bool, Default(False)]


class EscalationWritten(TypedDict):
    """The rule that too many instances of a Condition turn into another Condition.

    `at` is a number of instances. When a person would get that many, they get the Condition `to` instead.
    """

    to: _Condition
    at: Annotated[int, Number(2, 9)]


class WorseningWritten(TypedDict):
    """The Condition (`to`) that replaces another one which was left untended for too long.

    "Too long" means `times` rests of the length `after` or longer.
    """

    after: Annotated[str, OneOf(*TIMES)]
    times: Annotated[int, Number(1, 99), Default(1)]
    to: _Condition


class ConditionWritten(TypedDict):
    """The keys of a Condition that the core uses: all except the effects on rolls."""

    name: Annotated[str, NAME]
    severity: Annotated[str, SeverityName()]
    summary: Annotated[str, Default("")]
    recovery: NotRequired[RecoveryWritten]  # without one, the game master ends it
    escalates: NotRequired[EscalationWritten]
    worsens: NotRequired[WorseningWritten]
    stacks: NotRequired[bool]  # whether each instance counts, by default as for its severity
    doubts: NotRequired[
        Annotated[bool, Default(False)]
    ]  # it makes its bearer doubt Skills that are named when it is gained
    noun: NotRequired[
        Annotated[bool, Default(False)]
    ]  # worded as something that people have, like Marsh Cough
    tags: NotRequired[Annotated[Sequence[str], Default([])]]
    override: NotRequired[Annotated[bool, Default(False)]]


class WholeCondition(ConditionWritten, Contributions):
    """A Condition of the book, with its effects on rolls and in other systems."""


class UnlistedSkill(TypedDict):
    """A Skill that was rolled but is on nobody's sheet, and the character who rolled it first."""

    skill: str
    who: str


class TriedTask(TypedDict):
    """A task that the party has already tried (STR-CORE-15)."""

    who: str
    task: str
    intent: str
    text: NotRequired[str]


Tasks = list[TriedTask]
"""The table `[[tasks]]` of state.toml."""
Others = dict[str, OtherKept]
"""The tables `[others.ID]` of state.toml: Conditions of people other than characters, and of sides."""
UnlistedSkills = list[UnlistedSkill]
"""The table `[[unlisted_skills]]` of state.toml."""


class ConditionShown(TypedDict):
    """A Condition of a character, with the number of its instances and its recovery."""

    id: str
    name: str
    count: int
    severity: str
    summary: str
    recovery: RecoveryWritten | None


class MergedSheet(TypedDict):
    """A sheet with the changes made in play, and the values that other systems show on it."""

    name: str
    player: str
    concept: str
    notes: str
    ap: int
    skills: list[str]
    connections: Sequence[str]
    tools: Sequence[str]
    relationships: Sequence[str]
    tricks: Sequence[NamedTrick]
    complications: Sequence[NamedTrick]
    fallback: str
    levels: int
    conditions: Sequence[ConditionShown]
    doubts: Sequence[str]
    flaws: Sequence[FlawKept]
    favors: Sequence[FavorKept]
    banked: Sequence[BankedKept]


class SkillWords(TypedDict):
    """A Skill as an argument of a roll.

    `unlisted` is set if the Skill is on nobody's sheet. `near` has similar Skills from which the user
    chooses.
    """

    skill: str
    unlisted: NotRequired[bool]
    near: NotRequired[list[str]]


class HelperTyped(TypedDict):
    """A helper, as typed."""

    name: str
    skilled: bool


class SkillArgs(SkillWords):
    """The arguments of a Skill Roll, with names looked up."""

    who: str
    skilled: bool
    known: bool
    adv: Sequence[str]
    dis: Sequence[str]
    mods: Sequence[Sequence[object]]
    helpers: Sequence[HelperTyped]


class LevelUpData(TypedDict):
    """The result of `advance level-up`."""

    who: str
    levels: int
    gains: str
    name: str


class TrickGainedData(TypedDict):
    """The result of `advance trick`."""

    who: str
    trick: str
    skill: str


class ComplicationGainedData(TypedDict):
    """The result of `advance complication`."""

    who: str
    complication: str
    by: str


class SwapData(TypedDict):
    """The result of `advance swap-trick`, `advance swap-complication` and `advance replace`."""

    who: str
    kind: str
    old: str
    new: str
    skill: NotRequired[str]


class ConditionAddData(TypedDict):
    """The result of `condition add`."""

    who: str
    condition: str
    escalated: bool
    conditions: list[str]
    doubts: list[str]


class ConditionGoneData(TypedDict):
    """The result of `condition remove` and `recover`."""

    who: str
    condition: str
    left: int


class RestData(TypedDict):
    """The result of `rest`."""

    rest: str
    ended: dict[str, list[str]]
    left: dict[str, list[str]]
    charges: NotRequired[dict[str, list[str]]]


class FlawMendData(TypedDict):
    """The result of `flaw mend`."""

    who: str
    id: str
    on: str


class FlawAddData(FlawMendData):
    """The result of `flaw add`."""

    text: str


class FlawUseData(FlawMendData):
    """The result of `flaw use`."""

    outcome: str
    ap: int


class FavorRepayData(TypedDict):
    """The result of `favor repay`."""

    who: str
    id: str
    to: str


class FavorOverdueData(FavorRepayData):
    """The result of `favor overdue`."""

    reputation: bool


class FavorAddData(FavorOverdueData):
    """The result of `favor add`."""

    text: str


class FavorAssociateData(FavorRepayData):
    """The result of `favor associate`."""

    associates: list[str]


BankData = TypedDict("BankData", {"who": "str", "gives": "str", "for": "str", "why": "str", "id": "str"})
"""The result of `bonus bank`."""


BankDropData = TypedDict("BankDropData", {"who": "str", "id": "str", "for": "str"})
"""The result of `bonus drop`."""


class DieData(TypedDict):
    """The result of `roll die`."""

    rolls: list[RollTold]
    total: int


class EveningBegunData(TypedDict):
    """The result of starting an evening: the characters who were given an Action Point."""

    action_points_given: list[str]


class EveningEndedData(TypedDict):
    """The result of ending an evening.

    It has the Action Points that were lost, and the players who can still give an Awesome Point.
    """

    clipped: dict[str, int]
    awards_left: list[str]


class FallbackRollData(TypedDict):
    """The parts of a roll's data that are used and changed when a Fallback is used (STR-CORE-31)."""

    who: str
    outcome: str
    costs: int
    fallback: NotRequired[str]


class FallbackData(FallbackRollData):
    """The result of `fallback`.

    If the roll was made to buy something, `what` is the item, and `got` is whether it was bought.
    """

    skill: str
    grants: NotRequired[str]
    what: NotRequired[str]
    got: NotRequired[bool]


class LearnData(TypedDict):
    """The result of `skill learn` and `skill forget`."""

    who: str
    skill: str
    learned: list[str]


class HelperRollData(TypedDict):
    """A helper's roll, and how much it `added` (STR-CORE-20)."""

    name: str
    roll: RollTold
    added: int


class OpposedHelperRollData(HelperRollData):
    """A helper's roll in an Opposed Roll, how much it `added`, and the side that it helped."""

    side: str


class TotalsBySide(TypedDict):
    """The totals of both sides in an Opposed Roll."""

    ours: int
    theirs: int


class LearnersBySide(TypedDict):
    """For each side of an Opposed Roll, whether its roller may learn the Skill that was rolled."""

    ours: bool
    theirs: bool


class OpposedData(TypedDict):
    """The result of `roll opposed`."""

    ours: RollTold
    theirs: RollTold
    helpers: list[OpposedHelperRollData]
    totals: TotalsBySide
    winner: str | None
    margin: int
    complete: bool
    loser_options: list[str]
    can_learn: NotRequired[LearnersBySide]
    tie_broken_by: NotRequired[str]
    complication: NotRequired[str]
    loser_chose: NotRequired[str]


class PointsData(TypedDict):
    """The result of `ap give` and `ap spend`."""

    who: str
    before: int
    ap: int


AwesomeData = TypedDict("AwesomeData", {"from": "str", "to": "str", "why": "str", "ap": "int"})
"""The result of `awesome`."""


class TrickUsedData(TypedDict):
    """The result of `trick use`."""

    who: str
    trick: str
    skill: str
    outcome: str
    bonus: bool
    costs: int
    ap: int
    uses: int
    of: int


class ComplicationUsedData(TypedDict):
    """The result of `complication use`."""

    who: str
    complication: str
    kind: str
    how: str
    ap: int
    uses: int
    of: int
    earned: int


class SkillData(TypedDict):
    """The result of `roll skill` and `roll linked`."""

    who: str
    skill: str
    skilled: bool
    roll: RollTold
    helpers: list[HelperRollData]
    total: int
    outcome: str
    bonus: bool
    costs: int
    can_learn: bool
    grants: NotRequired[str | None]
    fallback: NotRequired[str]
    banked: NotRequired[str]
    taken: NotRequired[str]


class OutcomeRow(TypedDict):
    """A row of the tables of Skill Rolls (STR-CORE-03)."""

    outcome: str
    bonus: bool
    costs: int


class LosersOptionRow(TypedDict):
    """A way in which the loser of a close roll may spoil the win (STR-CORE-16)."""

    id: str
    label: str


class OpposedNumbers(TypedDict):
    """The numbers of Opposed Rolls (STR-CORE-15, 16)."""

    complete_margin: int
    loser_options: list[LosersOptionRow]


class CoreNumbers(TypedDict):
    """The tables of the core's `numbers.toml`."""

    skilled: PerFace[OutcomeRow]
    unskilled: PerFace[OutcomeRow]
    opposed: OpposedNumbers


class SkillTags(TypedDict):
    """The tables of `tags.toml`: the subjects of Skills, and the Conditions these suggest."""

    skills: dict[str, list[str]]
    conditions: dict[str, str]


class LastRoll(TypedDict):
    """A character's last Skill Roll, recorded for a later Fallback (STR-CORE-31).

    If the command that rolled has more to do after a success, `move` is the name of this command. If the roll
    was made to buy something, `what` is the item, and `got` is whether it was bought.
    """

    skill: str
    outcome: str
    costs: int
    linked: NotRequired[str]
    linked_for: NotRequired[str]
    move: NotRequired[str]
    what: NotRequired[str]
    got: NotRequired[bool]


class SkillLearningData(TypedDict):
    """The parts of a roll's data that the learning of a Skill needs, or changes (STR-CORE-06)."""

    who: str
    skill: str
    bonus: bool
    taken: NotRequired[str]


class OpposedSkillLearningData(OpposedData, SkillLearningData):
    """The data of an Opposed Roll while a side is asked whether to learn a Skill."""


class LosersChoiceData(TypedDict):
    """The part of a roll's data in which the loser's choice is stored (STR-CORE-16)."""

    loser_chose: NotRequired[str]
