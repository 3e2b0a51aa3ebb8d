"""Use of a Fallback after a roll: the last roll's Twist turns into a Success (STR-CORE-31).

The consequences of the Success are played, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.problems import Refused
from strike_cli.registry.fact_follower import procedure_after_saved_failure
from strike_cli.tabletop.characters_and_names import display_name
from strike_cli.tabletop.dice import ADVANTAGE

from .conditions import recover_from_conditions_with_doubts
from .points_tricks_and_fallback import require_unused_fallback, use_fallback
from .skill_roll import bank_result_of_linked_roll

if TYPE_CHECKING:
    from .data import FallbackData, LastRoll


class FallBack(Args):
    """The arguments of `fallback`: the character, and how the Fallback helped (`text`)."""

    who: str
    text: str = ""


def play_fallback(world: World, args: FallBack) -> Procedure[FallbackData]:
    """Play `fallback`: turn the last roll's Twist into a Success, once the Twist has been described.

    The consequences are those of a success, except that no Skill is learned. Lost Confidence ends, a Linked
    Roll gives its Advantage, and an item that the roll was to buy is bought. Raises Refused if there was no
    roll, if the roll had no Twist, or if the character has no Fallback or has used it.
    """
    person = args.who
    require_unused_fallback(world, person)
    last = cast("LastRoll | None", world.get(f"characters.{person}.last_roll"))
    name = display_name(world, person)
    if not last:
        raise Refused(
            f"{name} has no Skill Roll this session for a Fallback to turn.",
            f"`strike roll skill {person} SKILL` comes first.",
        )
    if last.get("got"):
        raise Refused(
            f"{name} has broken the bank for {last['what']}: there is no Twist left to turn.",
            "`strike undo` undoes that.",
        )
    data: FallbackData = {
        "who": person,
        "skill": last["skill"],
        "outcome": last["outcome"],
        "costs": last["costs"],
    }
    if "what" in last:
        data["what"] = last["what"]
    yield from use_fallback(world, person, data, last["skill"], args.text)
    yield from recover_from_conditions_with_doubts(world, person, last["skill"])
    if last.get("linked"):
        whose = last.get("linked_for", "")
        yield from bank_result_of_linked_roll(world, person, last["skill"], ADVANTAGE, last["linked"], whose)
        data["grants"] = ADVANTAGE
    if "move" in last:
        saved: FallbackData = yield from procedure_after_saved_failure(last["move"])(world, last)  # type: ignore[assignment]  # of any move
        data |= saved
    return data
