"""The use of a power: its cost, attack rolls and effects (STR-TAC-08 to 12, 20, 24).

Begin with `play_attack` and `perform_power`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from strike_cli.immutable_records import Value
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.state_changes import cached_values_of
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused
from strike_cli.tabletop.active_effects import (
    ActiveEffect,
    combined_effects,
    effect_banning,
    reactions_to,
    remap_die,
    roll_reasons_from_effects,
)
from strike_cli.tabletop.characters_and_names import spend_action_points
from strike_cli.tabletop.dice import ADVANTAGE, Modifier, Rolled, Source, clamp_total, roll_die
from strike_cli.tabletop.grid import are_flanking, format_square

from ..board.opportunity_attacks import (
    ask_whether_to_decline,
    may_take_opportunity,
    opportunities_as_price,
    take_opportunity_unless_declined,
)
from ..board.sight_and_hiding import (
    HIDDEN,
    end_hiding,
    is_hidden_from,
    reveal_until_turn_end,
    sight_disadvantages,
)
from ..facts.attacks import (
    AtOwnSide,
    Attacked,
    Attacking,
    AttackOn,
    AttacksWith,
    DieOnTable,
    Flanking,
    HasHit,
    WillAttack,
    WillHit,
)
from ..facts.effects_and_causes import Adds, Because
from ..facts.harm import AttackRollOfOne
from ..facts.movement_and_sight import Stayed
from ..facts.powers_and_fight_events import NoEffect, Noted, PowerTold, PowerUsed, WillUse
from ..facts.turns_and_actions import AttackingBeside
from ..fight_state import (
    ACTIONS,
    Fight,
    action_taken_fact,
    area_shape_of,
    combatant_path,
    is_asked_before_provoking_by_house,
    is_effect_condition_met,
)
from ..health_and_statuses import (
    damage_changed_by_attacker,
    deal_damage,
    give_miss_tokens,
    give_strikes,
    pay_hp,
)
from ..reactions.reaction_events_and_moments import (
    Moment,
    ReactionEvent,
    event_kinds_with_reactions,
    may_be_reacted_to,
    play_reactions_to_event,
)
from ..reactions.status_and_trait_reactions import reaction_condition_is_met
from ..steps import steps_of_reaction
from .attack_table import (
    FACES,
    AttackResult,
    UndecidedAttack,
    attack_row,
    decide_attack_result,
    make_attack_result_key_function,
    raise_die_by_miss_tokens,
)
from .powers_and_targets import (
    ActorWithRollReasons,
    PowerUse,
    PowerUseTally,
    aim_at_still_reachable_targets,
    aim_power_with_reach_of_first_steps,
    basic_attack_reaching_targets,
    grants_another_attack,
    has_attack_roll,
    has_limited_uses,
    is_played_per_target,
    is_treated_as_friend,
    must_be_usable,
    power_as_reason,
    require_power_as_user_has_it,
)
from .standard_powers_and_use_limits import Power, uses_per_fight
from .step_play_and_summaries import (
    conditions_met_before_roll,
    damage_bonuses,
    must_affect_somebody,
    play_steps_and_get_statuses_given,
    summarize_steps_of_effect_part,
)

if TYPE_CHECKING:
    from ..data import AttackedData, OpportunityData, PowerData
    from ..steps import Part


class UsePower(ActorWithRollReasons):
    """The arguments of `combat attack` and `combat use`: a power, and the targets.

    Without `targets`, the power is used on all targets in its area. `power` is a full id, or "" for the basic
    attack that reaches the targets. `at` is the square at which an area is aimed. `no_effect` is the reason
    why the power's Effect doesn't happen, "" if it happens. `trade` gives up the Attack Action for a second
    Move Action.
    """

    targets: Sequence[str] = ()
    power: str = ""
    at: str = ""
    no_effect: str = ""
    trade: bool = False

    RETIRED = ("sure",)


def power_result(
    fight: Fight,
    use: PowerUse,
    attacks: Sequence[AttackedData] = (),
    statuses_added: Mapping[str, Sequence[str]] = {},
    miss_token: bool = False,
    opportunities: Sequence[OpportunityData] = (),
) -> PowerData:
    """Return the result of using a power, in the fight as it is now."""
    aim = use.aim
    found: PowerData = {
        "who": use.who,
        "power": use.power["id"],
        "targets": list(aim.targets),
        "attacks": list(attacks),
        "statuses_added": dict(statuses_added),
        "miss_token": miss_token,
        "opportunities": list(opportunities),
        "decided": fight.fight_outcome(),
    }
    if aim.at:
        found["at"] = format_square(aim.at)
    return found


def power_or_basic_attack_from_args(fight: Fight, args: UsePower) -> Power:
    """Return the power that the arguments name. Raises Refused if the user doesn't have it."""
    return require_power_as_user_has_it(
        fight, args.who, args.power or basic_attack_reaching_targets(fight, args.who, args.targets)
    )


