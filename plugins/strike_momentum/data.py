"""TypedDict schemas of Momentum: sheets, book entries, stored state, and results of moves.

They also say how values are checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NotRequired, TypedDict

from strike_cli.plugin.dice import RollTold
from strike_cli.plugin.forms import (
    COMBATANT,
    Default,
    Either,
    Fault,
    Faults,
    ItemsOrNames,
    ListOf,
    Number,
    OneOf,
    Place,
    Reference,
    Text,
    UncheckedTable,
    form,
    form_of,
)
from strike_cli.plugin.scene_tables import InScene, SceneHead

from .dice import is_dice_or_number
from .rule_constants import ARMORS, DAMAGE_TYPE_NAMES, DAMAGE_TYPES, MOVEMENT, SHIELDS, STATS, UNTIL_WORDS

_Stat = Annotated[str, OneOf(*STATS)]
_Type = Annotated[str, OneOf(*DAMAGE_TYPE_NAMES)]
_Dice = Annotated[str, Text(is_dice_or_number, "dice, like 2d6+1")]
_Until = Annotated[str, OneOf(*UNTIL_WORDS)]
_StatusEffect = Annotated[str, Reference("status_effects")]
_Count = Annotated[int, Number(0)]
_Mode = Literal["advantage", "disadvantage"]
_IGNORE_ARMOR = Either(list, ListOf(OneOf(*DAMAGE_TYPE_NAMES)), Either(str, OneOf("all"), Number(0, 99)))
"""How a table says what an attack ignores of Armor: a number, "all", or types that it doesn't reduce."""

# The book


class MomentumWeapon(TypedDict):
    """A weapon: its Stats, its damage by type, and its range in metres."""

    primary: _Stat
    secondary: _Stat
    damage: _Dice
    type: Annotated[_Type, Default("physical")]
    more: Annotated[Mapping[_Type, _Dice], Default({})]  # further damage of other types
    reach: Annotated[int, Number(1, 20), Default(1)]
    range: NotRequired[Annotated[int, Number(2, 1000)]]  # in metres, for a ranged weapon
    hands: Annotated[int, Number(0, 2), Default(1)]
    ignore_armor: Annotated[int | str | Sequence[str], _IGNORE_ARMOR, Default(0)]


class UpcastDice(TypedDict, total=False):
    """The dice of an Ability, or the dice that each step of an upcast adds."""

    damage: _Dice
    heal: _Dice


class UpcastWritten(UpcastDice, total=False):
    """The table that says how an Ability is upcast.

    To upcast is to spend more WP on a stronger effect. For every `wp` WP, the dice in this table are added to
    the effect. `limit` is the greatest number of WP that may be spent on the upcast.
    """

    wp: Annotated[int, Number(1, 99), Default(1)]
    limit: Annotated[int, Number(1, 99)]


def _check_ability(ability: MomentumAbility, where: Place, faults: Faults) -> None:
    if ability["attack"] and "dr" in ability:
        faults.append(Fault(where, "should be an attack or be resisted by a Defense Roll, not both"))
    if ability["maneuver"] and (ability["attack"] or "dr" in ability):
        faults.append(
            Fault(where, "a Maneuver is added to the attack of a weapon, and has no roll of its own")
        )
    if ability["maneuver"] and ("wp" in ability or "upcast" in ability or "line" in ability):
        faults.append(Fault(where, "a Maneuver has no wp, upcast or line of its own"))
    if len([key for key in ("area", "burst", "line") if key in ability]) > 1:
        faults.append(Fault(where, "use only one of area, burst and line"))


