"""Reactions of statuses and traits: their conditions, their steps, and their limits of use.

The conversion of reactions that are written in the older form is here, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.active_effects import Reaction, effect_banning

from ..facts.turns_and_actions import Reacted
from ..fight_state import Fight, is_effect_condition_met
from ..steps import steps_of_reaction
from .reaction_events_and_moments import Moment

if TYPE_CHECKING:
    from ..data import OpportunityData, Power


def reaction_condition_is_met(fight: Fight, reaction: Reaction, moment: Moment) -> bool:
    """Return whether a reaction happens at a moment.

    The reaction happens if its condition is met and no status forbids the reaction. For example, some
    statuses forbid Miss Effects: reactions to an attack that misses (STR-TAC-25).
    """
    if moment.kind in ("missed", "misses") and effect_banning(fight.world, moment.holder, "miss-effect"):
        return False
    giver = _giver_of_reaction(reaction)
    stands = giver in fight.data["combatants"] and not fight.is_out(giver)
    match reaction.definition.get("when"):
        case "without-giver":
            return stands and giver not in moment.targets
        case "next-to-giver":
            return stands and fight.is_on_map(giver) and fight.gap(giver, moment.holder) == 1
        case str(word):
            return is_effect_condition_met(fight, moment.holder, moment.other, reaction.held, word)
    return True


def _giver_of_reaction(reaction: Reaction) -> str:
    return str(reaction.held.instance.get("by", ""))


def play_reaction_steps(world: World, moment: Moment, reaction: Reaction) -> Procedure[list[OpportunityData]]:
    """Play the steps of a reaction; return the Opportunities that were taken.

    The bearer of the status or trait is the user of the steps. The steps affect the moment's other creature
    or, if there is none, the bearer.
    """
    from ..powers.powers_and_targets import Aim, PowerUse, PowerUseTally
    from ..powers.step_play_and_summaries import (
        conditions_met_before_roll,
        play_steps_and_get_statuses_given,
    )  # few ever need it

    held, holder, steps = reaction.held, moment.holder, steps_of_reaction(reaction.definition)
    target = moment.other if moment.other in Fight(world).data["combatants"] else holder
    power: Power = {
        "id": held.id,
        "name": held.name,
        "called": held.reason,
        "action": "none",
        "effect": steps,
    }
    tally = PowerUseTally()
    use = PowerUse(
        holder,
        power,
        Aim((target,)),
        reacting=True,
        tally=tally,
        event=moment.coming,
        held=held,
        moment=moment,
        giver=_giver_of_reaction(reaction),
    )
    for step in steps:
        fight = Fight(world)
        if fight.is_out(holder):
            break
        yield from play_steps_and_get_statuses_given(
            world, use, [step], target, conditions_met_before_roll(fight, use, target)
        )
    return tally.opportunities


WORDS_FOR_ONCE_A_FIGHT = ("scene", "fight")
"""The two words for "once a fight"."""


def was_done_in_period(world: World, key: str, period: str) -> bool:
    """Return whether the event with the key `key` already happened in this turn, round or fight (`period`).

    Reactions and limited steps use it.
    """
    if period == "turn":
        return key in world.get("fight.turn.reacted", [])
    rounds: Mapping[str, int] = world.get("fight.reacted", {})
    done = rounds.get(key)
    return done is not None and (period in WORDS_FOR_ONCE_A_FIGHT or done == world.get("fight.round"))


def record_done_in_period(world: World, combatant: str, key: str, period: str) -> Procedure[None]:
    """Record a reaction or a step that may happen only once in a period, so that it isn't repeated.

    `key` identifies the reaction or step. `period` is "turn", "round" or "fight".
    """
    if period == "turn":
        sets = {"fight.turn.reacted": [*world.get("fight.turn.reacted", []), key]}
        yield world.tell(Reacted(combatant), sets)
    else:
        yield world.tell(Reacted(combatant), {f"fight.reacted.{key}": world.get("fight.round")})


def state_key_for(*parts: object) -> str:
    """Return a key for the state, made of the parts with colons between them.

    Dots in the parts become hyphens, because a dot would split a path in the state.
    """
    return ":".join(map(str, parts)).replace(".", "-")


KEYS_OF_REACTION_ONLY = ("on", "when", "once", "echoes")
"""The keys of a reaction that no step has."""


def step_from_older_reaction(reaction: Mapping[str, object]) -> dict[str, object]:
    """Return the step that does the same as a reaction in the older form.

    In the older form, a reaction has the key `do` instead of a list of steps. If it has no `to`, it affects
    the creature with the status, or for an opportunity the adjacent enemies. The creature that gave the
    status counts as the cause of the damage. It also counts as the cause of a status that the creature with
    the status gains.
    """
    step = {key: value for key, value in reaction.items() if key not in KEYS_OF_REACTION_ONLY}
    step.setdefault("to", "self")
    if step.get("amount") == "value":
        step["amount"] = {"of": "value"}
    match step["do"]:
        case "damage":
            step["by"] = "giver"
        case "apply":
            step |= {"whose": "target", **({"by": "giver"} if step["to"] == "self" else {})}
        case "end" if "status" not in step:
            step["this"] = True
        case "opportunity" if step["to"] != "giver":
            step |= {"to": "enemies", "within": 1}
        case "roll":
            step["do"] = "lose-control"
            if isinstance(faces := step.get("faces"), Mapping):
                step["faces"] = {
                    face: _with_giver_as_source_of_statuses(steps) for face, steps in faces.items()
                }
    return step


def _with_giver_as_source_of_statuses(steps: object) -> object:
    """Return steps, changed so that the statuses they give come from the giver of the present status.

    A value that isn't a list of steps is returned unchanged.
    """
    if not isinstance(steps, list):
        return steps
    return [
        {**step, "by": "giver", "whose": "target"}
        if isinstance(step, Mapping) and step.get("do") == "apply"
        else {
            **step,
            **(
                {"otherwise": _with_giver_as_source_of_statuses(step["otherwise"])}
                if "otherwise" in step
                else {}
            ),
        }
        if isinstance(step, Mapping)
        else step
        for step in steps
    ]
