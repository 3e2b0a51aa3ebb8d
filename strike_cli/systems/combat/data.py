"""Types of fights: content of the book, the state, and the results of moves, with the forms of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NotRequired, Protocol, TypedDict

from strike_cli.kernel.roll_data import RollTold
from strike_cli.kernel.statements import Reason
from strike_cli.systems.core.data import SkillData
from strike_cli.tabletop.data import (
    PICTURE,
    BoardKept,
    Contributions,
    EffectWritten,
    GroundKept,
    NamedEffect,
    ObjectiveKept,
    PersonKept,
    Sight,
    SquareName,
    StatusHeld,
    StepWritten,
    ZoneEnd,
    ZoneKept,
    ZoneWho,
)
from strike_cli.tabletop.vocabularies import TIMES
from strike_cli.type_forms import Default, Faces, form, form_of
from strike_cli.validation import Either, Known, ListOf, Number, OneOf, Record, Reference, Text

from .steps import ANSWERS, CONDITIONS, ONCE, PLANS, RESULTS, SIDES

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
"""Extra damage under a condition."""


class AreaWritten(TypedDict, total=False):
    """The shape of an area, and its size in squares."""

    burst: int
    area: int
    line: int
    cone: int


class PowerWritten(TypedDict):
    """A power. Reach, range and areas are squares, and damage is HP.

    A power of the book has its steps before the roll, on a hit and so on, even if they are empty. A status in
    the form of a power lacks these keys. `schemas` has the form of steps.
    """

    name: str
    summary: NotRequired[Annotated[str, Default("")]]
    action: Annotated[Literal["attack", "move", "role", "free", "interrupt", "none"], Default("attack")]
    usage: NotRequired[Annotated[Literal["at-will", "encounter"], Default("at-will")]]
    kind: NotRequired[Annotated[Literal["class", "role", "basic", "special"], Default("class")]]
    uses: NotRequired[Annotated[int, Number(1, 20)]]  # a fight
    recharge: NotRequired[Annotated[int, Number(2, 6)]]  # a die that brings a use back, each turn
    charges: NotRequired[Annotated[int, Number(1, 20)]]  # of a character kept between fights
    back: NotRequired[Annotated[str, OneOf(*TIMES)]]  # the rest that brings them back, a long one unless said
    ap: NotRequired[Annotated[int, Number(0, 9)]]  # Action Points that it costs a player
    hp: NotRequired[Annotated[int, Number(1, 100)]]  # HP that it costs
    level: NotRequired[Annotated[int, Number(1, 10)]]  # from which a character may have it
    trigger: NotRequired[str]
    on: NotRequired[Annotated[str, OneOf(*ANSWERS)]]  # a trigger that strike sees by itself
    befalls: NotRequired[Annotated[str, OneOf(*SIDES)]]  # whom that befalls, oneself unless said
    by: NotRequired[Annotated[str, OneOf(*SIDES)]]  # who does it
    near: NotRequired[Annotated[int, Number(1, 100)]]  # squares to whom it befalls, or to its doer
    result: NotRequired[Annotated[str, OneOf(*RESULTS)]]  # of the die that was rolled
    plan: NotRequired[Annotated[str, OneOf(*PLANS)]]  # when creatures do it
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
    """A power that a creature has: the power in the book, with its `id`.

    A power that is not in the book has its own name in `called`.
    """

    id: str
    called: NotRequired[Reason]


class SenseWritten(TypedDict):
    """A special sense by which a creature perceives others; range in squares.

    `ignores` names what doesn't hinder it: obscured, dark, hidden, invisible, walls, or a zone's name.
    """

    name: str
    ignores: Sequence[str]
    range: NotRequired[Annotated[int, Number(1, 100)]]


class AuraWritten(TypedDict):
    """A zone that moves with its holder and takes in all squares within `spread` of it."""

    name: str
    spread: Annotated[int, Number(1, 20)]
    amount: NotRequired[Annotated[int, Number(1, 100)]]  # HP of damage
    status: NotRequired[_Status]
    difficult: NotRequired[bool]
    cover: NotRequired[bool]
    sight: NotRequired[Sight]
    who: NotRequired[ZoneWho]


class BasicAttack(TypedDict, total=False):
    """A basic attack's damage, in HP, and its reach, in squares."""

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
    """A trait, which acts like a status that never ends; a Miss Trigger reacts on `missed` or `misses`."""


