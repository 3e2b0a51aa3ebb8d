"""Turns: how they begin and end, and how they are held for later (WSH-02, 04)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from strike_cli.plugin import Args, Choose, PersonArgs, Procedure, Refused, Sets, World, listed
from strike_cli.plugin.board import DELAYED, has_acted
from strike_cli.plugin.refusals import AnotherPersonsTurn, HasBegunToAct

from .damage_and_healing import Blow, deal_blow
from .damage_reduction import ALL_ARMOR, IGNORES_NO_ARMOR, DamagePart, IgnoredArmor
from .dice import parse_dice, roll_dice
from .facts import (
    MomentumHeld,
    MomentumReady,
    MomentumResumed,
    MomentumTurnBegan,
    MomentumTurnEnded,
    MomentumTurnLost,
    TakeHeldTurn,
)
from .fight_state import Battle
from .initiative_and_rounds import begin_next_round_if_due
from .refusals import NoRoundYet, NotTheirTurn, NoTurnUnderWay
from .rule_constants import ACTION_POINTS
from .statuses import END, START, UPKEEP, active_status_effects, effects_total, expire_statuses
from .walking import deal_zone_damage, reveal_combatant

if TYPE_CHECKING:
    from .data import MomentumEndTurnData, MomentumHoldData, MomentumTurnData


def play_turn(world: World, args: Args) -> Procedure[MomentumTurnData]:
    """Play `momentum turn`: begin the next turn, and roll the dice of harmful Status Effects.

    If only held turns are left, offer each of them in the order of Initiative until somebody accepts
    (WSH-04). A combatant that declines loses the turn.

    Raises NoRoundYet before the first round, AnotherPersonsTurn during a turn, and Refused if nobody has a
    turn left.
    """
    battle = Battle(world)
    if not battle.round:
        raise NoRoundYet()
    if battle.active:
        raise AnotherPersonsTurn(battle.name(battle.active), "`strike momentum end-turn` ends it.")
    people = battle.people
    there = [combatant for combatant in battle.data["order"] if "out" not in people[combatant]]
    waiting = [combatant for combatant in there if not has_acted(people[combatant], battle.round)]
    if not waiting:
        raise Refused("Nobody is left to have a turn.", "`strike momentum end` ends the fight.")
    holding = [combatant for combatant in waiting if battle.people[combatant].get(DELAYED)]
    if holding == waiting:
        combatant = yield from _offer_held_turns_until_one_is_taken(world, holding)
        if not combatant:
            yield from begin_next_round_if_due(world)
            return {"who": None, "lost": holding, "round": Battle(world).round}
        return (yield from _begin_held_turn(world, combatant))
    combatant = next(combatant for combatant in waiting if combatant not in holding)
    group = battle.union_members(combatant)
    yield from _begin_turn(world, combatant, group)
    return points_and_vitality_in_turn(Battle(world), combatant)


def _offer_held_turns_until_one_is_taken(world: World, holding: Sequence[str]) -> Procedure[str]:
    """Ask each combatant with a held turn whether to take it; return the first who does, or "".

    A combatant who declines loses the turn. So do all members of that combatant's union.
    """
    for combatant in holding:
        battle = Battle(world)
        if has_acted(battle.people[combatant], battle.round):
            continue  # their union's turn was lost
        about = TakeHeldTurn(combatant, battle.round)
        answer = yield Choose(
            battle.commander_or_self(combatant), "the turn that was held", ("take", "lose"), about=about
        )
        if answer == "take":
            return combatant
        group = battle.union_members(combatant)
        sets: Sets = {}
        for one in group:
            sets |= battle.sets(one, acted=battle.round, delayed=False)
        yield world.tell(MomentumTurnLost(combatant), sets)
        yield from expire_statuses(world, group, END)
        yield from expire_statuses(world, group, UPKEEP)
    return ""


def _begin_turn(world: World, combatant: str, group: Sequence[str]) -> Procedure[None]:
    """Begin a turn: Status Effects end or do harm, and the group gets its AP and movement."""
    battle = Battle(world)
    sets: Sets = {"momentum.active": combatant}
    for one in group:
        sets |= battle.sets(one, begun=battle.round, lean="", spent=0, gone=0, attacks=0, free="")
    yield world.tell(MomentumTurnBegan(combatant, tuple(one for one in group if one != combatant)), sets)
    yield from expire_statuses(world, group, START)
    for one in group:
        yield from _deal_status_and_zone_damage(world, one)
    yield from _give_ap_and_movement(world, group)


def _give_ap_and_movement(world: World, group: Sequence[str]) -> Procedure[None]:
    """Give the acting combatants the AP and the movement of a turn; those who are down get none."""
    battle = Battle(world)
    yield world.tell(MomentumReady(battle.active), _changes_to_ap_and_movement(battle, group))


def _changes_to_ap_and_movement(battle: Battle, group: Sequence[str]) -> Sets:
    sets: Sets = {}
    for one in group:
        able = battle.is_up(one)
        ap = max(0, ACTION_POINTS + effects_total(battle, one, "ap")) if able else 0
        sets |= battle.sets(one, ap=ap, movement=basic_movement_even_if_stuck(battle, one) if able else 0)
    return sets


def changes_that_begin_turn(world: World, combatant: str) -> Sets:
    """Return the changes that make it a combatant's turn.

    They are empty if it is the combatant's turn already, and for somebody who isn't in the fight.
    """
    battle = Battle(world)
    if battle.is_acting(combatant) or combatant not in battle.people:
        return {}
    group = battle.union_members(combatant)
    sets: Sets = {"momentum.active": combatant, "momentum.round": battle.round or 1}
    for one in group:
        sets |= battle.sets(one, spent=0, gone=0, attacks=0, free="")
    return sets | _changes_to_ap_and_movement(battle, group)


def basic_movement_even_if_stuck(battle: Battle, combatant: str) -> int:
    """Return a combatant's Basic Movement in metres, including Status Effects (WSH-02)."""
    return max(
        0, int(battle.sheet(combatant).table["movement"]) + effects_total(battle, combatant, "movement")
    )


