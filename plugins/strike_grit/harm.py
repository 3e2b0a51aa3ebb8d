"""The effects of damage, from Armor to Critical Damage (GRT-05 to 08).

The order is: Armor, Grit, Direct Damage, Overflow, the Critical Damage Save, Critical Damage. Each target is
a `GritVitals`. It may stand for somebody in a fight, for somebody in the party, or for bare numbers without a
person. Begin with `absorb_damage`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.plugin import Args, Procedure, Refused, Sets, World
from strike_cli.plugin.dice import Rolled
from strike_cli.plugin.facts import BeforeAfter, Clause

from .dice import NO_REASONS, DieReasons, die_name, make_highest_above_test, roll_for_highest, step_down
from .facts import (
    DEAD,
    CriticalAtZero,
    DirectAtZero,
    GritDied,
    GritFell,
    GritHurt,
    GritSteppedDown,
    GritWithstood,
    OverDirect,
    Overflow,
    SaveFailed,
)
from .fight_state import GritFight
from .morale import make_morale_saves_if_immediate, record_morale_after_harm
from .vitals import FALLEN, GritVitals

if TYPE_CHECKING:
    from .data import CriticalSave, GritSettleData, StruckTold, Unsettled


class DamageType(NamedTuple):
    """A kind of Direct Damage, by the attribute that it reduces.

    `effect` is what Critical Damage of this kind does besides, or "".
    """

    attribute: str = "str"
    effect: str = ""


class DirectDamageResult(NamedTuple):
    """The result of Direct Damage: the steps by which the die became smaller, and the Save, if any."""

    steps: int = 0
    save: CriticalSave | None = None


class DamageResult(NamedTuple):
    """The result of damage to a target.

    `rolled` are the damage dice of an attack; it is None for other damage. `held` is True if the Direct
    Damage waits for `grit settle`.
    """

    target: GritVitals
    attribute: str
    grit_before: int
    direct: int
    wounds: DirectDamageResult = DirectDamageResult()
    rolled: Rolled | None = None
    held: bool = False

    def as_json(self) -> StruckTold:
        told: StruckTold = {
            "target": self.target.who,
            "rolled": self.rolled.as_json() if self.rolled else None,
            "armor": self.target["armor"],
            "grit_before": self.grit_before,
            "grit_after": self.target["grit"],
            "direct": self.direct,
            "critical": self.wounds.steps,
            "save": self.wounds.save,
            "attribute": self.attribute,
            "die_after": die_name(self.target[self.attribute]),
            "state": self.target.state,
        }
        if self.held:
            told["held"] = True
        return told


def absorb_damage(target: GritVitals, damage: int) -> tuple[Sets, int]:
    """Reduce damage by Armor and Grit. Return the changes, and the Direct Damage that is left (GRT-05)."""
    left = max(0, damage - target["armor"])
    grit = target["grit"]
    return (target.change_and_return_sets(grit=max(0, grit - left)) if left and grit else {}), max(
        0, left - grit
    )


def deal_direct_damage(
    world: World,
    target: GritVitals,
    amount: int,
    damage_type: DamageType,
    save_reasons: DieReasons = NO_REASONS,
) -> Procedure[DirectDamageResult]:
    """Deal Direct Damage to a target, and return the result (GRT-06 to 08, 11).

    If the damage requires Morale Saves, it is recorded that they are due.
    """
    before = target.state
    wounds = yield from deal_direct_damage_without_morale(world, target, amount, damage_type, save_reasons)
    yield from record_morale_after_harm(world, target, wounds.steps, before)
    return wounds


def deal_direct_damage_without_morale(
    world: World,
    target: GritVitals,
    amount: int,
    damage_type: DamageType,
    save_reasons: DieReasons = NO_REASONS,
) -> Procedure[DirectDamageResult]:
    """Play the effects of Direct Damage on a target, apart from morale (GRT-06 to 08).

    If the target's STR is already zero, the target dies. Otherwise, if the damage is at least as high as the
    damaged attribute, Overflow comes first and uses up some of the damage. If damage is left, and the
    attribute isn't at zero, the target makes a Save against the damage that is left.
    """
    if amount <= 0 or target.numbers.get("out"):
        return DirectDamageResult()
    if target["str"] == 0:
        yield from record_death(world, target, DirectAtZero())
        return DirectDamageResult()
    steps = 0
    while 0 < target[damage_type.attribute] <= amount:
        amount -= target[damage_type.attribute]
        steps += 1
        yield from play_critical_damage_step_down(world, target, damage_type, Overflow())
    if not amount or not target[damage_type.attribute]:
        return DirectDamageResult(steps)
    save = yield from _roll_critical_save(world, target, amount, damage_type.attribute, save_reasons)
    if not save["success"]:
        steps += 1
        yield from play_critical_damage_step_down(world, target, damage_type, SaveFailed())
    return DirectDamageResult(steps, save)


def _roll_critical_save(
    world: World, target: GritVitals, amount: int, attribute: str, reasons: DieReasons
) -> Procedure[CriticalSave]:
    """Roll the attribute's current die, which has to show more than the Direct Damage (GRT-07)."""
    purpose = f"Critical Damage Save, {attribute.upper()}"
    about = OverDirect(target.who, amount)
    rolled = yield from roll_for_highest(
        target.who, purpose, [target[attribute]], reasons, make_highest_above_test(amount), about
    )
    success = rolled.kept > amount
    outcome = "success" if success else "failure"
    yield world.tell(GritWithstood(target.who, attribute, amount, rolled, outcome))
    return {"die": die_name(target[attribute]), "rolled": rolled.kept, "success": success}