class TraitInBook(TraitWritten):
    """A trait that has its own name in the book; creatures have it by that name."""

    override: Annotated[bool, Default(False)]


class _OfFighters(TypedDict, total=False):
    hp: Annotated[int, Number(1, 500)]
    speed: Annotated[int, Number(0, 50)]
    size: Annotated[int, Number(1, 6)]
    powers: Annotated[Sequence[Annotated[str, Reference("powers")]], Default([])]
    statuses: Annotated[Sequence[_Status], Default([])]  # that a fight begins with
    melee: MeleeAttack
    # false for somebody who has no ranged attack
    ranged: Annotated[Literal[False] | RangedAttack, Either(bool, OneOf(False), form_of(RangedAttack))]
    opportunity: Annotated[int, Number(0, 100)]
    senses: Annotated[Sequence[SenseWritten], Default([])]
    auras: Sequence[AuraWritten]  # zones that go along with them
    tactics: Annotated[Sequence[str], Default([])]  # habits of the quick player (tactics.WORDS)
    flees_at: Annotated[int, Number(0, 500)]  # HP, or boxes, with which they break off


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
    """The keys of a creature's sheet about fights."""


class CharacterInFights(_OfCharacters, _OfFighters):
    """The keys of a character's sheet about fights."""


class FighterWritten(_OfCharacters, _OfCreatures, _OfFighters, total=False):
    """The keys of a sheet about fights, a character's or a creature's."""

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
    """An action that is prepared for a trigger; trigger and action are in words."""

    trigger: str
    then: str
    do: Annotated[str, OneOf("attack", "charge", "move", "use", "stand", "escape")]


class OwnNumbers(TypedDict):
    """A creature's own numbers, which replace those of its sheet."""

    speed: NotRequired[Annotated[int, _COUNT]]
    damage: NotRequired[Annotated[int, _COUNT]]


class SummonedBy(TypedDict):
    """The creature that summoned another, and how long that stays."""

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
        "image": PICTURE,  # as its sheet named it when it joined
        "out": OneOf("taken-out", "left"),
        "initiative": _INITIATIVE,
        "initiatives": ListOf(_INITIATIVE),  # of each turn of a round, where they are several
        "turns": Number(2),  # a round, where they are several
        "taken": Number(2),  # turns in the round of `acted`, where they are several
        "ref": (Text(), ...),
        "side": (OneOf("party", "enemies"), ...),
        "size": (Number(1, 6), ...),
        "statuses": list[StatusInFight],
        **dict.fromkeys(("held", "count", "down")),
    }
)
class Combatant(PersonKept):
    """A combatant. With a `threshold`, `hp` are boxes, and each `threshold` of damage checks one."""

    hp: int
    max_hp: Annotated[int, Number(1)]
    threshold: NotRequired[Annotated[int, Number(1)]]
    dented: NotRequired[bool]
    prepared: NotRequired[PreparedAction]
    miss_tokens: NotRequired[Annotated[int, _COUNT]]
    strikes: NotRequired[Annotated[int, _COUNT]]
    improvised: NotRequired[Annotated[int, _COUNT]]  # how often, in this fight
    used: NotRequired[list[Annotated[str, Known("powers")]]]
    hiding: NotRequired[Annotated[int, _COUNT]]  # the round in which it went out of sight
    was_bloodied: NotRequired[bool]
    numbers: NotRequired[OwnNumbers]
    summoned: NotRequired[SummonedBy]
    elsewhere: NotRequired[bool]  # has left, and not by the way out that the objective names


_OF = {"status": Text(), "condition": Text(), "trait": Text()}
_CAUSES = Either(list, ListOf(Either(dict, Record(clause=(Text(), ...), **_OF), Text())), Text())


