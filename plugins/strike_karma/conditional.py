"""Conditional actions: they wait for something outside of one's control, and come before it (CIN-06)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import Choose, Procedure, Refused, World, listed

from .facts import ConditionOf, GoesOn, KarmaDeclared, KarmaSetCondition, KarmaTriggered, WhoseCondition
from .fight import KarmaFight
from .standard_roll import Rolling, must_be_rollable, resolve

if TYPE_CHECKING:
    from .data import KarmaTriggerData, KarmaWhenData

NONE = "none"
GAME_MASTER = "the game master"


class When(Rolling):
    """Who does what if what; whether players are told what is waited for."""

    who: str
    if_: str
    what: str
    secret: bool = False


class ConditionMet(Rolling):
    """Whose condition has come about; what is said of the roll goes before what was said with it."""

    who: str


def play_when(world: World, args: When) -> Procedure[KarmaWhenData]:
    """`karma when`: it takes the initiative now, and is rolled for when it comes about."""
    fight = KarmaFight(world)
    one = fight.must_declare(args.who)
    if "conditional_action" in one:
        before = one["conditional_action"]["if"]
        raise Refused(
            f"{fight.subject(args.who, 'waits')} already: if {before}.",
            f"`strike karma abandon {args.who}` first.",
        )
    if not args.if_.strip() or not args.what.strip():
        raise Refused(
            "The condition and the action are missing.", 'Give both: --if "he moves" --what "shoots".'
        )
    must_be_rollable(world, args.who, args.rolling)
    triggered = yield from declare(world, args.who, args.if_, CONDITION)
    condition, then = args.if_.strip(), args.what.strip()
    kept = {"if": condition, "what": then, "round": fight.round}
    sets = fight.sets_turn_used(args.who)
    hidden = {"secret": True} if args.secret else {}
    sets |= fight.sets(args.who, conditional_action={**kept, "roll": args.rolling.as_json(), **hidden})
    waits = KarmaSetCondition(args.who, args.if_.strip(), args.what.strip(), fight.is_group(args.who))
    yield world.tell(waits, sets)
    return {"who": args.who, "if": condition, "what": then, "triggered": triggered}


def play_trigger(world: World, args: ConditionMet) -> Procedure[KarmaTriggerData]:
    """`karma trigger`: the condition comes about; what brings it about comes after it."""
    fight = KarmaFight(world)
    one = fight.present(args.who)
    if "conditional_action" not in one:
        waiting = [who for who in fight.there() if "conditional_action" in fight.people[who]]
        raise Refused(f"{fight.subject(args.who, 'waits')} for nothing.", f"Waiting: {listed(waiting)}.")
    if not is_ready(fight, args.who):
        raise Refused(
            f"{fight.subject(args.who, 'has')} no initiative left in round {fight.round}, and a condition "
            "that was carried over uses it.",
            f"It waits for the next round; `strike karma abandon {args.who}` drops it.",
        )
    must_be_rollable(world, args.who, args.over(one["conditional_action"]["roll"]))
    return (yield from come_about(world, args.who, args))


def is_ready(fight: KarmaFight, who: str) -> bool:
    """Return whether somebody's condition may come about now.

    Their initiative refreshes while the condition is carried over, and is used when it comes about.
    """
    conditional = fight.people[who].get("conditional_action")
    if conditional is None:
        return False
    return bool(conditional["round"] == fight.round) or fight.turns_left(who) > 0


def come_about(world: World, who: str, said: Rolling) -> Procedure[KarmaTriggerData]:
    """Play a condition that comes about, before its cause."""
    fight = KarmaFight(world)
    one = fight.people[who]
    conditional = one["conditional_action"]
    carried = conditional["round"] < fight.round
    sets = fight.sets_turn_used(who) if carried else fight.sets_going_on()
    sets |= fight.sets(who, conditional_action=None)
    yield world.tell(KarmaTriggered(who, conditional["if"]), sets)
    triggered = yield from ask_conditions(world, who)
    data = yield from resolve(world, who, conditional["what"], said.over(conditional["roll"]))
    return {**data, "if": conditional["if"], "triggered": triggered}


ACT, CONDITION, BEGINS = "act", "condition", "begins"
"""What is declared: an action, what one will act upon, or what takes effect later."""


def declare(world: World, who: str, words: str, what: str = ACT) -> Procedure[list[str]]:
    """Somebody says what they do, and the conditions that it meets come first (CIN-08). Returns whose."""
    fight = KarmaFight(world)
    if _waiting(fight, who):
        yield world.tell(KarmaDeclared(who, what, words, fight.is_group(who)))
    return (yield from ask_conditions(world, who))


def ask_conditions(world: World, doer: str) -> Procedure[list[str]]:
    """Ask the game master which conditions an action meets, one after the other."""
    fight, triggered = KarmaFight(world), []
    while waiting := _waiting(fight, doer):
        labels = (GoesOn(), *(_condition_of(fight, who) for who in waiting))
        secret = any(fight.people[who]["conditional_action"].get("secret") for who in waiting)
        answer: str = yield Choose(
            GAME_MASTER,
            f"whose condition {doer} meets",
            (NONE, *waiting),
            labels,
            secret=secret,
            about=WhoseCondition(doer),
            formerly=f"whose condition {fight.name(doer)} meets",
        )
        if answer == NONE:
            break
        triggered.append(answer)
        yield from come_about(world, answer, Rolling())
    return triggered


def _waiting(fight: KarmaFight, doer: str) -> list[str]:
    return [who for who in fight.there() if who != doer and is_ready(fight, who)]


def _condition_of(fight: KarmaFight, who: str) -> ConditionOf:
    waits = fight.people[who]["conditional_action"]
    return ConditionOf(who, waits["if"], waits["what"])
