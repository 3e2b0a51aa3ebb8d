"""Damage and healing, and what they bring: Bloodied, Incapacitated, Taken Out (STR-TAC-15)."""

# Annotations are left as they are: kept as text, a NamedTuple would compile each of them at every start.

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from strike_cli.kernel.procedure import Happen, Procedure, Sets, World
from strike_cli.kernel.statements import BeforeAfter, Clause, Reason, Said, clause_as_json, clause_of_json
from strike_cli.tabletop.contributions import remap_damage
from strike_cli.tabletop.fog import seen_squares
from strike_cli.tabletop.naming import GameMaster
from strike_cli.tabletop.turn_order import DELAYED

from ..facts.causes import AllOf, Because, Halves
from ..facts.harm import (
    Damaged,
    DamageDue,
    FinalAction,
    FirstBloodied,
    Healed,
    HpPaid,
    HpSet,
    TakenOut,
    WillTake,
)
from ..facts.strikes import HouseStrike
from ..fight import Fight, adjusted, path_of
from ..numbers import bloodied_at, numbers
from ..reactions.moments import Impending, answered_in, before
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
    cause: Reason,
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
        what = WillTake(who, amount, cause)
        coming = yield from before(world, Impending(kind, by, who, what, amount))
        if (other := coming.redirected) and not fight.is_out(other):
            passed = Because(cause, coming.reasons)
            return (
                yield from hurt(world, other, coming.amount, passed, by=by, keywords=keywords, passed_on=True)
            )
        amount = coming.amount
        reasons = [*reasons, *coming.reasons]
    return (yield from _lose(world, who, amount, cause, by, reasons))


def _lose(
    world: World, who: str, amount: int, cause: Reason, by: str, reasons: Sequence[Reason]
) -> Procedure[HpChange]:
    fight = Fight(world)
    hp_before = int(fight.combatant(who)["hp"])
    if fight.is_out(who):  # what answered it may have done it
        return HpChange(hp_before, hp_before, True)
    if "threshold" in fight.combatant(who):
        yield _dent(fight, who, amount, cause, by, tuple(reasons))
    else:
        hp = BeforeAfter(hp_before, hp_before - amount)
        yield world.tell(Damaged(who, amount, cause, hp, tuple(reasons), by), {path_of(who, "hp"): hp.after})
    if not fight.is_out(who):  # what the damage set off may have done it
        yield from settle(world, who)
    return HpChange(hp_before, fight.combatant(who)["hp"], fight.is_out(who), amount)


def dealt_by(
    fight: Fight, who: str, amount: int, other: str, keywords: Collection[str] = ()
) -> tuple[int, list[Reason]]:
    """Damage as its maker's statuses and traits make it, before whoever it is for takes it, and why."""
    amount, reasons = adjusted(fight, who, "dealt", amount, other, keywords)
    amount, halved = remap_damage(fight.world, who, amount)
    return amount, [*reasons, *([Halves(halved.reason)] if halved else [])]


def would_fall(fight: Fight, who: str, amount: int) -> bool:
    """Whether so much damage would bring somebody who stands to 0 HP, or check the last box."""
    combatant = fight.combatant(who)
    lost = amount
    if "threshold" in combatant:
        lost = amount // combatant["threshold"] or int(bool(amount and combatant.get("dented")))
    return 0 < int(combatant["hp"]) <= lost


def _dent(fight: Fight, who: str, amount: int, cause: Reason, by: str, reasons: Sequence[Reason]) -> Happen:
    """What damage does to who has boxes instead of HP (STR-TAC-27)."""
    combatant = fight.combatant(who)
    threshold, left = int(combatant["threshold"]), int(combatant["hp"])
    how, boxes, sets = "boxes", amount // threshold, Sets()
    if not boxes and combatant.get("dented"):
        boxes, sets = 1, {path_of(who, "dented"): None}
    elif not boxes:
        how, sets = ("dent", {path_of(who, "dented"): True}) if amount else ("nothing", {})
    boxes = min(boxes, left)
    if boxes:
        sets = {path_of(who, "hp"): left - boxes, **sets}
    hp, most = BeforeAfter(left, left - boxes), int(combatant["max_hp"])
    return fight.world.tell(Damaged(who, amount, cause, hp, reasons, by, how, threshold, boxes, most), sets)


def is_whole(fight: Fight, who: str, amount: int) -> bool:
    """Whether healing so much would give somebody nothing."""
    return _healed(fight, who, amount) == int(fight.combatant(who)["hp"])


def _healed(fight: Fight, who: str, amount: int) -> int:
    """HP, or boxes, after healing (STR-TAC-15)."""
    combatant = fight.combatant(who)
    gained = amount // combatant.get("threshold", 1)
    return int(min(max(combatant["hp"], 0) + gained, combatant["max_hp"]))


def heal(world: World, who: str, amount: int, cause: Reason) -> Procedure[HpChange]:
    """Somebody regains HP, from 0 where they were below (STR-TAC-15), never above their maximum."""
    fight = Fight(world)
    hp = BeforeAfter(int(fight.combatant(who)["hp"]), _healed(fight, who, amount))
    told = Healed(who, hp.after - hp.before, cause, hp, _has_boxes(fight, who))
    yield world.tell(told, {path_of(who, "hp"): hp.after})
    yield from settle(world, who)
    return HpChange(hp.before, hp.after)


