"""`momentum act`: the basic and advanced actions that everybody has, by name (WSH-07)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.plugin import Choose, Data, Procedure, Refused, Sets, World, listed
from strike_cli.plugin.refusals import TargetHidden

from . import contested_actions, object_interaction
from .action_costs import (
    RP,
    MomentumAction,
    must_be_able_to_act,
    must_be_able_to_react,
    pay_for_and_report_action,
)
from .checks_and_defense_rolls import given_reasons, skill_check
from .damage_and_healing import restore_vitality_and_revive
from .dice import parse_dice, roll_dice
from .facts import (
    BanksAttack,
    GoesFurther,
    MomentumKeptUp,
    MomentumMoved,
    SwitchesPlaces,
    SwitchPlacesWith,
    UsesItem,
    id_in_words,
)
from .fight_start_end_and_summons import make_summons_obey_until_next_turn
from .fight_state import Battle
from .refusals import CantMove, NoAlly
from .rule_constants import ACTION_AP_COSTS, STABILIZE_DIFFICULTY
from .statuses import (
    BLEEDING,
    DEFENDING,
    PRONE,
    START,
    TAKING_COVER,
    add_or_replace_status,
    end_broken_grabs,
    has_effect_flag,
    holds_kept_up_by_payment,
    is_beside_half_cover,
    remove_statuses,
)
from .turns import basic_movement_even_if_stuck

if TYPE_CHECKING:
    from .data import MomentumActData, MomentumActionsCounts, MomentumStatus


ActionProcedure = Procedure[Mapping[str, object]]


def pay_for_attack_in_advance(world: World, args: MomentumAction) -> ActionProcedure:
    """Play the action that pays for an Attack in advance.

    The Attack can then be made at any moment of this turn.
    """
    battle = Battle(world)
    more = battle.people[args.who].get("attacks", 0) + battle.sheet(args.who).table["attacks"]
    yield pay_for_and_report_action(world, args, BanksAttack(args.who, args.action), attacks=more)
    return {"attacks": more}


def take_defend_stance(world: World, args: MomentumAction) -> ActionProcedure:
    """Defend until the actor's next turn.

    Until then attackers have Disadvantage, and the actor has Advantage on Defense Rolls.
    """
    yield pay_for_and_report_action(world, args)
    yield from add_or_replace_status(world, args.who, DEFENDING, until=START, is_stance=True)
    return {}


def gain_basic_movement(world: World, args: MomentumAction) -> ActionProcedure:
    """Play the action `move`: the actor gains their basic movement once more. Nobody moves yet."""
    return (yield from _gain_movement(world, args, 1))


def gain_sprint_movement(world: World, args: MomentumAction) -> ActionProcedure:
    """Play the action `sprint`: the actor gains four times their basic movement. Nobody moves yet."""
    return (yield from _gain_movement(world, args, 4))


def _gain_movement(world: World, args: MomentumAction, times: int) -> ActionProcedure:
    battle = Battle(world)
    meters = times * basic_movement_even_if_stuck(battle, args.who)
    if has_effect_flag(battle, args.who, "stuck"):
        raise CantMove(battle.name(args.who))
    left = battle.people[args.who]["movement"] + meters
    yield pay_for_and_report_action(world, args, GoesFurther(args.who, args.action, left), movement=left)
    return {"movement_left": left}


def stabilize(world: World, args: MomentumAction) -> ActionProcedure:
    """Play the action `stabilize`: a First Aid Check against 8 stops the target's bleeding.

    Raises Refused if the target doesn't bleed.
    """
    battle = Battle(world)
    bleeding = [one for one in battle.people[args.target].get("statuses", ()) if one["id"] == BLEEDING]
    if not bleeding:
        raise Refused(f"{battle.name(args.target)} doesn't bleed.", "Stabilize only bleeding creatures.")
    yield pay_for_and_report_action(world, args)
    rolled, success = yield from skill_check(
        world, args.who, "first-aid", STABILIZE_DIFFICULTY, given_reasons(args.adv, args.dis)
    )
    if success:
        yield from remove_statuses(world, args.target, bleeding, "stabilized")
    return {"target": args.target, "roll": rolled.as_json(), "success": success}


def switch_places(world: World, args: MomentumAction) -> ActionProcedure:
    """Switch places with an adjacent ally, who pays 1 RP.

    If the ally says no, the actor's AP are lost, and the ally pays nothing. Raises Refused if the two aren't
    allies of the same size, or if one of them can't move.
    """
    battle = Battle(world)
    combatant, ally = args.who, args.target
    if battle.side(combatant) != battle.side(ally) or battle.people[ally].get("object"):
        raise NoAlly(battle.name(ally), "Switch places with an ally.")
    if battle.size(combatant) != battle.size(ally):
        raise Refused(
            f"{battle.name(ally)} has another size.", "Switch places with an ally of the same size."
        )
    if has_effect_flag(battle, combatant, "stuck") or has_effect_flag(battle, ally, "stuck"):
        raise Refused("One of them can't move.", "`strike momentum show` shows their statuses.")
    must_be_able_to_act(battle, combatant, args.ap)
    must_be_able_to_react(battle, ally, 1)
    here, there = battle.people[combatant]["at"], battle.people[ally]["at"]
    answer = yield Choose(
        battle.commander_or_self(ally),
        f"whether to switch places with {combatant}",
        ("agree", "refuse"),
        default=None if ally in world.book.characters else "agree",  # a player is asked
        about=SwitchPlacesWith(combatant, ally),
        formerly=f"whether to switch places with {battle.name(combatant)}",
    )
    switch = SwitchesPlaces(combatant, args.action, ally, answer == "agree")
    if not switch.agreed:
        yield pay_for_and_report_action(world, args, switch)
        return {"target": ally, "agreed": False}
    yield pay_for_and_report_action(world, args, switch, at=there, lean="")
    battle = Battle(world)
    sets = {**RP.pay(battle, ally, 1), **battle.sets(ally, at=here, lean="")}
    yield world.tell(MomentumMoved(ally), sets)
    yield from end_broken_grabs(world)
    return {"target": ally, "agreed": True, "at": {combatant: there, ally: here}}


def take_cover(world: World, args: MomentumAction) -> ActionProcedure:
    """Take cover: from half cover, the actor gains 2 on Evasion and 1 on Defense Rolls (WSH-18).

    These bonuses are added to the bonus of half cover itself. Raises Refused if the actor has no half cover,
    or is taking cover already.
    """
    battle = Battle(world)
    if not is_beside_half_cover(battle, args.who):
        raise Refused(
            f"{battle.name(args.who)} has nothing to take cover behind.", "Move beside a wall or an object."
        )
    if battle.has_status(args.who, TAKING_COVER):
        raise Refused(
            f"{battle.name(args.who)} is taking cover already.", "It lasts as long as the half cover."
        )
    yield pay_for_and_report_action(world, args)
    yield from add_or_replace_status(world, args.who, TAKING_COVER, is_stance=True)
    return {}


def stand_up(world: World, args: MomentumAction) -> ActionProcedure:
    """Stand up from Prone, for 1 AP.

    The rules text that strike has gives no cost. So 1 AP is strike's own choice.
    """
    battle = Battle(world)
    prone = [one for one in battle.people[args.who].get("statuses", ()) if one["id"] == PRONE]
    if not prone:
        raise Refused(f"{battle.name(args.who)} isn't Prone.", "Only Prone creatures stand up.")
    yield pay_for_and_report_action(world, args)
    yield from remove_statuses(world, args.who, prone, "up")
    return {}


def keep_up_cinematic_hold(world: World, args: MomentumAction) -> ActionProcedure:
    """Pay to keep up a hold, such as one that pins somebody to a wall.

    One payment keeps up all holds of the same cinematic. The game master judges any further condition of the
    hold (WSH-08). Raises Refused if no hold is due. Also raises Refused if several holds are due and no
    target is named.
    """
    battle = Battle(world)
    groups = holds_kept_up_by_payment(battle, args.who)
    meant = [group for group in groups.values() if not args.target or args.target in dict(group)]
    if not meant:
        whom = battle.name(args.target) if args.target else "anybody"
        raise Refused(f"{battle.name(args.who)} keeps up no hold on {whom}.", "`strike momentum show`.")
    due = [group for group in meant if not all(one.get("later") for _, one in group)]
    if not due:
        raise Refused("It is already kept up for this turn.", "`strike momentum end-turn` goes on.")
    if len(due) > 1 and not args.target:
        held_ones = listed([battle.name(group[0][0]) for group in due])
        raise Refused("Each hold is kept up separately.", f"Name the held creature: {held_ones}.")
    yield pay_for_and_report_action(
        world, args.but(ap=sum(max(one.get("upkeep", args.ap) for _, one in group) for group in due))
    )
    return (yield from _record_kept_up(world, args.who, [pair for group in due for pair in group]))


def _record_kept_up(
    world: World, combatant: str, paid: Sequence[tuple[str, MomentumStatus]]
) -> ActionProcedure:
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
    yield world.tell(MomentumKeptUp(combatant, people, condition), sets)
    return {"target": people[0], "targets": people, "kept": list(dict.fromkeys(one["id"] for _, one in paid))}


def command_summons(world: World, args: MomentumAction) -> ActionProcedure:
    """Make all of the actor's summons obey until the actor's next turn."""
    battle = Battle(world)
    if not any(battle.people[one].get("summoner") == args.who for one in battle.combatants_there()):
        raise Refused(f"{battle.name(args.who)} has summoned nobody.", "Command is for summons.")
    yield pay_for_and_report_action(world, args)
    return (yield from make_summons_obey_until_next_turn(world, args.who))


def use_item(world: World, args: MomentumAction) -> ActionProcedure:
    """Use a consumable on oneself or on somebody adjacent.

    Raises Refused if the actor has none of this item left.
    """
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
    battle.require_present(target)
    if battle.gap(args.who, target) > 1:
        raise Refused(f"{battle.name(target)} is not within 1 m.", "Go nearer.")
    use = UsesItem(args.who, args.action, id_in_words(item), items[item]["text"])
    yield pay_for_and_report_action(world, args, use, items={**left, item: left[item] - 1})
    data: dict[str, object] = {"target": target, "item": item}
    if "heal" in items[item]:
        amount = yield from roll_dice(world, args.who, item, parse_dice(items[item]["heal"]))
        data["healed"] = yield from restore_vitality_and_revive(world, target, amount)
    if "status" in items[item]:
        yield from add_or_replace_status(world, target, items[item]["status"], by=args.who)
    return data


Play = Callable[[World, MomentumAction], Procedure[Data]]


class Action(NamedTuple):
    """An action of `momentum act`: the function that plays it, and its demand on the target.

    If `needs_adjacent_target` is true, the action needs a target within 1 m.
    """

    play: Play
    needs_adjacent_target: bool = False


ACTION_PROCEDURES = {
    "attack": Action(pay_for_attack_in_advance),
    "defend": Action(take_defend_stance),
    "interact": Action(object_interaction.interact),
    "move": Action(gain_basic_movement),
    "sprint": Action(gain_sprint_movement),
    "stabilize": Action(stabilize, needs_adjacent_target=True),
    "switch-places": Action(switch_places, needs_adjacent_target=True),
    "switch-weapons": Action(object_interaction.switch_weapons),
    "take-cover": Action(take_cover),
    "use-item": Action(use_item),
    "stand": Action(stand_up),
    "keep-up": Action(keep_up_cinematic_hold),
    "blind": Action(contested_actions.blind, needs_adjacent_target=True),
    "climb": Action(contested_actions.climb, needs_adjacent_target=True),
    "shake-off": Action(contested_actions.shake_off, needs_adjacent_target=True),
    "command": Action(command_summons),
    "disarm": Action(contested_actions.disarm, needs_adjacent_target=True),
    "grab": Action(contested_actions.grab, needs_adjacent_target=True),
    "break-free": Action(contested_actions.break_free, needs_adjacent_target=True),
    "hide": Action(contested_actions.hide),
    "shove": Action(contested_actions.shove, needs_adjacent_target=True),
    "trip": Action(contested_actions.trip, needs_adjacent_target=True),
}
"""What plays each action, by the action's name."""


