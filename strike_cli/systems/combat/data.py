"""TypedDicts of Tactical Combat: content, the state, results of commands, and the tables of `numbers.toml`.

Annotations give the form of a key in TOML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NotRequired, Protocol, TypedDict

from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.kernel.roll_types import RollTold
from strike_cli.kernel.statements import Clause, Reason
from strike_cli.systems.core.data import SkillData
from strike_cli.tabletop.data import (
    COMBATANT,
    PICTURE,
    BoardKept,
    Contributions,
    EffectWritten,
    GroundKept,
    NamedEffect,
    ObjectiveKept,
    PersonKept,
    SquareName,
    StatusHeld,
    ZoneKept,
)
from strike_cli.tabletop.rules_vocabulary import TIMES, Sight, ZoneEnd, ZoneWho
from strike_cli.tabletop.status_effect_schemas import DURATION, ROLL, UNTIL_FACT
from strike_cli.validation import (
    NAME,
    AnyValue,
    Either,
    KnownItemId,
    ListOf,
    Number,
    OneOf,
    Record,
    Reference,
    Text,
    VocabularyWord,
)
from strike_cli.validation_schemas_from_types import Default, PerFace, form, form_of

from .steps import AMOUNTS, CONDITIONS, ONCE, PLANS, REACTION_EVENTS, RESULTS, SIDES, STEPS, TURNS, WHOM

# The book of fights

_Status = Annotated[str, Reference("statuses")]
_COUNT = Number(0)

BonusWritten = TypedDict(
    "BonusWritten",
    {
        "amount": Annotated[int, Number(1, 100)],
        "if": NotRequired[Annotated[str, OneOf(*CONDITIONS)]],
        "if_status": NotRequired[_Status],
    },
)
"""Extra damage, under a condition if one is given."""


# Steps of powers and statuses


def _check_keys_of_measured_amount_agree(amount: MeasuredWritten, where: Place, faults: Faults) -> None:
    if ("die" in amount) == ("of" in amount):
        faults.append(Fault(where, "needs either of, its measure, or die, the sides of a die"))
    if "status" in amount and amount.get("of") != "value":
        faults.append(Fault(where / "status", 'needs of = "value"'))
    if "dice" in amount and "die" not in amount:
        faults.append(Fault(where / "dice", "needs die, the sides of each"))
    if amount.get("least", 0) > amount.get("most", 100):
        faults.append(Fault(where, "least is greater than most"))


@form(_check_keys_of_measured_amount_agree)
class MeasuredWritten(TypedDict, total=False):
    """A number that is measured in the fight.

    `of` says what is measured. The measured number can then be multiplied, divided, halved, increased and
    limited.
    """

    of: Annotated[str, VocabularyWord("amounts", AMOUNTS)]
    status: _Status  # for `of = "value"`: the status whose number counts
    die: Annotated[int, Number(2, 20)]
    dice: Annotated[int, Number(1, 4)]
    times: Annotated[int, Number(1, 10)]
    share: Annotated[int, Number(2, 10)]  # divided by this number
    half: Literal["down", "up"]
    plus: Annotated[int, Number(-20, 20)]
    least: Annotated[int, Number(0, 100)]
    most: Annotated[int, Number(0, 100)]


AMOUNT = Either(int, Number(0, 100), form_of(MeasuredWritten))
"""The form of an amount: a number, or a table that computes it from a measure."""
_Amount = Annotated[int | MeasuredWritten, AMOUNT]
_Squares = Annotated[int, Number(1, 20)]
_Steps = Annotated[Sequence["StepWritten"], AnyValue()]  # `schemas` checks them, at each depth


class StepOption(TypedDict):
    """One of the options that a step offers, with the steps that it leads to."""

    name: Annotated[str, NAME]
    steps: _Steps


AnyStep = TypedDict(
    "AnyStep",
    {
        "do": Annotated[str, VocabularyWord("steps", STEPS)],
        "to": Annotated[str, OneOf(*WHOM), Default("target")],
        "within": NotRequired[_Squares],  # greatest distance of an ally, the allies or the enemies
        "from": NotRequired[Literal["self", "target"]],  # where `within` begins, by default at the user
        "if": NotRequired[Annotated[str, OneOf(*CONDITIONS)]],
        "if_status": NotRequired[_Status],  # only for a target that has it
        "once": NotRequired[Annotated[str, OneOf(*ONCE)]],
    },
)
"""The keys that any step may have."""


@form(keys={"said": None})
class StepWritten(AnyStep, total=False):
    """A step of a power or status, with the keys that several kinds of step share.

    Each kind of step has a class. The class says which of these keys its steps have, and can declare further
    keys.
    """

    amount: _Amount
    status: _Status
    power: Annotated[str, Reference("powers")]
    creature: Annotated[str, Reference("creatures")]
    handler: Annotated[str, Reference("handlers")]
    near: _Squares
    spread: _Squares
    length: _Squares
    most: Annotated[int, Number(1, 100)]
    hp: _Amount
    damage: _Amount
    speed: _Amount
    duration: Annotated[str, DURATION]
    until: Annotated[str, UNTIL_FACT]
    roll: Annotated[str, ROLL]
    turns: Annotated[str, OneOf(*TURNS)]
    half: Literal["down", "up"]
    sight: Sight
    who: ZoneWho
    zone: str
    steps: _Steps
    otherwise: _Steps
    options: Annotated[Sequence[StepOption], AnyValue()]
    faces: Annotated[Mapping[str, _Steps], AnyValue()]
    said: str | Clause  # of a step that strike itself has made: its words


# Powers and sheets


class AreaWritten(TypedDict, total=False):
    """The shape of an area: exactly one of these keys, with the area's size in squares."""

    burst: int
    area: int
    line: int
    cone: int


