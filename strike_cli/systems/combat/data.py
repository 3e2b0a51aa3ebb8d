"""What is kept of a fight, and what its moves return: types alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, Protocol, TypedDict

from strike_cli.kernel.roll_data import RollTold
from strike_cli.kernel.statements import Reason
from strike_cli.systems.core.data import SkillData
from strike_cli.tabletop.data import (
    EffectWritten,
    GroundKept,
    ObjectiveKept,
    PersonKept,
    StepWritten,
    ZoneKept,
)
from strike_cli.type_forms import Faces

# What the book says of fights


BonusWritten = TypedDict(
    "BonusWritten", {"amount": int, "if": NotRequired[str], "if_status": NotRequired[str]}
)
"""Damage that comes on top under a condition."""


class AreaWritten(TypedDict, total=False):
    """The shape of what something takes in, and its squares."""

    burst: int
    area: int
    line: int
    cone: int


class PowerWritten(TypedDict):
    """A power. Reach, range and areas are squares, and damage is HP.

    A power of the book says what it does before, on a hit and so on, if only nothing. A status in the form of
    a power doesn't.
    """

    name: str
    action: Literal["attack", "move", "role", "free", "interrupt", "none"]
    effect: Sequence[StepWritten]
    summary: NotRequired[str]
    usage: NotRequired[Literal["at-will", "encounter"]]
    kind: NotRequired[Literal["class", "role", "basic", "special"]]
    uses: NotRequired[int]
    recharge: NotRequired[int]
    charges: NotRequired[int]
    back: NotRequired[str]
    ap: NotRequired[int]
    hp: NotRequired[int]
    level: NotRequired[int]
    trigger: NotRequired[str]
    on: NotRequired[str]
    befalls: NotRequired[str]
    by: NotRequired[str]
    near: NotRequired[int]
    result: NotRequired[str]
    plan: NotRequired[str]
    once: NotRequired[str]
    reach: NotRequired[int]
    range: NotRequired[int]
    burst: NotRequired[int]
    area: NotRequired[int]
    line: NotRequired[int]
    cone: NotRequired[int]
    who: NotRequired[Literal["enemies", "allies", "friends", "others", "any", "self"]]
    targets: NotRequired[int | Literal["all"]]
    repeats: NotRequired[bool]
    damage: NotRequired[int]
    bonus: NotRequired[Sequence[BonusWritten]]
    before: NotRequired[Sequence[StepWritten]]
    hit: NotRequired[Sequence[StepWritten]]
    miss: NotRequired[Sequence[StepWritten]]
    always: NotRequired[Sequence[StepWritten]]
    keywords: NotRequired[Sequence[str]]


class Power(PowerWritten):
    """A power as somebody has it: that of the book, with its `id`.

    A power that is not of the book has its own words in `called`.
    """

    id: str
    called: NotRequired[Reason]


class SenseWritten(TypedDict):
    """How else than by sight somebody knows who is where, and what doesn't hinder it; range in squares."""

    name: str
    ignores: Sequence[str]
    range: NotRequired[int]


class AuraWritten(TypedDict):
    """A zone that goes along with its holder, so many squares around."""

    name: str
    spread: int
    amount: NotRequired[int]
    status: NotRequired[str]
    difficult: NotRequired[bool]
    cover: NotRequired[bool]
    sight: NotRequired[Literal["obscured", "dark", "light"]]
    who: NotRequired[Literal["enemies", "allies", "friends", "others"]]


class BasicAttack(TypedDict, total=False):
    """A basic attack's damage, in HP, and how far it goes, in squares."""

    damage: int
    reach: int
    range: int


FighterWritten = TypedDict(
    "FighterWritten",
    {
        "name": str,
        "image": str,
        "hidden": bool,
        "tier": str,
        "role": str,
        "class": str,
        "hp": int,
        "boxes": int,
        "threshold": int,
        "turns": int,
        "shares_initiative": bool,
        "speed": int,
        "size": int,
        "powers": Sequence[str],
        "statuses": Sequence[str],
        "melee": BasicAttack,
        "ranged": Literal[False] | BasicAttack,
        "opportunity": int,
        "senses": Sequence[SenseWritten],
        "auras": Sequence[AuraWritten],
        "tactics": Sequence[str],
        "traits": Sequence[EffectWritten | str],
        "flees_at": int,
        "level": int,
    },
    total=False,
)
"""What a sheet says of fights, a character's or a creature's."""


