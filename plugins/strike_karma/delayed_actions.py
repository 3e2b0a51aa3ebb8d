"""Delayed actions: they are declared with the initiative, and rolled for when they take effect (CIN-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from strike_cli.plugin import Args, Procedure, Refused, World, listed

from .conditional_actions import BEGINS, ask_conditions, declare_action
from .facts import KarmaAbandoned, KarmaCompleted, KarmaDelayed
from .fight import OPEN, OVER, KarmaFight, has_uncompleted_action, public_words
from .standard_roll import Rolling, must_be_rollable, resolve_action

if TYPE_CHECKING:
    from .data import KarmaAbandonData, KarmaCompleteData, KarmaDelayData


class Delay(Rolling):
    """The arguments of `karma delay`: who acts, what they do, and the options of the roll.

    It takes effect after `segments` segments or, if `open`, when the actor says so. If `secret`, others don't
    learn what it is.
    """

    who: str
    what: str
    segments: int = 0
    open: bool = False
    secret: bool = False


class Complete(Rolling):
    """The arguments of `karma complete`: whose action takes effect, and further options of the roll.

    If `before`, it takes effect before the holder of the initiative declares an action.
    """

    who: str
    before: bool = False


def play_delay(world: World, args: Delay) -> Procedure[KarmaDelayData]:
    """Play `karma delay`: the action takes a turn now, and takes effect later.

    Raises Refused if `who` can't act now, has delayed an action already, lacks the dice, or says neither
    `segments` nor `open`.
    """
    fight = KarmaFight(world)
    one = fight.must_declare(args.who)
    if "delayed_action" in one:
        raise Refused(
            f"{fight.subject(args.who, 'is')} busy already: {one['delayed_action']['what']}.",
            f"`strike karma abandon {args.who}` drops it.",
        )
    if (args.segments < 1) != args.open:
        raise Refused("When does it take effect?", "Give --segments N, 1 or more, or --open to decide later.")
    if not args.what.strip():
        raise Refused(f"What does {one['name']} begin?", 'Give it: --what "a spell of fire".')
    must_be_rollable(world, args.who, args.rolling)
    what = args.what.strip()
    triggered = yield from declare_action(world, args.who, what, BEGINS)
    due = fight.segment + args.segments if args.segments else None
    kept = {"what": what, "round": fight.round, "segment": fight.segment, "roll": args.rolling.as_json()}
    kept |= {"secret": True} if args.secret else {}
    sets = fight.sets_turn_used(args.who)
    sets |= fight.sets(args.who, delayed_action={**kept, "due": due} if due else kept)
    yield world.tell(KarmaDelayed(args.who, what, due or 0, fight.is_group(args.who)), sets)
    return {
        "who": args.who,
        "what": what,
        "due": due,
        "triggered": triggered,
        "may_receive": fight.receivers(),
    }


def play_complete(world: World, args: Complete) -> Procedure[KarmaCompleteData]:
    """Play `karma complete`: a delayed action takes effect, and is rolled for.

    Raises Refused if `who` has delayed nothing, or if it isn't the time.
    """
    fight = KarmaFight(world)
    one = fight.present(args.who)
    if "delayed_action" not in one:
        at_it = [combatant for combatant in fight.there() if "delayed_action" in fight.people[combatant]]
        raise Refused(f"{fight.subject(args.who, 'has')} delayed nothing.", f"Delayed: {listed(at_it)}.")
    _must_be_time(fight, args.who, args.before)
    must_be_rollable(world, args.who, args.over(one["delayed_action"]["roll"]))
    return (yield from take_effect(world, args.who, args))


def _must_be_time(fight: KarmaFight, combatant: str, before: bool) -> None:
    """Raise Refused if it isn't the time for a delayed action.

    One that is due in a segment takes effect as that begins. Any other takes effect in a later segment than
    it began in: after the holder's action or, if `before`, before the holder declares one.
    """
    delayed, name = fight.people[combatant]["delayed_action"], fight.name(combatant)
    if due := delayed.get("due"):
        if fight.stage == OVER or fight.segment < due:
            raise Refused(
                f"{name}: {delayed['what']} takes effect as segment {due} begins.",
                f"This is segment {fight.segment}. `strike karma abandon {combatant}` drops it.",
            )
        return
    if (delayed["round"], delayed["segment"]) == (fight.round, fight.segment):
        raise Refused(
            f"{fight.subject(combatant, 'has')} only begun it in this segment.",
            "`strike karma pass WHO` goes on.",
        )
    if fight.stage == OPEN and not before:
        raise Refused(
            f"{fight.subject(fight.holder or '', 'has')} yet to declare.",
            f"`strike karma complete {combatant} --before` resolves it first; or wait until they have acted.",
        )
    if fight.stage != OPEN and before:
        raise Refused(
            "The action of this segment is declared.", "Without --before it resolves after that action."
        )


def take_effect(world: World, combatant: str, said: Rolling) -> Procedure[KarmaCompleteData]:
    """Play a delayed action that takes effect; `said` has further options of the roll.

    If it was carried over from an earlier round, the actor can act again in this one.
    """
    fight = KarmaFight(world)
    delayed = fight.people[combatant]["delayed_action"]
    carried = fight.is_carrying(combatant)
    sets = fight.sets_going_on() | fight.sets(combatant, delayed_action=None)
    yield world.tell(KarmaCompleted(combatant, delayed["what"], fight.is_group(combatant)), sets)
    triggered = yield from ask_conditions(world, combatant)
    data = yield from resolve_action(world, combatant, delayed["what"], said.over(delayed["roll"]))
    return {**data, "triggered": triggered, "refreshed": carried}


KINDS = ("delayed", "conditional")


class Abandon(Args):
    """The arguments of `karma abandon`: who gives up an action, and of which kind if they have two."""

    who: str
    kind: Literal["", "delayed", "conditional"] = ""


def play_abandon(world: World, args: Abandon) -> Procedure[KarmaAbandonData]:
    """Play `karma abandon`: somebody gives up an uncompleted action, which is possible at any time.

    After a delayed action from an earlier round they can act again. Raises Refused if they have no such
    action, or two and `kind` is "".
    """
    fight = KarmaFight(world)
    one = fight.present(args.who)
    there = [kind for kind in KINDS if f"{kind}_action" in one]
    kinds = [kind for kind in there if args.kind in ("", kind)]
    if not kinds:
        at_it = [combatant for combatant in fight.there() if has_uncompleted_action(fight.people[combatant])]
        raise Refused(
            f"{fight.subject(args.who, 'has')} nothing to abandon.", f"Uncompleted: {listed(at_it)}."
        )
    if len(kinds) > 1:
        raise Refused(f"{fight.subject(args.who, 'has')} both.", "Add --delayed or --conditional.")
    yield from give_up(world, args.who, kinds[0])
    return {"who": args.who, "kind": kinds[0], "available": args.who in fight.able()}


def give_up(world: World, combatant: str, kind: str) -> Procedure[None]:
    """Let a combatant give up their uncompleted action of a kind, "delayed" or "conditional"."""
    fight = KarmaFight(world)
    action = fight.uncompleted_of(combatant, kind)
    assert action is not None  # checked by the caller
    what = public_words(action)
    sets = fight.sets_going_on() | fight.sets(combatant, **{f"{kind}_action": None})
    yield world.tell(KarmaAbandoned(combatant, what, fight.is_group(combatant)), sets)
