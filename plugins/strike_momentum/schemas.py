"""The forms of sheets, Status Effects, the fight under way, and the state of a character."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Checks
from strike_cli.plugin.forms import (
    Either,
    Fault,
    Faults,
    Fields,
    Flag,
    FromBook,
    Kind,
    ListOf,
    Number,
    OneOf,
    Place,
    Record,
    Reference,
    TableOf,
    Text,
    scene_form,
)

from .dice import are_dice
from .numbers import ARMORS, DAMAGE_TYPES, MOVEMENT, SHIELDS, STATS, TYPES
from .statuses import UNTIL_WORDS

if TYPE_CHECKING:
    from .data import MomentumAbility, MomentumSheet, MomentumState

STAT = OneOf(*STATS)
TYPE = OneOf(*TYPES)
DICE = Text(are_dice, "dice, like 2d6+1")
UNTIL = UNTIL_WORDS
"""Until when a Status Effect lasts: the start or the end of a turn, the fight, as long as somebody pays for
it. Without one it stays."""

IGNORE_ARMOR = Either(list, ListOf(TYPE), Either(str, OneOf("all"), Number(0, 99)))
"""So much of Armor, all of it, or all of it for some types of the damage, which it then has no part in."""

STATUS = Record(
    name=(Text(), ...),
    summary=(Text(), ""),
    category=(OneOf("physical", "mental", "elemental", "stance"), ...),  # a stance is no Status Effect
    type=OneOf(*DAMAGE_TYPES["elemental"]),  # the damage that it lingers of
    attack=OneOf("advantage", "disadvantage"),  # own attacks
    against=OneOf("advantage", "disadvantage"),  # attacks at its holder
    melee_against=OneOf("advantage", "disadvantage"),
    dr=OneOf("advantage", "disadvantage"),
    evasion=Number(-20, 20),
    dr_bonus=Number(-20, 20),
    ap=Number(-9, 9),
    rp=Number(-9, 9),
    movement=Number(-60, 60),
    stuck=Flag(),  # no movement at all
    blind=Flag(),  # sees nobody
    loses_control=Flag(),  # no summon of theirs can be commanded, and nobody commands it
    initiative=Number(-60, 60),
    damage=DICE,  # at the start of each of one's turns
    override=(Flag(), False),
)
WEAPON = Record(
    primary=(STAT, ...),
    secondary=(STAT, ...),
    damage=(DICE, ...),
    type=(TYPE, "physical"),
    more=(TableOf(DICE, TYPE), {}),  # damage of other types that comes with it
    reach=(Number(1, 20), 1),
    range=Number(2, 1000),  # in metres, of a ranged weapon
    hands=(Number(0, 2), 1),
    ignore_armor=(IGNORE_ARMOR, 0),
)


def _check_ability(ability: MomentumAbility, where: Place, faults: Faults) -> None:
    if ability["attack"] and "dr" in ability:
        faults.append(Fault(where, "is either an attack or resisted by a Defense Roll"))
    if ability["maneuver"] and (ability["attack"] or "dr" in ability):
        faults.append(
            Fault(where, "a Maneuver is added to the attack of a weapon, and has no roll of its own")
        )
    if ability["maneuver"] and ("wp" in ability or "upcast" in ability or "line" in ability):
        faults.append(Fault(where, "a Maneuver has no wp, upcast or line of its own"))
    if len([key for key in ("area", "burst", "line") if key in ability]) > 1:
        faults.append(Fault(where, "area, burst and line: it has one of them"))


ABILITY = Record(
    _check_ability,
    name=Text(),
    text=Text(),
    tier=(Number(0, 9), 0),
    ap=Number(0, 3),  # else 2, and nothing for a Maneuver
    rp=Number(1, 2),  # it is a reaction, and costs that instead
    wp=Number(1, 99),  # WP that it costs besides
    upcast=Record(wp=(Number(1, 99), 1), damage=DICE, heal=DICE, limit=Number(1, 99)),
    line=Number(1, 100),  # an area one square wide, so many metres from its user
    attack=(Flag(), False),  # a roll against Evasion
    dr=STAT,  # the Defense Roll against it
    half=(Flag(), False),  # a Defense Roll that succeeds halves the damage
    maneuver=(Flag(), False),  # it is added to the attack of a weapon
    damage=DICE,
    type=(TYPE, "physical"),
    more=(TableOf(DICE, TYPE), {}),
    ignore_armor=(IGNORE_ARMOR, 0),
    heal=DICE,
    reach=Number(1, 20),
    range=Number(2, 1000),
    area=Number(0, 100),  # metres around a square in range
    burst=Number(1, 100),  # metres around its user
    spares=(Flag(), False),  # allies are left out of its area
    targets=(Number(1, 20), 1),
    status=Reference("status_effects"),
    until=OneOf(*UNTIL),
    whose=(OneOf("self", "target"), "target"),  # the turn that ends it
    push=Number(1, 100),
    pull=Number(1, 100),
    teleport=Number(1, 1000),
    summon=Reference("creatures"),
)
ITEM = Record(count=(Number(0, 99), 1), heal=DICE, text=(Text(), ""), status=Reference("status_effects"))
_IN_BOOK: Fields = {"name": (Text(), ...), "summary": (Text(), ""), "override": (Flag(), False)}
WEAPON_IN_BOOK, ABILITY_IN_BOOK, ITEM_IN_BOOK = (each.extended(_IN_BOOK) for each in (WEAPON, ABILITY, ITEM))
"""`[momentum_weapons.ID]` and its like: what sheets have by naming it."""
SHEET: Fields = {
    "momentum": Record(
        stats=(TableOf(Number(0, 99), STAT), {}),
        skills=(TableOf(Number(0, 99)), {}),
        skill_stats=(TableOf(STAT), {}),  # the Stat that goes with a Skill, beyond those of Defense Rolls
        wp=(Number(0, 99), 0),
        upcast_limit=(Number(0, 99), 0),  # WP that one use of an Ability may take to be upcast
        archetype=Record(primary=(STAT, "str"), secondary=(STAT, "dex"), evasion=(STAT, "str")),
        vitality=(Number(1, 9999), ...),
        dies_at=Number(-9999, 0),  # else as far below 0 as the full Vitality is above it
        momentum=(Number(0, 99), 0),
        movement=(Number(0, 100), MOVEMENT),
        armor=Either(str, OneOf(*ARMORS), Number(-50, 50)),  # what is worn, or a bare value
        shield=OneOf(*SHIELDS),
        evasion=Number(0, 99),  # else from Dexterity and the Evasion Stat
        size_category=Number(0, 9),  # else the squares of a side
        hands=(Number(0, 9), 2),
        climbs=(Flag(), False),  # without a free hand
        attacks=(Number(1, 9), 1),  # for one Attack action
        resist=(ListOf(TYPE), []),
        immune=(ListOf(TYPE), []),
        vulnerable=(ListOf(TYPE), []),
        object=(Flag(), False),
        biological=(Flag(), True),
        weapons=(FromBook("momentum_weapons", WEAPON), {}),
        wields=ListOf(Text()),  # else the first weapon, and the shield
        abilities=(FromBook("momentum_abilities", ABILITY), {}),
        items=(FromBook("momentum_items", ITEM), {}),
    )
}
"""What it adds to the sheets of characters and creatures."""
HELD_STATUS = Record(
    id=(Text(), ...),
    until=OneOf(*UNTIL),
    of=Text(),
    by=Text(),
    later=Flag(),
    upkeep=Number(0, 3),
    cinematic=Number(1),  # of the one who keeps it up: all with one number are kept up at once
    condition=Text(),  # what keeping it up takes besides, in words
)
_KEPT: dict[str, Kind] = {
    "vitality": Number(),
    "momentum": Number(0),
    "wp": Number(0),
    "items": TableOf(Number(0)),
}
STATE = scene_form(
    {
        **{key: (kind, ...) for key, kind in _KEPT.items() if key not in ("items", "wp")},
        "items": _KEPT["items"],
        "max_vitality": (Number(1), ...),
        "ap": (Number(0), ...),
        "rp": (Number(0), ...),
        "movement": (Number(0), ...),
        "wp": Number(0),
        "max_wp": Number(0),
        "temp_vitality": Number(0),
        "spent": Number(0),  # AP in this turn
        "burst": Number(1),  # the round of their last Cinematic Burst
        "reacted": Number(0),  # RP in this round
        "gone": Number(0),  # metres in this turn
        "surprised": Flag(),  # no turn in the first round
        "begun": Number(0),  # the round of the last turn that they began
        "attacks": Number(0),  # paid for and not made
        "free": OneOf("interact", "switch-weapons"),  # which of the two was had for nothing in this turn
        "holding": ListOf(Text()),
        "lost": ListOf(Text()),  # weapons and the shield of their sheet that they haven't any more
        "others": TableOf(Text()),  # those of other sheets that somebody has: weapon -> sheet
        "union": Text(),  # who leads the union that they are in
        "lean": Text(),  # the square that they lean towards
        "on": Text(),  # whom they have climbed onto
        "exposed": Flag(),  # hidden until the end of the turn and no longer
        "summoner": Text(),
        "object": Flag(),
    },
    dropped=TableOf(Record(weapon=(Text(), ...), of=(Text(), ...), at=(Text(), ...))),
)
"""`[momentum]` of state.toml."""


def character_state(book: object) -> dict[str, Record]:
    """`[characters.ID.momentum]` of state.toml: what isn't as the sheet says."""
    return {"momentum": Record(**_KEPT, statuses=ListOf(HELD_STATUS), out=Text())}


