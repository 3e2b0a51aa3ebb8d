"""The effects of a blow: damage, Vitality, Bleeding, death; and healing (WSH-11, 13, 15)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.plugin import Choose, Procedure, Sets, World

from .battle import DEAD, DESTROYED, Battle
from .damage import NOTHING, DamageTaken, Ignoring, Part, meeting, take
from .facts import (
    DamageOf,
    MomentumDamaged,
    MomentumDied,
    MomentumFell,
    MomentumHealed,
    MomentumLeft,
    TotalDamage,
    WhichTypeArmorReduces,
)
from .statuses import BLEEDING, END, STANCES, START, UPKEEP, add, expire, let_go

if TYPE_CHECKING:
    from .data import SufferedData


class Blow(NamedTuple):
    """Simultaneous damage: its parts, and the Armor that it ignores.

    `lethal`: it is meant to kill, which is the dealer's choice for Holy damage. `off` is the order of types
    that Armor comes off, as far as that is said; somebody decides the rest.
    """

    parts: Sequence[Part]
    ignoring: Ignoring = NOTHING
    nonlethal: bool = False
    lethal: bool = False
    off: Sequence[str] = ()
    by: str = ""


def suffer(world: World, who: str, blow: Blow) -> Procedure[SufferedData]:
    """Somebody takes a blow. Returns `damage`, a table for each type, `vitality_after` and `bleeding`."""
    battle = Battle(world)
    off = blow.off or (yield from _choose_off(world, who, blow))
    taken = _taken(battle, who, blow, off)
    before = int(battle.people[who]["vitality"])
    buffer = min(taken.total, int(battle.people[who].get("temp_vitality", 0)))
    sparing = blow.nonlethal or _is_sparing(battle, who, blow, taken)
    after = before - (taken.total - buffer)
    if sparing:
        after = max(after, min(before, battle.sheet(who).dies_at + 1))
    sets = battle.sets(who, vitality=after)
    if buffer:
        sets |= battle.sets(who, temp_vitality=battle.people[who]["temp_vitality"] - buffer)
    each = [DamageOf(part.type, part.taken) for part in taken.parts if part.taken]
    yield world.tell(MomentumDamaged(who, taken.total, each, taken.reduced_by, after, buffer), sets)
    yield from _aftermath(world, who, before, after, sparing or not taken.total)
    now = Battle(world)
    bleeding = "out" not in now.people[who] and now.has_status(who, BLEEDING)
    return {"target": who, "damage": taken.as_json(), "vitality_after": after, "bleeding": bleeding}


def _taken(battle: Battle, who: str, blow: Blow, off: Sequence[str]) -> DamageTaken:
    armor_first = battle.world.book.house["momentum.armor_before_multiplier"]
    defenses = battle.sheet(who).defenses
    return take(blow.parts, defenses, ignoring=blow.ignoring, off=off, armor_first=armor_first)


def total_taken(battle: Battle, who: str, blow: Blow) -> int:
    """All the damage that a blow comes to, as far as it is said what Armor comes off."""
    return _taken(battle, who, blow, blow.off).total


def _choose_off(world: World, who: str, blow: Blow) -> Procedure[Sequence[str]]:
    """Ask the attacker for the order of types that Armor comes off, as far as it makes a difference.

    By default it is the one that costs them least (WSH-13).
    """
    battle, order = Battle(world), list[str]()
    types = [part.type for part in meeting(blow.parts, blow.ignoring)]
    while left := [type for type in types if type not in order]:
        ways = {type: _taken(battle, who, blow, [*order, type]) for type in left}
        if len({way.total for way in ways.values()}) < 2:
            break
        ranked = sorted(left, key=lambda type: -ways[type].total)
        chosen: str = yield Choose(
            blow.by,
            "the damage that Armor comes off" + (" next" if order else ""),
            tuple(ranked),
            tuple(TotalDamage(ways[type].total, type) for type in ranked),
            default=ranked[0],
            about=WhichTypeArmorReduces(who, blow.by, bool(order)),
        )
        order.append(chosen)
    return order


def _is_sparing(battle: Battle, who: str, blow: Blow, taken: DamageTaken) -> bool:
    """Holy damage alone doesn't kill what lives, unless it is wished (WSH-15)."""
    types = {part.type for part in taken.parts if part.taken}
    return types == {"holy"} and not blow.lethal and bool(battle.sheet(who).table["biological"])


def _aftermath(world: World, who: str, before: int, after: int, sparing: bool) -> Procedure[None]:
    """Who is below 1 Vitality is down, and bleeds unless they were spared; further down they die."""
    battle = Battle(world)
    one = battle.people[who]
    if after <= battle.sheet(who).dies_at and not sparing:
        yield from leave(world, who, DESTROYED if one.get("object") else DEAD)
        return
    if after < 1 and not one.get("down"):
        sets = battle.sets(who, down=True, ap=0, movement=0, hidden=False, exposed=False)
        yield world.tell(MomentumFell(who), sets)
        yield from let_go(world)
    if (
        after < 1
        and after < before
        and not sparing
        and not one.get("object")
        and not battle.has_status(who, BLEEDING)
    ):
        yield from add(world, who, BLEEDING)


def leave(world: World, who: str, out: str) -> Procedure[None]:
    """Somebody has no part in the fight any more. Status Effects stay theirs, stances don't (WSH-16)."""
    battle = Battle(world)
    sets = battle.sets(
        who, out=out, down=False, ap=0, rp=0, movement=0, on="", lean="", union="", delayed=False
    )
    sets |= battle.sets(
        who, statuses=[one for one in battle.people[who].get("statuses", ()) if one["id"] not in STANCES]
    )
    for rider in battle.riders(who):
        sets |= battle.sets(rider, on="")
    sets |= _handed_on(battle, who)
    yield world.tell(MomentumDied(who, out) if out in (DEAD, DESTROYED) else MomentumLeft(who, out), sets)
    yield from let_go(world)
    for moment in (START, END, UPKEEP):  # of turns that they don't have any more
        yield from expire(world, [who], moment)


def _handed_on(battle: Battle, who: str) -> Sets:
    """Return the changes that give a union without its leader another, whose turn it then is (WSH-05)."""
    others = [one for one in battle.union(who) if one != who]
    if battle.people[who].get("union") != who or not others:
        return {}
    sets: Sets = {"momentum.active": others[0]} if battle.active == who else {}
    for one in others:
        sets |= battle.sets(one, union=others[0])
    return sets


def heal(world: World, who: str, amount: int) -> Procedure[int]:
    """Give somebody Vitality back, up to all of it. Returns the amount.

    Somebody who was down and has some is up again. The dead come back with the effects that they had when
    they died (WSH-16).
    """
    battle = Battle(world)
    one = battle.people[who]
    after = min(one["max_vitality"], one["vitality"] + amount)
    sets = battle.sets(who, vitality=after)
    up = after >= 1 and bool(one.get("down") or one.get("out") == DEAD)
    sets |= battle.sets(who, down=False, out="") if up else {}
    healed = int(after - one["vitality"])
    yield world.tell(MomentumHealed(who, healed, after, up), sets)
    return healed
