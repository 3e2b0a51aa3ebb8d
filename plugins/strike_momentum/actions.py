"""`momentum act`: the actions that everybody has, basic and advanced, by name (WSH-07)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.plugin import Data, Procedure, Refused, World, listed
from strike_cli.plugin.refusals import WhereNobodyKnows

from . import basic, contests, object_interaction
from .action import MomentumAction
from .battle import Battle
from .costs import must_act
from .numbers import ACTIONS

if TYPE_CHECKING:
    from .data import MomentumActData, MomentumActionsCounts

Play = Callable[[World, MomentumAction], Procedure[Data]]


class Action(NamedTuple):
    """How an action is played, and whether it is at somebody within 1 m."""

    play: Play
    at_somebody: bool = False


PLAYED = {
    "attack": Action(basic.bank_attack),
    "defend": Action(basic.defend),
    "interact": Action(object_interaction.interact),
    "move": Action(basic.move),
    "sprint": Action(basic.sprint),
    "stabilize": Action(basic.stabilize, at_somebody=True),
    "switch-places": Action(basic.switch_places, at_somebody=True),
    "switch-weapons": Action(object_interaction.switch_weapons),
    "take-cover": Action(basic.take_cover),
    "use-item": Action(basic.use_item),
    "stand": Action(basic.get_up),
    "keep-up": Action(basic.keep_up),
    "blind": Action(contests.blind, at_somebody=True),
    "climb": Action(contests.climb, at_somebody=True),
    "shake-off": Action(contests.shake_off, at_somebody=True),
    "command": Action(basic.command_summons),
    "disarm": Action(contests.disarm, at_somebody=True),
    "grab": Action(contests.grab, at_somebody=True),
    "break-free": Action(contests.break_free, at_somebody=True),
    "hide": Action(contests.hide),
    "shove": Action(contests.shove, at_somebody=True),
    "trip": Action(contests.trip, at_somebody=True),
}
"""Every action by its name."""


def play_act(world: World, args: MomentumAction) -> Procedure[MomentumActData]:
    """`momentum act`. Dice of a check against somebody's: the actor's, then the other's."""
    battle = Battle(world)
    must_act(battle, args.who)
    if args.action not in ACTIONS:
        raise Refused(f"There is no action {args.action!r}.", f"Actions: {listed(ACTIONS, 30)}.")
    action = PLAYED[args.action]
    if action.at_somebody:
        _must_be_beside(battle, args)
    before = battle.people[args.who]["ap"]
    data = yield from action.play(world, args.but(ap=ACTIONS[args.action]))
    one = Battle(world).people[args.who]
    spent = {"who": args.who, "action": args.action, "ap_spent": before - one["ap"]}
    return cast("MomentumActData", {**spent, **data})


def _must_be_beside(battle: Battle, args: MomentumAction) -> None:
    """Refuse no target, oneself, and anybody who is not within 1 m."""
    if not args.target:
        raise Refused(f"Whom is {args.action} at?", f"There: {listed(battle.there())}.")
    one = battle.present(args.target)
    if args.target == args.who and args.action != "stabilize":
        raise Refused(f"{one['name']} can't do that to {one['name']}.", "Name somebody else.")
    if battle.gap(args.who, args.target) > 1:
        raise Refused(
            f"{one['name']} is {battle.gap(args.who, args.target)} m off, and it takes 1 m.",
            f"`strike momentum move {args.who} SQUARE` goes nearer.",
        )
    if battle.side(args.target) != battle.side(args.who) and one.get("hidden"):
        raise WhereNobodyKnows(one["name"], "Whom one doesn't see one can't touch.")


def what_counts(data: Data) -> MomentumActionsCounts:
    """Return what `strike odds momentum act` tells apart."""
    return cast("MomentumActionsCounts", {key: data[key] for key in ("success", "hidden") if key in data})
