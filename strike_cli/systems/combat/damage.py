"""Damage and healing, and what they bring: Bloodied, Incapacitated, Taken Out (STR-TAC-15)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.contributions import remap_damage

from . import zones
from .adjusted import adjusted
from .bloodied import bloodied_at
from .fight import Fight, path_of
from .moments import Impending, answered_in, before
from .numbers import numbers
from .statuses import (
    BLOODIED,
    INCAPACITATED,
    PRONE,
    add_status,
    end_status,
    end_waiting_for,
    has_status,
)
from .strikes_and_tokens import gain_strike


class HpChange(NamedTuple):
    """What damage or healing came to, in HP or boxes, and the HP of damage."""

    hp_before: int
    hp_after: int
    taken_out: bool = False
    amount: int = 0


def is_bloodied(world: World, hp: int, max_hp: int) -> bool:
    """At half HP or less, rounded down; the house may say less than half (conflict C-1)."""
    return hp <= bloodied_at(max_hp, world.book.house["bloodied"])


def hurt(
    world: World,
    who: str,
    amount: int,
    cause: str,
    *,
    by: str = "",
    keywords: Collection[str] = (),
    passed_on: bool = False,
) -> Procedure[HpChange]:
    """Somebody loses HP, as what they have and what answers it leave it. `by` is who did it, if anybody,
    `keywords` those of the power that it was done with; what was `passed_on` from somebody isn't again."""
    fight = Fight(world)
    amount, reasons = adjusted(fight, who, "taken", amount, by, keywords)
    answered = answered_in(world.book)
    for kind in ("harmed", "falls") if answered and amount and not passed_on else ():
        if kind not in answered or not amount or (kind == "falls" and not would_fall(fight, who, amount)):
            continue
        what = f"{amount} damage to {fight.name(who)} from {cause}"
        coming = yield from before(world, Impending(kind, by, who, what, amount))
        if (other := coming.redirected) and not fight.is_out(other):
            passed = f"{cause} ({', '.join(coming.reasons)})"
            return (
                yield from hurt(world, other, coming.amount, passed, by=by, keywords=keywords, passed_on=True)
            )
        amount, reasons = coming.amount, [*reasons, *coming.reasons]
    return (yield from _lose(world, who, amount, f"{cause} ({', '.join(reasons)})" if reasons else cause, by))


def _lose(world: World, who: str, amount: int, cause: str, by: str) -> Procedure[HpChange]:
    fight = Fight(world)
    hp_before = int(fight.combatant(who)["hp"])
    if fight.is_out(who):  # what answered it may have done it
        return HpChange(hp_before, hp_before, True)
    if "threshold" in fight.combatant(who):
        sets, text, plain = _dent(fight, who, amount, cause)
    else:
        sets = {path_of(who, "hp"): hp_before - amount}
        takes = f"{fight.name(who)} takes {amount} damage from {cause}"
        text, plain = f"{takes}: {hp_before} to {hp_before - amount} HP.", f"{takes}."
    doer = {"by": by} if by else {}
    yield world.happen("damaged", who, text, sets, without_hp=plain, amount=amount, **doer)
    if not fight.is_out(who):  # what the damage set off may have done it
        yield from settle(world, who)
    return HpChange(hp_before, fight.combatant(who)["hp"], fight.is_out(who), amount)


def dealt_by(
    fight: Fight, who: str, amount: int, other: str, keywords: Collection[str] = ()
) -> tuple[int, list[str]]:
    """Damage as its maker's statuses and traits make it, before whoever it is for takes it, and why."""
    amount, reasons = adjusted(fight, who, "dealt", amount, other, keywords)
    amount, halved = remap_damage(fight.world, who, amount)
    return amount, [*reasons, *([f"half: {halved.name}"] if halved else [])]


