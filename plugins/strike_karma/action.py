"""An action: declared, interrupted by the conditions that it meets, rolled for and resolved (CIN-03, 08)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.plugin import Procedure, World

from .conditional import declare
from .fight import Fight
from .resolution import must_be_rollable, resolve
from .standard_roll import Rolling


class Act(Rolling):
    """Who does what."""

    who: str
    what: str = ""


def play_act(world: World, args: Act) -> Procedure[dict[str, Any]]:
    """`karma act`: the action of whoever has the initiative. Dice: their own, then those against them."""
    fight = Fight(world)
    fight.must_declare(args.who)
    must_be_rollable(world, args.who, args.rolling)
    triggered = yield from declare(world, args.who, args.what)
    used = fight.sets_turn_used(args.who)
    data = yield from resolve(world, args.who, args.what, args.rolling, used)
    return {**data, "triggered": triggered, "may_receive": fight.receivers()}


def what_counts(data: Mapping[str, Any]) -> dict[str, Any]:
    """What `strike odds karma act` counts; the same for a delayed or a conditional action."""
    return {key: data[key] for key in ("success", "successes", "needed")}
