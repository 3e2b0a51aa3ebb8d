"""Contested actions: the actor and the target each make a check; the higher total wins (WSH-07)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from strike_cli.plugin import Choose, Procedure, Refused, World, listed

from .action_costs import MomentumAction, must_be_able_to_act, pay_for_and_report_action
from .attack import sets_exposed_till_turn_end_if_hidden
from .checks_and_defense_rolls import (
    Skills,
    contest_advantages_unless_too_large,
    contested_check,
    given_reasons,
    pick_skill,
    roll_skill_check,
)
from .damage_and_healing import Blow, deal_blow
from .damage_reduction import DamagePart
from .facts import MomentumClimbed, MomentumExposed, MomentumHid, ShakenOff, TakeDisarmed, id_in_words
from .fight_state import Battle
from .forced_movement import push_or_pull_straight
from .object_interaction import drop_weapon, has_free_hand_and_lacks_thing, take_into_hand
from .refusals import IsObject, OnItAlready
from .sheet_and_formulas import SHIELD
from .statuses import BLINDED, END, GRABBED, PRONE, add_or_replace_status, remove_statuses
from .targeting import enemies_who_see
from .walking import changes_to_square_with_riders, play_arrival_effects

if TYPE_CHECKING:
    from .data import ContestTold

ActionProcedure = Procedure[Mapping[str, object]]

STRONG: Skills = ("athletics", "raw-force")
STRONG_OR_NIMBLE: Skills = ("athletics", "raw-force", "nimbleness")
HANDY: Skills = ("athletics", "nimbleness", "raw-force", "quick-fingers")
CLIMBING: Skills = ("athletics", "nimbleness")
BLINDING: Skills = ("quick-fingers", "nimbleness")
SEEING_THROUGH: Skills = ("improvisation", "endurance")


def blind(world: World, args: MomentumAction) -> ActionProcedure:
    """Blind the target until the end of its next turn."""
    found = yield from _pay_expose_and_roll_contest(world, args, BLINDING, SEEING_THROUGH)
    if found["success"]:
        yield from add_or_replace_status(world, args.target, BLINDED, until=END, by=args.who)
    return {"target": args.target, **found}


def _pay_expose_and_roll_contest(
    world: World, args: MomentumAction, our_skills: Skills, their_skills: Skills, *, size_matters: bool = True
) -> Procedure[ContestTold]:
    """Pay for a contested action, mark a hidden actor as exposed, and roll the contest.

    If `size_matters` is true, the larger combatant has Advantage. In this case, Refused is raised if the
    target is too large. Raises IsObject if the target is an object.
    """
    battle = Battle(world)
    if battle.people[args.target].get("object"):
        raise IsObject(battle.name(args.target), "Interact with it, or attack it.")
    larger = contest_advantages_unless_too_large(battle, args.who, args.target) if size_matters else ([], [])
    mine = pick_skill(battle, args.who, our_skills, args.skill)
    their = pick_skill(battle, args.target, their_skills, args.their_skill)
    yield pay_for_and_report_action(world, args)
    if sets_exposed_till_turn_end_if_hidden(battle, args.who):
        yield world.tell(MomentumExposed(args.who), sets_exposed_till_turn_end_if_hidden(battle, args.who))
    why = [*larger[0], *given_reasons(args.adv, args.dis)]
    return (yield from contested_check(world, args.who, mine, args.target, their, why, larger[1]))


def grab(world: World, args: MomentumAction) -> ActionProcedure:
    """Grab the target with a free hand, if the contest of Skills succeeds.

    As long as the grab lasts, the hand isn't free.
    """
    _must_have_free_hand(Battle(world), args.who)
    found = yield from _pay_expose_and_roll_contest(world, args, STRONG, STRONG_OR_NIMBLE)
    if found["success"]:
        yield from add_or_replace_status(world, args.target, GRABBED, by=args.who)
    return {"target": args.target, **found}


def _must_have_free_hand(battle: Battle, combatant: str) -> None:
    if battle.free_hands(combatant) < 1:
        raise Refused(
            f"{battle.name(combatant)} has no free hand.",
            f"`strike momentum act {combatant} switch-weapons` puts something away.",
        )


def break_free(world: World, args: MomentumAction) -> ActionProcedure:
    """Break free of a grab, by a contest like the one for grabbing, with the roles reversed.

    Raises Refused if the target doesn't hold the actor.
    """
    held = Battle(world).people[args.who].get("statuses", ())
    mine = [one for one in held if one["id"] == GRABBED and one.get("by") == args.target]
    if not mine:
        raise Refused(
            f"{Battle(world).name(args.target)} doesn't hold them.",
            "`strike momentum show` shows the holder.",
        )
    found = yield from _pay_expose_and_roll_contest(world, args, STRONG_OR_NIMBLE, STRONG, size_matters=False)
    if found["success"]:
        yield from remove_statuses(world, args.who, mine)
    return {"target": args.target, **found}


def trip(world: World, args: MomentumAction) -> ActionProcedure:
    """Knock the target Prone."""
    found = yield from _pay_expose_and_roll_contest(world, args, STRONG, CLIMBING)
    if found["success"]:
        yield from add_or_replace_status(world, args.target, PRONE, by=args.who)
    return {"target": args.target, **found}


def shove(world: World, args: MomentumAction) -> ActionProcedure:
    """Try to push the target 1 m straight away from the actor (WSH-19).

    The actor must win a contested roll. If another creature is in the way, it and the target collide.
    """
    found = yield from _pay_expose_and_roll_contest(world, args, STRONG, STRONG_OR_NIMBLE)
    data: dict[str, object] = {"target": args.target, **found}
    if found["success"]:
        forced = yield from push_or_pull_straight(
            world, args.target, args.who, 1, Battle(world).sheet(args.who).defense_roll_power
        )
        data["moved"] = forced
        if forced["damage"]:
            blow = Blow([DamagePart("physical", forced["damage"])], by=args.who)
            data |= yield from deal_blow(world, args.target, blow)
    return data


def disarm(world: World, args: MomentumAction) -> ActionProcedure:
    """Try to make the target drop something that it has in hand.

    Actor and target roll against each other. If the actor wins, the target drops the thing. An actor who can
    take it in hand may do so.

    `args.items` names the thing. By default it is a weapon, or the shield if the target holds no weapon.

    Raises Refused if the target doesn't hold the thing.
    """
    battle = Battle(world)
    held = sorted(battle.people[args.target].get("holding", ()), key=lambda thing: thing == SHIELD)
    thing = args.items[0] if args.items else next(iter(held), "")
    if thing not in held:
        raise Refused(
            f"{battle.name(args.target)} holds {f'no {thing}' if thing else 'nothing'}.",
            f"In hand: {listed(held) or 'nothing'}.",
        )
    found = yield from _pay_expose_and_roll_contest(world, args, HANDY, HANDY, size_matters=False)
    data: dict[str, object] = {"target": args.target, "item": thing, "taken": False, **found}
    if not found["success"]:
        return data
    key = yield from drop_weapon(world, args.target, thing)
    battle = Battle(world)
    if has_free_hand_and_lacks_thing(battle, args.who, thing):
        name = id_in_words(thing)
        about = TakeDisarmed(args.who, name, args.target)
        answer = yield Choose(
            battle.commander_or_self(args.who), f"the {name}", ("take", "leave"), about=about
        )
        if answer == "take":
            of = battle.data["dropped"][key]["of"]
            yield from take_into_hand(world, args.who, thing, of, key)
            data["taken"] = True
    return data


# Climbing


def climb(world: World, args: MomentumAction) -> ActionProcedure:
    """Climb onto a larger target with a free hand; the climber is then in its space and moves with it.

    Raises Refused if the target isn't larger, and OnItAlready if the climber is on it already.
    """
    battle = Battle(world)
    combatant, target = args.who, args.target
    if battle.size_category(target) <= battle.size_category(combatant):
        raise Refused(
            f"{battle.name(target)} is not larger than {battle.name(combatant)}.",
            "Climb only onto larger creatures.",
        )
    if battle.people[combatant].get("on") == target:
        raise OnItAlready(battle.name(combatant), battle.name(target), "Move to climb off.")
    if not battle.sheet(combatant).table["climbs"]:
        _must_have_free_hand(battle, combatant)
    found = yield from _pay_expose_and_roll_contest(world, args, CLIMBING, HANDY, size_matters=False)
    if found["success"]:
        battle = Battle(world)
        sets = {
            **changes_to_square_with_riders(battle, combatant, battle.at(target)),
            **battle.sets(combatant, on=target),
        }
        yield world.tell(MomentumClimbed(combatant, target), sets)
        yield from play_arrival_effects(world, combatant)
    return {"target": target, **found}


def shake_off(world: World, args: MomentumAction) -> ActionProcedure:
    """Shake off a climber, who stays on only with a higher total than the actor's.

    Raises Refused if the target hasn't climbed onto the actor.
    """
    battle = Battle(world)
    combatant, rider = args.who, args.target
    if battle.people[rider].get("on") != combatant:
        raise Refused(
            f"{battle.name(rider)} is not on {battle.name(combatant)}.",
            f"There: {listed(battle.riders(combatant))}.",
        )
    mine = pick_skill(battle, combatant, HANDY, args.skill)
    theirs = pick_skill(battle, rider, CLIMBING, args.their_skill)
    must_be_able_to_act(battle, combatant, args.ap)
    yield pay_for_and_report_action(world, args)
    ours = yield from roll_skill_check(battle, combatant, mine, given_reasons(args.adv, args.dis))
    held_on = yield from roll_skill_check(battle, rider, theirs, (), ours.total + 1)
    success = held_on.total <= ours.total
    sets = Battle(world).sets(rider, on="") if success else {}
    outcome = "success" if success else "failure"
    yield world.tell(ShakenOff(combatant, mine, ours, outcome, rider, theirs, held_on), sets)
    return {"target": rider, "roll": ours.as_json(), "against": held_on.as_json(), "success": success}


# Hiding


def hide(world: World, args: MomentumAction) -> ActionProcedure:
    """Hide from all enemies: one check of Stealth against the Perception of each enemy (WSH-07).

    Raises Refused if an enemy sees the actor.
    """
    battle = Battle(world)
    combatant = args.who
    if seen_by := enemies_who_see(battle, combatant):
        raise Refused(
            f"{battle.name(seen_by[0])} sees {battle.name(combatant)}.", "Hide out of every enemy's sight."
        )
    foes = [foe for foe in battle.enemies(combatant) if battle.is_up(foe)]
    yield pay_for_and_report_action(world, args)
    ours = yield from roll_skill_check(battle, combatant, "stealth", given_reasons(args.adv, args.dis))
    noticed = []
    for foe in foes:
        theirs = yield from roll_skill_check(battle, foe, "perception", (), ours.total)
        noticed += [foe] if theirs.total >= ours.total else []
    hidden = not noticed
    sets = battle.sets(combatant, hidden=True, exposed=False) if hidden else {}
    outcome = "success" if hidden else "failure"
    yield world.tell(MomentumHid(combatant, ours, outcome, "" if hidden else noticed[0]), sets)
    return {"roll": ours.as_json(), "hidden": hidden, "noticed_by": noticed}