class ContentOfFights(Protocol):
    """What of the book fights are played by."""

    powers: Mapping[str, PowerWritten]
    statuses: Mapping[str, EffectWritten]
    conditions: Mapping[str, EffectWritten]
    characters: Mapping[str, FighterWritten]
    durations: Mapping[str, object]
    moments: Mapping[str, object]
    creatures: Mapping[str, FighterWritten]


# What is kept


class PreparedAction(TypedDict):
    """What somebody does once a trigger comes; both in words."""

    trigger: str
    then: str
    do: str


class OwnNumbers(TypedDict):
    """Numbers of somebody's own, in place of their sheet's."""

    speed: NotRequired[int]
    damage: NotRequired[int]


class SummonedBy(TypedDict):
    """Who called somebody, and how long they stay."""

    by: str
    ends: str
    later: NotRequired[bool]
    stays: NotRequired[bool]


class Combatant(PersonKept):
    """Somebody in a fight. Where there is a `threshold`, `hp` are boxes, and so much damage checks one."""

    hp: int
    max_hp: int
    threshold: NotRequired[int]
    dented: NotRequired[bool]
    prepared: NotRequired[PreparedAction]
    miss_tokens: NotRequired[int]
    strikes: NotRequired[int]
    improvised: NotRequired[int]
    used: NotRequired[list[str]]
    hiding: NotRequired[int]
    was_bloodied: NotRequired[bool]
    numbers: NotRequired[OwnNumbers]
    summoned: NotRequired[SummonedBy]
    elsewhere: NotRequired[bool]


class WaitingDamage(TypedDict):
    """Damage that waits until somebody has had a final action."""

    who: str
    amount: int
    why: Sequence[str | Mapping[str, object]] | str


class FightState(GroundKept):
    """`[fight]` of state.toml."""

    id: str
    name: str
    combatants: dict[str, Combatant]
    goal: NotRequired[str]
    objective: NotRequired[ObjectiveKept]
    flees_at: NotRequired[int]
    bloodied: NotRequired[str]
    turn: NotRequired[dict[str, int | list[str]]]
    interrupt: NotRequired[str]
    reacted: NotRequired[dict[str, int]]
    due: NotRequired[WaitingDamage]


# What moves return


class PersonData(TypedDict):
    """Whom it was about."""

    who: str


class OpportunityData(TypedDict):
    """An Opportunity that was taken: by whom, against whom, and the HP that it took."""

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
"""How somebody has gone, in squares; where to is null for who is out of the fight by then."""


class MoveData(WalkData):
    """The result of `combat move`; no action for somebody who would rather stay."""

    who: str
    action: str | None


class AttackedData(TypedDict):
    """An attack roll at a target and what came of it, in HP; `aimed_at` where another was in the way."""

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
    """What the use of a power comes to: its rolls, statuses that took hold without one, Opportunities."""

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
    """A command that strike played by itself: its arguments, its number, and what it came to."""

    command: str
    args: Mapping[str, object]
    seq: int | None
    data: object


class ForeseenData(TypedDict, total=False):
    """What of the data of any command tells how blows would come out."""

    attacks: Sequence[AttackedData]
    opportunities: Sequence[OpportunityData]


class ChargeData(PowerData):
    """An attack, and the walk before it."""

    charge: WalkData


class ImproviseData(PowerData):
    """An attack that is on no sheet: `again` where they had improvised before."""

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
    """How many questions somebody may ask, and which."""

    roll: RollTold
    questions: int
    ask: AssessNumbers


class CombatSkillData(SkillData):
    """A Skill Roll in a fight, the action that it took, and Strikes in place of Costs."""

    action: str
    strikes: dict[str, int]


class HideData(PersonData):
    """Whether somebody is Hidden already."""

    hidden: bool


class ZoneAddedData(ZoneKept):
    """A zone by its id, as it is kept."""

    zone: str


class JoinData(TypedDict):
    """The dice of initiative that newcomers rolled, and the order with them."""

    rolls: list[RollTold]
    order: list[str]


class LeaveData(PersonData):
    """Who has gone, and whether that decides the fight."""

    decided: str | None


class BudgetData(TypedDict):
    """What a difficulty holds and what is drawn anyway, in standard creatures."""

    difficulty: str
    holds: float
    drawn: float
    exceeded: bool


class StartData(TypedDict):
    """A fight as it begins."""

    encounter: str
    name: str
    goal: str
    combatants: dict[str, Combatant]
    budget: NotRequired[BudgetData]


class OrderData(TypedDict):
    """The turn order and the dice that made it."""

    order: list[str]
    rolls: list[RollTold]


