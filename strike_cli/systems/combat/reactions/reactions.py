"""Reactions of statuses and traits: the occasion, and how their steps are played.

docs/status-reference.md lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.contributions import Reaction, ban_on

from ..fight import Fight, holds
from .triggers import Moment

if TYPE_CHECKING:
    from ..data import OpportunityData, Power


def applies(fight: Fight, reaction: Reaction, moment: Moment) -> bool:
    """Return whether a reaction has its occasion.

    A reaction to an attack that misses is a Miss Effect, which many statuses take away (STR-TAC-25).
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
            return holds(fight, moment.holder, moment.other, reaction.held, word)
    return True


def _giver(reaction: Reaction) -> str:
    return str(reaction.held.instance.get("by", ""))


def carry_out(world: World, moment: Moment, reaction: Reaction) -> Procedure[list[OpportunityData]]:
    """Play the steps of a reaction. Returns the Opportunities that were taken by it.

    They are its holder's, for the other side of the moment, or for the holder where there is none.
    """
    from ..powers.effects import conditions, do_steps  # few ever need it
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
        yield from do_steps(world, deed, [step], target, conditions(fight, deed, target))
    return tally.opportunities