class PowerWritten(TypedDict):
    """A power as it is written in TOML.

    Reach, range and areas are in squares, and damage is in HP. `before`, `effect`, `hit`, `miss` and `always`
    are lists of steps. In a power of the book, all five are present, even if they are empty. If the steps of
    a status are treated as a power, some may be missing. The form of steps is in `schemas`.
    """

    name: str
    summary: NotRequired[Annotated[str, Default("")]]
    action: Annotated[Literal["attack", "move", "role", "free", "interrupt", "none"], Default("attack")]
    usage: NotRequired[Annotated[Literal["at-will", "encounter"], Default("at-will")]]
    kind: NotRequired[Annotated[Literal["class", "role", "basic", "special"], Default("class")]]
    uses: NotRequired[Annotated[int, Number(1, 20)]]  # a fight
    recharge: NotRequired[Annotated[int, Number(2, 6)]]  # the lowest roll that restores a use
    charges: NotRequired[Annotated[int, Number(1, 20)]]  # uses of a character until a rest
    back: NotRequired[Annotated[str, OneOf(*TIMES)]]  # the rest that restores charges, by default a long one
    ap: NotRequired[Annotated[int, Number(0, 9)]]  # Action Points that it costs a player
    hp: NotRequired[Annotated[int, Number(1, 100)]]  # HP that it costs
    level: NotRequired[Annotated[int, Number(1, 10)]]  # lowest level at which a character may have it
    trigger: NotRequired[str]
    on: NotRequired[Annotated[str, OneOf(*REACTION_EVENTS)]]  # a trigger that strike recognises itself
    befalls: NotRequired[Annotated[str, OneOf(*SIDES)]]  # whom the trigger happens to, by default oneself
    by: NotRequired[Annotated[str, OneOf(*SIDES)]]  # who causes the trigger
    near: NotRequired[Annotated[int, Number(1, 100)]]  # greatest distance, in squares, to either of them
    result: NotRequired[Annotated[str, OneOf(*RESULTS)]]  # of the attack roll that is the trigger
    plan: NotRequired[Annotated[str, OneOf(*PLANS)]]  # when creatures use it
    once: NotRequired[Annotated[str, OneOf(*ONCE)]]
    reach: NotRequired[Annotated[int, Number(1, 20)]]
    range: NotRequired[Annotated[int, Number(1, 100)]]
    burst: NotRequired[Annotated[int, Number(1, 20)]]  # around oneself
    area: NotRequired[Annotated[int, Number(1, 20)]]  # a burst around a square in range
    line: NotRequired[Annotated[int, Number(1, 100)]]
    cone: NotRequired[Annotated[int, Number(1, 20)]]
    who: NotRequired[Literal["enemies", "allies", "friends", "others", "any", "self"]]
    targets: NotRequired[Annotated[int | Literal["all"], Either(str, OneOf("all"), Number(1, 20))]]
    repeats: NotRequired[bool]  # whether one target may be named several times
    damage: NotRequired[Annotated[int, Number(0, 100)]]
    bonus: NotRequired[Annotated[Sequence[BonusWritten], Default([])]]
    before: NotRequired[Sequence[StepWritten]]
    effect: Sequence[StepWritten]
    hit: NotRequired[Sequence[StepWritten]]
    miss: NotRequired[Sequence[StepWritten]]
    always: NotRequired[Sequence[StepWritten]]
    keywords: NotRequired[Annotated[Sequence[str], Default([])]]
    override: NotRequired[Annotated[bool, Default(False)]]