class FinishData(TypedDict):
    """How a fight ended and what it leaves behind."""

    won: bool
    team_strikes: int
    strikes: dict[str, int]
    concession: str
    conditions: dict[str, str]


class FightNamed(TypedDict):
    """Which fight it was."""

    name: str


class ParkData(FightNamed):
    """A fight that waits, or goes on, and by what it is found."""

    fight: str


class ComebackData(TypedDict):
    """A Comeback Roll, and what came of it."""

    roll: RollTold
    result: str


class TurnData(PersonData):
    """A turn that begins. `by_hand` is what statuses want done by the table itself."""

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
    """A turn that is over: its Saving Throws, and who is next."""

    saves: list[SaveData]
    next: str | None
    decided: str | None


class StandData(PersonData):
    """The action that it took."""

    action: str


class EscapeData(StandData):
    """A die against a status."""

    status: str
    roll: RollTold
    ended: bool


class DelayData(PersonData):
    """Who is next in place of somebody."""

    next: str


class ResumeData(PersonData):
    """The order with somebody's new place."""

    round: int
    order: list[str]


class PrepareData(PreparedAction):
    """What somebody has prepared."""

    who: str


class TriggerData(PersonData):
    """A trigger that came; besides, what was done comes to, or why it was `wasted`."""

    trigger: str
    opportunities: list[OpportunityData]
    wasted: NotRequired[str]


class HpData(TypedDict):
    """What damage or healing came to, in HP or boxes."""

    hp_before: int
    hp_after: int
    taken_out: bool
    amount: int


class HpOfOther(HpData):
    """The same of another."""

    who: str


class HpOfSeveral(HpOfOther):
    """The same of the first, and of all others."""

    others: NotRequired[list[HpOfOther]]


class StatusChange(TypedDict):
    """A status of one of several; `ends` where it begins, `gained` where several were meant."""

    who: str
    status: str
    ends: NotRequired[str]
    gained: NotRequired[bool]


class StatusData(StatusChange):
    """A status that began or ended, of the first, and of all others."""

    others: NotRequired[list[StatusChange]]


class StrikesOf(PersonData):
    """Somebody's Strikes now."""

    strikes: int


class StrikesData(StrikesOf):
    """Strikes of the first, and of all others."""

    others: NotRequired[list[StrikesOf]]


class TokensOf(PersonData):
    """Somebody's Miss Tokens now."""

    miss_tokens: int


class TokensData(TokensOf):
    """Miss Tokens of the first, and of all others."""

    others: NotRequired[list[TokensOf]]


class AttackRow(TypedDict):
    """A row of the attack table (STR-TAC-09): `damage` multiplies the power's printed number."""

    result: Literal["critical", "solid", "glancing", "miss"]
    damage: int
    effect: bool


class AttackRules(TypedDict):
    """The face that costs a Strike, and the one that a Miss Token makes of a 1 (STR-TAC-09)."""

    strike_on: int
    token_raises_one_to: int


class FightDefaults(TypedDict):
    """Somebody's numbers where no sheet says any; ranges and distances in squares."""

    hp: int
    speed: int
    prone_speed: int
    ranged: int
    basic_damage: int
    opportunity_damage: int
    taken_out_at: int
    leave_distance: int


class ComebackNumbers(TypedDict):
    """Faces and HP of a die for a comeback (STR-TAC-16)."""

    lost_on: list[int]
    lost_hp: int
    back_on: list[int]
    back_hp: int


class StrikesRow(TypedDict):
    """The Condition for so many Strikes or more (STR-TAC-18)."""

    strikes: int
    condition: str


class ConcessionRow(TypedDict):
    """The Concession for so many team Strikes a player or more (STR-TAC-19)."""

    strikes_a_player: int
    concession: Literal["pyrrhic", "major", "minor"]


class TierNumbers(TypedDict):
    """A tier of creatures (STR-TAC-27): `worth` in quarters of a standard one."""

    worth: int
    hp: NotRequired[int]
    turns: NotRequired[int]
    boxes: NotRequired[int]
    threshold: NotRequired[int]
    shares_initiative: NotRequired[bool]


class SaveNumbers(TypedDict):
    """What ends a status (STR-TAC-03)."""

    target: int


class ReactionNumbers(TypedDict):
    """How many reactions may set off one another."""

    depth: int


class ImproviseNumbers(TypedDict):
    """Damage of an improvised attack, the first time and then (STR-TAC-14)."""

    damage: list[int]


class AssessNumbers(TypedDict):
    """What Assess may ask (STR-TAC-13)."""

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