@form(_check_ability)
class MomentumAbility(TypedDict):
    """An Ability's table in a sheet or in the book."""

    name: NotRequired[str]
    text: NotRequired[str]
    tier: Annotated[int, Number(0, 9), Default(0)]
    ap: NotRequired[Annotated[int, Number(0, 3)]]  # by default 2, or 0 for a Maneuver
    rp: NotRequired[Annotated[int, Number(1, 2)]]  # for a reaction, which costs RP instead of AP
    wp: NotRequired[Annotated[int, Number(1, 99)]]  # the WP that it costs as well
    upcast: NotRequired[UpcastWritten]
    line: NotRequired[
        Annotated[int, Number(1, 100)]
    ]  # the length in metres of an area that is one square wide
    attack: Annotated[bool, Default(False)]  # whether it is an attack, with a roll against Evasion
    dr: NotRequired[_Stat]  # the Stat of the Defense Roll that resists it
    half: Annotated[bool, Default(False)]  # whether a successful Defense Roll still leaves half the damage
    maneuver: Annotated[bool, Default(False)]  # whether it is added to a weapon's attack
    damage: NotRequired[_Dice]
    type: Annotated[_Type, Default("physical")]
    more: Annotated[Mapping[_Type, _Dice], Default({})]
    ignore_armor: Annotated[int | str | Sequence[str], _IGNORE_ARMOR, Default(0)]
    heal: NotRequired[_Dice]
    reach: NotRequired[Annotated[int, Number(1, 20)]]
    range: NotRequired[Annotated[int, Number(2, 1000)]]
    area: NotRequired[Annotated[int, Number(0, 100)]]  # the radius in metres around a square in range
    burst: NotRequired[Annotated[int, Number(1, 100)]]  # the radius in metres around its user
    spares: Annotated[bool, Default(False)]  # whether its area leaves out allies
    targets: Annotated[int, Number(1, 20), Default(1)]
    status: NotRequired[_StatusEffect]
    until: NotRequired[_Until]
    whose: Annotated[Literal["self", "target"], Default("target")]  # whose turn ends the Status Effect
    push: NotRequired[Annotated[int, Number(1, 100)]]
    pull: NotRequired[Annotated[int, Number(1, 100)]]
    teleport: NotRequired[Annotated[int, Number(1, 1000)]]
    summon: NotRequired[Annotated[str, Reference("creatures")]]


class MomentumItem(TypedDict):
    """A consumable, and how many of it a combatant has."""

    count: Annotated[int, Number(0, 99), Default(1)]
    heal: NotRequired[_Dice]
    text: Annotated[str, Default("")]
    status: NotRequired[_StatusEffect]


class _InBook(TypedDict):
    name: str
    summary: Annotated[str, Default("")]
    override: Annotated[bool, Default(False)]


class MomentumWeaponInBook(MomentumWeapon, _InBook):
    """`[momentum_weapons.ID]`: a weapon that sheets refer to by its id."""


@form(_check_ability, keys={"name": (Text(), ...)})
class MomentumAbilityInBook(MomentumAbility):
    """`[momentum_abilities.ID]`: an Ability that sheets refer to by its id."""

    summary: Annotated[str, Default("")]
    override: Annotated[bool, Default(False)]


class MomentumItemInBook(MomentumItem, _InBook):
    """`[momentum_items.ID]`: a consumable that sheets refer to by its id."""


class ArchetypeWritten(TypedDict):
    """The Stats that an Archetype uses."""

    primary: Annotated[_Stat, Default("str")]
    secondary: Annotated[_Stat, Default("dex")]
    evasion: Annotated[_Stat, Default("str")]


class MomentumSheet(TypedDict):
    """The table `momentum` of a sheet."""

    stats: Annotated[Mapping[_Stat, Annotated[int, Number(0, 99)]], Default({})]
    skills: Annotated[Mapping[str, Annotated[int, Number(0, 99)]], Default({})]
    # the Stat of each Skill that isn't one of those for Defense Rolls
    skill_stats: Annotated[Mapping[str, _Stat], Default({})]
    wp: Annotated[int, Number(0, 99), Default(0)]
    upcast_limit: Annotated[
        int, Number(0, 99), Default(0)
    ]  # the most WP by which one use of an Ability may be upcast
    archetype: NotRequired[ArchetypeWritten]
    vitality: Annotated[int, Number(1, 9999)]
    dies_at: NotRequired[
        Annotated[int, Number(-9999, 0)]
    ]  # by default as far below 0 as the full Vitality is above
    momentum: Annotated[int, Number(0, 99), Default(0)]
    movement: Annotated[int, Number(0, 100), Default(MOVEMENT)]
    # the kind of armor, or a bare value
    armor: NotRequired[Annotated[str | int, Either(str, OneOf(*ARMORS), Number(-50, 50))]]
    shield: NotRequired[Annotated[str, OneOf(*SHIELDS)]]
    evasion: NotRequired[
        Annotated[int, Number(0, 99)]
    ]  # by default computed from Dexterity and the Evasion Stat
    size_category: NotRequired[Annotated[int, Number(0, 9)]]  # by default the squares of one side
    hands: Annotated[int, Number(0, 9), Default(2)]
    climbs: Annotated[bool, Default(False)]  # climbs without a free hand
    attacks: Annotated[int, Number(1, 9), Default(1)]  # attacks for one Attack action
    resist: Annotated[Sequence[_Type], Default([])]
    immune: Annotated[Sequence[_Type], Default([])]
    vulnerable: Annotated[Sequence[_Type], Default([])]
    object: Annotated[bool, Default(False)]
    biological: Annotated[bool, Default(True)]
    weapons: Annotated[
        Mapping[str, MomentumWeapon], ItemsOrNames("momentum_weapons", form_of(MomentumWeapon)), Default({})
    ]
    wields: NotRequired[Sequence[str]]  # by default the first weapon, and the shield
    abilities: Annotated[
        Mapping[str, MomentumAbility],
        ItemsOrNames("momentum_abilities", form_of(MomentumAbility)),
        Default({}),
    ]
    items: Annotated[
        Mapping[str, MomentumItem], ItemsOrNames("momentum_items", form_of(MomentumItem)), Default({})
    ]


