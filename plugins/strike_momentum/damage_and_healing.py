"""The effects of damage and of healing (WSH-11, 13, 15).

Damage lowers Vitality, and may cause Bleeding and death.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.plugin import Choose, Procedure, Sets, World

from .damage_reduction import (
    IGNORES_NO_ARMOR,
    DamagePart,
    DamageTaken,
    IgnoredArmor,
    damage_through,
    reducible_damage,
)
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
from .fight_state import DEAD, DESTROYED, Battle
from .statuses import (
    BLEEDING,
    END,
    STANCES,
    START,
    UPKEEP,
    add_or_replace_status,
    end_broken_grabs,
    expire_statuses,
)

if TYPE_CHECKING:
    from .data import SufferedData


class Blow(NamedTuple):
    """Damage that is dealt at once.

    Attributes:
        parts: The damage of each type.
        ignoring: How much Armor the damage ignores.
        nonlethal: Whether the damage leaves its victim alive in any case.
        lethal: Whether Holy damage can kill living beings, too. Normally, Holy damage alone doesn't kill
            them.
        off: The types of damage, in the order in which Armor reduces them. If it is empty, somebody may be
            asked for the order.
        by: The person who deals the damage.
    """

    parts: Sequence[DamagePart]
    ignoring: IgnoredArmor = IGNORES_NO_ARMOR
    nonlethal: bool = False
    lethal: bool = False
    off: Sequence[str] = ()
    by: str = ""


def deal_blow(world: World, combatant: str, blow: Blow) -> Procedure[SufferedData]:
    """Deal damage to a combatant, with its consequences: going down, Bleeding, death."""
    battle = Battle(world)
    off = blow.off or (yield from _choose_armor_order(world, combatant, blow))
    taken = _damage_through_defenses(battle, combatant, blow, off)
    before = int(battle.people[combatant]["vitality"])
    buffer = min(taken.total, int(battle.people[combatant].get("temp_vitality", 0)))
    sparing = blow.nonlethal or _spares_life_as_only_holy(battle, combatant, blow, taken)
    after = before - (taken.total - buffer)
    if sparing:
        after = max(after, min(before, battle.sheet(combatant).dies_at + 1))
    sets = battle.sets(combatant, vitality=after)
    if buffer:
        sets |= battle.sets(combatant, temp_vitality=battle.people[combatant]["temp_vitality"] - buffer)
    each = [DamageOf(part["type"], part["taken"]) for part in taken.parts if part["taken"]]
    yield world.tell(MomentumDamaged(combatant, taken.total, each, taken.reduced_by, after, buffer), sets)
    yield from _apply_low_vitality(world, combatant, before, after, sparing or not taken.total)
    now = Battle(world)
    bleeding = "out" not in now.people[combatant] and now.has_status(combatant, BLEEDING)
    return {"target": combatant, "damage": list(taken.parts), "vitality_after": after, "bleeding": bleeding}


def _damage_through_defenses(battle: Battle, combatant: str, blow: Blow, off: Sequence[str]) -> DamageTaken:
    armor_first = battle.world.book.house["momentum.armor_before_multiplier"]
    defenses = battle.sheet(combatant).defenses
    return damage_through(
        blow.parts, defenses, ignoring=blow.ignoring, armor_order=off, armor_first=armor_first
    )


def total_damage_through(battle: Battle, combatant: str, blow: Blow) -> int:
    """Return how much of a blow's damage would get through the combatant's defenses.

    Nobody is asked which types Armor reduces first: `blow.off` has their order.
    """
    return _damage_through_defenses(battle, combatant, blow, blow.off).total


def _choose_armor_order(world: World, combatant: str, blow: Blow) -> Procedure[Sequence[str]]:
    """Ask the dealer of damage which of its types Armor reduces first, second and so on; return this order.

    The questions stop when the choice makes no difference any more. The types that are left then are missing
    in the result. The default answer is the type that leaves the dealer with the most damage (WSH-13).
    """
    battle, order = Battle(world), list[str]()
    types = [part.type for part in reducible_damage(blow.parts, blow.ignoring)]
    while left := [type for type in types if type not in order]:
        ways = {type: _damage_through_defenses(battle, combatant, blow, [*order, type]) for type in left}
        if len({way.total for way in ways.values()}) < 2:
            break
        ranked = sorted(left, key=lambda type: -ways[type].total)
        chosen: str = yield Choose(
            blow.by,
            "the damage that Armor comes off" + (" next" if order else ""),
            tuple(ranked),
            tuple(TotalDamage(ways[type].total, type) for type in ranked),
            default=ranked[0],
            about=WhichTypeArmorReduces(combatant, blow.by, bool(order)),
        )
        order.append(chosen)
    return order


def _spares_life_as_only_holy(battle: Battle, combatant: str, blow: Blow, taken: DamageTaken) -> bool:
    """Return whether a living target can't die, because only Holy damage gets through (WSH-15).

    It is False for a blow that is `lethal`.
    """
    types = {part["type"] for part in taken.parts if part["taken"]}
    return types == {"holy"} and not blow.lethal and bool(battle.sheet(combatant).table["biological"])


def _apply_low_vitality(
    world: World, combatant: str, before: int, after: int, spares_life: bool
) -> Procedure[None]:
    """Apply the effects of Vitality below 1: the combatant goes down, bleeds or dies.

    `before` and `after` are the Vitality before and after the damage. If `spares_life`, the combatant neither
    dies nor bleeds. If `after` is 1 or more, nothing happens.
    """
    battle = Battle(world)
    one = battle.people[combatant]
    if after <= battle.sheet(combatant).dies_at and not spares_life:
        yield from leave_fight_keeping_statuses(world, combatant, DESTROYED if one.get("object") else DEAD)
        return
    if after < 1 and not one.get("down"):
        sets = battle.sets(combatant, down=True, ap=0, movement=0, hidden=False, exposed=False)
        yield world.tell(MomentumFell(combatant), sets)
        yield from end_broken_grabs(world)
    if (
        after < 1
        and after < before
        and not spares_life
        and not one.get("object")
        and not battle.has_status(combatant, BLEEDING)
    ):
        yield from add_or_replace_status(world, combatant, BLEEDING)


def leave_fight_keeping_statuses(world: World, combatant: str, how: str) -> Procedure[None]:
    """Take a combatant out of the fight. Their stances end, but their Status Effects stay (WSH-16).

    `how` says how the combatant left; DEAD and DESTROYED are reported as deaths.
    """
    battle = Battle(world)
    sets = battle.sets(
        combatant, out=how, down=False, ap=0, rp=0, movement=0, on="", lean="", union="", delayed=False
    )
    sets |= battle.sets(
        combatant,
        statuses=[one for one in battle.people[combatant].get("statuses", ()) if one["id"] not in STANCES],
    )
    for rider in battle.riders(combatant):
        sets |= battle.sets(rider, on="")
    sets |= _changes_to_new_union_leader(battle, combatant)
    yield world.tell(
        MomentumDied(combatant, how) if how in (DEAD, DESTROYED) else MomentumLeft(combatant, how), sets
    )
    yield from end_broken_grabs(world)
    for moment in (START, END, UPKEEP):  # end the effects that last until a turn
        yield from expire_statuses(world, [combatant], moment)


def _changes_to_new_union_leader(battle: Battle, combatant: str) -> Sets:
    """Return the changes that make another member the leader of a combatant's union.

    If it is the combatant's turn, the new leader takes over the turn. The result is empty if the combatant
    doesn't lead a union, or is its only member.
    """
    others = [one for one in battle.union_members(combatant) if one != combatant]
    if battle.people[combatant].get("union") != combatant or not others:
        return {}
    sets: Sets = {"momentum.active": others[0]} if battle.active == combatant else {}
    for one in others:
        sets |= battle.sets(one, union=others[0])
    return sets


def restore_vitality_and_revive(world: World, combatant: str, amount: int) -> Procedure[int]:
    """Restore Vitality, up to the maximum, and return how much was restored.

    If the new Vitality is 1 or more, a combatant who was down or dead gets up. Status Effects stay, even
    those of a dead combatant (WSH-16).
    """
    battle = Battle(world)
    one = battle.people[combatant]
    after = min(one["max_vitality"], one["vitality"] + amount)
    sets = battle.sets(combatant, vitality=after)
    up = after >= 1 and bool(one.get("down") or one.get("out") == DEAD)
    sets |= battle.sets(combatant, down=False, out="") if up else {}
    healed = int(after - one["vitality"])
    yield world.tell(MomentumHealed(combatant, healed, after, up), sets)
    return healed
