"""The basic actions, and those advanced ones that take no check (WSH-07)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from strike_cli.plugin import Choose, Procedure, Refused, Sets, World, listed

from .action import MomentumAction, acted
from .battle import Battle
from .checks import check, said
from .costs import must_act, must_react, reacting
from .dice import parse_dice, roll_dice
from .facts import (
    BanksAttack,
    GoesFurther,
    MomentumKeptUp,
    MomentumMoved,
    SwitchesPlaces,
    SwitchPlacesWith,
    UsesItem,
    thing_name,
)
from .harm import heal
from .numbers import STABILIZE_AGAINST
from .refusals import CantMove, NoAlly
from .statuses import (
    BLEEDING,
    DEFENDING,
    PRONE,
    START,
    TAKING_COVER,
    add,
    has,
    in_half_cover,
    let_go,
    remove,
    upkeeps,
)
from .summons import command
from .turns import walks

if TYPE_CHECKING:
    from .data import MomentumStatus

Data = Procedure[Mapping[str, object]]


def bank_attack(world: World, args: MomentumAction) -> Data:
    """Bank an Attack, which may be made at any moment of the turn."""
    battle = Battle(world)
    more = battle.people[args.who].get("attacks", 0) + battle.sheet(args.who).table["attacks"]
    yield acted(world, args, BanksAttack(args.who, args.action), attacks=more)
    return {"attacks": more}


def defend(world: World, args: MomentumAction) -> Data:
    """Disadvantage for attackers, Advantage on Defense Rolls, until the next turn."""
    yield acted(world, args)
    yield from add(world, args.who, DEFENDING, until=START, takes=True)
    return {}


def move(world: World, args: MomentumAction) -> Data:
    """Once more as far as one walks for nothing."""
    return (yield from _further(world, args, 1))


def sprint(world: World, args: MomentumAction) -> Data:
    """Four times as far."""
    return (yield from _further(world, args, 4))


def _further(world: World, args: MomentumAction, times: int) -> Data:
    battle = Battle(world)
    meters = times * walks(battle, args.who)
    if has(battle, args.who, "stuck"):
        raise CantMove(battle.name(args.who))
    left = battle.people[args.who]["movement"] + meters
    yield acted(world, args, GoesFurther(args.who, args.action, left), movement=left)
    return {"movement_left": left}


def stabilize(world: World, args: MomentumAction) -> Data:
    """Stop Bleeding with a First Aid Check against 8."""
    battle = Battle(world)
    bleeding = [one for one in battle.people[args.target].get("statuses", ()) if one["id"] == BLEEDING]
    if not bleeding:
        raise Refused(f"{battle.name(args.target)} doesn't bleed.", "Stabilize is for who does.")
    yield acted(world, args)
    rolled, success = yield from check(
        world, args.who, "first-aid", STABILIZE_AGAINST, said(args.adv, args.dis)
    )
    if success:
        yield from remove(world, args.target, bleeding, "stabilized")
    return {"target": args.target, "roll": rolled.as_json(), "success": success}


def switch_places(world: World, args: MomentumAction) -> Data:
    """With an ally beside one, who reacts for 1 RP. Who won't lets the action fail, and spends nothing."""
    battle = Battle(world)
    who, ally = args.who, args.target
    if battle.side(who) != battle.side(ally) or battle.people[ally].get("object"):
        raise NoAlly(battle.name(ally), "One switches places with an ally.")
    if battle.size(who) != battle.size(ally):
        raise Refused(
            f"{battle.name(ally)} needs more room, or less.", "Switch places with somebody as large."
        )
    if has(battle, who, "stuck") or has(battle, ally, "stuck"):
        raise Refused("One of them can't move.", "`strike momentum show` says what ails them.")
    must_act(battle, who, args.ap)
    must_react(battle, ally, 1)
    here, there = battle.people[who]["at"], battle.people[ally]["at"]
    answer = yield Choose(
        battle.decides(ally),
        f"whether to switch places with {who}",
        ("agree", "refuse"),
        default=None if ally in world.book.characters else "agree",  # a player is asked
        about=SwitchPlacesWith(who, ally),
        formerly=f"whether to switch places with {battle.name(who)}",
    )
    switch = SwitchesPlaces(who, args.action, ally, answer == "agree")
    if not switch.agreed:
        yield acted(world, args, switch)
        return {"target": ally, "agreed": False}
    yield acted(world, args, switch, at=there, lean="")
    battle = Battle(world)
    sets = {**reacting(battle, ally, 1), **battle.sets(ally, at=here, lean="")}
    yield world.tell(MomentumMoved(ally), sets)
    yield from let_go(world)
    return {"target": ally, "agreed": True, "at": {who: there, ally: here}}