def play_attack(world: World, args: UsePower) -> Procedure[PowerData]:
    """Play `combat attack`: use a power with an attack roll, for the action that it takes.

    Raises Refused if the power has no attack roll, can't be used now, or can't be aimed at these targets.
    """
    power = power_or_basic_attack_from_args(Fight(world), args)
    if not has_attack_roll(power):
        raise Refused(
            f"{power['name']} is not an attack.",
            f"`strike combat use {args.who} ...` uses powers without a roll.",
        )
    return (yield from _check_and_perform_power(world, power, args))


def play_use(world: World, args: UsePower) -> Procedure[PowerData]:
    """Play `combat use`: use a power, with or without an attack roll.

    Raises Refused if the power can't be used now or can't be aimed at these targets.
    """
    return (
        yield from _check_and_perform_power(world, power_or_basic_attack_from_args(Fight(world), args), args)
    )


def _check_and_perform_power(world: World, power: Power, args: UsePower) -> Procedure[PowerData]:
    fight, combatant = Fight(world), args.who
    must_be_usable(fight, combatant, power)
    action = require_turn_action_for_power(fight, combatant, power, args.trade)
    aim = aim_power_with_reach_of_first_steps(fight, combatant, power, args.targets, args.at)
    if args.no_effect:  # STR-TAC-26: an Effect that nobody can explain does not happen
        power = {**power, "effect": []}
    use = PowerUse(combatant, power, aim, args.sources, args.modifiers)
    if not args.no_effect:
        must_affect_somebody(fight, use)
    if world.confirms and (yield from ask_and_record_declined_attack(fight, use)):
        return power_result(fight, use)
    if action:
        yield action_taken_fact(fight, combatant, action)
    if args.no_effect:
        yield world.tell(Noted(combatant, NoEffect(power_as_reason(power, combatant), args.no_effect)))
    return (yield from perform_power(world, use))


def ask_and_record_declined_attack(fight: Fight, use: PowerUse) -> Procedure[bool]:
    """Ask whether the creature declines an attack that has a cost; return True if it declines.

    The question is only asked if the attack gives Opportunities, or is aimed at the creature's own side.
    """
    combatant, power = use.who, use.power
    if not has_attack_roll(power):
        return False
    prices: list[Reason] = []
    if is_asked_before_provoking_by_house(fight, combatant) and (
        foes := known_creatures_provoked_by_attack(fight, use)
    ):
        prices.append(opportunities_as_price(fight, foes))
    friends = [
        one
        for one in use.aim.targets
        if one != combatant and is_treated_as_friend(fight, combatant, power, one)
    ]
    if friends and power.get("who") is None and not area_shape_of(power):
        prices.append(AtOwnSide(friends))
    if not prices or not (
        yield from ask_whether_to_decline(combatant, AttacksWith(power_as_reason(power, combatant)), prices)
    ):
        return False
    yield fight.world.tell(Stayed(combatant))
    return True


def known_creatures_provoked_by_attack(fight: Fight, use: PowerUse) -> list[str]:
    """Return the creatures that may take an Opportunity because of an attack (STR-TAC-08).

    If the attack is ranged and isn't an area, these are the enemies next to the attacker. An enemy that is
    Hidden from the attacker is left out. If the power begins with steps, all of these enemies are left out,
    because the attacker may move away first.

    A creature is also returned if it has Marked the attacker and isn't a target.
    """
    combatant, targets = use.who, use.aim.targets
    found = []
    if targets and not use.aim.melee and not area_shape_of(use.power) and not use.power.get("before"):
        found += [foe for foe in fight.adjacent_foes(combatant) if not is_hidden_from(fight, foe, combatant)]
    moment = Moment("attacks", combatant, targets=tuple(targets))
    for reaction in reactions_to(fight.world, combatant, "attacks"):
        giver = str(reaction.held.instance.get("by", ""))
        if (
            giver
            and any(
                step["do"] == "opportunity" and step["to"] == "giver"
                for step in steps_of_reaction(reaction.definition)
            )
            and reaction_condition_is_met(fight, reaction, moment)
        ):
            found.append(giver)
    return [foe for foe in dict.fromkeys(found) if may_take_opportunity(fight, foe, combatant)]


