"""A secondary goal (STR-TC-13): a Skill Roll in place of an action.

The roll is core's; only the handing on of its modifiers stands here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Usage
from strike_cli.systems.core.skill import RollSkill, outcome_words, play_skill
from strike_cli.tabletop.people import knows

from .declare import may_act
from .facts import HelpedBesides
from .numbers import WhichRoll
from .state import LIMITS, SECONDARY, missing, path

if TYPE_CHECKING:
    from .data import ConflictSecondaryData


class Secondary(RollSkill):
    """Who rolls which Skill, and `to` which of the team's rolls it helps."""

    RETIRED = ("instead",)
    to: WhichRoll
    skill: str = ""
    skilled: bool = False
    known: bool = True


def play_secondary(world: World, args: Secondary) -> Procedure[ConflictSecondaryData]:
    """Play `conflict act --secondary`: a Skill Roll for a goal beside the conflict (STR-TC-13).

    It takes the place of an action, and still gives the team a bonus.
    """
    who, to, skill = args.who, args.to, args.skill
    side = yield from may_act(world, who)
    if not skill:
        raise Usage("A secondary goal takes a Skill Roll.", "Name the Skill: --skill SKILL.")
    rolled = yield from play_skill(world, args.but(skilled=knows(world, who, skill)))
    item = {"action": SECONDARY, "to": to, "skill": skill, "came": outcome_words(rolled)}
    helped = HelpedBesides(who, to=to, value=LIMITS["secondary"])
    yield world.tell(helped, {path(side, f"actions.{who}"): item})
    return {**rolled, "who": who, "action": SECONDARY, "to": to, "missing": missing(world, side)}