class SheetWithMomentum(TypedDict, total=False):
    """The keys that Momentum adds to the sheets of characters and creatures."""

    momentum: MomentumSheet


class StatusEffectWritten(TypedDict):
    """What a Status Effect or a stance in the book does; a stance doesn't count as a Status Effect."""

    name: str
    summary: NotRequired[Annotated[str, Default("")]]
    category: Literal["physical", "mental", "elemental", "stance"]
    type: NotRequired[
        Annotated[str, OneOf(*DAMAGE_TYPES["elemental"])]
    ]  # the type of damage that leaves it behind
    attack: NotRequired[_Mode]  # for its holder's attacks
    against: NotRequired[_Mode]  # attacks at its holder
    melee_against: NotRequired[_Mode]
    dr: NotRequired[_Mode]
    evasion: NotRequired[Annotated[int, Number(-20, 20)]]
    dr_bonus: NotRequired[Annotated[int, Number(-20, 20)]]
    ap: NotRequired[Annotated[int, Number(-9, 9)]]
    rp: NotRequired[Annotated[int, Number(-9, 9)]]
    movement: NotRequired[Annotated[int, Number(-60, 60)]]
    stuck: NotRequired[bool]  # whether they can't move at all
    blind: NotRequired[bool]  # whether they see nobody
    loses_control: NotRequired[bool]  # whether they can neither command their summons nor be commanded
    initiative: NotRequired[Annotated[int, Number(-60, 60)]]
    damage: NotRequired[_Dice]  # dealt at the start of each of their turns
    override: NotRequired[Annotated[bool, Default(False)]]


# The state


class MomentumStatus(TypedDict):
    """A Status Effect on a combatant.

    `until` is the moment at which the effect ends. If this moment is part of a turn, `of` is the combatant
    whose turn it is. `by` is the combatant who caused the effect. If `later` is true, the effect doesn't end
    with the current turn yet.
    """

    id: str
    until: NotRequired[_Until]
    of: NotRequired[str]
    by: NotRequired[str]
    later: NotRequired[bool]
    upkeep: NotRequired[Annotated[int, Number(0, 3)]]
    # one payment keeps up all that have the same number, by the same person
    cinematic: NotRequired[Annotated[int, Number(1)]]
    condition: NotRequired[str]  # what else it takes to keep it up, in words


@form(keys=COMBATANT)
class MomentumFighter(InScene):
    """A combatant in the fight, with their current numbers."""

    statuses: NotRequired[Annotated[list[MomentumStatus], ListOf(UncheckedTable())]]
    vitality: int
    max_vitality: Annotated[int, Number(1)]
    ap: _Count
    rp: _Count
    movement: _Count
    momentum: _Count
    wp: NotRequired[_Count]
    max_wp: NotRequired[_Count]
    temp_vitality: NotRequired[_Count]
    items: NotRequired[dict[str, _Count]]
    surprised: NotRequired[bool]  # whether they have no turn in the first round
    spent: NotRequired[_Count]  # the AP spent in this turn
    burst: NotRequired[Annotated[int, Number(1)]]  # the round of their last Cinematic Burst
    reacted: NotRequired[_Count]  # the RP spent in this round
    gone: NotRequired[_Count]  # the metres moved in this turn
    begun: NotRequired[_Count]  # the round in which they began their last turn
    attacks: NotRequired[_Count]  # attacks that are paid for and not made yet
    free: NotRequired[Annotated[str, OneOf("interact", "switch-weapons")]]  # the one used in this turn
    holding: NotRequired[list[str]]
    lost: NotRequired[list[str]]  # weapons and the shield of their sheet that they no longer have
    others: NotRequired[
        dict[str, str]
    ]  # weapons and shields of others that they have, each with the sheet that it is from
    union: NotRequired[str]  # who leads their union
    lean: NotRequired[str]  # the square to which they lean
    on: NotRequired[str]  # onto whom they have climbed
    exposed: NotRequired[bool]  # whether they are no longer hidden once the turn ends
    summoner: NotRequired[str]
    object: NotRequired[bool]