class Power(PowerWritten):
    """A power of a creature.

    It may be a power of the book, or a power that isn't in the book, such as an improvised attack. A power
    that isn't in the book has its name in `called`.
    """

    id: str
    called: NotRequired[Reason]


class SenseWritten(TypedDict):
    """A special sense of a creature, with its range in squares.

    `ignores` lists the hindrances that don't affect the sense: obscured, dark, hidden, invisible, walls, or a
    zone's name.
    """

    name: str
    ignores: Sequence[str]
    range: NotRequired[Annotated[int, Number(1, 100)]]


class AuraWritten(TypedDict):
    """A zone that moves with its bearer and covers all squares within `spread` of it."""

    name: str
    spread: Annotated[int, Number(1, 20)]
    amount: NotRequired[Annotated[int, Number(1, 100)]]  # HP of damage
    status: NotRequired[_Status]
    difficult: NotRequired[bool]
    cover: NotRequired[bool]
    sight: NotRequired[Sight]
    who: NotRequired[ZoneWho]


class BasicAttack(TypedDict, total=False):
    """The damage of a basic attack in HP, and its reach or range in squares."""

    damage: Annotated[int, Number(0, 100), Default(2)]
    reach: Annotated[int, Number(1, 20), Default(1)]
    range: Annotated[int, Number(1, 100), Default(5)]


@form(keys={"range": None})
class MeleeAttack(BasicAttack, total=False):
    """A basic attack within reach."""


@form(keys={"reach": None})
class RangedAttack(BasicAttack, total=False):
    """A basic attack at range."""


class TraitWritten(NamedEffect, Contributions):
    """A trait of a creature. It acts like a status that never ends.

    A Miss Trigger is written as a reaction to `missed` or `misses`.
    """


class TraitInBook(TraitWritten):
    """A trait with an id in the book. Creatures' sheets can name it by this id."""

    override: Annotated[bool, Default(False)]


class _OfFighters(TypedDict, total=False):
    hp: Annotated[int, Number(1, 500)]
    speed: Annotated[int, Number(0, 50)]
    size: Annotated[int, Number(1, 6)]
    powers: Annotated[Sequence[Annotated[str, Reference("powers")]], Default([])]
    statuses: Annotated[Sequence[_Status], Default([])]  # at the beginning of a fight
    melee: MeleeAttack
    # false for a fighter without a ranged attack
    ranged: Annotated[Literal[False] | RangedAttack, Either(bool, OneOf(False), form_of(RangedAttack))]
    opportunity: Annotated[int, Number(0, 100)]
    senses: Annotated[Sequence[SenseWritten], Default([])]
    auras: Sequence[AuraWritten]  # zones that move with the fighter
    tactics: Annotated[
        Sequence[str], Default([])
    ]  # habits, for the player `quick` (tactics_habits.HABIT_WORDS)
    flees_at: Annotated[int, Number(0, 500)]  # HP or boxes at which the fighter breaks off


class _OfCreatures(TypedDict, total=False):
    tier: Annotated[str, OneOf("stooge", "goon", "standard", "elite", "champion"), Default("standard")]
    boxes: Annotated[int, Number(1, 20)]  # instead of HP; a hit of the threshold checks one
    threshold: Annotated[int, Number(1, 100)]
    turns: Annotated[int, Number(1, 6)]  # a round
    shares_initiative: bool  # with others of its kind
    traits: Sequence[EffectWritten | str]


