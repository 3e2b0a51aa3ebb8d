"""`momentum act`: the actions that everybody has, basic and advanced, by name (WSH-07)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from strike_cli.plugin import Procedure, Refused, World, listed

from . import basic, contests
from .action import Act
from .battle import Battle
from .costs import must_act

Play = Callable[[World, Act], Procedure[dict[str, Any]]]


class Action(NamedTuple):
    """An action: what it costs, how it is played, and what it is at: "" nobody, "foe" or "ally" somebody
    beside one."""

    ap: int
    play: Play
    at: str = ""


ACTIONS = {
    "attack": Action(2, basic.bank_attack),
    "defend": Action(2, basic.defend),
    "interact": Action(1, basic.interact),
    "move": Action(1, basic.move),
    "sprint": Action(3, basic.sprint),
    "stabilize": Action(3, basic.stabilize, "ally"),
    "switch-places": Action(1, basic.switch_places, "ally"),
    "switch-weapons": Action(1, basic.switch_weapons),
    "take-cover": Action(1, basic.take_cover),
    "use-item": Action(3, basic.use_item),
    "stand": Action(1, basic.get_up),
    "keep-up": Action(2, basic.keep_up, "foe"),
    "blind": Action(2, contests.blind, "foe"),
    "climb": Action(2, contests.climb, "foe"),
    "shake-off": Action(2, contests.shake_off, "foe"),
    "command": Action(1, basic.command_summons),
    "disarm": Action(2, contests.disarm, "foe"),
    "grab": Action(2, contests.grab, "foe"),
    "break-free": Action(2, contests.break_free, "foe"),
    "hide": Action(2, contests.hide),
    "shove": Action(1, contests.shove, "foe"),
    "trip": Action(2, contests.trip, "foe"),
}
"""Every action by its name. Interact and switch-weapons may cost nothing, once a turn."""


def play_act(world: World, args: Act) -> Procedure[dict[str, Any]]:
    """`momentum act`. Dice of a check against somebody's: the actor's, then the other's."""
    battle = Battle(world)
    must_act(battle, args.who)
    if args.action not in ACTIONS:
        raise Refused(f"There is no action {args.action!r}.", f"Actions: {listed(ACTIONS, 30)}.")
    action = ACTIONS[args.action]
    if action.at:
        args = args.but(target=_target(battle, args, action))
    before = battle.people[args.who]["ap"]
    data = yield from action.play(world, args.but(ap=action.ap))
    one = Battle(world).people[args.who]
    return {"who": args.who, "action": args.action, "ap_spent": before - one["ap"], **data}


def _target(battle: Battle, args: Act, action: Action) -> str:
    """Whom it is at. Raises Refused for nobody, for oneself, and for whoever is not within 1 m."""
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
        raise Refused(f"Nobody knows where {one['name']} is.", "Whom one doesn't see one can't touch.")
    return args.target


def what_counts(data: dict[str, Any]) -> dict[str, Any]:
    """What `strike odds momentum act` tells apart."""
    return {key: data[key] for key in ("success", "hidden") if key in data}