class WaitingDamage(TypedDict):
    """Damage that waits until its target has had a final action."""

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
    """`[fight]` of state.toml."""

    id: str
    name: str
    combatants: dict[str, Combatant]
    goal: NotRequired[str]
    objective: NotRequired[ObjectiveKept]
    flees_at: NotRequired[Annotated[int, Number(1)]]
    bloodied: NotRequired[Literal["less-than-half"]]  # how this fight counts it, where it isn't half or less
    turn: NotRequired[dict[str, Annotated[int | list[str], Either(list, ListOf(Text()), _COUNT)]]]
    interrupt: NotRequired[str]
    reacted: NotRequired[dict[str, Annotated[int, _COUNT]]]  # the round in which it was last done
    due: NotRequired[WaitingDamage]


ParkedFights = dict[str, FightState]
"""`[parked_fights]` of state.toml: fights that wait, by the ids of their encounters."""


# Results of moves


class PersonData(TypedDict):
    """The person whom a result is about."""

    who: str


class OpportunityData(TypedDict):
    """An Opportunity that was taken: its taker, its target, and the HP that it took."""

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
"""The path of a creature, in squares; the end is null for a creature that has left the fight meanwhile."""


class MoveData(WalkData):
    """The result of `combat move`; it has no action for a creature that preferred to stay."""

    who: str
    action: str | None


class AttackedData(TypedDict):
    """An attack roll and its result, in HP; `aimed_at` is the first target if another stood in the way."""

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
    """The result of a power: its rolls, statuses that took hold without a roll, Opportunities."""

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
    """A command that strike played by itself: its arguments, its number, and its result."""

    command: str
    args: Mapping[str, object]
    seq: int | None
    data: object


class ForeseenData(TypedDict, total=False):
    """The parts of any command's data that show how attacks would come out."""

    attacks: Sequence[AttackedData]
    opportunities: Sequence[OpportunityData]


class ChargeData(PowerData):
    """The result of a charge: the attack, and the walk before it."""

    charge: WalkData


class ImproviseData(PowerData):
    """The result of an improvised attack; `again` if its maker had improvised before in this fight."""

    what: str
    again: bool


class AttackLineData(TypedDict):
    """A line of the attack table."""

    die: int
    result: str
    damage: int
    effect: bool
    strike: bool
    miss_token: bool


class AssessData(PersonData):
    """The number of questions that an Assess allows, and the possible questions."""

    roll: RollTold
    questions: int
    ask: AssessNumbers


class CombatSkillData(SkillData):
    """A Skill Roll in a fight, the action that it took, and Strikes in place of Costs."""

    action: str
    strikes: dict[str, int]


class HideData(PersonData):
    """Whether a creature that hides is Hidden already."""

    hidden: bool


class ZoneAddedData(ZoneKept):
    """A new zone, with its id, as it is stored."""

    zone: str


class JoinData(TypedDict):
    """The dice of initiative that newcomers rolled, and the order that includes them."""

    rolls: list[RollTold]
    order: list[str]


class LeaveData(PersonData):
    """A creature that has left the fight, and whether that decides the fight."""

    decided: str | None


class BudgetData(TypedDict):
    """The budget of a difficulty and the worth of the creatures drawn on the map, in standard creatures."""

    difficulty: str
    holds: float
    drawn: float
    exceeded: bool


class StartData(TypedDict):
    """A fight at its beginning."""

    encounter: str
    name: str
    goal: str
    combatants: dict[str, Combatant]
    budget: NotRequired[BudgetData]


class OrderData(TypedDict):
    """The turn order and the dice that decided it."""

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
    """A fight that is parked or resumed, and the id by which it is stored."""

    fight: str


class ComebackData(TypedDict):
    """A Comeback Roll and its result."""

    roll: RollTold
    result: str


class TurnData(PersonData):
    """A turn that begins. `by_hand` lists effects of statuses that the players carry out themselves."""

    round: int
    new_round: bool
    comeback: ComebackData | None
    decided_by: str
    by_hand: list[str]


class SaveData(TypedDict):
    """A Saving Throw."""

    status: str
    roll: RollTold
    ended: bool


class EndTurnData(PersonData):
    """A turn that is over: its Saving Throws, and whose turn is next."""

    saves: list[SaveData]
    next: str | None
    decided: str | None