def require_turn_action_for_power(fight: Fight, actor: str, power: Power, trade: bool = False) -> str:
    """Return which action of the turn a power takes; "" if it takes none.

    With `trade`, a power that takes a Move Action may take the Attack Action instead (STR-TAC-04). Raises
    Refused if the power can't be used now:

    - A Free Action or No Action without a trigger may only be used in the user's own turn, or while the user
      interrupts another turn.
    - An Interrupt may be used in anybody's turn.
    - If a status forbids the user to act, only No Action may be used (STR-TAC-13).
    """
    action: str = power["action"]
    if action in ACTIONS:
        return fight.action_to_spend(actor, action, trade)
    fight.must_be_in_fight(actor)
    if action != "interrupt" and not ("trigger" in power or "on" in power):
        fight.must_be_active(actor)
    reason = effect_banning(fight.world, actor, "act")
    if reason and action != "none":
        raise Refused(f"{fight.name(actor)} can't use {power['name']}: {reason.name}.")
    return ""


def perform_power(world: World, use: PowerUse) -> Procedure[PowerData]:
    """Play a power after its action has been spent.

    That includes the power's costs, its steps and attack rolls, and the Opportunities and reactions to it.
    """
    fight, use = Fight(world), use._replace(tally=PowerUseTally())
    combatant, power = use.who, use.power
    opportunities: list[OpportunityData] = []
    attacks: list[AttackedData] = []
    added: dict[str, list[str]] = {}
    yield from _pay_power_costs_besides_action(world, use)
    if not has_attack_roll(power) and (yield from _announce_use_and_play_reactions(world, use)):
        return power_result(fight, use)
    if power.get("before"):
        yield from _play_unrolled_steps(world, use, "before", added)
        if fight.is_out(combatant):
            return power_result(fight, use, statuses_added=added)
        use = use._replace(aim=aim_at_still_reachable_targets(fight, use))
    if has_attack_roll(power):
        yield from reveal_until_turn_end(world, combatant)
        yield world.tell(Attacking(combatant, use.aim.targets))
        opportunities = yield from _give_opportunities_for_ranged_attack(world, use)
        use = yield from _play_reactions_to_declaration(world, use)
    if grants_another_attack(power):
        use = use._replace(
            target_squares=tuple(
                square for one in use.aim.targets if fight.is_on_map(one) for square in fight.squares_of(one)
            )
        )
    if _can_user_still_act(fight, use):
        if has_attack_roll(power):
            attacks = yield from _play_attack_on_each_target(world, use)
        else:
            yield from _play_unrolled_steps(world, use, "effect", added)
        yield from _play_unrolled_steps(world, use, "always", added)
    if has_attack_roll(power):
        yield from end_hiding(world, combatant)  # STR-TAC-23: once the attack is over
    token = yield from _give_token_for_misses(world, combatant, attacks)
    opportunities += use.tally.opportunities if use.tally else []
    return power_result(fight, use, attacks, added, token, opportunities)


def _announce_use_and_play_reactions(world: World, use: PowerUse) -> Procedure[bool]:
    """Report that a combatant uses a power that has no attack roll, and play the reactions.

    Return True if the use ends here. It ends if a reaction prevented it or took the user out.
    """
    combatant, power = use.who, use.power
    others = tuple(target for target in use.aim.targets if target != combatant)
    yield world.tell(PowerTold(combatant, power["id"], others))
    what = WillUse(combatant, power_as_reason(power, combatant))
    coming = yield from play_reactions_to_event(world, ReactionEvent("uses", combatant, "", what))
    if coming.prevented:
        return True
    return Fight(world).is_out(combatant)


