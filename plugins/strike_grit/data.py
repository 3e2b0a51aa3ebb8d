"""Types of a fight's stored tables and of the results of its moves, with the checks of their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NotRequired, TypedDict, cast

from strike_cli.plugin.dice import RollTold
from strike_cli.plugin.facts import Clause
from strike_cli.plugin.forms import (
    COMBATANT,
    Default,
    Either,
    Flag,
    ItemsOrNames,
    ListOf,
    Names,
    Number,
    OneOf,
    Place,
    Record,
    Reference,
    form,
    form_of,
)
from strike_cli.plugin.scene_tables import PersonKept, SceneHead

from .dice import ATTRIBUTES, DICE, TRACK
from .facts import CLOSE, DEAD, GONE, OCCASIONS, RANGES

_DIE, _ATTRIBUTE, _SIDES, _OCCASION = OneOf(*DICE), OneOf(*ATTRIBUTES), OneOf(*TRACK), OneOf(*OCCASIONS)
_COUNT = Number(0)


class CriticalSave(TypedDict):
    """A Critical Damage Save: the die, the roll, and whether it succeeded."""

    die: str
    rolled: int
    success: bool


class StruckTold(TypedDict):
    """The result of damage to one target, by an attack, a trap or anything else (GRT-05 to 07).

    `direct` is the Direct Damage. `critical` is the number of steps by which the die of `attribute` became
    smaller. `held` is True if the Direct Damage waits for `grit settle`.
    """

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
    """The numbers of a combatant at the start of a fight.

    An attribute is given as the number of sides of its die.
    """

    grit: Annotated[int, _COUNT]
    str: Annotated[int, _SIDES]
    dex: Annotated[int, _SIDES]
    wil: Annotated[int, _SIDES]
    armor: Annotated[int, _COUNT]
    max_grit: Annotated[int, _COUNT]
    max_str: Annotated[int, _SIDES]
    max_dex: Annotated[int, _SIDES]
    max_wil: Annotated[int, _SIDES]


class GritWeapon(TypedDict):
    """A weapon's table in a sheet or in the book."""

    dice: Annotated[Sequence[str], ListOf(_DIE, 1)]
    range: Annotated[str, OneOf(*RANGES), Default(CLOSE)]
    attribute: Annotated[str, _ATTRIBUTE, Default("str")]  # the attribute that takes its Direct Damage
    # whether it hits several targets, or the radius in squares in which it hits everybody
    blast: Annotated[bool | int, Either(bool, Flag(), Number(1, 20)), Default(False)]
    critical: Annotated[str, Default("")]  # what its Critical Damage does besides, in words
    bulky: Annotated[int, Number(0, 9), Default(0)]  # how many bulky items it counts as


class _InBook(TypedDict):
    name: str
    summary: Annotated[str, Default("")]
    override: Annotated[bool, Default(False)]


class GritWeaponInBook(GritWeapon, _InBook):
    """`[grit_weapons.ID]`: a weapon that sheets refer to by its id."""


class GritArmor(_InBook):
    """`[grit_armors.ID]`: a piece of armor, worn or carried."""

    armor: Annotated[int, Number(0, 12)]
    bulky: Annotated[int, Number(0, 9), Default(0)]


class _SheetOfGrit(Record):
    """The schema of a sheet's `grit` table; it also computes Armor and the number of bulky items.

    If `armor` lists pieces by name, their values are added up. The `bulky` values of weapons and armor are
    added to the sheet's own `bulky`.
    """

    def resolve(self, value: object, where: Place, names: Names) -> Mapping[str, object]:
        found = super().resolve(value, where, names)
        sheet = cast("GritSheet", found)
        armor: int | list[str] = sheet["armor"]
        bulky = sheet["bulky"] + sum(weapon["bulky"] for weapon in sheet["weapons"].values())
        if isinstance(armor, list):
            known = [id for id in armor if names.has("grit_armors", id)]
            pieces: list[GritArmor] = [names.resolved_item("grit_armors", id) for id in known]  # type: ignore[misc]  # of this form
            armor = sum(piece["armor"] for piece in pieces)
            bulky += sum(piece["bulky"] for piece in pieces)
        return {**found, "armor": armor, "bulky": bulky}


