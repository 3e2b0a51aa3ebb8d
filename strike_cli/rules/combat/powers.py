"""What a power is: whose it is, how far it goes and whom it may be aimed at (STR-TAC-12, 13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...problems import Refused
from ..contributions import ban_on
from .fight import Fight
from .sight import must_see

MELEE_BASIC = "core:melee-basic"
RANGED_BASIC = "core:ranged-basic"


def power_of(fight: Fight, who: str, power: str) -> dict[str, Any]:
    """A power as this combatant has it: the basic attacks take damage and range from the sheet.

    Raises Refused for a power that is not theirs or is spent.
    """
    sheet, name = fight.sheet(who), fight.name(who)
    found = {"id": power, **fight.world.book.powers[power]}
    if power == MELEE_BASIC:
        melee = sheet.get("melee", {})
        found.update(damage=melee.get("damage", found["damage"]), reach=melee.get("reach", found["reach"]))
    elif power == RANGED_BASIC:
        ranged = sheet.get("ranged", {})
        found.update(damage=ranged.get("damage", found["damage"]), range=ranged.get("range", found["range"]))
    elif power not in sheet.get("powers", []):
        raise Refused(f"{name} has no power {found['name']}.", "`strike combat show` lists what each can do.")
    if power in fight.combatant(who).get("used", []):
        raise Refused(
            f"{name} has used {found['name']} in this fight.", "Encounter powers come once a fight."
        )
    if found["action"] != "attack" or "damage" not in found:
        raise Refused(f"{found['name']} is no attack.", "Only powers with damage are rolled as attacks.")
    if found["kind"] != "basic" and (reason := ban_on(fight.world, who, "non-basic", 1)):
        raise Refused(f"{name} can only use Basic Attacks: {reason}.")
    return found


def check_targets(fight: Fight, who: str, targets: Sequence[str], power: Mapping[str, Any]) -> bool:
    """Whether the attack is made in melee. Raises Refused for a target that can't be attacked."""
    if not targets:
        raise Refused("An attack needs a target.", "`strike combat attack WHO TARGET`")
    most = power.get("targets", 1)
    if "burst" not in power and len(targets) > most:
        raise Refused(f"{power['name']} has {most} target{'s' if most > 1 else ''}, not {len(targets)}.")
    melee = True
    for number, target in enumerate(targets):
        name = fight.name(target)
        if target in targets[:number]:
            raise Refused(f"{name} is named twice; each target is rolled for once.")
        if target == who:
            raise Refused(f"{name} can't attack itself.")
        if "out" in fight.combatant(target):
            raise Refused(f"{name} is out of this fight.")
        apart = fight.gap(who, target)
        in_reach = apart <= power.get("reach", 0)
        in_range = apart <= power.get("range", power.get("burst", 0))
        if not in_reach and not in_range:
            most = max(power.get("reach", 0), power.get("range", 0), power.get("burst", 0))
            raise Refused(f"{name} is {apart} squares away; {power['name']} reaches {most}.")
        melee = melee and in_reach
        must_see(fight, who, target, burst="burst" in power)
    if "burst" not in power:
        for target in targets:
            _must_be_open(fight, who, target, "melee" if melee else "ranged")
    return melee


def _must_be_open(fight: Fight, who: str, target: str, range_: str) -> None:
    """Raises Refused where a status of either keeps a melee or ranged attack from the target."""
    if reason := ban_on(fight.world, target, range_, side="against", other=who):
        raise Refused(f"{fight.name(target)} can't be attacked: {reason}.")
    if reason := ban_on(fight.world, who, range_, other=target):
        raise Refused(f"{fight.name(who)} can't attack {fight.name(target)} in {range_}: {reason}.")
