"""The effects of damage, from Armor to Critical Damage (GRT-05 to 08).

The order is: Armor, Grit, Direct Damage, Overflow, the Critical Damage Save, Critical Damage. The target is a
`GritStanding`, so that the same functions serve people in a fight, people in the party, and a target that was
typed for a bare attack. Begin with `damage_through_grit`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.plugin import Args, Procedure, Refused, Sets, World
from strike_cli.plugin.dice import Rolled
from strike_cli.plugin.facts import BeforeAfter, Clause

from .dice import PLAINLY, DieReasons, die_name, exceeds, step_down, throw_dice
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
from .fight import GritFight
from .morale import face_at_once, note_harm
from .vitals import FALLEN, GritStanding

if TYPE_CHECKING:
    from .data import CriticalSave, GritSettleData, StruckTold, Unsettled


class DirectDamage(NamedTuple):
    """The attribute that takes Direct Damage, and what Critical Damage does besides, in words."""

    attribute: str = "str"
    effect: str = ""


class Wounds(NamedTuple):
    """The result of Direct Damage: by how many steps the die became smaller, and the Save if one was made."""

    steps: int = 0
    save: CriticalSave | None = None


class Struck(NamedTuple):
    """The result of damage to a target; `rolled` is None unless it came from an attack.

    `held` is True if the Direct Damage waits for `grit settle`.
    """

    target: GritStanding
    attribute: str
    grit_before: int
    direct: int
    wounds: Wounds = Wounds()
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


def damage_through_grit(target: GritStanding, damage: int) -> tuple[Sets, int]:
    """Let Armor and Grit reduce damage. Return the changes, and the Direct Damage that is left (GRT-05)."""
    left = max(0, damage - target["armor"])
    grit = target["grit"]
    return (target.change(grit=max(0, grit - left)) if left and grit else {}), max(0, left - grit)


def deal_direct_damage(
    world: World, target: GritStanding, direct: int, blow: DirectDamage, reasons: DieReasons = PLAINLY
) -> Procedure[Wounds]:
    """Deal Direct Damage, and record the Morale Saves that become due by it (GRT-06 to 08, 11)."""
    before = target.state
    wounds = yield from take_direct_damage(world, target, direct, blow, reasons)
    yield from note_harm(world, target, wounds.steps, before)
    return wounds


def take_direct_damage(
    world: World, target: GritStanding, amount: int, blow: DirectDamage, reasons: DieReasons = PLAINLY
) -> Procedure[Wounds]:
    """Deal Direct Damage: it kills at zero STR.

    Otherwise Overflow comes first, then a Save (GRT-06 to 08).
    """
    if amount <= 0 or target.numbers.get("out"):
        return Wounds()
    if target["str"] == 0:
        yield from record_death(world, target, DirectAtZero())
        return Wounds()
    steps = 0
    while 0 < target[blow.attribute] <= amount:
        amount -= target[blow.attribute]
        steps += 1
        yield from play_critical_damage(world, target, blow, Overflow())
    if not amount or not target[blow.attribute]:
        return Wounds(steps)
    save = yield from _critical_save(world, target, amount, blow.attribute, reasons)
    if not save["success"]:
        steps += 1
        yield from play_critical_damage(world, target, blow, SaveFailed())
    return Wounds(steps, save)


def _critical_save(
    world: World, target: GritStanding, amount: int, attribute: str, reasons: DieReasons
) -> Procedure[CriticalSave]:
    """Roll the attribute's current die, which has to show more than the Direct Damage (GRT-07)."""
    purpose = f"Critical Damage Save, {attribute.upper()}"
    about = OverDirect(target.who, amount)
    rolled = yield from throw_dice(target.who, purpose, [target[attribute]], reasons, exceeds(amount), about)
    success = rolled.kept > amount
    outcome = "success" if success else "failure"
    yield world.tell(GritWithstood(target.who, attribute, amount, rolled, outcome))
    return {"die": die_name(target[attribute]), "rolled": rolled.kept, "success": success}