@form(of=_SheetOfGrit)
class GritSheet(TypedDict):
    """The table `grit` of a sheet."""

    str: Annotated[str, _DIE]
    dex: Annotated[str, _DIE]
    wil: Annotated[str, _DIE]
    grit: NotRequired[
        Annotated[int, Number(0, 99)]
    ]  # by default 1, and 1 for each step of DEX and WIL above a d4
    armor: Annotated[int, Either(list, ListOf(Reference("grit_armors")), Number(0, 12)), Default(0)]
    bulky: Annotated[
        int, Number(0, 99), Default(0)
    ]  # the number of bulky items; with more than two, their bearer has no Grit
    hireling: Annotated[bool, Default(False)]  # a character who makes Morale Saves
    weapons: Annotated[
        Mapping[str, GritWeapon], ItemsOrNames("grit_weapons", form_of(GritWeapon)), Default({})
    ]


class SheetWithGrit(TypedDict, total=False):
    """The keys that Grit adds to the sheets of characters and creatures."""

    grit: GritSheet


class GritDistance(TypedDict):
    """The number of squares that a combatant has moved in the round `round`.

    `diagonals` counts the diagonal steps of that round.
    """

    round: Annotated[int, Number(1)]
    squares: Annotated[int, _COUNT]
    diagonals: NotRequired[Annotated[int, _COUNT]]


class Unsettled(TypedDict):
    """Direct Damage that waits for `grit settle`, with the reasons that enhance or impair its Save."""

    direct: Annotated[int, Number(1)]
    effect: NotRequired[str]
    enhanced: NotRequired[list[str]]
    impaired: NotRequired[list[str]]


@form(keys={**COMBATANT, "out": OneOf(DEAD, "left", *GONE.values())})
class GritPerson(PersonKept, GritNumbers):
    """A combatant in the fight, with their current numbers.

    Attributes:
        due: The occasions for which the combatant still has to make a Morale Save.
        faced: The occasions for which the combatant has made one.
        unsettled: The Direct Damage that waits for `grit settle`, by attribute.
    """

    wields: NotRequired[str]  # the weapon of their last attack
    moved: NotRequired[GritDistance]
    surprised: NotRequired[bool]  # whether they do nothing in the first round
    aided: NotRequired[bool]
    due: NotRequired[list[Annotated[str, _OCCASION]]]
    faced: NotRequired[list[Annotated[str, _OCCASION]]]
    unsettled: NotRequired[dict[Annotated[str, _ATTRIBUTE], Unsettled]]


@form(keys={"turns": (OneOf("sides"), ...), "round": (Number(1), ...), "active": COMBATANT["side"]})
class GritScene(SceneHead):
    """`[grit]` of state.toml: the fight under way."""

    name: str
    people: dict[str, GritPerson]


class GritKept(TypedDict, total=False):
    """A character's numbers between fights; a number equal to the sheet's is left out."""

    grit: Annotated[int, _COUNT]
    str: Annotated[int, _SIDES]
    dex: Annotated[int, _SIDES]
    wil: Annotated[int, _SIDES]
    aided: bool
    out: Literal["dead"]


class CharacterInGrit(TypedDict, total=False):
    """The keys that Grit adds to `[characters.ID]` of state.toml."""

    grit: GritKept


class MoraleDue(TypedDict):
    """A Morale Save that is due, and the reason for it.

    If the Save has already been made, the entry also has its outcome.
    """

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


class GritSettleData(TypedDict):
    """The result of `grit settle`."""

    attacks: list[StruckTold]
    morale: list[MoraleDue]


class GritHurtData(GritSettleData):
    """The result of `grit hurt` and `grit trap`. `avoided` is given if a Save was made to avoid the harm."""

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
    """A character who has rested, with the numbers after the rest: a part of GritRestData."""

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


class MoraleFaced(TypedDict):
    """A Morale Save that was made, with its outcome and the combatant's reaction (`does`)."""

    die: str
    roll: RollTold | None
    success: bool
    why: str | Clause
    does: NotRequired[str]


class GritMoraleData(MoraleFaced):
    """The result of `grit morale`."""

    who: str


class GritMoraleCounts(TypedDict):
    """The values by which `strike odds` tells apart the results of a Save or a Morale Save."""

    success: bool
    compromise: NotRequired[bool]


class GritSaveData(TypedDict):
    """The result of `grit save`; `compromise` is True after a tie, if a house rule makes ties compromises."""

    who: str
    attribute: str | None
    die: str
    roll: RollTold | None
    against: RollTold | None
    success: bool
    compromise: NotRequired[bool]


class GritStartData(GritScene):
    """The result of `grit start`."""

    surprised: list[str]


GritMoveData = TypedDict(
    "GritMoveData", {"who": "str", "from": "str | None", "to": "str", "path": "list[str]", "left": "int"}
)
"""The result of `grit move`: the squares of the path, and the movement left."""


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
