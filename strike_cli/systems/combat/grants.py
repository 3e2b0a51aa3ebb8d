"""Attacks that somebody's power grants to another (STR-TAC-04)."""

from __future__ import annotations

from collections.abc import Iterator

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.contributions import ban_on

from .attack import perform
from .fight import Fight, short_names
from .powers import (
    MELEE_BASIC,
    RANGED_BASIC,
    Deed,
    Power,
    grants_attack,
    is_rolled,
    must_be_usable,
    power_of,
    powers_of,
    take_aim,
)
from .steps import Step

PASS = "pass"


def do_attack(world: World, deed: Deed, step: Step, who: str) -> Procedure[None]:
    """Somebody may attack at once, out of turn and for no action: with a basic attack, or where the step
    says so with any attack of theirs that grants none itself.

    Whoever is granted the attack says with what and whom; the target of the granting power comes first.
    """
    fight = Fight(world)
    if deed.granted or ban_on(world, who, "act", 1):
        yield world.happen("noted", who, f"{fight.name(who)} can't attack now.")
        return
    own = {power["id"]: power for power in _attacks(fight, who, step.get("uses", "basic"))}
    powers = {word: own[key] for word, key in short_names(own).items()}
    open_to = {key: _targets(fight, deed, who, power) for key, power in powers.items()}
    usable = [key for key, targets in open_to.items() if targets]
    if not usable:
        yield world.happen("noted", who, f"{fight.name(who)} has nobody to attack.")
        return
    labels = tuple(str(powers[key]["name"]) for key in usable)
    key, *others = usable
    if others:
        key = yield Choose(who, "attack with", tuple(usable), labels)
    targets = open_to[key]
    names = (*map(fight.name, targets), "no attack")
    target = yield Choose(who, "attack whom", (*targets, PASS), names)
    if target != PASS:
        power = powers[key]
        yield from perform(world, Deed(who, power, take_aim(fight, who, power, [target]), granted=True))


def _attacks(fight: Fight, who: str, uses: str) -> Iterator[Power]:
    own = powers_of(fight, who)
    basic = [key for key in (MELEE_BASIC, RANGED_BASIC) if key in own]
    for key in [*basic, *(key for key in own if uses == "any" and key not in basic)]:
        power = power_of(fight, who, key)
        if power["action"] != "attack" or not is_rolled(power) or grants_attack(power):
            continue
        try:
            must_be_usable(fight, who, power)
        except Refused:
            continue
        yield power


def _targets(fight: Fight, deed: Deed, who: str, power: Power) -> list[str]:
    """Enemies that an attack may be aimed at, the target of the granting power first."""
    foes = sorted(fight.enemies_of(who), key=lambda foe: foe not in deed.aim.targets)
    return [foe for foe in foes if _may_aim(fight, who, power, foe)]


def _may_aim(fight: Fight, who: str, power: Power, foe: str) -> bool:
    try:
        aim = take_aim(fight, who, power, [foe])
    except Refused:
        return False
    # At who stands next to one, a ranged basic attack is no better than a melee one.
    return not (power["id"] == RANGED_BASIC and fight.gap(who, foe) <= fight.reach(who)) and bool(aim.targets)
