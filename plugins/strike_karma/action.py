"""Actions: they are declared, interrupted by the conditions that they meet, and rolled for (CIN-03, 08)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import Procedure, World

from .conditional_actions import declare_action
from .fight import KarmaFight
from .standard_roll import Rolling, must_be_rollable, resolve_action

if TYPE_CHECKING:
    from .data import KarmaActData, KarmaActionCounts, KarmaResolution


class KarmaAction(Rolling):
    """The arguments of `karma act`: who acts, what they do in words, and the options of the roll."""

    who: str
    what: str = ""


def play_act(world: World, args: KarmaAction) -> Procedure[KarmaActData]:
    """Play `karma act`: the holder of the initiative acts. Dice: the actor's, then those against it.

    Raises Refused if `who` doesn't have the initiative or has acted in this segment, and for dice that they
    lack.
    """
    fight = KarmaFight(world)
    fight.must_declare(args.who)
    must_be_rollable(world, args.who, args.rolling)
    triggered = yield from declare_action(world, args.who, args.what)
    used = fight.sets_turn_used(args.who)
    data = yield from resolve_action(world, args.who, args.what, args.rolling, used)
    return {**data, "triggered": triggered, "may_receive": fight.receivers()}


def odds_key(data: KarmaResolution) -> KarmaActionCounts:
    """Return the values by which odds tell the outcomes of an action apart.

    The odds of delayed and conditional actions use these too.
    """
    return {"success": data["success"], "successes": data["successes"], "needed": data["needed"]}