class StandData(PersonData):
    """The action that standing up took."""

    action: str


class EscapeData(StandData, SaveData):
    """A roll to escape from a status."""


class DelayData(PersonData):
    """The combatant whose turn comes in place of a delayed one."""

    next: str


class ResumeData(PersonData):
    """The order with a combatant's new place."""

    round: int
    order: list[str]


class PrepareData(PreparedAction):
    """An action that a combatant has prepared."""

    who: str


class TriggerData(PersonData):
    """The trigger of a prepared action: with the result of that action, or the reason why it was `wasted`."""

    trigger: str
    opportunities: list[OpportunityData]
    wasted: NotRequired[str]


class HpData(TypedDict):
    """The result of damage or healing, in HP or boxes."""

    hp_before: int
    hp_after: int
    taken_out: bool
    amount: int


class HpOfOther(HpData):
    """The result of damage or healing for another creature."""

    who: str


class HpOfSeveral(HpOfOther):
    """The result of damage or healing for the first creature, and for all others."""

    others: NotRequired[list[HpOfOther]]


class StatusChange(TypedDict):
    """A change of a status of one creature; `ends` if it begins, `gained` if several creatures were named."""

    who: str
    status: str
    ends: NotRequired[str]
    gained: NotRequired[bool]


class StatusData(StatusChange):
    """A status that began or ended: for the first creature, and for all others."""

    others: NotRequired[list[StatusChange]]


class StrikesOf(PersonData):
    """A person's present Strikes."""

    strikes: int


class StrikesData(StrikesOf):
    """The Strikes of the first person, and of all others."""

    others: NotRequired[list[StrikesOf]]


class TokensOf(PersonData):
    """A person's present Miss Tokens."""

    miss_tokens: int


class TokensData(TokensOf):
    """The Miss Tokens of the first person, and of all others."""

    others: NotRequired[list[TokensOf]]


class AttackRow(TypedDict):
    """A row of the attack table (STR-TAC-09): `damage` multiplies the power's printed number."""

    result: Literal["critical", "solid", "glancing", "miss"]
    damage: int
    effect: bool


class AttackRules(TypedDict):
    """The roll that costs a Strike, and the roll that a Miss Token turns a 1 into (STR-TAC-09)."""

    strike_on: int
    token_raises_one_to: int


class FightDefaults(TypedDict):
    """Default numbers of a combatant, for a sheet without them; ranges and distances in squares."""

    hp: int
    speed: int
    prone_speed: int
    ranged: int
    basic_damage: int
    opportunity_damage: int
    taken_out_at: int
    leave_distance: int


class ComebackNumbers(TypedDict):
    """The results of a Comeback Roll and the HP that they cost or restore (STR-TAC-16)."""

    lost_on: list[int]
    lost_hp: int
    back_on: list[int]
    back_hp: int


class StrikesRow(TypedDict):
    """The Condition for a number of Strikes or more (STR-TAC-18)."""

    strikes: int
    condition: str


class ConcessionRow(TypedDict):
    """The Concession for a number of team Strikes per player or more (STR-TAC-19)."""

    strikes_a_player: int
    concession: Literal["pyrrhic", "major", "minor"]


class TierNumbers(TypedDict):
    """A tier of creatures (STR-TAC-27); `worth` is in quarters of a standard creature."""

    worth: int
    hp: NotRequired[int]
    turns: NotRequired[int]
    boxes: NotRequired[int]
    threshold: NotRequired[int]
    shares_initiative: NotRequired[bool]


class SaveNumbers(TypedDict):
    """The roll that ends a status (STR-TAC-03)."""

    target: int


class ReactionNumbers(TypedDict):
    """The most reactions that may trigger one another in a chain."""

    depth: int


class ImproviseNumbers(TypedDict):
    """Damage of an improvised attack, the first time and later (STR-TAC-14)."""

    damage: list[int]


class AssessNumbers(TypedDict):
    """The questions that Assess allows (STR-TAC-13)."""

    enemy: list[str]
    encounter: list[str]


class CombatNumbers(TypedDict):
    """numbers.toml of fights."""

    attack: Faces[AttackRow]
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