def content_faults(kind: str, id: str, tables: Mapping[str, Mapping[str, object]]) -> Iterator[Fault]:
    """Yield the faults of a sheet beyond its form."""
    if kind not in ("characters", "creatures"):
        return
    sheet = cast("Mapping[str, MomentumSheet]", tables[kind][id]).get("momentum")
    if sheet is None:
        return
    for held in sheet.get("wields", ()):
        if held not in sheet["weapons"] and not (held == "shield" and "shield" in sheet):
            yield Fault(Place("momentum", "wields"), f"there is no {held!r} among its weapons")


def state_faults(state: Mapping[str, object]) -> Iterator[Fault]:
    """Yield the faults of a fight beyond its form."""
    fight = cast("MomentumState", state["momentum"])
    people = fight["people"]
    if fight.get("active") and fight["active"] not in people:
        yield Fault(Place("momentum", "active"), f"there is no {fight['active']!r}")
    for who, one in people.items():
        place = Place("momentum", "people", who)
        if one.get("side") not in ("party", "enemies") or "ref" not in one:
            yield Fault(place, "needs a ref, and party or enemies as its side")
        others = {"union": one.get("union"), "on": one.get("on"), "summoner": one.get("summoner")}
        for key, other in others.items():
            if other and other not in people:
                yield Fault(place / key, f"there is no {other!r}")
        for status in one.get("statuses", ()):
            faults: Faults = []
            HELD_STATUS.check(status, place / "statuses", faults)
            yield from faults


class MomentumChecks(Checks):
    """Faults that no form finds."""

    def content(self, kind: str, id: str, tables: Mapping[str, Mapping[str, object]]) -> Iterable[Fault]:
        return content_faults(kind, id, tables)

    def state(self, state: Mapping[str, object]) -> Iterable[Fault]:
        return state_faults(state)