def play_act(world: World, args: MomentumAction) -> Procedure[MomentumActData]:
    """Play `momentum act`: a combatant takes a basic or advanced action, and pays its AP.

    In a contest, the actor's dice are rolled before the opponent's.
    """
    battle = Battle(world)
    must_be_able_to_act(battle, args.who)
    if args.action not in ACTION_AP_COSTS:
        raise Refused(f"There is no action {args.action!r}.", f"Actions: {listed(ACTION_AP_COSTS, 30)}.")
    action = ACTION_PROCEDURES[args.action]
    if action.needs_adjacent_target:
        _must_have_touchable_target(battle, args)
    before = battle.people[args.who]["ap"]
    data = yield from action.play(world, args.but(ap=ACTION_AP_COSTS[args.action]))
    one = Battle(world).people[args.who]
    spent = {"who": args.who, "action": args.action, "ap_spent": before - one["ap"]}
    return cast("MomentumActData", {**spent, **data})


def _must_have_touchable_target(battle: Battle, args: MomentumAction) -> None:
    """Raise Refused if no target is named, or if the target isn't within 1 m.

    Only the action `stabilize` may target the actor. Raises TargetHidden for a hidden enemy.
    """
    if not args.target:
        raise Refused(f"{args.action} needs a target.", f"There: {listed(battle.combatants_there())}.")
    one = battle.require_present(args.target)
    if args.target == args.who and args.action != "stabilize":
        raise Refused(f"{one['name']} can't do that to {one['name']}.", "Name another target.")
    if battle.gap(args.who, args.target) > 1:
        raise Refused(
            f"{one['name']} is {battle.gap(args.who, args.target)} m off, and it takes 1 m.",
            f"`strike momentum move {args.who} SQUARE` goes nearer.",
        )
    if battle.side(args.target) != battle.side(args.who) and one.get("hidden"):
        raise TargetHidden(one["name"], "Only a visible target can be touched.")


def odds_key(data: Data) -> MomentumActionsCounts:
    """Return the values by which `strike odds momentum act` tells results apart."""
    return cast("MomentumActionsCounts", {key: data[key] for key in ("success", "hidden") if key in data})
