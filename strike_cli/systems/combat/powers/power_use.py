"""The use of a power: its cost, the attack roll for each target, and its effects (STR-TAC-08 to 12, 20, 24).

Begin with `play_attack` and `perform_power`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.state_changes import about
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused
from strike_cli.tabletop.active_effects import (
    ActiveEffect,
    combined_effects,
    effect_banning,
    reactions_to,
    remap_die,
    roll_reasons,
)
from strike_cli.tabletop.dice import ADVANTAGE, Modifier, Rolled, Source, clamp_total, roll_die
from strike_cli.tabletop.grid import flanks, format_square
from strike_cli.tabletop.people import spend_action_point
from strike_cli.values import Value

from ..board.opportunity_attacks import (
    ask_whether_to_decline,
    may_take_opportunity,
    opportunities_as_price,
    take_opportunity,
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
from ..facts.effects import Adds, Because
from ..facts.harm import AttackRollOfOne
from ..facts.movement import Stayed
from ..facts.powers import NoEffect, Noted, PowerTold, PowerUsed, WillUse
from ..facts.turns import AttackingBeside
from ..fight_state import (
    ACTIONS,
    Fight,
    action_taken_fact,
    area_shape_of,
    combatant_path,
    is_asked_before_provoking,
    is_condition_met,
)
from ..health_and_statuses import (
    damage_after_attackers_changes,
    deal_damage,
    give_miss_tokens,
    give_strikes,
    pay_hp,
)
from ..reactions.status_and_trait_reactions import reaction_applies
from ..reactions.triggers import (
    Impending,
    Moment,
    may_be_reacted_to,
    moments_with_reactions,
    play_reactions_before,
)
from ..steps import steps_of_reaction
from .attack_table import (
    FACES,
    AttackInQuestion,
    AttackResult,
    add_miss_tokens,
    attack_row,
    decide_attack_result,
    make_attack_die_key,
)
from .effects import conditions_met_before_roll, damage_bonuses, do_steps, effect_in_short, must_do_something
from .powers_and_targets import (
    DamageTally,
    Deed,
    Reasons,
    aim_at_remaining_targets,
    aim_power_before_steps,
    basic_attack_reaching,
    grants_another_attack,
    has_attack_roll,
    has_limited_uses,
    is_played_per_target,
    is_treated_as_friend,
    must_be_usable,
    power_as_user_has_it,
    power_with_owner,
)
from .use_limits import Power, uses_per_fight

if TYPE_CHECKING:
    from ..data import AttackedData, OpportunityData, PowerData
    from ..steps import Part


class UsePower(Reasons):
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
    deed: Deed,
    attacks: Sequence[AttackedData] = (),
    statuses_added: Mapping[str, Sequence[str]] = {},
    miss_token: bool = False,
    opportunities: Sequence[OpportunityData] = (),
) -> PowerData:
    """Return the result of using a power, in the fight as it is now."""
    aim = deed.aim
    found: PowerData = {
        "who": deed.who,
        "power": deed.power["id"],
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


def power_used(fight: Fight, args: UsePower) -> Power:
    """Return the power that the arguments name. Raises Refused if the user doesn't have it."""
    return power_as_user_has_it(
        fight, args.who, args.power or basic_attack_reaching(fight, args.who, args.targets)
    )


def play_attack(world: World, args: UsePower) -> Procedure[PowerData]:
    """Play `combat attack`: use a power with an attack roll, for the action that it takes.

    Raises Refused if the power has no attack roll, can't be used now, or can't be aimed at these targets.
    """
    power = power_used(Fight(world), args)
    if not has_attack_roll(power):
        raise Refused(
            f"{power['name']} is not an attack.",
            f"`strike combat use {args.who} ...` uses powers without a roll.",
        )
    return (yield from _play_use(world, power, args))


def play_use(world: World, args: UsePower) -> Procedure[PowerData]:
    """Play `combat use`: use a power, with or without an attack roll.

    Raises Refused if the power can't be used now or can't be aimed at these targets.
    """
    return (yield from _play_use(world, power_used(Fight(world), args), args))


