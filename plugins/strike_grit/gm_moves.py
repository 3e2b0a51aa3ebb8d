"""The game master's moves: harm outside fights (GRT-10), damage other than by attacks, and healing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from strike_cli.plugin import Args, Procedure, Refused, Sets, World
from strike_cli.plugin.facts import BeforeAfter

from .dice import ATTRIBUTES, TRACK, DieReasons, step_up
from .facts import GritHurt, GritMended, NoFight
from .fight_state import GritFight
from .harm import (
    DamageResult,
    DamageType,
    DirectDamageResult,
    absorb_damage,
    deal_direct_damage,
    play_critical_damage_step_down,
)
from .morale import due_saves_as_data_by_combatant
from .saving_throw import NoAttribute, make_save, roller_of_save
from .vitals import GritVitals

if TYPE_CHECKING:
    from .data import GritHurtData, GritMendData


class Trap(Args):
    """The arguments of `grit trap`: Critical Damage to `attribute`, unless a Save with `save` succeeds."""

    who: str
    attribute: str = "str"
    save: str = ""
    enhanced: Sequence[str] = ()
    impaired: Sequence[str] = ()


class HurtSomebody(Args):
    """The arguments of `grit hurt`: damage to a person. With `direct`, Armor and Grit don't reduce it."""

    who: str
    amount: int
    attribute: str = "str"
    direct: bool = False
    save_enhanced: Sequence[str] = ()
    save_impaired: Sequence[str] = ()


class Mend(Args):
    """The arguments of `grit mend`: `by` points of Grit, or steps of an attribute, are restored.

    `what` is "grit" or an attribute. Without `by`, all of `what` is restored.
    """

    who: str
    what: str
    by: int | None = None


def play_trap(world: World, args: Trap) -> Procedure[GritHurtData]:
    """Play `grit trap`: Critical Damage at once, without Armor and Grit (GRT-10).

    A Save may avoid the damage. Raises Refused if the person is in a fight, or is dead or gone. Also raises
    Refused for a creature, since creatures have numbers only in fights.
    """
    target = _changeable_vitals(world, args.who, args.attribute)
    if world.get(f"grit.people.{args.who}"):
        raise Refused(
            f"{target.name} is in a fight: damage meets Armor and Grit first.",
            f"`strike grit hurt {args.who} N`, with N from the dice.",
        )
    saved = None
    if args.save:
        mine = roller_of_save(world, args.who, args.save)
        saved = yield from make_save(world, mine, None, DieReasons(args.enhanced, args.impaired))
    before = target[args.attribute]
    if saved is None or not saved.success:
        yield from play_critical_damage_step_down(world, target, DamageType(args.attribute), NoFight())
    wounds = DirectDamageResult(steps=int(target[args.attribute] != before))
    data = _result_of_hurt_or_trap(world, DamageResult(target, args.attribute, target["grit"], 0, wounds))
    if saved:
        data["avoided"] = saved.success
    return data


def play_hurt(world: World, args: HurtSomebody) -> Procedure[GritHurtData]:
    """Play `grit hurt`: damage by anything but an attack, such as a fall or a fire (GRT-05).

    Raises Refused for an amount below 1, for the dead and gone, and for a creature outside a fight.
    """
    target = _changeable_vitals(world, args.who, args.attribute)
    if args.amount < 1:
        raise Refused(
            f"{args.amount} is not an amount of damage.", "1 or more; `strike grit mend` gives back."
        )
    before = target["grit"]
    sets, direct = ({}, args.amount) if args.direct else absorb_damage(target, args.amount)
    grit = BeforeAfter(before, target["grit"]) if sets else None
    yield world.tell(GritHurt(args.who, args.amount, args.direct, grit), sets)
    saves = DieReasons(args.save_enhanced, args.save_impaired)
    wounds = yield from deal_direct_damage(world, target, direct, DamageType(args.attribute), saves)
    return _result_of_hurt_or_trap(world, DamageResult(target, args.attribute, before, direct, wounds))


def _changeable_vitals(world: World, combatant: str, attribute: str) -> GritVitals:
    target = GritVitals.of_person(world, combatant)
    if attribute not in ATTRIBUTES:
        raise NoAttribute(repr(attribute))
    if "out" in target.numbers:
        raise Refused(f"{target.name} is {target.state}.", "`strike grit show` lists everybody there.")
    if not target.path:
        raise Refused(f"{target.name} is not in a fight.", "`strike grit start ENCOUNTER` begins one.")
    return target


def _result_of_hurt_or_trap(world: World, struck: DamageResult) -> GritHurtData:
    """Return the result of `grit trap` or `grit hurt`: the damage, and the Morale Saves that are due.

    The damage `struck` is the only entry of the list `attacks`. Outside a fight, there are no Morale Saves.
    """
    morale = due_saves_as_data_by_combatant(GritFight(world)) if world.get("grit") else []
    return {"attacks": [struck.as_json()], "morale": morale}


def play_mend(world: World, args: Mend) -> Procedure[GritMendData]:
    """Play `grit mend`: restore Grit or an attribute as the game master decides (GRT-12).

    The rules leave such healing to the story, mostly for STR. Raises Refused if there is nothing to restore,
    if the person is dead or gone, or if a creature isn't in a fight.
    """
    target = GritVitals.of_person(world, args.who)
    if args.what not in ("grit", *ATTRIBUTES):
        raise Refused(f"{args.what!r} can't be restored.", "grit, str, dex or wil.")
    if "out" in target.numbers or not target.path:
        why = f"is {target.state}" if "out" in target.numbers else "is not in a fight"
        raise Refused(f"{target.name} {why}.", "`strike help override` explains how to set anything else.")
    before, most = target[args.what], target.maximum(args.what)
    if before >= most or (args.by is not None and args.by < 1):
        raise Refused(f"{target.name} has nothing to restore there.", "`strike grit show` shows their state.")
    if args.what == "grit":
        after = min(most, before + (most if args.by is None else args.by))
    else:
        after = step_up(before, most, len(TRACK) if args.by is None else args.by)
    sets = set_numbers_clearing_aid(target, **{args.what: after})
    yield world.tell(GritMended(args.who, args.what, BeforeAfter(before, after)), sets)
    return {"who": args.who, "what": args.what, "before": before, "after": after, "state": target.state}


def set_numbers_clearing_aid(target: GritVitals, **values: int) -> Sets:
    """Set a target's numbers to `values`, and return the changes.

    If `values` sets STR above zero, the mark of first aid is removed.
    """
    aid = {"aided": None} if values.get("str") and target.numbers.get("aided") else {}
    return target.change_and_return_sets(**values, **aid)