def take_cover(world: World, args: MomentumAction) -> Data:
    """2 more Evasion and 1 on Defense Rolls as long as one is in half cover, on top of it (WSH-18)."""
    battle = Battle(world)
    if not in_half_cover(battle, args.who):
        raise Refused(
            f"{battle.name(args.who)} has nothing to take cover behind.", "Move beside a wall or an object."
        )
    if battle.has_status(args.who, TAKING_COVER):
        raise Refused(
            f"{battle.name(args.who)} is taking cover already.", "It lasts as long as the half cover."
        )
    yield acted(world, args)
    yield from add(world, args.who, TAKING_COVER, takes=True)
    return {}


def get_up(world: World, args: MomentumAction) -> Data:
    """Up from Prone, for 1 AP: the rules at hand don't say how."""
    battle = Battle(world)
    prone = [one for one in battle.people[args.who].get("statuses", ()) if one["id"] == PRONE]
    if not prone:
        raise Refused(f"{battle.name(args.who)} isn't Prone.", "Stand is for who is.")
    yield acted(world, args)
    yield from remove(world, args.who, prone, "up")
    return {}


def keep_up(world: World, args: MomentumAction) -> Data:
    """Keep up a hold, such as one that pins somebody to a wall.

    One payment is for everybody whom that cinematic has caught. The game master judges its further need
    (WSH-08).
    """
    battle = Battle(world)
    groups = upkeeps(battle, args.who)
    meant = [group for group in groups.values() if not args.target or args.target in dict(group)]
    if not meant:
        whom = battle.name(args.target) if args.target else "anybody"
        raise Refused(
            f"{battle.name(args.who)} keeps up nothing that holds {whom}.", "`strike momentum show`."
        )
    due = [group for group in meant if not all(one.get("later") for _, one in group)]
    if not due:
        raise Refused("It is kept up for this turn already.", "`strike momentum end-turn` goes on.")
    if len(due) > 1 and not args.target:
        held_ones = listed([battle.name(group[0][0]) for group in due])
        raise Refused("Each of those is kept up by itself.", f"Name the creature that it holds: {held_ones}.")
    yield acted(world, args.but(ap=sum(max(one.get("upkeep", args.ap) for _, one in group) for group in due)))
    return (yield from _kept(world, args.who, [pair for group in due for pair in group]))


def _kept(world: World, who: str, paid: Sequence[tuple[str, MomentumStatus]]) -> Data:
    battle = Battle(world)
    people = list(dict.fromkeys(held_one for held_one, _ in paid))
    sets: Sets = {}
    for held_one in people:
        mine = [one for target, one in paid if target == held_one]
        statuses = battle.people[held_one].get("statuses", ())
        sets |= battle.sets(
            held_one, statuses=[{**one, "later": True} if one in mine else one for one in statuses]
        )
    condition = next((str(one["condition"]) for _, one in paid if one.get("condition")), "")
    yield world.tell(MomentumKeptUp(who, people, condition), sets)
    return {"target": people[0], "targets": people, "kept": list(dict.fromkeys(one["id"] for _, one in paid))}


def command_summons(world: World, args: MomentumAction) -> Data:
    """Return every summon obeys until the next turn."""
    battle = Battle(world)
    if not any(battle.people[one].get("summoner") == args.who for one in battle.there()):
        raise Refused(f"{battle.name(args.who)} has summoned nobody.", "Command is for summons.")
    yield acted(world, args)
    return (yield from command(world, args.who))


def use_item(world: World, args: MomentumAction) -> Data:
    """Use a consumable, on oneself or somebody beside one."""
    battle = Battle(world)
    items = battle.sheet(args.who).table["items"]
    left = battle.people[args.who].get("items", {})
    has_some = [id for id, count in left.items() if count]
    item = args.items[0] if args.items else ""
    if item not in has_some:
        raise Refused(
            f"{battle.name(args.who)} has no {item or 'item named'}.",
            f"--item: {listed(has_some) or 'none'}.",
        )
    target = args.target or args.who
    battle.present(target)
    if battle.gap(args.who, target) > 1:
        raise Refused(f"{battle.name(target)} is not within 1 m.", "Go nearer.")
    use = UsesItem(args.who, args.action, thing_name(item), items[item]["text"])
    yield acted(world, args, use, items={**left, item: left[item] - 1})
    data: dict[str, object] = {"target": target, "item": item}
    if "heal" in items[item]:
        amount = yield from roll_dice(world, args.who, item, parse_dice(items[item]["heal"]))
        data["healed"] = yield from heal(world, target, amount)
    if "status" in items[item]:
        yield from add(world, target, items[item]["status"], by=args.who)
    return data
