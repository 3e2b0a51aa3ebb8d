"""Acting outside the turn order: delayed turns, and prepared actions with their triggers (STR-TAC-05, 06)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from strike_cli.kernel.procedure import Procedure, Sets, World
from strike_cli.problems import Refused
from strike_cli.refusals import AnotherPersonsTurn, HasBegunToAct
from strike_cli.tabletop.active_effects import effect_banning
from strike_cli.tabletop.turn_order import DELAYED

from ..board.move import MoveAction, play_move
from ..facts.turns_and_actions import (
    ActionTaken,
    Delayed,
    InterruptOver,
    PreparedImpossible,
    Resumed,
    Triggered,
)
from ..fight_state import ACTIONS, ActorArgs, Fight, combatant_path
from ..health_and_statuses import end_status, statuses_given_to
from ..powers.charge import Charge, play_charge
from ..powers.power_use import UsePower, play_attack, play_use, power_or_basic_attack_from_args
from ..powers.powers_and_targets import require_power_as_user_has_it
from ..powers.standard_powers_and_use_limits import Power
from .turn import Escape, Stand, begin_next_turn, play_escape, play_stand

if TYPE_CHECKING:
    from typing import Never

    from ..data import DelayData, PreparedAction, PrepareData, ResumeData, TriggerData


class Preparable(NamedTuple):
    """A command that can be prepared: the function that plays it, and the class of its arguments."""

    play: Callable[[World, Never], Procedure[Mapping[str, object]]]
    args: type[ActorArgs]


PREPARABLE_COMMANDS: Mapping[str, Preparable] = {
    "attack": Preparable(play_attack, UsePower),
    "charge": Preparable(play_charge, Charge),
    "move": Preparable(play_move, MoveAction),
    "use": Preparable(play_use, UsePower),
    "stand": Preparable(play_stand, Stand),
    "escape": Preparable(play_escape, Escape),
}
PreparableCommand = Literal["attack", "charge", "move", "use", "stand", "escape"]
PREPARABLE_ACTIONS = ("attack", "move")
"""The actions that a power must take in order to be prepared (STR-TAC-05)."""


class Prepare(ActorArgs):
    """The arguments of `combat prepare`: an action, and the trigger for it.

    Attributes:
        trigger: What triggers the action, in words.
        then: The action as it was typed.
        do: The command that plays the action.
        power: The full id of the power; "" if none was named.
    """

    trigger: str
    then: str
    do: PreparableCommand
    power: str = ""


class Trigger(ActorArgs):
    """The arguments of `combat trigger`, which plays a prepared command.

    `do` is the prepared command, and `args` are its arguments. If the rules don't allow the command now,
    `wasted` decides. If it is true, the prepared action is wasted. If it is false, the command is refused and
    can be tried again.
    """

    do: PreparableCommand
    args: Mapping[str, object]
    wasted: bool = False


# Delaying


def play_delay(world: World, args: ActorArgs) -> Procedure[DelayData]:
    """Play `combat delay`: a combatant gives up its turn before it acts, to take the turn later.

    If the turn hasn't begun, it begins first, with all effects at its start. No Saving Throws are made when
    the turn is given up. Helpful statuses that would end with this turn end now. Harmful ones last until the
    end of the delayed turn.

    Raises Refused if the combatant has already acted in this turn, or can't act.
    """
    fight = Fight(world)
    combatant, name = args.who, fight.name(args.who)
    if fight.data.get("active") is None and fight.data["round"] and fight.next_combatant() == combatant:
        yield from begin_next_turn(world)
    fight.must_be_active(combatant)
    if fight.actions_taken():
        raise HasBegunToAct(name, "Delaying comes before any action (STR-TAC-06).")
    reason = effect_banning(world, combatant, "act", 1)
    if reason or "due" in fight.data:
        raise Refused(f"{name} can't delay: {reason.name if reason else 'there is only a final action'}.")
    for status in statuses_given_to(world, combatant):
        now = status["ends"] == "turn-end" and not status.get("later")
        if (
            now
            and status.get("of", combatant) == combatant
            and not world.book.statuses[status["id"]]["harmful"]
        ):
            yield from end_status(world, combatant, status["id"], only=status)
    sets = {
        "fight.active": None,
        "fight.turn": None,
        combatant_path(combatant, DELAYED): True,
        **fight.turn_count_changes(combatant),
    }
    yield world.tell(Delayed(combatant), sets)
    return {"who": combatant, "next": fight.next_combatant()}


def play_resume(world: World, args: ActorArgs) -> Procedure[ResumeData]:
    """Play `combat resume`: a combatant that delayed its turn acts now.

    The combatant keeps this new place in the turn order. If it delayed in an earlier round and hasn't had its
    turn in this round, the new turn is its turn for this round (a ruling).

    Raises Refused if the combatant hasn't delayed, if it is somebody's turn, or if nobody has had a turn
    since the delay.
    """
    fight = Fight(world)
    combatant, name = args.who, fight.name(args.who)
    if DELAYED not in fight.combatant(combatant):
        raise Refused(
            f"{name} has not delayed.", f"`strike combat delay {combatant}` delays at the turn's start."
        )
    active = fight.data.get("active")
    if active:
        raise AnotherPersonsTurn(fight.name(active), "They act after it: `strike next`.")
    if not _has_any_turn_begun_since_delay_of(fight, combatant):
        raise Refused(
            f"Nobody has had a turn since {name} delayed.",
            "They act after somebody else's turn (STR-TAC-06): `strike next`.",
        )
    sets: Sets = {"fight.active": combatant, "fight.turn": None, combatant_path(combatant, DELAYED): None}
    given_up = 1 if fight.turns_taken(combatant) else 0
    # Just before the next turn in this round, or at the end of it
    order = list(fight.data["order"])
    waiting = [other for other in fight.combatants_with_turns_left() if other != combatant]
    order.remove(combatant)
    order.insert(order.index(waiting[0]) if waiting else len(order), combatant)
    sets |= {"fight.order": order, **fight.turn_count_changes(combatant, -given_up)}
    yield world.tell(Resumed(combatant), sets)
    return {"who": combatant, "round": fight.data["round"], "order": fight.data["order"]}


def _has_any_turn_begun_since_delay_of(fight: Fight, combatant: str) -> bool:
    """Return whether any turn has begun since a combatant delayed.

    It is True in a later round. In the same round, it is True if somebody with a later place in the order has
    had a turn.
    """
    order = list(fight.data["order"])
    after = order[order.index(combatant) + 1 :]
    return not fight.turns_taken(combatant) or any(fight.turns_taken(other) for other in after)


# Preparing


def play_prepare(world: World, args: Prepare) -> Procedure[PrepareData]:
    """Play `combat prepare`: spend the Attack Action now, to take the prepared action when its trigger comes.

    Raises Refused if the prepared action is a power that takes neither an Attack Action nor a Move Action.
    """
    fight, combatant = Fight(world), args.who
    if args.power:
        _must_be_preparable(require_power_as_user_has_it(fight, combatant, args.power))
    fight.action_to_spend(combatant, "attack")
    prepared: PreparedAction = {"trigger": args.trigger, "then": args.then, "do": args.do}
    sets = {
        "fight.turn.attack": fight.times_taken("attack") + 1,
        combatant_path(combatant, "prepared"): prepared,
    }
    yield world.tell(ActionTaken(combatant, "prepare", args.then, args.trigger), sets)
    return {"who": combatant, **prepared}


def play_trigger(world: World, args: Trigger) -> Procedure[TriggerData]:
    """Play `combat trigger`: take a prepared action now, as an Interrupt in another creature's turn.

    If the rules refuse the action at once and `args.wasted` is true, the action is wasted. If `args.wasted`
    is false, the refusal is raised, and the command can be tried again.

    Raises Refused if the combatant prepared nothing or another action, or if it is the combatant's own turn.
    """
    fight = Fight(world)
    combatant, name = args.who, fight.name(args.who)
    prepared = prepared_action_of(fight, combatant)
    if args.do != prepared["do"]:
        raise Refused(f"{name} prepared to {prepared['then']}, not to {args.do}.")
    if fight.data.get("active") == combatant:
        raise Refused(f"It is {name}'s own turn.", "Trigger the action before their own turn.")
    action = PREPARABLE_COMMANDS[args.do]
    own = action.args.read({**args.args, "who": combatant})
    if isinstance(own, UsePower):
        _must_be_preparable(power_or_basic_attack_from_args(fight, own))
    sets = {"fight.interrupt": combatant, combatant_path(combatant, "prepared"): None}
    yield world.tell(Triggered(combatant, prepared["trigger"]), sets)
    data = yield from _play_prepared_wasting_it_if_told(world, args, own)
    yield world.tell(InterruptOver(combatant), {"fight.interrupt": None})
    told = {"opportunities": [], **data, "who": combatant, "trigger": prepared["trigger"]}
    return cast("TriggerData", told)


def _play_prepared_wasting_it_if_told(
    world: World, args: Trigger, prepared_args: ActorArgs
) -> Procedure[Mapping[str, object]]:
    """Play a prepared action, and return its result (STR-TAC-05).

    The rules may refuse the action. If nothing has happened yet and `args.wasted` is true, the action is then
    wasted, and the result contains the reason. Otherwise Refused is raised.
    """
    before = world.state
    try:
        return (yield from PREPARABLE_COMMANDS[args.do].play(world, cast("Never", prepared_args)))
    except Refused as refusal:
        if not args.wasted or world.state is not before:
            raise
        yield world.tell(PreparedImpossible(args.who))
        return {"wasted": str(refusal)}


def _must_be_preparable(power: Power) -> None:
    """Raise Refused if a power takes neither an Attack nor a Move Action (STR-TAC-05)."""
    if power["action"] not in PREPARABLE_ACTIONS:
        takes = f"{power['action'].capitalize()} Action" if power["action"] in ACTIONS else power["action"]
        raise Refused(
            f"{power['name']} takes no Attack or Move Action ({takes}).",
            "Only a power with one of these actions can be prepared.",
        )


def prepared_action_of(fight: Fight, combatant: str) -> PreparedAction:
    """Return a combatant's prepared action. Raises Refused if it has none."""
    prepared = fight.combatant(combatant).get("prepared")
    if not prepared:
        raise Refused(
            f"{fight.name(combatant)} hasn't prepared an action.", "`strike help combat prepare` explains it."
        )
    return prepared