def play_critical_damage(
    world: World, target: GritStanding, blow: DirectDamage, why: Clause
) -> Procedure[None]:
    """Play Critical Damage: the attribute's die becomes one step smaller, and the weapon's effect happens.

    A target whose die falls to zero goes down. One whose STR is zero already dies (GRT-08).
    """
    attribute, before = blow.attribute, target[blow.attribute]
    if before == 0:
        if attribute == "str":
            yield from record_death(world, target, CriticalAtZero())
        return
    after = step_down(before)
    sets = target.change(**{attribute: after})
    stepped = GritSteppedDown(target.who, attribute, why, BeforeAfter(before, after), blow.effect)
    yield world.tell(stepped, sets)
    if not after:
        fell = target.change(aided=None) if attribute == "str" and target.numbers.get("aided") else {}
        yield world.tell(GritFell(target.who, attribute, FALLEN[attribute]), fell)


def record_death(world: World, target: GritStanding, why: Clause) -> Procedure[None]:
    """Record the death of a target, and why (GRT-08)."""
    yield world.tell(GritDied(target.who, why), target.change(out=DEAD))


class Settle(Args):
    """The arguments of `grit settle`: whose Direct Damage is settled; everybody's if `who` is ""."""

    who: str = ""
    save_enhanced: Sequence[str] = ()
    save_impaired: Sequence[str] = ()


def combines_damage(world: World, target: GritStanding) -> bool:
    """Return whether Direct Damage to a target is added up before the Save.

    That is so if the house rule `grit.combine_direct_damage` is on and the target is in play.
    """
    return bool(target.path and world.book.house["grit.combine_direct_damage"])


def hold_damage_back(
    world: World, target: GritStanding, direct: int, blow: DirectDamage, saves: DieReasons
) -> Procedure[None]:
    """Add Direct Damage to what waits for `grit settle`, with the reasons that change its Save."""
    waiting = dict(target.unsettled)
    before: Unsettled = waiting.get(blow.attribute, {"direct": 0})
    lump: Unsettled = {"direct": before["direct"] + direct}
    if effects := dict.fromkeys(filter(None, (before.get("effect", ""), blow.effect))):
        lump["effect"] = " ".join(effects)
    if enhanced := [*before.get("enhanced", ()), *saves.enhanced]:
        lump["enhanced"] = enhanced
    if impaired := [*before.get("impaired", ()), *saves.impaired]:
        lump["impaired"] = impaired
    waiting[blow.attribute] = lump
    yield world.tell(GritHurt(target.who, lump=lump["direct"]), target.change(unsettled=waiting))


def people_with_held_damage(fight: GritFight) -> list[str]:
    """Return the combatants whose Direct Damage waits for `grit settle`."""
    return [combatant for combatant in fight.there() if fight.people[combatant].get("unsettled")]


def play_settle(world: World, args: Settle) -> Procedure[GritSettleData]:
    """Play `grit settle`: what waits for a target is one lump for each attribute, with one Save.

    Raises Refused if nothing waits.
    """
    fight = GritFight(world)
    waiting = [combatant for combatant in people_with_held_damage(fight) if args.who in ("", combatant)]
    if not waiting:
        raise Refused("There is no Direct Damage to settle.", "`strike grit show` shows the fight.")
    settled = []
    for combatant in waiting:
        lumps = fight.people[combatant]["unsettled"]
        yield world.tell(GritHurt(combatant), fight.sets(combatant, unsettled=None))
        for attribute, lump in lumps.items():
            target = fight.standing(combatant)
            saves = DieReasons(
                [*lump.get("enhanced", ()), *args.save_enhanced],
                [*lump.get("impaired", ()), *args.save_impaired],
            )
            blow = DirectDamage(attribute, lump.get("effect", ""))
            wounds = yield from deal_direct_damage(world, target, lump["direct"], blow, saves)
            settled.append(Struck(target, attribute, target["grit"], lump["direct"], wounds).as_json())
    return {"attacks": settled, "morale": (yield from face_at_once(world))}
