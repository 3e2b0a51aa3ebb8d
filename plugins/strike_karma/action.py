"""Actions: an actor declares an action, then the dice are rolled (CIN-03, 08).

Between the two, conditional actions may interrupt the action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import Procedure, World

from .conditional_actions import declare_and_play_met_conditions
from .fight_state import KarmaFight
from .standard_roll import RollOptions, must_be_rollable, resolve_action

if TYPE_CHECKING:
    from .data import KarmaActData, KarmaActionCounts, KarmaResolution


class KarmaAction(RollOptions):
    """The arguments of `karma act`: the actor, the action in words (`what`), and the options of the roll."""

    who: str
    what: str = ""


def play_act(world: World, args: KarmaAction) -> Procedure[KarmaActData]:
    """Play `karma act`: the holder of the initiative acts.

    The actor's dice are rolled before the opposing dice. Raises Refused if `who` hasn't got the initiative,
    has acted in this segment, or doesn't have the dice that the options name.
    """
    fight = KarmaFight(world)
    fight.must_be_free_to_declare(args.who)
    must_be_rollable(world, args.who, args.roll_options)
    triggered = yield from declare_and_play_met_conditions(world, args.who, args.what)
    used = fight.sets_turn_used_and_holds_cleared(args.who)
    data = yield from resolve_action(world, args.who, args.what, args.roll_options, used)
    return {**data, "triggered": triggered, "may_receive": fight.next_holders_or_next_round_starters()}


def odds_key(data: KarmaResolution) -> KarmaActionCounts:
    """Return the values by which `strike odds` tells apart the results of an action.

    They also serve delayed and conditional actions.
    """
    return {"success": data["success"], "successes": data["successes"], "needed": data["needed"]}