_OfCharacters = TypedDict(
    "_OfCharacters", {"role": Annotated[str, Default("")], "class": Annotated[str, Default("")]}, total=False
)


class CreatureInFights(_OfCreatures, _OfFighters):
    """The keys of a creature's sheet that concern fights."""


class CharacterInFights(_OfCharacters, _OfFighters):
    """The keys of a character's sheet that concern fights."""


class FighterWritten(_OfCharacters, _OfCreatures, _OfFighters, total=False):
    """The keys of a character's or a creature's sheet that concern fights."""

    name: str
    image: str
    hidden: bool
    level: int


class ContentOfFights(Protocol):
    """The parts of the book that fights use."""

    powers: Mapping[str, PowerWritten]
    statuses: Mapping[str, EffectWritten]
    conditions: Mapping[str, EffectWritten]
    characters: Mapping[str, FighterWritten]
    durations: Mapping[str, object]
    moments: Mapping[str, object]
    creatures: Mapping[str, FighterWritten]


# The state


class PreparedAction(TypedDict):
    """An action prepared for a trigger.

    `trigger` and `then`, the action, are in the player's own words; `do` is the command that plays the
    action.
    """

    trigger: str
    then: str
    do: Annotated[str, OneOf("attack", "charge", "move", "use", "stand", "escape")]


class OwnNumbers(TypedDict):
    """A combatant's own numbers, which replace the numbers of its sheet."""

    speed: NotRequired[Annotated[int, _COUNT]]
    damage: NotRequired[Annotated[int, _COUNT]]


class SummonedBy(TypedDict):
    """The creature that summoned a combatant (`by`), and when the combatant disappears (`ends`).

    With `later`, it doesn't disappear in the turn in which it was summoned. With `stays`, it remains even if
    its summoner is gone.
    """

    by: str
    ends: ZoneEnd
    later: NotRequired[bool]
    stays: NotRequired[bool]


@form(keys={"zone": None})
class StatusInFight(StatusHeld):
    """A status that a combatant has in a fight."""


_INITIATIVE = Number(-10, 20)


@form(
    keys={
        "at": form_of(SquareName),
        "image": PICTURE,  # as in its sheet when it joined
        "out": OneOf("taken-out", "left"),
        "initiative": _INITIATIVE,
        "initiatives": ListOf(_INITIATIVE),  # for each turn of a round, if it has several
        "turns": Number(2),  # in a round, if it has several
        "taken": Number(2),  # turns taken in the round `acted`, if more than one
        **COMBATANT,
        "size": (Number(1, 6), ...),
        "statuses": list[StatusInFight],
        **dict.fromkeys(("held", "count", "down")),
    }
)
class Combatant(PersonKept):
    """A combatant in the state.

    If there is a `threshold`, `hp` counts boxes instead of HP. Damage then takes one box for each time that
    the threshold fits into it. For example, 7 damage against a threshold of 3 takes two boxes.
    """

    hp: int
    max_hp: Annotated[int, Number(1)]
    threshold: NotRequired[Annotated[int, Number(1)]]
    dented: NotRequired[bool]
    prepared: NotRequired[PreparedAction]
    miss_tokens: NotRequired[Annotated[int, _COUNT]]
    strikes: NotRequired[Annotated[int, _COUNT]]
    improvised: NotRequired[Annotated[int, _COUNT]]  # how often in this fight
    used: NotRequired[list[Annotated[str, KnownItemId("powers")]]]
    hiding: NotRequired[Annotated[int, _COUNT]]  # the round in which it began to hide
    was_bloodied: NotRequired[bool]
    numbers: NotRequired[OwnNumbers]
    summoned: NotRequired[SummonedBy]
    elsewhere: NotRequired[bool]  # has left, but not by the objective's way out


_OF = {"status": Text(), "condition": Text(), "trait": Text()}
_CAUSES = Either(list, ListOf(Either(dict, Record(clause=(Text(), ...), **_OF), Text())), Text())