class MomentumKept(TypedDict, total=False):
    """A character's numbers after a fight; a number equal to the sheet's is left out."""

    vitality: int
    momentum: _Count
    wp: _Count
    items: dict[str, _Count]
    statuses: list[MomentumStatus]
    out: str


class CharacterInMomentum(TypedDict, total=False):
    """What Momentum adds to `[characters.ID]` of state.toml."""

    momentum: MomentumKept


class DroppedWeapon(TypedDict):
    """A weapon or shield on the ground.

    `at` is its square. `of` is the sheet that it belongs to.
    """

    weapon: str
    of: str
    at: str


class MomentumState(SceneHead):
    """`[momentum]` of state.toml: the fight under way."""

    name: str
    people: dict[str, MomentumFighter]
    dropped: NotRequired[dict[str, DroppedWeapon]]


# Results of moves


class TurnsShown(TypedDict):
    """The turns of the present round.

    `acted` lists the combatants who have had a turn, `holding` those who hold one, and `surprised` those who
    are surprised. `usable_rp` has the number of RP that each combatant can use.
    """

    acted: list[str]
    holding: list[str]
    surprised: list[str]
    usable_rp: dict[str, int]


class StandingShown(TypedDict):
    """A character's Vitality and Narrative Momentum."""

    vitality: int
    max_vitality: int
    narrative: int


class PartTaken(TypedDict):
    """Damage of one type: how much was rolled, subtracted, and taken in the end."""

    type: str
    rolled: int
    reduced: int
    taken: int


class DamageDealt(TypedDict):
    """The damage that a combatant took, by type."""

    damage: list[PartTaken]


class SufferedData(TypedDict):
    """The effect of damage on `target`, and the Vitality that is left."""

    target: str
    damage: list[PartTaken]
    vitality_after: int
    bleeding: bool


class ContestTold(TypedDict):
    """The rolls of a contested check."""

    roll: RollTold
    against: RollTold
    success: bool


class MomentumCheckData(TypedDict):
    """The result of `momentum check`.

    `success` is None if the check has neither a difficulty nor an opponent.
    """

    roll: RollTold
    bonus: int
    total: int
    difficulty: int | None
    against: RollTold | None
    success: bool | None
    critical: bool


class DealtData(TypedDict):
    """What an attack or Ability did to one target.

    If it had no damage, `vitality_after` is missing.
    """

    target: str
    damage: list[PartTaken]
    vitality_after: NotRequired[int]
    bleeding: NotRequired[bool]


class ForcedTold(TypedDict):
    """The result of forced movement: the square `to`, and the damage of a collision.

    `into` is the creature that was in the way, "obstacle" for anything else, or "" without a collision.
    `success` is true if that creature succeeded at its Defense Roll.
    """

    to: str
    damage: int
    into: str
    success: bool


class AffectedTold(DealtData):
    """The effect of an Ability on one target."""

    roll: NotRequired[RollTold | None]
    total: NotRequired[int | None]
    evasion: NotRequired[int]
    cover: NotRequired[bool]
    hits: NotRequired[bool]
    critical: NotRequired[bool]
    instead: NotRequired[DealtData | None]
    resisted: NotRequired[bool | None]
    moved: NotRequired[ForcedTold]
    healed: NotRequired[int]


class MomentumUseData(TypedDict):
    """The result of `momentum use`."""

    who: str
    ability: str
    targets: list[AffectedTold]
    summoned: NotRequired[str]


class MomentumReactData(TypedDict):
    """The result of `momentum react`."""

    who: str
    ability: str
    targets: list[AffectedTold]


class MomentumActData(TypedDict):
    """The result of `momentum act`."""

    who: str
    action: str
    ap_spent: int
    movement_left: NotRequired[int]
    free: NotRequired[bool]
    holding: NotRequired[list[str]]
    target: NotRequired[str]
    agreed: NotRequired[bool]
    at: NotRequired[dict[str, str]]
    item: NotRequired[str]
    healed: NotRequired[int]
    roll: NotRequired[RollTold]
    against: NotRequired[RollTold]
    success: NotRequired[bool]
    taken: NotRequired[bool]
    moved: NotRequired[ForcedTold]
    damage: NotRequired[list[PartTaken]]
    vitality_after: NotRequired[int]
    bleeding: NotRequired[bool]
    hidden: NotRequired[bool]
    noticed_by: NotRequired[list[str]]
    commanded: NotRequired[list[str]]
    door: NotRequired[str]
    open: NotRequired[bool]
    attacks: NotRequired[int]
    kept: NotRequired[list[str]]


class MomentumActionsCounts(TypedDict):
    """The values by which `strike odds` tells apart the results of an action."""

    success: NotRequired[bool]
    hidden: NotRequired[bool]