def play_critical_damage_step_down(
    world: World, target: GritVitals, damage_type: DamageType, why: Clause
) -> Procedure[None]:
    """Play Critical Damage: the die of the damaged attribute becomes one step smaller (GRT-08).

    If the die falls to zero, the target goes down. If the attribute was at zero before, no die changes:
    Critical Damage to STR kills, and to DEX or WIL it does nothing.
    """
    attribute, before = damage_type.attribute, target[damage_type.attribute]
    if before == 0:
        if attribute == "str":
            yield from record_death(world, target, CriticalAtZero())
        return
    after = step_down(before)
    sets = target.change_and_return_sets(**{attribute: after})
    stepped = GritSteppedDown(target.who, attribute, why, BeforeAfter(before, after), damage_type.effect)
    yield world.tell(stepped, sets)
    if not after:
        fell = (
            target.change_and_return_sets(aided=None)
            if attribute == "str" and target.numbers.get("aided")
            else {}
        )
        yield world.tell(GritFell(target.who, attribute, FALLEN[attribute]), fell)


def record_death(world: World, target: GritVitals, why: Clause) -> Procedure[None]:
    """Record a target's death and its cause (GRT-08)."""
    yield world.tell(GritDied(target.who, why), target.change_and_return_sets(out=DEAD))


class Settle(Args):
    """The arguments of `grit settle`.

    `who` is the person whose waiting Direct Damage is dealt. If `who` is "", everybody's waiting Direct
    Damage is dealt.
    """

    who: str = ""
    save_enhanced: Sequence[str] = ()
    save_impaired: Sequence[str] = ()


def defers_direct_damage(world: World, target: GritVitals) -> bool:
    """Return whether a target's Direct Damage is collected, and settled later with a single Save.

    Damage is collected if the house rule `grit.combine_direct_damage` is on and the state stores the target's
    numbers.
    """
    return bool(target.path and world.book.house["grit.combine_direct_damage"])


def defer_direct_damage(
    world: World, target: GritVitals, amount: int, damage_type: DamageType, saves: DieReasons
) -> Procedure[None]:
    """Add Direct Damage to the amount that waits for `grit settle`.

    The reasons in `saves`, which enhance or impair the later Save, are stored with it.
    """
    waiting = dict(target.unsettled_damage)
    before: Unsettled = waiting.get(damage_type.attribute, {"direct": 0})
    lump: Unsettled = {"direct": before["direct"] + amount}
    if effects := dict.fromkeys(filter(None, (before.get("effect", ""), damage_type.effect))):
        lump["effect"] = " ".join(effects)
    if enhanced := [*before.get("enhanced", ()), *saves.enhanced]:
        lump["enhanced"] = enhanced
    if impaired := [*before.get("impaired", ()), *saves.impaired]:
        lump["impaired"] = impaired
    waiting[damage_type.attribute] = lump
    yield world.tell(
        GritHurt(target.who, lump=lump["direct"]), target.change_and_return_sets(unsettled=waiting)
    )


def people_with_deferred_damage(fight: GritFight) -> list[str]:
    """Return the combatants whose Direct Damage waits for `grit settle`."""
    return [combatant for combatant in fight.combatants_there() if fight.people[combatant].get("unsettled")]


def play_settle(world: World, args: Settle) -> Procedure[GritSettleData]:
    """Play `grit settle`: deal the Direct Damage that waits, with one Save per target and attribute.

    If `who` is given, only this target's damage is dealt. Raises Refused if no Direct Damage is waiting.
    """
    fight = GritFight(world)
    waiting = [combatant for combatant in people_with_deferred_damage(fight) if args.who in ("", combatant)]
    if not waiting:
        raise Refused("There is no Direct Damage to settle.", "`strike grit show` shows the fight.")
    settled = []
    for combatant in waiting:
        lumps = fight.people[combatant]["unsettled"]
        yield world.tell(GritHurt(combatant), fight.sets(combatant, unsettled=None))
        for attribute, lump in lumps.items():
            target = fight.vitals_of(combatant)
            saves = DieReasons(
                [*lump.get("enhanced", ()), *args.save_enhanced],
                [*lump.get("impaired", ()), *args.save_impaired],
            )
            blow = DamageType(attribute, lump.get("effect", ""))
            wounds = yield from deal_direct_damage(world, target, lump["direct"], blow, saves)
            settled.append(DamageResult(target, attribute, target["grit"], lump["direct"], wounds).as_json())
    return {"attacks": settled, "morale": (yield from make_morale_saves_if_immediate(world))}
