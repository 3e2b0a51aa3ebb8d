"""Reactions of statuses and traits: whether they apply, their steps, their older form, and limits of use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.status_effects import Reaction, ban_on

from ..facts.turns import Reacted
from ..fight import Fight, condition_holds
from .triggers import Moment

if TYPE_CHECKING:
    from ..data import OpportunityData, Power


def reaction_applies(fight: Fight, reaction: Reaction, moment: Moment) -> bool:
    """Return whether a reaction is triggered at a moment: its condition holds, and no status forbids it.

    A reaction to an attack that misses is a Miss Effect, which many statuses forbid (STR-TAC-25).
    """
    if moment.kind in ("missed", "misses") and ban_on(fight.world, moment.holder, "miss-effect"):
        return False
    giver = _giver(reaction)
    stands = giver in fight.data["combatants"] and not fight.is_out(giver)
    match reaction.does.get("when"):
        case "without-giver":
            return stands and giver not in moment.targets
        case "next-to-giver":
            return stands and fight.is_on_map(giver) and fight.gap(giver, moment.holder) == 1
        case str(word):
            return condition_holds(fight, moment.holder, moment.other, reaction.held, word)
    return True


def _giver(reaction: Reaction) -> str:
    return str(reaction.held.instance.get("by", ""))


def carry_out(world: World, moment: Moment, reaction: Reaction) -> Procedure[list[OpportunityData]]:
    """Play the steps of a reaction; return the Opportunities that were taken.

    The bearer takes the steps. They affect the moment's other creature or, if there is none, the bearer.
    """
    from ..powers.effects import conditions_before_roll, do_steps  # few ever need it
    from ..powers.power import Aim, DamageTally, Deed

    held, holder, steps = reaction.held, moment.holder, reaction.does["steps"]
    target = moment.other if moment.other in Fight(world).data["combatants"] else holder
    power: Power = {
        "id": held.id,
        "name": held.name,
        "called": held.reason,
        "action": "none",
        "effect": steps,
    }
    tally = DamageTally()
    deed = Deed(
        holder,
        power,
        Aim((target,)),
        reacting=True,
        tally=tally,
        answering=moment.coming,
        held=held,
        moment=moment,
        giver=_giver(reaction),
    )
    for step in steps:
        fight = Fight(world)
        if fight.is_out(holder):
            break
        yield from do_steps(world, deed, [step], target, conditions_before_roll(fight, deed, target))
    return tally.opportunities


SCENE = ("scene", "fight")
"""The two words for "once a fight"."""


def is_done(world: World, word: str, once: str) -> bool:
    """Return whether the act that `word` names was done in this `turn`, `round` or `scene` (fight)."""
    if once == "turn":
        return word in world.get("fight.turn.reacted", [])
    rounds: Mapping[str, int] = world.get("fight.reacted", {})
    done = rounds.get(word)
    return done is not None and (once in SCENE or done == world.get("fight.round"))


def mark_done(world: World, combatant: str, word: str, once: str) -> Procedure[None]:
    """Record that the act that `word` names is done."""
    if once == "turn":
        sets = {"fight.turn.reacted": [*world.get("fight.turn.reacted", []), word]}
        yield world.tell(Reacted(combatant), sets)
    else:
        yield world.tell(Reacted(combatant), {f"fight.reacted.{word}": world.get("fight.round")})


def word_for(*parts: object) -> str:
    """Return a word made of these parts that can be a key of the state."""
    return ":".join(map(str, parts)).replace(".", "-")


OF_REACTION = ("on", "when", "once", "echoes")
"""The keys of a reaction that no step has."""


def as_step(reaction: Mapping[str, object]) -> dict[str, object]:
    """Return the step that has the same effect as a reaction in the older form, with `do`.

    In that form the bearer is affected unless it has `to`; damage, and a status for the bearer, come from the
    giver.
    """
    step = {key: value for key, value in reaction.items() if key not in OF_REACTION}
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
                step["faces"] = {face: _compelled(steps) for face, steps in faces.items()}
    return step


def _compelled(steps: object) -> object:
    """Return the steps of a face, with the giver as the source of the statuses that they give."""
    if not isinstance(steps, list):
        return steps
    return [
        {**step, "by": "giver", "whose": "target"}
        if isinstance(step, Mapping) and step.get("do") == "apply"
        else {**step, **({"otherwise": _compelled(step["otherwise"])} if "otherwise" in step else {})}
        if isinstance(step, Mapping)
        else step
        for step in steps
    ]