def _deal_status_and_zone_damage(world: World, combatant: str) -> Procedure[None]:
    """Deal the damage of a combatant's Status Effects, then that of the zones in which they stand.

    Armor doesn't reduce the damage of a Status Effect that has no type of damage, such as Bleeding.
    """
    battle = Battle(world)
    if "out" in battle.people[combatant]:
        return
    for item in list(active_status_effects(battle, combatant)):
        if not item.definition.get("damage") or "out" in Battle(world).people[combatant]:
            continue
        amount = yield from roll_dice(world, combatant, item.name, parse_dice(item.definition["damage"]))
        type = item.definition.get("type", "physical")
        through = IGNORES_NO_ARMOR if "type" in item.definition else IgnoredArmor(ALL_ARMOR)
        yield from deal_blow(world, combatant, Blow([DamagePart(type, amount)], through))
    yield from deal_zone_damage(world, combatant)


def points_and_vitality_in_turn(battle: Battle, combatant: str) -> MomentumTurnData:
    """Return what a combatant has left in this turn, as the results of moves contain it."""
    one = battle.people[combatant]
    told: MomentumTurnData = {
        "who": combatant,
        "ap": one["ap"],
        "rp": one["rp"],
        "movement_left": one["movement"],
        "momentum": one["momentum"],
        "vitality": one["vitality"],
        "round": battle.round,
    }
    if len(group := battle.union_members(combatant)) > 1:
        told["union"] = group
    return told


def play_end_turn(world: World, args: Args) -> Procedure[MomentumEndTurnData]:
    """Play `momentum end-turn`: the current turn ends.

    Some Status Effects end with the turn. A combatant who hid, and was exposed in their own turn, is hidden
    no longer. After the last turn, the next round begins. Raises NoTurnUnderWay if it is nobody's turn.
    """
    battle = Battle(world)
    combatant = battle.active
    if not combatant:
        raise NoTurnUnderWay()
    group = battle.union_members(combatant)
    yield from expire_statuses(world, group, END)
    yield from expire_statuses(world, group, UPKEEP)
    for one in group:
        if Battle(world).people[one].get("exposed"):
            yield from reveal_combatant(world, one)
    sets: Sets = {"momentum.active": None}
    battle = Battle(world)
    for one in group:
        sets |= battle.sets(one, acted=battle.round, delayed=False, ap=0, movement=0, attacks=0)
    yield world.tell(MomentumTurnEnded(combatant), sets)
    yield from begin_next_round_if_due(world)
    return {"who": combatant, "round": Battle(world).round}


def play_hold(world: World, args: PersonArgs) -> Procedure[MomentumHoldData]:
    """Play `momentum hold`: put off the present turn, before the combatant has done anything in it.

    Status Effects that last until the start of the turn have already ended. Those that last until the end of
    the turn remain (WSH-04).

    Raises NotTheirTurn if it isn't the combatant's turn, and HasBegunToAct if the combatant has done
    something. Raises Refused if the turn was held before.
    """
    battle = Battle(world)
    battle.require_present(args.who)
    if not battle.is_acting(args.who):
        raise NotTheirTurn(battle.name(args.who), "`strike momentum turn` begins the next one.")
    group = battle.union_members(args.who)
    done = ("spent", "gone", "free", "attacks")
    if any(battle.people[one].get(key) for one in group for key in done):
        raise HasBegunToAct(battle.name(args.who), "`strike momentum end-turn` ends the turn.")
    if all(battle.people[one].get(DELAYED) for one in group):
        raise Refused(
            f"{battle.name(args.who)} has already held this turn.", "Act, or `strike momentum end-turn`."
        )
    sets: Sets = {"momentum.active": None}
    for one in group:
        sets |= battle.sets(one, delayed=True, ap=0, movement=0)
    yield world.tell(MomentumHeld(args.who), sets)
    return {"who": args.who, "held": group}


def play_resume(world: World, args: PersonArgs) -> Procedure[MomentumTurnData]:
    """Play `momentum resume`: take a turn that was held earlier.

    A held turn is taken between two other turns. Raises AnotherPersonsTurn if another turn is under way.
    Raises Refused if the person hasn't held a turn.
    """
    battle = Battle(world)
    battle.require_present(args.who)
    if not battle.people[args.who].get(DELAYED):
        held_by = [
            combatant for combatant in battle.combatants_there() if battle.people[combatant].get(DELAYED)
        ]
        raise Refused(
            f"{battle.name(args.who)} hasn't held a turn.", f"Held turns: {listed(held_by) or 'none'}."
        )
    if battle.active:
        raise AnotherPersonsTurn(battle.name(battle.active), "A held turn is taken between two others.")
    return (yield from _begin_held_turn(world, args.who))


def _begin_held_turn(world: World, combatant: str) -> Procedure[MomentumTurnData]:
    battle = Battle(world)
    leader = battle.people[combatant].get("union") or combatant
    sets = {"momentum.active": leader if leader in battle.union_members(combatant) else combatant}
    yield world.tell(MomentumResumed(combatant), sets)
    yield from _give_ap_and_movement(world, battle.union_members(combatant))
    return points_and_vitality_in_turn(Battle(world), combatant)