def _pay_power_costs_besides_action(world: World, use: PowerUse) -> Procedure[None]:
    """Spend what a power costs: one of its uses or charges, Action Points, and HP.

    Only players' characters pay charges and Action Points. Paying HP isn't damage.
    """
    fight, combatant, power = Fight(world), use.who, use.power
    if has_limited_uses(power) and uses_per_fight(fight, combatant, power) is not None:
        used = [*fight.combatant(combatant).get("used", []), power["id"]]
        yield world.tell(PowerUsed(combatant), {combatant_path(combatant, "used"): used})
    if "charges" in power and fight.is_player(combatant):
        from strike_cli.systems.core.points_tricks_and_fallback import (
            record_spent_charge,
        )  # few powers have any

        ref, back = fight.combatant(combatant)["ref"], power.get("back", "long")
        yield from record_spent_charge(world, ref, power["id"], power["charges"], back)
    if power.get("ap") and fight.is_player(combatant):
        yield from spend_action_points(world, fight.combatant(combatant)["ref"], power["name"], power["ap"])
    if "hp" in power:
        yield from pay_hp(world, combatant, power["hp"], power_as_reason(power, combatant))


def _play_reactions_to_declaration(world: World, use: PowerUse) -> Procedure[PowerUse]:
    """Play the reactions to the declaration of an attack, target by target.

    Returns `use` with the targets that are left after the reactions. If a reaction put another creature in a
    target's place, that creature is one of them.
    """
    if "declared" not in event_kinds_with_reactions(world.book):
        return use
    fight, left, instead, answered = Fight(world), list[str](), dict[str, str](), False
    for target in use.aim.targets:
        if fight.is_out(target) or fight.is_out(use.who):
            continue
        what = WillAttack(use.who, target, power_as_reason(use.power, use.who))
        coming = yield from play_reactions_to_event(world, ReactionEvent("declared", use.who, target, what))
        answered |= coming.was_reacted_to or coming.prevented or bool(coming.redirected)
        if coming.redirected:
            instead[coming.redirected] = target
        elif not coming.prevented:
            left.append(target)
    if not answered or fight.is_out(use.who):
        return use
    aim = aim_at_still_reachable_targets(fight, use._replace(aim=use.aim.but(targets=tuple(left))))
    everybody = (*aim.targets, *(one for one in instead if one not in aim.targets))
    melee = aim.melee if aim.targets else use.aim.melee
    return use._replace(aim=aim.but(targets=everybody, melee=melee), original_targets=instead)


def _give_opportunities_for_ranged_attack(world: World, use: PowerUse) -> Procedure[list[OpportunityData]]:
    """Let each enemy next to the attacker take an Opportunity, if the attack is ranged (STR-TAC-08).

    Returns the Opportunities that were taken. An area attack gives none.
    """
    fight = Fight(world)
    taken: list[OpportunityData] = []
    if fight.is_out(use.who):  # reactions come first, for instance those of Marked
        return taken
    if use.aim.targets and not use.aim.melee and not area_shape_of(use.power):
        for foe in fight.adjacent_foes(use.who):
            taken += yield from take_opportunity_unless_declined(world, foe, use.who, AttackingBeside())
    return taken


def _can_user_still_act(fight: Fight, use: PowerUse) -> bool:
    """Return whether the user of a power can still use it.

    They must be in the fight and able to act. A power that takes No Action needs only that they are in the
    fight.
    """
    if use.power["action"] == "none":
        return not fight.is_out(use.who)
    return not effect_banning(fight.world, use.who, "act") and not fight.is_out(use.who)


def _play_unrolled_steps(
    world: World, use: PowerUse, part: Part, statuses_added: dict[str, list[str]]
) -> Procedure[None]:
    """Play the steps of one part of a power (`part`). The part must be one that needs no attack roll.

    A step about the target is played once for each target. Any other step is played once. If a step gives
    statuses, their ids are added to `statuses_added`. The key is the target. For a step that isn't about the
    target, the key is the word that says whom the step affects (`to`).
    """
    for step in use.power.get(part, ()):
        about = use.aim.targets if is_played_per_target(step) else ("",)
        for target in about:
            holding = conditions_met_before_roll(Fight(world), use, target or use.who)
            statuses = yield from play_steps_and_get_statuses_given(world, use, [step], target, holding)
            if statuses:
                statuses_added.setdefault(target or step["to"], []).extend(statuses)


