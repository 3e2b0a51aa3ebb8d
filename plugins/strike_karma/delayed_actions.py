"""Delayed actions: they are declared with the initiative, and take effect later (CIN-05).

The roll is made when the action takes effect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from strike_cli.plugin import Args, Procedure, Refused, World, listed

from .conditional_actions import BEGINS, ask_and_play_met_conditions, declare_and_play_met_conditions
from .facts import KarmaAbandoned, KarmaCompleted, KarmaDelayed
from .fight_state import OPEN, OVER, KarmaFight, description_unless_secret, has_uncompleted_action
from .standard_roll import RollOptions, must_be_rollable, resolve_action

if TYPE_CHECKING:
    from .data import KarmaAbandonData, KarmaCompleteData, KarmaDelayData


class Delay(RollOptions):
    """The arguments of `karma delay`: who acts, what they do, and the options of the roll.

    The action takes effect after `segments` segments or, with `open`, whenever the actor says so. With
    `secret`, others don't learn what the action is.
    """

    who: str
    what: str
    segments: int = 0
    open: bool = False
    secret: bool = False


class Complete(RollOptions):
    """The arguments of `karma complete`: whose delayed action takes effect, and options of the roll.

    The options replace those that were declared with the action. With `before`, the delayed action takes
    effect before the holder of the initiative declares an action.
    """

    who: str
    before: bool = False


def play_delay(world: World, args: Delay) -> Procedure[KarmaDelayData]:
    """Play `karma delay`: begin an action that uses a turn now and takes effect later.

    Give either `segments` or `open`: the number of segments until the effect, or True to decide that later.
    Raises Refused if both are given, or neither. Also raises Refused if `who` can't act now, has a delayed
    action already, or lacks the dice.
    """
    fight = KarmaFight(world)
    one = fight.must_be_free_to_declare(args.who)
    if "delayed_action" in one:
        raise Refused(
            f"{fight.name_and_verb(args.who, 'is')} busy already: {one['delayed_action']['what']}.",
            f"`strike karma abandon {args.who}` drops it.",
        )
    if (args.segments < 1) != args.open:
        raise Refused("When does it take effect?", "Give --segments N, 1 or more, or --open to decide later.")
    if not args.what.strip():
        raise Refused(f"What does {one['name']} begin?", 'Give it: --what "a spell of fire".')
    must_be_rollable(world, args.who, args.roll_options)
    what = args.what.strip()
    triggered = yield from declare_and_play_met_conditions(world, args.who, what, BEGINS)
    due = fight.segment + args.segments if args.segments else None
    kept = {"what": what, "round": fight.round, "segment": fight.segment, "roll": args.roll_options.as_json()}
    kept |= {"secret": True} if args.secret else {}
    sets = fight.sets_turn_used_and_holds_cleared(args.who)
    sets |= fight.sets(args.who, delayed_action={**kept, "due": due} if due else kept)
    yield world.tell(KarmaDelayed(args.who, what, due or 0, fight.is_group(args.who)), sets)
    return {
        "who": args.who,
        "what": what,
        "due": due,
        "triggered": triggered,
        "may_receive": fight.next_holders_or_next_round_starters(),
    }


def play_complete(world: World, args: Complete) -> Procedure[KarmaCompleteData]:
    """Play `karma complete`: a delayed action takes effect, and is rolled for.

    Raises Refused if `who` has no delayed action, if it can't take effect now, or if `who` lacks the dice.
    """
    fight = KarmaFight(world)
    one = fight.require_present(args.who)
    if "delayed_action" not in one:
        at_it = [
            combatant for combatant in fight.combatants_there() if "delayed_action" in fight.people[combatant]
        ]
        raise Refused(
            f"{fight.name_and_verb(args.who, 'has')} delayed nothing.", f"Delayed: {listed(at_it)}."
        )
    _must_be_time_to_complete(fight, args.who, args.before)
    must_be_rollable(world, args.who, args.override_declared(one["delayed_action"]["roll"]))
    return (yield from play_delayed_action(world, args.who, args))


def _must_be_time_to_complete(fight: KarmaFight, combatant: str, before: bool) -> None:
    """Raise Refused if a combatant's delayed action can't take effect now.

    An action with a fixed segment can take effect from the beginning of that segment to the end of the round.

    An action without a fixed segment can't take effect in the segment in which it was begun. In a later
    segment, it takes effect before or after that segment's own action. `before` is True if "before" is
    wanted. Until the holder of the initiative has declared the segment's action, only True is accepted.
    Afterwards, only False is accepted.
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
            f"{fight.name_and_verb(combatant, 'has')} only begun it in this segment.",
            "`strike karma pass WHO` goes on.",
        )
    if fight.stage == OPEN and not before:
        raise Refused(
            f"{fight.name_and_verb(fight.initiative_holder or '', 'has')} yet to declare.",
            f"`strike karma complete {combatant} --before` resolves it first; or wait until they have acted.",
        )
    if fight.stage != OPEN and before:
        raise Refused(
            "The action of this segment is declared.", "Without --before it resolves after that action."
        )