class WaitingDamage(TypedDict):
    """Damage to `who` that is postponed until `who` has taken a final action. `why` lists its causes."""

    who: str
    amount: Annotated[int, Number(1)]
    why: Annotated[Sequence[str | Mapping[str, object]] | str, _CAUSES]


@form(
    keys={
        "turns": None,
        "round": (_COUNT, ...),
        "map": (form_of(BoardKept), ...),
        "zones": dict[str, ZoneKept],
    }
)
class FightState(GroundKept):
    """The table `[fight]` of state.toml."""

    id: str
    name: str
    combatants: dict[str, Combatant]
    goal: NotRequired[str]
    objective: NotRequired[ObjectiveKept]
    flees_at: NotRequired[Annotated[int, Number(1)]]
    bloodied: NotRequired[Literal["less-than-half"]]  # only if the fight doesn't count it at half or less
    turn: NotRequired[dict[str, Annotated[int | list[str], Either(list, ListOf(Text()), _COUNT)]]]
    interrupt: NotRequired[str]
    reacted: NotRequired[dict[str, Annotated[int, _COUNT]]]  # the round of the last time
    due: NotRequired[WaitingDamage]


ParkedFights = dict[str, FightState]
"""The table `[parked_fights]` of state.toml: fights that are set aside, by the ids of their encounters."""


# Results of moves


class PersonData(TypedDict):
    """A command's result that is about one person, `who`."""

    who: str


class OpportunityData(TypedDict):
    """The data of an Opportunity that was taken.

    `by` is the creature that took the Opportunity, and `against` is the creature that it attacked. `damage`
    is in HP.
    """

    by: str
    against: str
    damage: int
    hp_before: int
    hp_after: int
    taken_out: bool


WalkData = TypedDict(
    "WalkData",
    {"from": str | None, "to": str | None, "path": list[str], "opportunities": list[OpportunityData]},
)
"""A move that was made: its first and last square, its path, and the Opportunities that were taken.

`path` is the whole path as planned, even if the creature was stopped. `from` or `to` is null for a creature
that left the fight before or during the move.
"""


class MoveData(WalkData):
    """The result of `combat move`. `action` is null for a creature that preferred to stay."""

    who: str
    action: str | None


class AttackedData(TypedDict):
    """An attack roll and its result.

    Damage is in HP, or in boxes for a creature that has boxes. `die` is the face that counts in the end,
    after all changes to the roll. `aimed_at` is there if another creature was hit instead: it is the original
    target.
    """

    target: str
    roll: RollTold
    tokens_spent: int
    die: int
    result: str
    damage: int
    effect: bool
    strike: bool
    hp_before: int
    hp_after: int
    statuses_added: Sequence[str]
    taken_out: bool
    aimed_at: NotRequired[str]


class PowerData(TypedDict):
    """The result of a power: attack rolls, statuses given without a roll, and Opportunities that were taken.

    `miss_token` is whether the user gained a Miss Token. `decided` is "won" or "lost" if the fight is now
    decided.
    """

    who: str
    power: str
    targets: list[str]
    attacks: list[AttackedData]
    statuses_added: dict[str, Sequence[str]]
    miss_token: bool
    opportunities: list[OpportunityData]
    decided: str | None
    at: NotRequired[str]


class PlayedMove(TypedDict):
    """A command that a bot played: its arguments, its number in the journal, and its result."""

    command: str
    args: Mapping[str, object]
    seq: int | None
    data: object


class ForeseenData(TypedDict, total=False):
    """The parts of a command's result that a forecast uses: attacks, and Opportunities that were taken."""

    attacks: Sequence[AttackedData]
    opportunities: Sequence[OpportunityData]


class ChargeData(PowerData):
    """The result of a charge: the attack, and before it the path of the `charge`."""

    charge: WalkData


class ImproviseData(PowerData):
    """The result of an improvised attack.

    `again` is true if the attacker has improvised before in this fight.
    """

    what: str
    again: bool


class AttackLineData(TypedDict):
    """A result on the attack table."""

    die: int
    result: str
    damage: int
    effect: bool
    strike: bool
    miss_token: bool


class AssessData(PersonData):
    """The result of an Assess.

    `questions` is the number of questions that the player may ask, `ask` the questions to choose from.
    """

    roll: RollTold
    questions: int
    ask: AssessNumbers


