"""Actions: declaration, interruption by conditions that they meet, roll and resolution (CIN-03, 08)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import Procedure, World

from .conditional_actions import declare
from .fight import KarmaFight
from .standard_roll import Rolling, must_be_rollable, resolve

if TYPE_CHECKING:
    from .data import KarmaActData, KarmaActionCounts, KarmaResolution


class KarmaAction(Rolling):
    """Arguments of an action: the actor and the action."""

    who: str
    what: str = ""


def play_act(world: World, args: KarmaAction) -> Procedure[KarmaActData]:
    """Play `karma act`, the action of the initiative's holder. Dice: the actor's, then the opposition's."""
    fight = KarmaFight(world)
    fight.must_declare(args.who)
    must_be_rollable(world, args.who, args.rolling)
    triggered = yield from declare(world, args.who, args.what)
    used = fight.sets_turn_used(args.who)
    data = yield from resolve(world, args.who, args.what, args.rolling, used)
    return {**data, "triggered": triggered, "may_receive": fight.receivers()}


def what_counts(data: KarmaResolution) -> KarmaActionCounts:
    """Return the values that `strike odds karma act` counts, for delayed and conditional actions too."""
    return {"success": data["success"], "successes": data["successes"], "needed": data["needed"]}