def _play_attack_on_each_target(world: World, use: PowerUse) -> Procedure[list[AttackedData]]:
    attacks = []
    for number, target in enumerate(use.aim.targets):
        fight = Fight(world)
        if not fight.is_out(target) and not fight.is_out(use.who):
            attacks.append((yield from _attack_target(world, use, target, number == 0)))
    return attacks


def _attack_target(world: World, use: PowerUse, target: str, first: bool) -> Procedure[AttackedData]:
    fight = Fight(world)
    combatant, power = use.who, use.power
    bearing = attack_roll_reasons(fight, combatant, target, power, use.aim.melee, first)
    holding = conditions_met_before_roll(fight, use, target, bearing.flanked)
    sources, modifiers = [*bearing.sources, *use.sources], [*bearing.modifiers, *use.modifiers]
    named = power_as_reason(power, combatant)
    guard = UNCHANGED_FACES
    if combined_effects(world, target).remaps:
        guard = {face: remap_die(world, target, face) for face in FACES}
    counts_as = {face: counts for face, (counts, _) in guard.items()}
    rolled = yield from _roll_attack_die_with_reactions(world, use, target, sources, modifiers, counts_as)
    tokens = fight.combatant(combatant).get("miss_tokens", 0)
    asked = UndecidedAttack(
        combatant, named, target, partial(summarize_steps_of_effect_part, fight, use, target, holding)
    )
    has_effect = bool(power["effect"])
    outcome = yield from decide_attack_result(asked, rolled, power["damage"], has_effect, tokens, counts_as)
    sets = {combatant_path(combatant, "miss_tokens"): tokens - outcome.tokens} if outcome.tokens else {}
    yield world.tell(_attack_fact(use, target, rolled, outcome, guard), sets)
    strike = outcome.strike and fight.is_player(combatant)
    if strike:
        yield from give_strikes(world, combatant, AttackRollOfOne())
    if outcome.result == "critical":
        holding |= {"critical"}
    aimed_at = use.original_targets.get(target, target)
    if outcome.result != "miss":
        target, outcome = yield from _play_reactions_to_hit(world, use, target, outcome)
    hp_before = fight.combatant(target)["hp"]
    damage = yield from _deal_hit_damage(world, use, target, outcome, holding)
    tally = use.tally or PowerUseTally()
    so_far, tally.dealt = tally.dealt, damage  # amounts measure only what this roll has dealt
    added = yield from _play_steps_after_roll(world, use, target, outcome, holding)
    tally.dealt += so_far
    attacked: AttackedData = {
        "target": target,
        "roll": rolled.as_json(),
        "tokens_spent": outcome.tokens,
        "die": outcome.die,
        "result": outcome.result,
        "damage": damage,
        "effect": outcome.effect,
        "strike": strike,
        "hp_before": hp_before,
        "hp_after": fight.combatant(target)["hp"],
        "statuses_added": added,
        "taken_out": fight.is_out(target),
    }
    if aimed_at != target:
        attacked["aimed_at"] = aimed_at
    moment = "missed" if outcome.result == "miss" else "hit"
    yield from play_reactions_to_event(
        world, ReactionEvent(moment, combatant, target, HasHit(combatant, target, moment == "hit"))
    )
    return attacked


def _roll_attack_die_with_reactions(
    world: World,
    use: PowerUse,
    target: str,
    sources: Sequence[Source],
    modifiers: Sequence[Modifier],
    counts_as: Mapping[int, int],
) -> Procedure[Rolled]:
    """Roll the die of an attack, and play the reactions to the die.

    `counts_as` has for each face the face that counts in its place.
    """
    fight, combatant = Fight(world), use.who
    named = power_as_reason(use.power, combatant)
    rerolled, matters = may_be_reacted_to(world, "rolled", target), None
    if not rerolled and not fight.combatant(combatant).get("miss_tokens"):
        plus = sum([item.value for item in modifiers])
        matters = make_attack_result_key_function(tuple(counts_as.values()), plus, fight.is_player(combatant))
    about = AttackOn(named, target)
    rolled = yield from roll_die(combatant, "attack", sources, modifiers, about=about, matters=matters)
    if not rerolled:
        return rolled
    again = AttackOn(named, target, again=True)
    roll = partial(roll_die, combatant, "attack", sources, modifiers, about=again)
    return (yield from _play_reactions_to_die(world, use, target, rolled, roll, counts_as))