class CombatSkillData(SkillData):
    """The result of a Skill Roll in a fight, with the `action` that it took.

    `strikes` maps each character that took Strikes instead of Costs to the number of these Strikes.
    """

    action: str
    strikes: dict[str, int]


class HideData(PersonData):
    """The result of `combat hide`. `hidden` is False, since the creature has only begun to hide."""

    hidden: bool


class ZoneAddedData(ZoneKept):
    """A new zone as it is stored, with its id as `zone`."""

    zone: str


class JoinData(TypedDict):
    """The initiative rolls of newcomers, and the order that includes them."""

    rolls: list[RollTold]
    order: list[str]


class LeaveData(PersonData):
    """A creature that has left the fight. `decided` is "won" or "lost" if this decides the fight."""

    decided: str | None


class BudgetData(TypedDict):
    """The budget of an encounter of a certain difficulty, compared with the enemies on the map.

    `holds` is the budget, and `drawn` the worth of the enemies on the map. Both are counted in standard
    creatures.
    """

    difficulty: str
    holds: float
    drawn: float
    exceeded: bool


class StartData(TypedDict):
    """The result of `combat start`: the fight that begins."""

    encounter: str
    name: str
    goal: str
    combatants: dict[str, Combatant]
    budget: NotRequired[BudgetData]


class OrderData(TypedDict):
    """The turn order, and the initiative rolls that decided it."""

    order: list[str]
    rolls: list[RollTold]


class FinishData(TypedDict):
    """The result of a fight, and its aftermath."""

    won: bool
    team_strikes: int
    strikes: dict[str, int]
    concession: str
    conditions: dict[str, str]


class FightNamed(TypedDict):
    """The name of a fight."""

    name: str


class ParkData(FightNamed):
    """A fight that was set aside or resumed, with the id under which it is stored."""

    fight: str


class ComebackData(TypedDict):
    """A Comeback Roll and its result.

    The result is "lost" (HP are lost), "back" (the combatant is back in the fight), or "nothing".
    """

    roll: RollTold
    result: str


class TurnData(PersonData):
    """A turn that begins.

    `by_hand` lists effects of statuses that the players have to carry out themselves.
    """

    round: int
    new_round: bool
    comeback: ComebackData | None
    decided_by: str
    by_hand: list[str]


class SaveData(TypedDict):
    """A Saving Throw: the id of the status, the roll, and whether the status ended."""

    status: str
    roll: RollTold
    ended: bool


class EndTurnData(PersonData):
    """The result of ending a turn: its Saving Throws, and the creature whose turn is `next`.

    `decided` is "won" or "lost" if the fight is now decided.
    """

    saves: list[SaveData]
    next: str | None
    decided: str | None


class StandData(PersonData):
    """The result of standing up, with the `action` that it took."""

    action: str


class EscapeData(StandData, SaveData):
    """The result of an attempt to escape from a status, with the roll."""


class DelayData(PersonData):
    """The result of delaying: `who` gave up the turn, and `next` has the next turn."""

    next: str


class ResumeData(PersonData):
    """The turn order with a combatant's new place in it."""

    round: int
    order: list[str]


class PrepareData(PreparedAction):
    """An action that a combatant has prepared."""

    who: str


class TriggerData(PersonData):
    """The result of a prepared action: the action's own result, or the reason why it was `wasted`."""

    trigger: str
    opportunities: list[OpportunityData]
    wasted: NotRequired[str]


class HpData(TypedDict):
    """The HP of a creature, or its boxes, before and after damage or healing.

    `taken_out` is whether the creature is out of the fight. `amount` is the damage that was dealt, in HP. It
    is 0 if no damage was dealt.
    """

    hp_before: int
    hp_after: int
    taken_out: bool
    amount: int


class HpOfOther(HpData):
    """The result of damage or healing for the creature `who`."""

    who: str


class HpOfSeveral(HpOfOther):
    """The result of damage or healing for one or more creatures.

    The keys inherited from `HpOfOther` are about the first creature. `others` is the list of results for the
    other creatures.
    """

    others: NotRequired[list[HpOfOther]]


