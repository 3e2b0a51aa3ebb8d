"""One Save for the Direct Damage of a whole side (house rule `grit.combine_direct_damage`).

By the rules each attack has a Save of its own (GRT-07).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from strike_cli.plugin import Args, Procedure, Refused, World

from .dice import DieReasons
from .facts import GritHurt
from .fight import GritFight
from .harm import DirectDamage, Struck, wound
from .morale import face_at_once
from .vitals import GritStanding

if TYPE_CHECKING:
    from .data import GritSettleData, Unsettled


class Settle(Args):
    """Whose Direct Damage is settled; everybody's, where nobody is named."""

    who: str = ""
    save_enhanced: Sequence[str] = ()
    save_impaired: Sequence[str] = ()


def adds_up(world: World, target: GritStanding) -> bool:
    """Return whether somebody's Direct Damage is added up before they make a Save."""
    return bool(target.path and world.book.house["grit.combine_direct_damage"])


def hold(
    world: World, target: GritStanding, direct: int, blow: DirectDamage, saves: DieReasons
) -> Procedure[None]:
    """Direct Damage waits, with what is to be said of its Save."""
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


def held_by(fight: GritFight) -> list[str]:
    """Return who has Direct Damage that waits to be settled."""
    return [who for who in fight.there() if fight.people[who].get("unsettled")]


def play_settle(world: World, args: Settle) -> Procedure[GritSettleData]:
    """`grit settle`: what a side has dealt to somebody is one lump, and one Save for each attribute."""
    fight = GritFight(world)
    waiting = [who for who in held_by(fight) if args.who in ("", who)]
    if not waiting:
        raise Refused("No Direct Damage waits to be settled.", "`strike grit show` shows how things stand.")
    settled = []
    for who in waiting:
        lumps = fight.people[who]["unsettled"]
        yield world.tell(GritHurt(who), {fight.path(who, "unsettled"): None})
        for attribute, lump in lumps.items():
            target = fight.standing(who)
            saves = DieReasons(
                [*lump.get("enhanced", ()), *args.save_enhanced],
                [*lump.get("impaired", ()), *args.save_impaired],
            )
            blow = DirectDamage(attribute, lump.get("effect", ""))
            wounds = yield from wound(world, target, lump["direct"], blow, saves)
            settled.append(Struck(target, attribute, target["grit"], lump["direct"], wounds).as_json())
    return {"attacks": settled, "morale": (yield from face_at_once(world))}