def _play_reactions_to_hit(
    world: World, use: PowerUse, target: str, outcome: AttackResult
) -> Procedure[tuple[str, AttackResult]]:
    """Play the reactions to a hit that is about to happen. Returns the target and the result after them.

    A reaction may prevent the hit or redirect it to another target.
    """
    what = WillHit(use.who, target, outcome.result)
    coming = yield from play_reactions_to_event(world, ReactionEvent("struck", use.who, target, what))
    if coming.prevented or Fight(world).is_out(use.who):
        outcome = outcome.but(times=0, effect=False, turned=True)
    return coming.redirected or target, outcome


def _deal_hit_damage(
    world: World, use: PowerUse, target: str, outcome: AttackResult, conditions_met: Collection[str]
) -> Procedure[int]:
    """Deal the damage of a hit, and return its amount in HP."""
    fight = Fight(world)
    if not outcome.may_deal_damage or fight.is_out(target):
        return 0
    damage, cause = _total_damage_and_cause(fight, use, target, outcome, conditions_met)
    keywords = use.power.get("keywords", ())
    harm = yield from deal_damage(world, target, damage, cause, by=use.who, keywords=keywords)
    return harm["amount"]


UNCHANGED_FACES: Mapping[int, tuple[int, ActiveEffect | None]] = {face: (face, None) for face in FACES}
"""The value of each face against a target without effects on the die, in the form of `guard`."""


def _play_reactions_to_die(
    world: World,
    use: PowerUse,
    target: str,
    rolled: Rolled,
    roll: Callable[[], Procedure[Rolled]],
    counts_as: Mapping[int, int],
) -> Procedure[Rolled]:
    """Play the reactions to the die of an attack roll, and return the roll that counts in the end.

    `rolled` is the roll so far. If a reaction rerolls the die, `roll` makes the new roll. `counts_as` maps
    each face of the die to the face that counts in its place. Reactions see the result of the face that
    counts.
    """

    def read_die_and_counted_result(rolled: Rolled) -> tuple[int, str]:
        die = clamp_total(rolled.total)
        return die, str(attack_row(counts_as[die])["result"])

    coming = ReactionEvent(
        "rolled", use.who, target, DieOnTable(use.who, target), read=read_die_and_counted_result, roll=roll
    )
    coming.set_current_roll(rolled)
    coming = yield from play_reactions_to_event(world, coming)
    return coming.rolled or rolled


def _total_damage_and_cause(
    fight: Fight, use: PowerUse, target: str, outcome: AttackResult, conditions_met: Collection[str]
) -> tuple[int, Reason]:
    """Return the whole damage of a hit, and its cause.

    The damage includes all bonuses, and the changes by the attacker's statuses. The cause is the power,
    together with the reason for each bonus and change. A 6 doubles the bonuses only if the house rule
    `crit_doubles_bonus` is on (STR-TAC-09).
    """
    times = outcome.times if fight.world.book.house["crit_doubles_bonus"] else 1
    more = damage_bonuses(fight, use, target, conditions_met)
    whole = outcome.damage + times * sum(bonus.value for bonus in more)
    damage, why = damage_changed_by_attacker(fight, use.who, whole, target, use.power.get("keywords", ()))
    reasons = [*(Adds(times * bonus.value, bonus.reason) for bonus in more), *why]
    cause = power_as_reason(use.power, use.who)
    return damage, Because(cause, reasons) if reasons else cause


def _play_steps_after_roll(
    world: World, use: PowerUse, target: str, outcome: AttackResult, conditions_met: Collection[str]
) -> Procedure[list[str]]:
    """Play the Effect if the result has one, then the steps of a hit or a miss.

    Returns the ids of the statuses that were given. If Miss Tokens turned a miss into a hit, the steps of a
    hit aren't played (STR-TAC-10).
    """
    power, added = use.power, []
    if outcome.effect:
        added += yield from play_steps_and_get_statuses_given(
            world, use, power["effect"], target, conditions_met
        )
    if outcome.result == "miss":
        # STR-TAC-25: "no Miss Effects" is for the one who has the status.
        if power.get("miss") and not effect_banning(world, use.who, "miss-effect"):
            added += yield from play_steps_and_get_statuses_given(
                world, use, power["miss"], target, conditions_met
            )
    elif power.get("hit") and not outcome.turned:
        added += yield from play_steps_and_get_statuses_given(
            world, use, power["hit"], target, conditions_met
        )
    return added


