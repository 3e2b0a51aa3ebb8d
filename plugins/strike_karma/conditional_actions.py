"""Conditional actions: an action waits for an event, and is then played before it (CIN-06)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import Choose, Procedure, Refused, World, listed

from .facts import ConditionOf, GoesOn, KarmaDeclared, KarmaSetCondition, KarmaTriggered, WhoseCondition
from .fight_state import KarmaFight
from .standard_roll import RollOptions, must_be_rollable, resolve_action

if TYPE_CHECKING:
    from .data import KarmaTriggerData, KarmaWhenData

NONE = "none"
GAME_MASTER = "the game master"


class When(RollOptions):
    """The arguments of `karma when`: the actor, a condition (`if_`), and the action for it (`what`).

    With `secret`, others learn neither the condition nor the action.
    """

    who: str
    if_: str
    what: str
    secret: bool = False


class ConditionMet(RollOptions):
    """The arguments of `karma trigger`: the condition of a combatant's action is met.

    `who` is the combatant. The other arguments are options of the roll. They replace those that were declared
    with the action.
    """

    who: str


def play_when(world: World, args: When) -> Procedure[KarmaWhenData]:
    """Play `karma when`: use the turn now for an action that waits for a condition.

    When the condition is met, the action is played, and its dice are rolled. Raises Refused if `who` can't
    act now, already has a conditional action, or lacks the dice. Also raises Refused if the condition or the
    action is missing.
    """
    fight = KarmaFight(world)
    one = fight.must_be_free_to_declare(args.who)
    if "conditional_action" in one:
        before = one["conditional_action"]["if"]
        raise Refused(
            f"{fight.name_and_verb(args.who, 'waits')} already: if {before}.",
            f"`strike karma abandon {args.who}` first.",
        )
    if not args.if_.strip() or not args.what.strip():
        raise Refused(
            "The condition and the action are missing.", 'Give both: --if "he moves" --what "shoots".'
        )
    must_be_rollable(world, args.who, args.roll_options)
    triggered = yield from declare_and_play_met_conditions(world, args.who, args.if_, CONDITION)
    condition, then = args.if_.strip(), args.what.strip()
    kept = {"if": condition, "what": then, "round": fight.round}
    sets = fight.sets_turn_used_and_holds_cleared(args.who)
    hidden = {"secret": True} if args.secret else {}
    sets |= fight.sets(args.who, conditional_action={**kept, "roll": args.roll_options.as_json(), **hidden})
    waits = KarmaSetCondition(args.who, args.if_.strip(), args.what.strip(), fight.is_group(args.who))
    yield world.tell(waits, sets)
    return {"who": args.who, "if": condition, "what": then, "triggered": triggered}


def play_trigger(world: World, args: ConditionMet) -> Procedure[KarmaTriggerData]:
    """Play `karma trigger`: play a combatant's conditional action, since its condition is met.

    Raises Refused if the combatant has no conditional action. Also raises Refused if the action is from an
    earlier round and the combatant has no turn left in this round.
    """
    fight = KarmaFight(world)
    one = fight.require_present(args.who)
    if "conditional_action" not in one:
        waiting = [
            combatant
            for combatant in fight.combatants_there()
            if "conditional_action" in fight.people[combatant]
        ]
        raise Refused(
            f"{fight.name_and_verb(args.who, 'waits')} for nothing.", f"Waiting: {listed(waiting)}."
        )
    if not has_triggerable_action(fight, args.who):
        raise Refused(
            f"{fight.name_and_verb(args.who, 'has')} no initiative left in round {fight.round}, "
            f"and a condition "
            "that was carried over uses it.",
            f"It waits for the next round; `strike karma abandon {args.who}` drops it.",
        )
    must_be_rollable(world, args.who, args.override_declared(one["conditional_action"]["roll"]))
    return (yield from play_triggered_action(world, args.who, args))


def has_triggerable_action(fight: KarmaFight, combatant: str) -> bool:
    """Return whether a combatant has a conditional action that can be triggered now.

    An action from an earlier round can be triggered only if the combatant has a turn left in this round.
    """
    conditional = fight.people[combatant].get("conditional_action")
    if conditional is None:
        return False
    return bool(conditional["round"] == fight.round) or fight.turns_left(combatant) > 0


def play_triggered_action(world: World, combatant: str, options: RollOptions) -> Procedure[KarmaTriggerData]:
    """Play a combatant's conditional action, now that its condition is met.

    The options of the roll were declared with the action. `options` has the options that override the
    declared ones.
    """
    fight = KarmaFight(world)
    one = fight.people[combatant]
    conditional = one["conditional_action"]
    carried = conditional["round"] < fight.round
    sets = fight.sets_turn_used_and_holds_cleared(combatant) if carried else fight.sets_holds_cleared()
    sets |= fight.sets(combatant, conditional_action=None)
    yield world.tell(KarmaTriggered(combatant, conditional["if"]), sets)
    triggered = yield from ask_and_play_met_conditions(world, combatant)
    data = yield from resolve_action(
        world, combatant, conditional["what"], options.override_declared(conditional["roll"])
    )
    return {**data, "if": conditional["if"], "triggered": triggered}


ACT, CONDITION, BEGINS = "act", "condition", "begins"
"""What somebody declares: an action, a conditional action, or the beginning of a delayed one."""


def declare_and_play_met_conditions(
    world: World, combatant: str, words: str, kind: str = ACT
) -> Procedure[list[str]]:
    """Declare a combatant's action, and play the conditional actions that it triggers (CIN-08).

    Returns the ids of the combatants whose actions were triggered. The declaration is reported only if
    another combatant waits for a condition.
    """
    fight = KarmaFight(world)
    if _others_with_triggerable_action(fight, combatant):
        yield world.tell(KarmaDeclared(combatant, kind, words, fight.is_group(combatant)))
    return (yield from ask_and_play_met_conditions(world, combatant))


def ask_and_play_met_conditions(world: World, actor: str) -> Procedure[list[str]]:
    """Ask the game master whose conditional action is triggered by the actor's action, and play it.

    The choice is among the other combatants who wait with a conditional action. After each triggered action,
    the game master is asked again. This ends when the game master names nobody, or when no one else waits.
    Returns the ids of the combatants whose conditional actions were played.
    """
    fight, triggered = KarmaFight(world), []
    while waiting := _others_with_triggerable_action(fight, actor):
        actions = {combatant: fight.people[combatant]["conditional_action"] for combatant in waiting}
        labels = (
            GoesOn(),
            *(ConditionOf(one, action["if"], action["what"]) for one, action in actions.items()),
        )
        secret = any(action.get("secret") for action in actions.values())
        answer: str = yield Choose(
            GAME_MASTER,
            f"whose condition {actor} meets",
            (NONE, *waiting),
            labels,
            secret=secret,
            about=WhoseCondition(actor),
            formerly=f"whose condition {fight.name(actor)} meets",
        )
        if answer == NONE:
            break
        triggered.append(answer)
        yield from play_triggered_action(world, answer, RollOptions())
    return triggered


def _others_with_triggerable_action(fight: KarmaFight, actor: str) -> list[str]:
    return [
        combatant
        for combatant in fight.combatants_there()
        if combatant != actor and has_triggerable_action(fight, combatant)
    ]