class StatusChange(TypedDict):
    """The beginning or end of a creature's status.

    `ends` is the duration; it is only present when the status begins. `gained` says whether the creature
    gained the status; it is only present when a status is given to several creatures.
    """

    who: str
    status: str
    ends: NotRequired[str]
    gained: NotRequired[bool]


class StatusData(StatusChange):
    """The start or end of a status for one or more creatures.

    The table itself describes the first creature. `others` describes any further creatures.
    """

    others: NotRequired[list[StatusChange]]


class StrikesOf(PersonData):
    """A person's Strikes now."""

    strikes: int


class StrikesData(StrikesOf):
    """The Strikes of one or more people: its own keys are for the first person, `others` has the rest."""

    others: NotRequired[list[StrikesOf]]


class TokensOf(PersonData):
    """A person's Miss Tokens now."""

    miss_tokens: int


class TokensData(TokensOf):
    """The Miss Tokens of one or more people.

    The person and Miss Tokens at the top level are those of the first person. `others` has the same for the
    other people.
    """

    others: NotRequired[list[TokensOf]]


class AttackRow(TypedDict):
    """A row of the attack table (STR-TAC-09). `damage` is the factor for the power's printed damage."""

    result: Literal["critical", "solid", "glancing", "miss"]
    damage: int
    effect: bool


class AttackRules(TypedDict):
    """Two rules of the attack roll (STR-TAC-09, 10).

    If the die shows `strike_on`, the attacker takes a Strike. If the die shows a 1, a Miss Token raises it to
    `token_raises_one_to`.
    """

    strike_on: int
    token_raises_one_to: int


class FightDefaults(TypedDict):
    """The numbers for combatants whose sheets don't give them; ranges and distances are in squares."""

    hp: int
    speed: int
    prone_speed: int
    ranged: int
    basic_damage: int
    opportunity_damage: int
    taken_out_at: int
    leave_distance: int


class ComebackNumbers(TypedDict):
    """The numbers of a Comeback Roll (STR-TAC-16).

    `lost_on` and `back_on` list the faces that cost or restore HP. `lost_hp` and `back_hp` are these HP.
    """

    lost_on: list[int]
    lost_hp: int
    back_on: list[int]
    back_hp: int


class StrikesRow(TypedDict):
    """The Condition for `strikes` Strikes or more (STR-TAC-18)."""

    strikes: int
    condition: str


class ConcessionRow(TypedDict):
    """A row of the table of Concessions: a Concession, and the Strikes for which it is owed (STR-TAC-19).

    The Concession is owed if the team has at least `strikes_a_player` Strikes for each player. If several
    rows apply, the first one counts.
    """

    strikes_a_player: int
    concession: Literal["pyrrhic", "major", "minor"]


class TierNumbers(TypedDict):
    """The numbers of a tier of creatures (STR-TAC-27). `worth` is in quarters of a standard creature."""

    worth: int
    hp: NotRequired[int]
    turns: NotRequired[int]
    boxes: NotRequired[int]
    threshold: NotRequired[int]
    shares_initiative: NotRequired[bool]


class SaveNumbers(TypedDict):
    """The lowest roll that ends a status (STR-TAC-03)."""

    target: int


class ReactionNumbers(TypedDict):
    """The greatest length of a chain of reactions, each of which follows from the one before."""

    depth: int


class ImproviseNumbers(TypedDict):
    """The damage of an improvised attack in HP: for the first time, and for later times (STR-TAC-14)."""

    damage: list[int]


class AssessNumbers(TypedDict):
    """The questions that an Assess allows, about an enemy and about the encounter (STR-TAC-13)."""

    enemy: list[str]
    encounter: list[str]


class CombatNumbers(TypedDict):
    """The tables of Tactical Combat's `numbers.toml`."""

    attack: PerFace[AttackRow]
    attack_rules: AttackRules
    defaults: FightDefaults
    save: SaveNumbers
    reactions: ReactionNumbers
    comeback: ComebackNumbers
    aftermath: list[StrikesRow]
    concession: list[ConcessionRow]
    improvise: ImproviseNumbers
    assess: AssessNumbers
    tiers: dict[str, TierNumbers]
    difficulty: dict[str, int]