def _play_use(world: World, power: Power, args: UsePower) -> Procedure[PowerData]:
    fight, combatant = Fight(world), args.who
    must_be_usable(fight, combatant, power)
    action = action_needed_for_power(fight, combatant, power, args.trade)
    aim = aim_power_before_steps(fight, combatant, power, args.targets, args.at)
    if args.no_effect:  # STR-TAC-26: an Effect that nobody can explain does not happen
        power = {**power, "effect": []}
    deed = Deed(combatant, power, aim, args.sources, args.modifiers)
    if not args.no_effect:
        must_do_something(fight, deed)
    if world.confirms and (yield from ask_attackers_consent(fight, deed)):
        return power_result(fight, deed)
    if action:
        yield action_taken_fact(fight, combatant, action)
    if args.no_effect:
        yield world.tell(Noted(combatant, NoEffect(power_with_owner(power, combatant), args.no_effect)))
    return (yield from perform_power(world, deed))


def ask_attackers_consent(fight: Fight, deed: Deed) -> Procedure[bool]:
    """Ask whether the creature wants to make an attack that has a price; return True if it doesn't.

    The question is asked only if the attack gives Opportunities, or if it is aimed at the creature's own
    side.
    """
    combatant, power = deed.who, deed.power
    if not has_attack_roll(power):
        return False
    prices: list[Reason] = []
    if is_asked_before_provoking(fight, combatant) and (foes := creatures_provoked_by_attack(fight, deed)):
        prices.append(opportunities_as_price(fight, foes))
    friends = [
        one
        for one in deed.aim.targets
        if one != combatant and is_treated_as_friend(fight, combatant, power, one)
    ]
    if friends and power.get("who") is None and not area_shape_of(power):
        prices.append(AtOwnSide(friends))
    if not prices or not (
        yield from ask_whether_to_decline(combatant, AttacksWith(power_with_owner(power, combatant)), prices)
    ):
        return False
    yield fight.world.tell(Stayed(combatant))
    return True


def creatures_provoked_by_attack(fight: Fight, deed: Deed) -> list[str]:
    """Return the creatures to which an attack gives an Opportunity, as far as the attacker knows.

    Enemies next to the attacker get one from a ranged attack. If the power begins with a movement of its
    user, they don't count, since the movement may lead out of their reach. A creature that has Marked the
    attacker gets one if it isn't attacked (STR-TAC-08).
    """
    combatant, targets = deed.who, deed.aim.targets
    found = []
    if targets and not deed.aim.melee and not area_shape_of(deed.power) and not deed.power.get("before"):
        found += [foe for foe in fight.adjacent_foes(combatant) if not is_hidden_from(fight, foe, combatant)]
    moment = Moment("attacks", combatant, targets=tuple(targets))
    for reaction in reactions_to(fight.world, combatant, "attacks"):
        giver = str(reaction.held.instance.get("by", ""))
        if (
            giver
            and any(
                step["do"] == "opportunity" and step["to"] == "giver"
                for step in steps_of_reaction(reaction.does)
            )
            and reaction_applies(fight, reaction, moment)
        ):
            found.append(giver)
    return [foe for foe in dict.fromkeys(found) if may_take_opportunity(fight, foe, combatant)]


def action_needed_for_power(fight: Fight, actor: str, power: Power, trade: bool = False) -> str:
    """Return the action of the turn that a power takes, "" if it takes none.

    With `trade`, a power that takes a Move Action may take the Attack Action instead (STR-TAC-04). Free
    Actions need the user's own turn, and so do powers that take No Action and have no trigger; powers that
    take No Action can be used under any status (STR-TAC-13). An Interrupt may be taken in anybody's turn.
    Raises Refused if the power can't be used now.
    """
    action: str = power["action"]
    if action in ACTIONS:
        return fight.action_used_up(actor, action, trade)
    fight.must_be_in_fight(actor)
    if action != "interrupt" and not ("trigger" in power or "on" in power):
        fight.must_be_active(actor)
    reason = effect_banning(fight.world, actor, "act")
    if reason and action != "none":
        raise Refused(f"{fight.name(actor)} can't use {power['name']}: {reason.name}.")
    return ""