def would_fall(fight: Fight, who: str, amount: int) -> bool:
    """Whether so much damage would bring somebody who stands to 0 HP, or check the last box."""
    combatant = fight.combatant(who)
    lost = amount
    if "threshold" in combatant:
        lost = amount // combatant["threshold"] or int(bool(amount and combatant.get("dented")))
    return 0 < int(combatant["hp"]) <= lost


def _dent(fight: Fight, who: str, amount: int, cause: str) -> tuple[dict[str, Any], str, str]:
    """What damage does to who has boxes instead of HP (STR-TAC-27), a sentence about it, and one for players
    who may not know how many there are."""
    combatant, name = fight.combatant(who), fight.name(who)
    takes = f"{name} takes {amount} damage from {cause}"
    boxes, sets = amount // combatant["threshold"], {}
    if not boxes:
        if not amount:
            return {}, f"{takes}.", f"{takes}."
        if not combatant.get("dented"):
            less = f"less than {combatant['threshold']}: a dent, and the next one checks a box"
            return {path_of(who, "dented"): True}, f"{takes}, {less}.", f"{takes}."
        boxes, sets = 1, {path_of(who, "dented"): None}
    boxes = min(boxes, combatant["hp"])
    left = combatant["hp"] - boxes
    checked = "a box" if boxes == 1 else f"{boxes} boxes"
    text = f"{takes}: {checked} checked, {left} of {combatant['max_hp']} left."
    return {path_of(who, "hp"): left, **sets}, text, f"{takes}."


def is_whole(fight: Fight, who: str, amount: int) -> bool:
    """Whether healing so much would give somebody nothing."""
    return _healed(fight, who, amount) == int(fight.combatant(who)["hp"])


def _healed(fight: Fight, who: str, amount: int) -> int:
    """HP, or boxes, after healing (STR-TAC-15)."""
    combatant = fight.combatant(who)
    gained = amount // combatant.get("threshold", 1)
    return int(min(max(combatant["hp"], 0) + gained, combatant["max_hp"]))


def heal(world: World, who: str, amount: int, cause: str) -> Procedure[HpChange]:
    """Somebody regains HP, from 0 where they were below (STR-TAC-15), never above their maximum."""
    fight = Fight(world)
    combatant = fight.combatant(who)
    before, after = int(combatant["hp"]), _healed(fight, who, amount)
    unit = "boxes" if "threshold" in combatant else "HP"
    change = f"{before} to {after} {unit}"
    text = f"{fight.name(who)} regains {after - before} {unit} from {cause}: {change}."
    # Without the amount: less than was offered tells how much was lacking.
    plain = f"{fight.name(who)} regains {unit} from {cause}."
    if after == before:
        text = plain = f"{fight.name(who)} regains nothing from {cause}."
    sets = {path_of(who, "hp"): after}
    yield world.happen("healed", who, text, sets, without_hp=plain, amount=after - before)
    yield from settle(world, who)
    return HpChange(before, after)


def set_hp(world: World, who: str, hp: int) -> Procedure[HpChange]:
    """Somebody has so many HP, or boxes, by the game master's hand, with what follows from that."""
    fight = Fight(world)
    before = int(fight.combatant(who)["hp"])
    unit = "boxes" if "threshold" in fight.combatant(who) else "HP"
    text = f"The game master sets {fight.name(who)}: {before} to {hp} {unit}."
    plain = f"The game master changes how {fight.name(who)} is."
    yield world.happen("hp-set", who, text, {path_of(who, "hp"): hp}, without_hp=plain)
    yield from settle(world, who)
    return HpChange(before, hp, fight.is_out(who))


def pay_hp(world: World, who: str, hp: int, what: str) -> Procedure[None]:
    """Somebody pays so many HP, or boxes, for something: no damage, but it may leave them Bloodied."""
    fight = Fight(world)
    left = int(fight.combatant(who)["hp"]) - hp
    unit = "boxes" if "threshold" in fight.combatant(who) else "HP"
    text = f"{fight.name(who)} pays {hp} {unit} for {what}: {left} left."
    plain = f"{fight.name(who)} pays for {what}."
    yield world.happen("hp-paid", who, text, {path_of(who, "hp"): left}, without_hp=plain, amount=hp)
    yield from settle(world, who)


