"""What everybody can do besides the basic attacks and the charge: Assess, improvise, roll a Skill
(STR-TAC-13, 14); and Strikes and Miss Tokens from the game master's hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused
from strike_cli.systems.core.skill import RollSkill, play_skill
from strike_cli.tabletop.contributions import ban_on, reasons_for
from strike_cli.tabletop.dice import roll_die

from .attack import given_reasons, perform
from .effects import gain_tokens
from .fight import ACTIONS, Fight, action_taken, path_of
from .harm import gain_strike
from .numbers import numbers
from .powers import MELEE_BASIC, Deed, must_not_be_held_to_basics, power_of, take_aim

Args = Mapping[str, Any]
SKILL_ACTIONS = (*ACTIONS, "free", "none")
"""What a Skill Roll in a fight may take, as the game master says."""


# Assess


def play_assess(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`combat assess`: a Role Action; a die says how many questions may be asked (STR-TAC-13). Args: who."""
    fight, who = Fight(world), args["who"]
    action = fight.must_be_able(who, "role")
    yield action_taken(fight, who, action)
    reasons, modifiers = reasons_for(world, who, "assess")
    rolled = yield from roll_die(who, "assess", reasons, modifiers)
    questions = max(1, min(6, rolled.total))
    count = "one question" if questions == 1 else f"{questions} questions"
    text = f"{fight.name(who)} assesses: {rolled.words()}, {count}."
    yield world.happen("rolled", who, text, roll=rolled.as_json())
    return {"who": who, "roll": rolled.as_json(), "questions": questions, "ask": numbers()["assess"]}


# Improvising


def play_improvise(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`combat improvise`: an attack that is on no sheet: about 3 damage and an effect that the game master
    says, weaker when somebody does it again in a fight (STR-TAC-14, conflict C-10).

    Args: who, targets, what (in words), adv, dis, mods; optional: damage, range (squares), status, ends.
    """
    fight, who = Fight(world), args["who"]
    action = fight.must_be_able(who, "attack")
    must_not_be_held_to_basics(fight, who)
    before = fight.combatant(who).get("improvised", 0)
    power = _improvised(fight, who, args, before)
    deed = Deed(who, power, take_aim(fight, who, power, args["targets"]), *given_reasons(args))
    yield action_taken(fight, who, action)
    yield world.happen("improvised", who, "", {path_of(who, "improvised"): before + 1})
    came = yield from perform(world, deed)
    return {**came, "power": "improvised", "what": args["what"], "again": bool(before)}


def _improvised(fight: Fight, who: str, args: Args, before: int) -> dict[str, Any]:
    """An improvised attack in the form of a power."""
    table = numbers()["improvise"]["damage"]
    reach = power_of(fight, who, MELEE_BASIC)["reach"]
    ranged = fight.sheet(who).get("ranged") or {"range": numbers()["defaults"]["ranged"]}
    strength = "weaker than before" if before else "strong"
    step = {"do": "note", "to": "target", "text": f"an effect, {strength}, as the game master says."}
    if args.get("status"):
        duration = {"duration": args.get("ends", "save"), "until": args.get("until")}
        step = {"do": "apply", "to": "target", "status": args["status"], **duration}
    damage = args.get("damage")
    return {
        "id": "improvised",
        "name": args["what"] or "an improvised attack",
        "action": "attack",
        "usage": "at-will",
        "kind": "special",
        "reach": reach,
        "range": args.get("range") or ranged["range"],
        "targets": len(args["targets"]) or 1,
        "damage": table[min(before, len(table) - 1)] if damage is None else damage,
        "effect": [step],
    }


# Skills


def play_skill_in_combat(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`combat skill`: a Skill Roll in a fight. Each Cost is a Strike in its place, for helpers too; a Twist
    may be no more than the action wasted (STR-TAC-14).

    Args: those of `roll skill`, and action: attack, move, role, free or none, as the game master says.
    """
    fight, who = Fight(world), args["who"]
    action = args["action"]
    if action in ACTIONS:
        action = fight.must_be_able(who, action)
        yield action_taken(fight, who, action)
    elif action == "free":
        fight.must_be_active(who)
        if reason := ban_on(world, who, "act", 1):
            raise Refused(f"{fight.name(who)} can't act: {reason}.")
    helpers = [helper["name"] for helper in args["helpers"]]
    # Costs are settled here, so none is asked for there.
    roll = {key: value for key, value in args.items() if key != "action"}
    waived = ["waive"] * 2 * (1 + len(helpers))
    data = yield from play_skill(world, RollSkill.read({**roll, "costs": waived}))
    strikes: dict[str, int] = {}
    for payer, count in ((who, data["costs"]), *((name, int(data["costs"] > 0)) for name in helpers)):
        if count and payer in fight.data["combatants"] and fight.is_player(payer):
            yield from gain_strike(world, payer, f"the Cost of {args['skill'] or 'a roll'}", count)
            strikes[payer] = count
    if data["outcome"] == "twist" and action in ACTIONS:
        yield world.happen("noted", who, f"A Twist: it may be no more than the {action} action wasted.")
    return {**data, "action": args["action"], "strikes": strikes}


# The game master's hand


def play_strike(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`combat strike`: Strikes for a player's character (STR-TAC-17). Args: who, n, why."""
    who = _player(Fight(world), args["who"], "Strikes")
    yield from gain_strike(world, who, args["why"] or "the game master says so", args["n"])
    return {"who": who, "strikes": world.get(path_of(who, "strikes"))}


def play_token(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`combat token`: Miss Tokens for a player's character (STR-TAC-10). Args: who, n."""
    who = _player(Fight(world), args["who"], "Miss Tokens")
    yield from gain_tokens(world, who, args["n"])
    return {"who": who, "miss_tokens": world.get(path_of(who, "miss_tokens"))}


def _player(fight: Fight, who: str, what: str) -> str:
    if not fight.is_player(who):
        raise Refused(f"{fight.name(who)} takes no {what}: only the players' characters do.")
    return who
