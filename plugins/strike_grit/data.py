"""What is kept of a fight of grit, and what its moves return: types alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

from strike_cli.plugin.dice import RollTold
from strike_cli.plugin.scene_types import BoardKept, ZoneKept
from strike_cli.plugin.telling import Clause


class CriticalSave(TypedDict):
    """A save against critical damage."""

    die: str
    rolled: int
    success: bool


class StruckTold(TypedDict):
    """What an attack, a trap or a hurt did to somebody (GRT-05 to 07)."""

    target: str
    rolled: RollTold | None
    armor: int
    grit_before: int
    grit_after: int
    direct: int
    critical: int
    save: CriticalSave | None
    attribute: str
    die_after: str
    state: str
    held: NotRequired[bool]


class GritNumbers(TypedDict):
    """The numbers that somebody comes with."""

    grit: int
    str: int
    dex: int
    wil: int
    armor: int
    max_grit: int
    max_str: int
    max_dex: int
    max_wil: int


class GritWeapon(TypedDict):
    """A weapon as a sheet or the book has it."""

    dice: Sequence[str]
    range: str
    attribute: str
    blast: bool | int
    critical: str
    bulky: int


class GritArmor(TypedDict):
    """A piece of armor that the book has."""

    armor: int
    bulky: int


class GritWorn(TypedDict):
    """What of a sheet's `grit` armor by name changes, as it is written."""

    armor: int | list[str]
    bulky: int
    weapons: Mapping[str, GritWeapon]


class GritSheet(TypedDict):
    """The `grit` of a sheet."""

    str: str
    dex: str
    wil: str
    grit: NotRequired[int]
    armor: int
    bulky: int
    hireling: bool
    weapons: Mapping[str, GritWeapon]


class GritDistance(TypedDict):
    """How far somebody has moved, and in which round."""

    round: int
    squares: int
    diagonals: NotRequired[int]


class Unsettled(TypedDict):
    """Damage that waits to be settled."""

    direct: int
    effect: NotRequired[str]
    enhanced: NotRequired[list[str]]
    impaired: NotRequired[list[str]]


class GritPerson(TypedDict):
    """Somebody in the fight, with how they stand."""

    name: str
    ref: str
    side: str
    at: NotRequired[str]
    size: int
    grit: int
    str: int
    dex: int
    wil: int
    armor: int
    max_grit: int
    max_str: int
    max_dex: int
    max_wil: int
    wields: NotRequired[str]
    moved: NotRequired[GritDistance]
    acted: NotRequired[int]
    surprised: NotRequired[bool]
    aided: NotRequired[bool]
    due: NotRequired[list[str]]
    faced: NotRequired[list[str]]
    out: NotRequired[str]
    unsettled: NotRequired[dict[str, Unsettled]]
    hidden: NotRequired[bool]


class GritScene(TypedDict):
    """`[grit]` of state.toml."""

    id: str
    name: str
    goal: str
    round: int
    turns: str
    active: str
    people: dict[str, GritPerson]
    map: NotRequired[BoardKept]
    zones: NotRequired[Mapping[str, ZoneKept]]


class MoraleDue(TypedDict):
    """Somebody whose courage is to be tried, and why; with what came of it, where it was at once."""

    who: str
    why: str | Clause
    die: NotRequired[str]
    roll: NotRequired[RollTold | None]
    success: NotRequired[bool]
    does: NotRequired[str]


class GritAttackData(TypedDict):
    """The result of `grit attack`."""

    who: str
    attacks: list[StruckTold]
    blast: NotRequired[int | None]
    morale: list[MoraleDue]


class GritHurtData(TypedDict):
    """What `grit hurt` and `grit trap` come to."""

    attacks: list[StruckTold]
    morale: list[MoraleDue]
    avoided: NotRequired[bool]


class GritMendData(TypedDict):
    """The result of `grit mend`."""

    who: str
    what: str
    before: int
    after: int
    state: str


class GritAidData(TypedDict):
    """The result of `grit aid`."""

    who: str
    target: str
    state: str


class RestedTold(TypedDict):
    """`rested` of `GritRestData`."""

    who: str
    grit: int
    str: str
    dex: str
    wil: str
    state: str


class GritRestData(TypedDict):
    """The result of `grit rest`."""

    rested: list[RestedTold]
    deprived: list[str]


class GritHourData(TypedDict):
    """The result of `grit hour`."""

    dead: list[str]


class GritMoraleData(TypedDict):
    """The result of `grit morale`."""

    who: str
    die: str
    roll: RollTold | None
    success: bool
    why: str | Clause
    does: NotRequired[str]


class GritMoraleCounts(TypedDict):
    """What odds tell apart of a test or a save."""

    success: bool
    compromise: NotRequired[bool]


class MoraleFaced(TypedDict):
    """A test of courage, and what they do."""

    die: str
    roll: RollTold | None
    success: bool
    why: str | Clause
    does: NotRequired[str]


class GritSaveData(TypedDict):
    """The result of `grit save`."""

    who: str
    attribute: str | None
    die: str
    roll: RollTold | None
    against: RollTold | None
    success: bool
    compromise: NotRequired[bool]


class GritSettleData(TypedDict):
    """The result of `grit settle`."""

    attacks: list[StruckTold]
    morale: list[MoraleDue]


class GritStartData(TypedDict):
    """The result of `grit start`."""

    id: str
    name: str
    goal: str
    round: int
    turns: str
    active: str
    people: dict[str, GritPerson]
    map: NotRequired[BoardKept]
    zones: NotRequired[Mapping[str, ZoneKept]]
    surprised: list[str]


GritMoveData = TypedDict(
    "GritMoveData", {"who": "str", "from": "str | None", "to": "str", "path": "list[str]", "left": "int"}
)
"""The result of `grit move`: the squares that they stepped on, and how many they have left."""


class GritDoorData(TypedDict):
    """The result of `grit door`."""

    at: str
    open: bool


class GritActData(TypedDict):
    """The result of `grit act`."""

    who: str
    text: str


class GritNextData(TypedDict):
    """The result of `grit next`."""

    round: int
    active: str


class GritEndData(TypedDict):
    """The result of `grit end`."""

    outcome: str
    rounds: int
    up: dict[str, list[str]]