def _has_boxes(fight: Fight, who: str) -> bool:
    return "threshold" in fight.combatant(who)


def set_hp(world: World, who: str, hp: int) -> Procedure[HpChange]:
    """Somebody has so many HP, or boxes, by the game master's hand, with what follows from that."""
    fight = Fight(world)
    before = int(fight.combatant(who)["hp"])
    yield world.tell(HpSet(who, BeforeAfter(before, hp), _has_boxes(fight, who)), {path_of(who, "hp"): hp})
    yield from settle(world, who)
    return HpChange(before, hp, fight.is_out(who))


def pay_hp(world: World, who: str, hp: int, what: Reason) -> Procedure[None]:
    """Somebody pays so many HP, or boxes, for something: no damage, but it may leave them Bloodied."""
    fight = Fight(world)
    left = int(fight.combatant(who)["hp"]) - hp
    yield world.tell(HpPaid(who, hp, what, left, _has_boxes(fight, who)), {path_of(who, "hp"): left})
    yield from settle(world, who)


def settle(world: World, who: str) -> Procedure[None]:
    """Bring the statuses that follow from HP into line with it."""
    fight = Fight(world)
    combatant = fight.combatant(who)
    hp = combatant["hp"]
    down = hp <= 0
    # Creatures are Taken Out at once at 0 (STR-TAC-15).
    if hp <= (numbers()["defaults"]["taken_out_at"] if fight.is_player(who) else 0):
        yield from _take_out(world, who)
        return
    bloodied = is_bloodied(world, hp, combatant["max_hp"])
    if bloodied and not has_status(world, who, BLOODIED):
        yield from add_status(world, who, {"id": BLOODIED, "ends": "permanent"})
        yield from _first_bloodied(world, who)
    elif not bloodied and has_status(world, who, BLOODIED):
        yield from end_status(world, who, BLOODIED)
    if down and not has_status(world, who, INCAPACITATED):
        yield from add_status(world, who, {"id": INCAPACITATED, "ends": "permanent"})
        yield from _house_strike(world, who, "incapacitated")
    elif not down and has_status(world, who, INCAPACITATED):
        yield from end_status(world, who, INCAPACITATED, "back")
        # Ruling on STR-TAC-16: Stunned ends with it, Prone stays.
        yield from add_status(world, who, {"id": PRONE, "ends": "permanent"}, silent=True)


def _take_out(world: World, who: str) -> Procedure[None]:
    yield from _first_bloodied(world, who)
    if not has_status(world, who, INCAPACITATED):
        yield from _house_strike(world, who, "incapacitated")  # on the way: one blow may do both
    yield world.tell(TakenOut(who), {path_of(who, "out"): "taken-out", **nothing_left(Fight(world), who)})
    yield from _house_strike(world, who, "taken-out")
    yield from let_go(world, who)


def nothing_left(fight: Fight, who: str) -> Sets:
    """What is set of somebody who is out of the fight: nothing is left of them, but whether they were in the
    fog."""
    sets: Sets = {path_of(who, key): None for key in ("at", "statuses", "prepared", DELAYED)}
    if "seen" in fight.data and fight.is_on_map(who):
        unseen = seen_squares(fight.data["seen"]).isdisjoint(fight.squares_of(who))
        sets[path_of(who, "gone_unseen")] = unseen or None
    return sets


def let_go(world: World, gone: str) -> Procedure[None]:
    """What was to last until a turn of somebody who has no more turns ends now."""
    from ..board import zones

    yield from end_waiting_for(world, gone)
    yield from zones.end_waiting_for(world, gone)


def _first_bloodied(world: World, who: str) -> Procedure[None]:
    if world.book.house["hp_strikes"] and not world.get(path_of(who, "was_bloodied")):
        yield world.tell(FirstBloodied(who), {path_of(who, "was_bloodied"): True})
        yield from _house_strike(world, who, "first-bloodied")


def _house_strike(world: World, who: str, why: str) -> Procedure[None]:
    if world.book.house["hp_strikes"] and Fight(world).is_player(who):
        yield from gain_strike(world, who, HouseStrike(why))


# Damage that waits for a final action (STR-TAC-25)


def put_off(world: World, who: str, amount: int, why: Reason) -> Procedure[None]:
    """Damage that would bring somebody down waits until they have had one final action."""
    due = world.get("fight.due") or {"amount": 0, "why": []}
    before = [due["why"]] if isinstance(due["why"], str) else due["why"]
    whys = [*before, clause_as_json(Said(why) if isinstance(why, str) else why, GameMaster())]
    kept = {"who": who, "amount": amount + due["amount"], "why": whys}
    yield world.tell(DamageDue(who, why), {"fight.due": kept})


def _whys(why: str | Sequence[str | Mapping[str, Any]]) -> list[Clause]:
    """What damage comes of; a fight of an older strike has it as words."""
    return [clause_of_json(one) for one in ([why] if isinstance(why, str) else why)]


def fall_due(world: World) -> Procedure[None]:
    """The damage that waited for a final action, if any."""
    due = world.get("fight.due")
    if not due:
        return
    yield world.tell(FinalAction(due["who"]), {"fight.due": None})
    if not Fight(world).is_out(due["who"]):
        yield from hurt(world, due["who"], due["amount"], AllOf(_whys(due["why"])))