def perform_power(world: World, deed: Deed) -> Procedure[PowerData]:
    """Play a power whose action is already spent: its cost, Opportunities, steps, and attack rolls."""
    fight, deed = Fight(world), deed._replace(tally=DamageTally())
    combatant, power = deed.who, deed.power
    opportunities: list[OpportunityData] = []
    attacks: list[AttackedData] = []
    added: dict[str, list[str]] = {}
    yield from _pay_power_costs(world, deed)
    if not has_attack_roll(power) and (yield from _report_use_and_check_prevention(world, deed)):
        return power_result(fight, deed)
    if power.get("before"):
        yield from _play_unrolled_steps(world, deed, "before", added)
        if fight.is_out(combatant):
            return power_result(fight, deed, statuses_added=added)
        deed = deed._replace(aim=aim_at_remaining_targets(fight, deed))
    if has_attack_roll(power):
        yield from reveal_until_turn_end(world, combatant)
        yield world.tell(Attacking(combatant, deed.aim.targets))
        opportunities = yield from _give_opportunities(world, deed)
        deed = yield from _play_reactions_to_declaration(world, deed)
    if grants_another_attack(power):
        deed = deed._replace(
            places=tuple(
                square for one in deed.aim.targets if fight.is_on_map(one) for square in fight.squares_of(one)
            )
        )
    if _is_still_able(fight, deed):
        if has_attack_roll(power):
            attacks = yield from _roll_attacks(world, deed)
        else:
            yield from _play_unrolled_steps(world, deed, "effect", added)
        yield from _play_unrolled_steps(world, deed, "always", added)
    if has_attack_roll(power):
        yield from end_hiding(world, combatant)  # STR-TAC-23: once the attack is over
    token = yield from _give_token_for_misses(world, combatant, attacks)
    opportunities += deed.tally.opportunities if deed.tally else []
    return power_result(fight, deed, attacks, added, token, opportunities)


def _report_use_and_check_prevention(world: World, deed: Deed) -> Procedure[bool]:
    """Report the use of a power without an attack roll, and play the reactions to the use.

    Returns True if the use ends here, because a reaction prevented it or took the user out.
    """
    combatant, power = deed.who, deed.power
    others = tuple(target for target in deed.aim.targets if target != combatant)
    yield world.tell(PowerTold(combatant, power["id"], others))
    what = WillUse(combatant, power_with_owner(power, combatant))
    coming = yield from play_reactions_before(world, Impending("uses", combatant, "", what))
    if coming.prevented:
        return True
    return Fight(world).is_out(combatant)


def _pay_power_costs(world: World, deed: Deed) -> Procedure[None]:
    """Spend what a power costs: one of its uses or charges, Action Points, and HP.

    Only players' characters pay Action Points. Paying HP isn't damage, and triggers no reactions.
    """
    fight, combatant, power = Fight(world), deed.who, deed.power
    if has_limited_uses(power) and uses_per_fight(fight, combatant, power) is not None:
        used = [*fight.combatant(combatant).get("used", []), power["id"]]
        yield world.tell(PowerUsed(combatant), {combatant_path(combatant, "used"): used})
    if "charges" in power and fight.is_player(combatant):
        from strike_cli.systems.core.points_and_tricks import spend_charge  # few powers have any

        ref, back = fight.combatant(combatant)["ref"], power.get("back", "long")
        yield from spend_charge(world, ref, power["id"], power["charges"], back)
    if power.get("ap") and fight.is_player(combatant):
        yield from spend_action_point(world, fight.combatant(combatant)["ref"], power["name"], power["ap"])
    if "hp" in power:
        yield from pay_hp(world, combatant, power["hp"], power_with_owner(power, combatant))


def _play_reactions_to_declaration(world: World, deed: Deed) -> Procedure[Deed]:
    """Play the reactions to the declaration of an attack, target by target.

    Returns the deed with the targets that can still be reached. A creature that has taken a target's place is
    one of them.
    """
    if "declared" not in moments_with_reactions(world.book):
        return deed
    fight, left, instead, answered = Fight(world), list[str](), dict[str, str](), False
    for target in deed.aim.targets:
        if fight.is_out(target) or fight.is_out(deed.who):
            continue
        what = WillAttack(deed.who, target, power_with_owner(deed.power, deed.who))
        coming = yield from play_reactions_before(world, Impending("declared", deed.who, target, what))
        answered |= coming.answered
        if coming.redirected:
            instead[coming.redirected] = target
        elif not coming.prevented:
            left.append(target)
    if not answered or fight.is_out(deed.who):
        return deed
    aim = aim_at_remaining_targets(fight, deed._replace(aim=deed.aim.but(targets=tuple(left))))
    everybody = (*aim.targets, *(one for one in instead if one not in aim.targets))
    melee = aim.melee if aim.targets else deed.aim.melee
    return deed._replace(aim=aim.but(targets=everybody, melee=melee), instead=instead)