def settle(world: World, who: str) -> Procedure[None]:
    """Bring the statuses that follow from HP into line with it."""
    fight = Fight(world)
    combatant = fight.combatant(who)
    hp, name = combatant["hp"], combatant["name"]
    down = hp <= 0
    # Creatures are Taken Out at once at 0 (STR-TAC-15).
    if hp <= (numbers()["defaults"]["taken_out_at"] if fight.is_player(who) else 0):
        yield from _take_out(world, who)
        return
    bloodied = is_bloodied(world, hp, combatant["max_hp"])
    if bloodied and not has_status(world, who, BLOODIED):
        yield from add_status(world, who, {"id": BLOODIED, "ends": "permanent"}, f"{name} is Bloodied.")
        yield from _first_bloodied(world, who)
    elif not bloodied and has_status(world, who, BLOODIED):
        yield from end_status(world, who, BLOODIED, f"{name} is no longer Bloodied.")
    if down and not has_status(world, who, INCAPACITATED):
        yield from add_status(
            world, who, {"id": INCAPACITATED, "ends": "permanent"}, f"{name} is Incapacitated."
        )
        yield from _house_strike(world, who, "Incapacitated")
    elif not down and has_status(world, who, INCAPACITATED):
        yield from end_status(world, who, INCAPACITATED, f"{name} is back, and still Prone.")
        # Ruling on STR-TAC-16: Stunned ends with it, Prone stays.
        yield from add_status(world, who, {"id": PRONE, "ends": "permanent"}, "")


def _take_out(world: World, who: str) -> Procedure[None]:
    yield from _first_bloodied(world, who)
    if not has_status(world, who, INCAPACITATED):
        yield from _house_strike(world, who, "Incapacitated")  # on the way: one blow may do both
    sets = {path_of(who, "out"): "taken-out", **nothing_left(who)}
    yield world.happen("taken-out", who, f"{Fight(world).name(who)} is Taken Out.", sets)
    yield from _house_strike(world, who, "Taken Out")
    yield from let_go(world, who)


def nothing_left(who: str) -> dict[str, None]:
    """What is unset of somebody who is out of the fight."""
    return {path_of(who, key): None for key in ("at", "statuses", "prepared", "delayed")}


def let_go(world: World, gone: str) -> Procedure[None]:
    """What was to last until a turn of somebody who has no more turns ends now."""
    yield from end_waiting_for(world, gone)
    yield from zones.end_waiting_for(world, gone)


def _first_bloodied(world: World, who: str) -> Procedure[None]:
    if world.book.house["hp_strikes"] and not world.get(path_of(who, "was_bloodied")):
        yield world.happen("first-bloodied", who, "", {path_of(who, "was_bloodied"): True})
        yield from _house_strike(world, who, "first Bloodied")


def _house_strike(world: World, who: str, why: str) -> Procedure[None]:
    if world.book.house["hp_strikes"] and Fight(world).is_player(who):
        yield from gain_strike(world, who, why)


# Damage that waits for a final action (STR-TAC-25)


def put_off(world: World, who: str, amount: int, why: str) -> Procedure[None]:
    """Damage that would bring somebody down waits until they have had one final action."""
    text = f"{why} will bring {Fight(world).name(who)} down: one final action first, an Attack, Role or Move."
    due = world.get("fight.due")
    if due:
        amount += due["amount"]
        why = f"{due['why']} and {why}"
    yield world.happen("damage-due", who, text, {"fight.due": {"who": who, "amount": amount, "why": why}})


def fall_due(world: World) -> Procedure[None]:
    """The damage that waited for a final action, if any."""
    due = world.get("fight.due")
    if not due:
        return
    yield world.happen("final-action", due["who"], "", {"fight.due": None})
    if not Fight(world).is_out(due["who"]):
        yield from hurt(world, due["who"], due["amount"], due["why"])
