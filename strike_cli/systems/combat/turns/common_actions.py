"""Actions that everybody can take, besides basic attacks (STR-TAC-13, 14).

They are Assess, improvised attacks, and Skill Rolls in a fight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Said
from strike_cli.problems import Refused
from strike_cli.systems.core.skill_roll import RollingSide, RollSkill, play_skill
from strike_cli.tabletop.active_effects import effect_banning, roll_reasons_from_effects
from strike_cli.tabletop.dice import clamp_total, roll_die

from ..facts.harm import CostOfRoll
from ..facts.powers_and_fight_events import Noted
from ..facts.turns_and_actions import (
    AssessRolled,
    Improvised,
    ImprovisedAttack,
    ImprovisedEffect,
    TwistWastes,
)
from ..fight_state import ACTIONS, ActorArgs, Fight, action_taken_fact, combatant_path
from ..health_and_statuses import duration_and_until_keys_of_step, give_strikes
from ..powers.power_use import ask_and_record_declined_attack, perform_power, power_result
from ..powers.powers_and_targets import (
    ActorWithRollReasons,
    PowerUse,
    aim_power,
    must_be_allowed_non_basics,
    require_power_as_user_has_it,
)
from ..powers.standard_powers_and_use_limits import MELEE_BASIC, Power
from ..rule_numbers import combat_numbers

if TYPE_CHECKING:
    from ..data import AssessData, CombatSkillData, ImproviseData
    from ..steps import StepTable

ACTIONS_FOR_SKILL_ROLL = (*ACTIONS, "free", "none")
"""The actions that a Skill Roll in a fight may take; the game master decides which."""


# Assess


def play_assess(world: World, args: ActorArgs) -> Procedure[AssessData]:
    """Play `combat assess`: spend a Role Action to ask questions (STR-TAC-13).

    A die decides how many questions the combatant can ask.
    """
    fight, combatant = Fight(world), args.who
    action = fight.action_to_spend(combatant, "role")
    yield action_taken_fact(fight, combatant, action)
    reasons, modifiers = roll_reasons_from_effects(world, combatant, "assess")
    rolled = yield from roll_die(combatant, "assess", reasons, modifiers)
    questions = clamp_total(rolled.total)
    yield world.tell(AssessRolled(combatant, rolled, questions))
    return {
        "who": combatant,
        "roll": rolled.as_json(),
        "questions": questions,
        "ask": combat_numbers()["assess"],
    }


# Improvising


class Improvise(ActorWithRollReasons):
    """The arguments of `combat improvise`: the targets, and `what` the attacker does, in words.

    `damage` (in HP) and `range` (in squares) replace the usual numbers. `status` is the full id of a status
    that the Effect gives. `ends` is the status's duration, and `until` the fact that ends it.
    """

    targets: Sequence[str] = ()
    what: str = ""
    damage: int | None = None
    range: int | None = None
    status: str = ""
    ends: str = "save"
    until: str = ""

    RETIRED = ("sure",)


def play_improvise(world: World, args: Improvise) -> Procedure[ImproviseData]:
    """Play `combat improvise`: an attack that is on no sheet (STR-TAC-14, conflict C-10).

    The attack deals about 3 damage, and the game master chooses its effect. Both are weaker if the combatant
    has already improvised in this fight.
    """
    fight, combatant = Fight(world), args.who
    action = fight.action_to_spend(combatant, "attack")
    must_be_allowed_non_basics(fight, combatant)
    before = fight.combatant(combatant).get("improvised", 0)
    power = _improvised_power(fight, args, before)
    aim = aim_power(fight, combatant, power, args.targets)
    use = PowerUse(combatant, power, aim, args.sources, args.modifiers)
    if world.confirms and (yield from ask_and_record_declined_attack(fight, use)):
        return {**power_result(fight, use), "what": args.what, "again": bool(before)}
    yield action_taken_fact(fight, combatant, action)
    yield world.tell(Improvised(combatant), {combatant_path(combatant, "improvised"): before + 1})
    attack = yield from perform_power(world, use)
    return {**attack, "what": args.what, "again": bool(before)}


def _improvised_power(fight: Fight, args: Improvise, times_improvised: int) -> Power:
    """Return the improvised attack as a power.

    `times_improvised` is how often the combatant has improvised in this fight.
    """
    table = combat_numbers()["improvise"]["damage"]
    reach = require_power_as_user_has_it(fight, args.who, MELEE_BASIC)["reach"]
    ranged = fight.sheet(args.who).get("ranged") or {"range": combat_numbers()["defaults"]["ranged"]}
    step: StepTable = {"do": "note", "to": "target", "said": ImprovisedEffect(bool(times_improvised))}
    if args.status:
        lasts = duration_and_until_keys_of_step(fight.world.book, args.ends, args.until)
        step = {"do": "apply", "to": "target", "status": args.status, "duration": lasts["duration"]}
        step["until"] = lasts.get("until", "")
    return {
        "id": "improvised",
        "name": args.what or "an improvised attack",
        "called": Said(args.what) if args.what else ImprovisedAttack(),
        "action": "attack",
        "usage": "at-will",
        "kind": "special",
        "reach": reach,
        "range": args.range or ranged["range"],
        "targets": len(args.targets) or 1,
        "damage": table[min(times_improvised, len(table) - 1)] if args.damage is None else args.damage,
        "effect": [step],
    }


# Skills


class SkillInCombat(RollingSide):
    """The arguments of `combat skill`: a Skill Roll, and the `action` that it takes.

    The game master decides which action that is.
    """

    action: Literal["attack", "move", "role", "free", "none"] = "role"


def play_skill_in_combat(world: World, args: SkillInCombat) -> Procedure[CombatSkillData]:
    """Play `combat skill`: a Skill Roll in a fight (STR-TAC-14).

    Where a Cost would be paid, the roller and the helpers take Strikes. The worst that a Twist may do is to
    waste the action.
    """
    fight, combatant = Fight(world), args.who
    action: str = args.action
    if action in ACTIONS:
        action = fight.action_to_spend(combatant, action)
        yield action_taken_fact(fight, combatant, action)
    elif action == "free":
        fight.must_be_active(combatant)
        if reason := effect_banning(world, combatant, "act", 1):
            raise Refused(f"{fight.name(combatant)} can't act: {reason.name}.")
    helpers = [helper.name for helper in args.helpers]
    # Strikes replace Costs here, so `play_skill` asks for none.
    own = {field: getattr(args, field) for field in RollingSide.FIELDS}
    own |= {"known": args.known and fight.is_player(combatant), "costs": ["waive"] * 2 * (1 + len(helpers))}
    data = yield from play_skill(world, RollSkill(**own))
    strikes: dict[str, int] = {}
    for payer, count in ((combatant, data["costs"]), *((name, 1) for name in helpers)):
        if data["costs"] and payer in fight.data["combatants"] and fight.is_player(payer):
            yield from give_strikes(world, payer, CostOfRoll(data["skill"]), count)
            strikes[payer] = count
    if data["outcome"] == "twist" and action in ACTIONS:
        yield world.tell(Noted(combatant, TwistWastes(action)))
    return {**data, "action": args.action, "strikes": strikes}