def _give_opportunities(world: World, deed: Deed) -> Procedure[list[OpportunityData]]:
    """Let each enemy next to the attacker take an Opportunity, if the attack is ranged (STR-TAC-08).

    Returns the Opportunities that were taken. An area attack gives none.
    """
    fight = Fight(world)
    taken: list[OpportunityData] = []
    if fight.is_out(deed.who):  # reactions come first, for instance those of Marked
        return taken
    if deed.aim.targets and not deed.aim.melee and not area_shape_of(deed.power):
        for foe in fight.adjacent_foes(deed.who):
            taken += yield from take_opportunity(world, foe, deed.who, AttackingBeside())
    return taken


def _is_still_able(fight: Fight, deed: Deed) -> bool:
    """Return whether the attacker is in the fight and can act.

    A power that takes No Action can also be used by an attacker that can't act.
    """
    if deed.power["action"] == "none":
        return not fight.is_out(deed.who)
    return not effect_banning(fight.world, deed.who, "act") and not fight.is_out(deed.who)


def _play_unrolled_steps(
    world: World, deed: Deed, part: Part, added: dict[str, list[str]]
) -> Procedure[None]:
    """Play the steps in a power's `part`; the part is one whose steps depend on no roll.

    A step that is about the target is played once for each target, any other step only once. The ids of
    statuses that were given are appended to `added`, by creature.
    """
    for step in deed.power.get(part, ()):
        about = deed.aim.targets if is_played_per_target(step) else ("",)
        for target in about:
            holding = conditions_met_before_roll(Fight(world), deed, target or deed.who)
            statuses = yield from do_steps(world, deed, [step], target, holding)
            if statuses:
                added.setdefault(target or step["to"], []).extend(statuses)


def _roll_attacks(world: World, deed: Deed) -> Procedure[list[AttackedData]]:
    attacks = []
    for number, target in enumerate(deed.aim.targets):
        fight = Fight(world)
        if not fight.is_out(target) and not fight.is_out(deed.who):
            attacks.append((yield from _attack_target(world, deed, target, number == 0)))
    return attacks


def _attack_target(world: World, deed: Deed, target: str, first: bool) -> Procedure[AttackedData]:
    fight = Fight(world)
    combatant, power = deed.who, deed.power
    bearing = attack_reasons(fight, combatant, target, power, deed.aim.melee, first)
    holding = conditions_met_before_roll(fight, deed, target, bearing.flanked)
    sources, modifiers = [*bearing.sources, *deed.sources], [*bearing.modifiers, *deed.modifiers]
    named = power_with_owner(power, combatant)
    guard = UNGUARDED
    if combined_effects(world, target).remaps:
        guard = {face: remap_die(world, target, face) for face in FACES}
    counts_as = {face: counts for face, (counts, _) in guard.items()}
    rolled = yield from _roll_attack_die(world, deed, target, sources, modifiers, counts_as)
    tokens = fight.combatant(combatant).get("miss_tokens", 0)
    asked = AttackInQuestion(combatant, named, target, partial(effect_in_short, fight, deed, target, holding))
    has_effect = bool(power["effect"])
    outcome = yield from decide_attack_result(asked, rolled, power["damage"], has_effect, tokens, counts_as)
    sets = {combatant_path(combatant, "miss_tokens"): tokens - outcome.tokens} if outcome.tokens else {}
    yield world.tell(_attack_fact(deed, target, rolled, outcome, guard), sets)
    strike = outcome.strike and fight.is_player(combatant)
    if strike:
        yield from give_strikes(world, combatant, AttackRollOfOne())
    if outcome.result == "critical":
        holding |= {"critical"}
    aimed_at = deed.instead.get(target, target)
    if outcome.result != "miss":
        target, outcome = yield from _play_reactions_to_hit(world, deed, target, outcome)
    hp_before = fight.combatant(target)["hp"]
    damage = yield from _deal_hit_damage(world, deed, target, outcome, holding)
    tally = deed.tally or DamageTally()
    so_far, tally.dealt = tally.dealt, damage  # amounts measure only what this roll has dealt
    added = yield from _play_steps_after_roll(world, deed, target, outcome, holding)
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
    yield from play_reactions_before(
        world, Impending(moment, combatant, target, HasHit(combatant, target, moment == "hit"))
    )
    return attacked