def play_delayed_action(world: World, combatant: str, options: RollOptions) -> Procedure[KarmaCompleteData]:
    """Play a combatant's delayed action, which takes effect now.

    `options` replace the options of the roll that were declared with the action. An action from an earlier
    round has taken up one turn of the combatant in this round. When the action is completed, the combatant
    has this turn again, and `refreshed` in the result is true.
    """
    fight = KarmaFight(world)
    delayed = fight.people[combatant]["delayed_action"]
    carried = fight.has_carried_over_delayed_action(combatant)
    sets = fight.sets_holds_cleared() | fight.sets(combatant, delayed_action=None)
    yield world.tell(KarmaCompleted(combatant, delayed["what"], fight.is_group(combatant)), sets)
    triggered = yield from ask_and_play_met_conditions(world, combatant)
    data = yield from resolve_action(
        world, combatant, delayed["what"], options.override_declared(delayed["roll"])
    )
    return {**data, "triggered": triggered, "refreshed": carried}


UNCOMPLETED_KINDS = ("delayed", "conditional")


class Abandon(Args):
    """The arguments of `karma abandon`: `who` gives up an uncompleted action of the kind `kind`.

    `kind` is only needed if the combatant has two uncompleted actions.
    """

    who: str
    kind: Literal["", "delayed", "conditional"] = ""


def play_abandon(world: World, args: Abandon) -> Procedure[KarmaAbandonData]:
    """Play `karma abandon`: a combatant gives up a delayed or a conditional action.

    This is possible at any time. `kind` says which of the two actions it is. It may be "" if the combatant
    has only one of them. Raises Refused if the combatant has no such action, or if `kind` is "" and the
    combatant has both.
    """
    fight = KarmaFight(world)
    one = fight.require_present(args.who)
    there = [kind for kind in UNCOMPLETED_KINDS if f"{kind}_action" in one]
    kinds = [kind for kind in there if args.kind in ("", kind)]
    if not kinds:
        at_it = [
            combatant
            for combatant in fight.combatants_there()
            if has_uncompleted_action(fight.people[combatant])
        ]
        raise Refused(
            f"{fight.name_and_verb(args.who, 'has')} nothing to abandon.", f"Uncompleted: {listed(at_it)}."
        )
    if len(kinds) > 1:
        raise Refused(f"{fight.name_and_verb(args.who, 'has')} both.", "Add --delayed or --conditional.")
    yield from abandon_action(world, args.who, kinds[0])
    return {"who": args.who, "kind": kinds[0], "available": args.who in fight.combatants_able_to_act()}


def abandon_action(world: World, combatant: str, kind: str) -> Procedure[None]:
    """Remove and report a combatant's uncompleted action of a kind, "delayed" or "conditional"."""
    fight = KarmaFight(world)
    action = fight.uncompleted_action(combatant, kind)
    assert action is not None  # checked by the caller
    what = description_unless_secret(action)
    sets = fight.sets_holds_cleared() | fight.sets(combatant, **{f"{kind}_action": None})
    yield world.tell(KarmaAbandoned(combatant, what, fight.is_group(combatant)), sets)