MomentumAttackData = TypedDict(
    "MomentumAttackData",
    {
        "who": "str",
        "with": "str",
        "ap": "int",
        "target": "str",
        "roll": "RollTold | None",
        "total": "int | None",
        "evasion": "int",
        "cover": "bool",
        "hits": "bool",
        "critical": "bool",
        "damage": "list[PartTaken]",
        "instead": "DealtData | None",
        "vitality_after": "int",
        "bleeding": "bool",
    },
)
"""The result of `momentum attack`."""


class SwungData(SufferedData):
    """The result of an attack on its target.

    If the attack hit another creature in place of the target, `instead` is the effect on that creature.
    """

    roll: RollTold | None
    total: int | None
    evasion: int
    cover: bool
    hits: bool
    critical: bool
    instead: DealtData | None


class MomentumAttackCounts(TypedDict):
    """The values by which `strike odds` tells apart the results of an attack."""

    hits: bool
    critical: bool
    damage: int
    instead: NotRequired[str]
    their_damage: NotRequired[int]


class MomentumHitData(TypedDict):
    """The result of `momentum hit`."""

    bonus: int
    roll: RollTold
    total: int
    hits: bool | None
    critical: bool


class MomentumDrData(TypedDict):
    """The result of `momentum dr`."""

    value: int
    roll: RollTold
    total: int
    success: bool | None


class MomentumHitsCounts(TypedDict):
    """The values by which `strike odds` tells apart the results of `momentum hit`."""

    hits: bool
    critical: bool


class MomentumCinematicData(TypedDict):
    """The result of `momentum cinematic`."""

    who: str
    rolls: list[RollTold]
    success: bool
    failures: int
    criticals: int
    targets: NotRequired[list[SufferedData]]


class MomentumHurtData(SufferedData):
    """The result of `momentum hurt`."""

    who: str


class MomentumHealData(TypedDict):
    """The result of `momentum heal`."""

    who: str
    healed: int
    vitality_after: int


class MomentumGainData(TypedDict):
    """The result of `momentum gain`."""

    who: str
    momentum: int


class MomentumStatusAddData(TypedDict):
    """The result of `momentum status add`."""

    who: str
    status: str


class MomentumResistData(TypedDict):
    """The result of `momentum resist`."""

    who: str
    roll: RollTold | None
    success: bool


class MomentumLeaveData(TypedDict):
    """The result of `momentum leave`."""

    who: str
    out: str


class MomentumSummonData(TypedDict):
    """The result of `momentum summon`."""

    summoned: str


class MomentumRestData(TypedDict):
    """The result of `momentum rest`."""

    rested: list[str]


MomentumMoveData = TypedDict(
    "MomentumMoveData",
    {
        "who": "str",
        "from": "str",
        "to": "str | None",
        "path": "list[str]",
        "stopped_by": "str | None",
        "movement_left": "int",
    },
)
"""The result of `momentum move`."""


class MomentumInitiativeData(TypedDict):
    """The result of `momentum initiative`."""

    order: NotRequired[list[str]]
    initiative: dict[str, int] | int


class MomentumUnionData(TypedDict):
    """The result of `momentum union`."""

    initiative: int
    union: NotRequired[list[str]]


class MomentumPushData(TypedDict):
    """The result of `momentum push`."""

    who: str
    to: str
    damage: list[PartTaken] | int
    into: str
    success: bool
    target: NotRequired[str]
    vitality_after: NotRequired[int]
    bleeding: NotRequired[bool]


class MomentumTeleportData(ForcedTold):
    """The result of `momentum teleport`."""

    who: str


class MomentumStartData(TypedDict):
    """The result of `momentum start`."""

    encounter: str
    name: str
    people: list[str]
    surprised: list[str]


class MomentumEndData(TypedDict):
    """The result of `momentum end`."""

    outcome: str
    rounds: int
    standing: list[str]


class CommandedData(TypedDict):
    """The summons that were commanded."""

    commanded: list[str]


class MomentumTurnData(TypedDict):
    """The result of `momentum turn` and `momentum resume`."""

    who: str | None
    ap: NotRequired[int]
    rp: NotRequired[int]
    movement_left: NotRequired[int]
    momentum: NotRequired[int]
    vitality: NotRequired[int]
    round: int
    union: NotRequired[list[str]]
    lost: NotRequired[list[str]]


class MomentumEndTurnData(TypedDict):
    """The result of `momentum end-turn`."""

    who: str
    round: int


class MomentumHoldData(TypedDict):
    """The result of `momentum hold`."""

    who: str
    held: list[str]