def _roll_attack_die(
    world: World,
    deed: Deed,
    target: str,
    sources: Sequence[Source],
    modifiers: Sequence[Modifier],
    counts_as: Mapping[int, int],
) -> Procedure[Rolled]:
    """Roll the die of an attack, and play the reactions to the die.

    `counts_as` has for each face the face that counts in its place.
    """
    fight, combatant = Fight(world), deed.who
    named = power_with_owner(deed.power, combatant)
    rerolled, matters = may_be_reacted_to(world, "rolled", target), None
    if not rerolled and not fight.combatant(combatant).get("miss_tokens"):
        plus = sum([item.value for item in modifiers])
        matters = make_attack_die_key(tuple(counts_as.values()), plus, fight.is_player(combatant))
    about = AttackOn(named, target)
    rolled = yield from roll_die(combatant, "attack", sources, modifiers, about=about, matters=matters)
    if not rerolled:
        return rolled
    again = AttackOn(named, target, again=True)
    roll = partial(roll_die, combatant, "attack", sources, modifiers, about=again)
    return (yield from _die_after_reactions(world, deed, target, rolled, roll, counts_as))


def _play_reactions_to_hit(
    world: World, deed: Deed, target: str, outcome: AttackResult
) -> Procedure[tuple[str, AttackResult]]:
    """Play the reactions to a hit that is about to happen. Returns the target and the result after them.

    A reaction may prevent the hit or redirect it to another target.
    """
    what = WillHit(deed.who, target, outcome.result)
    coming = yield from play_reactions_before(world, Impending("struck", deed.who, target, what))
    if coming.prevented or Fight(world).is_out(deed.who):
        outcome = outcome.but(times=0, effect=False, turned=True)
    return coming.redirected or target, outcome


def _deal_hit_damage(
    world: World, deed: Deed, target: str, outcome: AttackResult, holding: Collection[str]
) -> Procedure[int]:
    """Deal the damage of a hit, and return its amount in HP."""
    fight = Fight(world)
    if not outcome.deals_damage or fight.is_out(target):
        return 0
    damage, cause = _total_damage(fight, deed, target, outcome, holding)
    keywords = deed.power.get("keywords", ())
    harm = yield from deal_damage(world, target, damage, cause, by=deed.who, keywords=keywords)
    return harm["amount"]


UNGUARDED: Mapping[int, tuple[int, ActiveEffect | None]] = {face: (face, None) for face in FACES}
"""The value of each face against a target without effects on the die, in the form of `guard`."""


def _die_after_reactions(
    world: World,
    deed: Deed,
    target: str,
    rolled: Rolled,
    roll: Callable[[], Procedure[Rolled]],
    counts_as: Mapping[int, int],
) -> Procedure[Rolled]:
    """Play the reactions to the die of an attack roll, and return the roll that counts after them.

    `rolled` is the roll so far; `roll` makes a new one if a reaction rolls again. `counts_as` maps each face
    to the number as which it counts; it gives the result that reactions see.
    """

    def read_die_on_table(rolled: Rolled) -> tuple[int, str]:
        die = clamp_total(rolled.total)
        return die, str(attack_row(counts_as[die])["result"])

    coming = Impending(
        "rolled", deed.who, target, DieOnTable(deed.who, target), read=read_die_on_table, roll=roll
    )
    coming.set_current_roll(rolled)
    coming = yield from play_reactions_before(world, coming)
    return coming.rolled or rolled


def _total_damage(
    fight: Fight, deed: Deed, target: str, outcome: AttackResult, holding: Collection[str]
) -> tuple[int, Reason]:
    """Return the damage of a hit, changed by bonuses and the attacker's statuses; and its cause.

    The cause includes the reasons for all changes. A 6 doubles the bonuses only by the house rule
    `crit_doubles_bonus` (STR-TAC-09).
    """
    times = outcome.times if fight.world.book.house["crit_doubles_bonus"] else 1
    more = damage_bonuses(fight, deed, target, holding)
    whole = outcome.damage + times * sum(bonus.value for bonus in more)
    damage, why = damage_after_attackers_changes(
        fight, deed.who, whole, target, deed.power.get("keywords", ())
    )
    reasons = [*(Adds(times * bonus.value, bonus.reason) for bonus in more), *why]
    cause = power_with_owner(deed.power, deed.who)
    return damage, Because(cause, reasons) if reasons else cause