class AttackRollReasons(Value):
    """The circumstances of an attack roll: sources of Advantage and Disadvantage, and modifiers.

    `flanked` says whether the attacker and an ally flank the target.
    """

    sources: list[Source]
    modifiers: list[Modifier]
    flanked: bool


def attack_roll_reasons(
    fight: Fight, actor: str, target: str, power: Power, melee: bool, first: bool
) -> AttackRollReasons:
    """Return what gives Advantage, Disadvantage or a modifier to an attack roll now (STR-TAC-20, 24).

    `first` is true for the first attack roll of a power's use. An actor that is hidden from the target gets
    Advantage on the first roll, but not on later rolls.
    """
    known, asked = (
        cached_values_of(fight.world),
        (_compute_attack_roll_reasons, actor, target, id(power), melee, first),
    )
    found: tuple[Power, AttackRollReasons] | None = known.get(asked)
    if found is None:  # the power is stored, too, so that no other can get its id()
        found = known[asked] = power, _compute_attack_roll_reasons(fight, actor, target, power, melee, first)
    return found[1]


def _compute_attack_roll_reasons(
    fight: Fight, actor: str, target: str, power: Power, melee: bool, first: bool
) -> AttackRollReasons:
    world = fight.world
    range_ = "" if area_shape_of(power) else "melee" if melee else "ranged"  # an area is neither
    sources, modifiers = roll_reasons_from_effects(
        world, actor, "attack", range_=range_, holds=partial(is_effect_condition_met, fight, actor, target)
    )
    against, more = roll_reasons_from_effects(
        world,
        target,
        "attack",
        side="against",
        range_=range_,
        holds=partial(is_effect_condition_met, fight, target, actor),
    )
    sources += against
    modifiers += more
    helper = flanking_ally(fight, actor, target) if melee else None
    if helper:
        sources.append(Source(ADVANTAGE, Flanking(helper)))
    if first and is_hidden_from(fight, actor, target):
        sources.append(Source(ADVANTAGE, HIDDEN))
    if not area_shape_of(power):
        sources += sight_disadvantages(fight, actor, target, melee)
    return AttackRollReasons(sources, modifiers, flanked=helper is not None)


def flanking_ally(fight: Fight, actor: str, target: str) -> str | None:
    """Return an ally with whom `actor` flanks the target, or None (STR-TAC-20)."""
    (own, size), (theirs, as_large) = fight.square_and_size(actor), fight.square_and_size(target)
    for ally in fight.allies_of(actor):
        if fight.is_on_map(ally) and not effect_banning(fight.world, ally, "flank"):
            at, of_ally = fight.square_and_size(ally)
            if are_flanking(own, theirs, at, size, as_large, of_ally):
                return ally
    return None


def _attack_fact(
    use: PowerUse,
    target: str,
    rolled: Rolled,
    outcome: AttackResult,
    die_changes: Mapping[int, tuple[int, ActiveEffect | None]],
) -> Attacked:
    """Return the fact that tells the result of an attack roll and of the Miss Tokens spent on it.

    `die_changes` maps each die to the die it counts as, and to the target's status that changes it, if any.
    """
    combatant, power, tokens = use.who, use.power, outcome.tokens
    raised = raise_die_by_miss_tokens(clamp_total(rolled.total), tokens)
    guarded = die_changes[raised][1]
    return Attacked(
        combatant,
        target,
        rolled,
        outcome.result,
        outcome.result != "miss",
        "" if power["kind"] == "basic" else power_as_reason(power, combatant),
        tokens,
        raised if tokens else 0,
        guarded.reason if guarded else "",
        outcome.die if guarded else 0,
        outcome.turned,
    )


def _give_token_for_misses(world: World, combatant: str, attacks: Sequence[AttackedData]) -> Procedure[bool]:
    """Give the attacker a Miss Token if every target was missed, and return whether it got one (STR-TAC-10).

    Only players' characters get Miss Tokens. If the house rule `miss_token` is "any-missed", it is enough
    that one target was missed.
    """
    missed = [attacked["result"] == "miss" for attacked in attacks]
    enough = any(missed) if world.book.house["miss_token"] == "any-missed" else bool(missed) and all(missed)
    if not enough or not Fight(world).is_player(combatant):
        return False
    yield from give_miss_tokens(world, combatant, 1)
    return True
