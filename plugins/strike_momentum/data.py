"""What is kept of a fight of momentum, and what its moves return: types alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from strike_cli.plugin.dice import RollTold
from strike_cli.plugin.scene_types import BoardKept, InOrder, ZoneKept

# What the book says


class MomentumWeapon(TypedDict):
    """A weapon: its Stats, its damage by type, how far it reaches, in metres."""

    primary: str
    secondary: str
    damage: str
    type: str
    more: Mapping[str, str]
    reach: int
    range: NotRequired[int]
    hands: int
    ignore_armor: int | str | Sequence[str]


class UpcastDice(TypedDict, total=False):
    """The dice of an Ability, where it has any."""

    damage: str
    heal: str


class UpcastWritten(UpcastDice, total=False):
    """What so many WP add to an Ability, and how many it takes at most."""

    wp: int
    limit: int


class MomentumAbility(TypedDict):
    """An Ability."""

    name: NotRequired[str]
    text: NotRequired[str]
    tier: int
    ap: NotRequired[int]
    rp: NotRequired[int]
    wp: NotRequired[int]
    upcast: NotRequired[UpcastWritten]
    line: NotRequired[int]
    attack: bool
    dr: NotRequired[str]
    half: bool
    maneuver: bool
    damage: NotRequired[str]
    type: str
    more: Mapping[str, str]
    ignore_armor: int | str | Sequence[str]
    heal: NotRequired[str]
    reach: NotRequired[int]
    range: NotRequired[int]
    area: NotRequired[int]
    burst: NotRequired[int]
    spares: bool
    targets: int
    status: NotRequired[str]
    until: NotRequired[str]
    whose: Literal["self", "target"]
    push: NotRequired[int]
    pull: NotRequired[int]
    teleport: NotRequired[int]
    summon: NotRequired[str]


class MomentumItem(TypedDict):
    """A consumable, and how many somebody has of it."""

    count: int
    heal: NotRequired[str]
    text: str
    status: NotRequired[str]


class ArchetypeWritten(TypedDict):
    """The Stats of an Archetype."""

    primary: str
    secondary: str
    evasion: str


class MomentumSheet(TypedDict):
    """The `momentum` of a sheet."""

    stats: Mapping[str, int]
    skills: Mapping[str, int]
    skill_stats: NotRequired[Mapping[str, str]]
    wp: int
    upcast_limit: int
    archetype: NotRequired[ArchetypeWritten]
    vitality: int
    dies_at: NotRequired[int]
    momentum: int
    movement: int
    armor: NotRequired[str | int]
    shield: NotRequired[str]
    evasion: NotRequired[int]
    size_category: NotRequired[int]
    hands: int
    climbs: bool
    attacks: int
    resist: Sequence[str]
    immune: Sequence[str]
    vulnerable: Sequence[str]
    object: bool
    biological: bool
    weapons: Mapping[str, MomentumWeapon]
    wields: NotRequired[Sequence[str]]
    abilities: Mapping[str, MomentumAbility]
    items: Mapping[str, MomentumItem]


class StatusEffectWritten(TypedDict):
    """What a Status Effect or a stance does."""

    name: str
    category: str
    attack: NotRequired[Literal["advantage", "disadvantage"]]
    against: NotRequired[Literal["advantage", "disadvantage"]]
    melee_against: NotRequired[Literal["advantage", "disadvantage"]]
    dr: NotRequired[Literal["advantage", "disadvantage"]]
    type: NotRequired[str]
    evasion: NotRequired[int]
    dr_bonus: NotRequired[int]
    ap: NotRequired[int]
    rp: NotRequired[int]
    movement: NotRequired[int]
    initiative: NotRequired[int]
    damage: NotRequired[str]
    stuck: NotRequired[bool]
    blind: NotRequired[bool]
    loses_control: NotRequired[bool]


# What is kept


class MomentumStatus(TypedDict):
    """A Status Effect that somebody has: until when, of whose turn, who gave it; what keeping it up takes."""

    id: str
    until: NotRequired[str]
    of: NotRequired[str]
    by: NotRequired[str]
    later: NotRequired[bool]
    upkeep: NotRequired[int]
    cinematic: NotRequired[int]
    condition: NotRequired[str]


class MomentumFighter(InOrder):
    """Somebody in a fight, with the numbers of this turn and round.

    They are AP spent in this turn, RP in this round, metres gone, attacks paid for, and things in hand, lost
    or taken from others.
    """

    ref: str
    side: str
    size: int
    vitality: int
    max_vitality: int
    ap: int
    rp: int
    movement: int
    momentum: int
    wp: NotRequired[int]
    max_wp: NotRequired[int]
    temp_vitality: NotRequired[int]
    items: NotRequired[dict[str, int]]
    statuses: NotRequired[list[MomentumStatus]]
    object: NotRequired[bool]
    down: NotRequired[bool]
    surprised: NotRequired[bool]
    spent: NotRequired[int]
    burst: NotRequired[int]
    reacted: NotRequired[int]
    gone: NotRequired[int]
    begun: NotRequired[int]
    attacks: NotRequired[int]
    free: NotRequired[str]
    holding: NotRequired[list[str]]
    lost: NotRequired[list[str]]
    others: NotRequired[dict[str, str]]
    union: NotRequired[str]
    lean: NotRequired[str]
    on: NotRequired[str]
    exposed: NotRequired[bool]
    summoner: NotRequired[str]


class MomentumKept(TypedDict, total=False):
    """What the last fight has left of a character."""

    vitality: int
    momentum: int
    wp: int
    items: dict[str, int]
    statuses: list[MomentumStatus]
    out: str


class DroppedWeapon(TypedDict):
    """A weapon on the ground: whose sheet has it, and the square."""

    weapon: str
    of: str
    at: str


class MomentumState(TypedDict):
    """`[momentum]` of state.toml."""

    id: str
    name: str
    round: int
    active: NotRequired[str]
    people: dict[str, MomentumFighter]
    order: list[str]
    map: BoardKept
    zones: NotRequired[Mapping[str, ZoneKept]]
    dropped: NotRequired[dict[str, DroppedWeapon]]


# What moves return


class TurnsShown(TypedDict):
    """Who has had a turn in this round, who holds one, who is surprised; RP that they can really use."""

    acted: list[str]
    holding: list[str]
    surprised: list[str]
    usable_rp: dict[str, int]


class StandingShown(TypedDict):
    """Vitality and Narrative Momentum as they are."""

    vitality: int
    max_vitality: int
    narrative: int


class PartTaken(TypedDict):
    """Damage of one type, as it was rolled, reduced and taken."""

    type: str
    rolled: int
    reduced: int
    taken: int


class DamageDealt(TypedDict):
    """Damage that somebody took, part by part."""

    damage: list[PartTaken]


class SufferedData(TypedDict):
    """What damage did to somebody."""

    target: str
    damage: list[PartTaken]
    vitality_after: int
    bleeding: bool


class ContestTold(TypedDict):
    """Two rolls against each other."""

    roll: RollTold
    against: RollTold
    success: bool


class MomentumCheckData(TypedDict):
    """The result of `momentum check`: `difficulty` or `against` is null, `success` where both are."""

    roll: RollTold
    bonus: int
    total: int
    difficulty: int | None
    against: RollTold | None
    success: bool | None
    critical: bool


class DealtData(TypedDict):
    """What a blow did to somebody; nothing of vitality where none was taken."""

    target: str
    damage: list[PartTaken]
    vitality_after: NotRequired[int]
    bleeding: NotRequired[bool]


class MomentumPerson(TypedDict):
    """Somebody as they come into a fight."""

    name: str
    ref: str
    side: str
    at: str
    size: int
    vitality: int
    max_vitality: int
    ap: int
    rp: int
    movement: int
    momentum: int
    holding: NotRequired[list[str]]
    items: NotRequired[dict[str, int]]
    object: NotRequired[bool]
    statuses: NotRequired[list[dict[str, object]]]
    out: NotRequired[str]
    down: NotRequired[bool]
    surprised: NotRequired[bool]
    acted: NotRequired[int]


class ForcedTold(TypedDict):
    """`moved` of `MomentumUseDataTarget`."""

    to: str
    damage: int
    into: str
    success: bool


class AffectedTold(TypedDict):
    """What an ability did to one target."""

    target: str
    roll: NotRequired[RollTold | None]
    total: NotRequired[int | None]
    evasion: NotRequired[int]
    cover: NotRequired[bool]
    hits: NotRequired[bool]
    critical: NotRequired[bool]
    damage: list[PartTaken]
    instead: NotRequired[DealtData | None]
    vitality_after: NotRequired[int]
    bleeding: NotRequired[bool]
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
    """What odds tell apart of an action."""

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


class SwungData(TypedDict):
    """An attack at one target."""

    target: str
    roll: RollTold | None
    total: int | None
    evasion: int
    cover: bool
    hits: bool
    critical: bool
    damage: list[PartTaken]
    instead: DealtData | None
    vitality_after: int
    bleeding: bool


class MomentumAttackCounts(TypedDict):
    """What odds tell apart of an attack."""

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
    """What odds tell apart of a bare roll to hit."""

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


class MomentumHurtData(TypedDict):
    """The result of `momentum hurt`."""

    who: str
    target: str
    damage: list[PartTaken]
    vitality_after: int
    bleeding: bool


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


class MomentumTeleportData(TypedDict):
    """The result of `momentum teleport`."""

    who: str
    to: str
    damage: int
    into: str
    success: bool


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
    """Who was commanded."""

    commanded: list[str]


class MomentumTurnData(TypedDict):
    """What `momentum turn` and `momentum resume` come to."""

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


class MomentumScene(TypedDict):
    """`[momentum]` of state.toml, as a fight begins."""

    id: str
    name: str
    round: int
    people: dict[str, MomentumPerson]
    meters: Mapping[str, object]
    order: list[str]
    map: BoardKept
    goal: NotRequired[str]
    zones: NotRequired[Mapping[str, ZoneKept]]