def _play_steps_after_roll(
    world: World, deed: Deed, target: str, outcome: AttackResult, holding: Collection[str]
) -> Procedure[list[str]]:
    """Play the Effect if the result has one, then the steps of a hit or a miss.

    Returns the ids of the statuses that were given. If Miss Tokens turned a miss into a hit, the steps of a
    hit aren't played (STR-TAC-10).
    """
    power, added = deed.power, []
    if outcome.effect:
        added += yield from do_steps(world, deed, power["effect"], target, holding)
    if outcome.result == "miss":
        # STR-TAC-25: "no Miss Effects" is for the one who has the status.
        if power.get("miss") and not effect_banning(world, deed.who, "miss-effect"):
            added += yield from do_steps(world, deed, power["miss"], target, holding)
    elif power.get("hit") and not outcome.turned:
        added += yield from do_steps(world, deed, power["hit"], target, holding)
    return added


class AttackBearing(Value):
    """What affects an attack roll: sources of Advantage, sources of Disadvantage, and modifiers.

    `flanked` is whether the attacker and an ally flank the target.
    """

    __slots__ = ("flanked", "modifiers", "sources")

    def __init__(self, sources: list[Source], modifiers: list[Modifier], flanked: bool) -> None:
        self.sources = sources
        self.modifiers = modifiers
        self.flanked = flanked


def attack_reasons(
    fight: Fight, actor: str, target: str, power: Power, melee: bool, first: bool
) -> AttackBearing:
    """Return the sources and modifiers of an attack roll in the present state (STR-TAC-20, 24).

    `first` is true for the first roll of a power: only that roll has Advantage from hiding.
    """
    known, asked = about(fight.world), (_compute_attack_reasons, actor, target, id(power), melee, first)
    found: tuple[Power, AttackBearing] | None = known.get(asked)
    if found is None:  # the power is stored, too, so that no other can get its id()
        found = known[asked] = power, _compute_attack_reasons(fight, actor, target, power, melee, first)
    return found[1]


def _compute_attack_reasons(
    fight: Fight, actor: str, target: str, power: Power, melee: bool, first: bool
) -> AttackBearing:
    world = fight.world
    range_ = "" if area_shape_of(power) else "melee" if melee else "ranged"  # an area is neither
    sources, modifiers = roll_reasons(
        world, actor, "attack", range_=range_, holds=partial(is_condition_met, fight, actor, target)
    )
    against, more = roll_reasons(
        world,
        target,
        "attack",
        side="against",
        range_=range_,
        holds=partial(is_condition_met, fight, target, actor),
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
    return AttackBearing(sources, modifiers, flanked=helper is not None)


def flanking_ally(fight: Fight, actor: str, target: str) -> str | None:
    """Return an ally with whom `actor` flanks the target, or None (STR-TAC-20)."""
    return next(_flanking_allies(fight, actor, target), None)


def _flanking_allies(fight: Fight, actor: str, target: str) -> Iterator[str]:
    (own, size), (theirs, as_large) = fight.square_and_size(actor), fight.square_and_size(target)
    for ally in fight.allies_of(actor):
        if fight.is_on_map(ally) and not effect_banning(fight.world, ally, "flank"):
            at, of_ally = fight.square_and_size(ally)
            if flanks(own, theirs, at, size, as_large, of_ally):
                yield ally


def _attack_fact(
    deed: Deed,
    target: str,
    rolled: Rolled,
    outcome: AttackResult,
    guard: Mapping[int, tuple[int, ActiveEffect | None]],
) -> Attacked:
    """Return the fact of an attack roll.

    The fact includes the Miss Tokens that were spent. From `guard` it has the status of the target that
    changes the die, if there is one.
    """
    combatant, power, tokens = deed.who, deed.power, outcome.tokens
    raised = add_miss_tokens(clamp_total(rolled.total), tokens)
    guarded = guard[raised][1]
    return Attacked(
        combatant,
        target,
        rolled,
        outcome.result,
        outcome.result != "miss",
        "" if power["kind"] == "basic" else power_with_owner(power, combatant),
        tokens,
        raised if tokens else 0,
        guarded.reason if guarded else "",
        outcome.die if guarded else 0,
        outcome.turned,
    )


def _give_token_for_misses(world: World, combatant: str, attacks: Sequence[AttackedData]) -> Procedure[bool]:
    """Give the attacker a Miss Token if every target was missed; return whether it got one (STR-TAC-10).

    By the house rule `miss_token`, one missed target is enough. Only players' characters get one.
    """
    missed = [attacked["result"] == "miss" for attacked in attacks]
    enough = any(missed) if world.book.house["miss_token"] == "any-missed" else bool(missed) and all(missed)
    if not enough or not Fight(world).is_player(combatant):
        return False
    yield from give_miss_tokens(world, combatant, 1)
    return True
