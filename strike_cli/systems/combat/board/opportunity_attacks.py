"""Opportunities: attacks on a creature just before it does something that allows them.

In a turn, each opponent may attack the same creature in this way only once (STR-TAC-08). Players choose
whether their characters attack. Creatures of the game master always attack, unless a house rule says that the
game master is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import CONFIRM, Choose, Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.active_effects import effect_banning
from strike_cli.tabletop.grid import Square, distance_between_spaces, format_square

from ..facts.effects_and_causes import OpportunityOf
from ..facts.movement_and_sight import GoOrStay
from ..facts.turns_and_actions import (
    GivingOpportunities,
    Leaving,
    OpportunityFrom,
    OpportunityTaken,
    TakeOpportunity,
)
from ..fight_state import Fight
from ..health_and_statuses import damage_changed_by_attacker, deal_damage
from ..rule_numbers import combat_numbers
from .areas import with_combatant_and_zones_at
from .sight_and_hiding import end_hiding, is_hidden_from, sight_of

if TYPE_CHECKING:
    from ..data import OpportunityData

GO, STAY = "go", "stay"
"""The answers to the question whether to do something at its price."""


def make_provoked_finder(fight: Fight, combatant: str) -> Callable[[Square, Square], frozenset[str]]:
    """Return a function that finds the enemies to whom a combatant's step would give an Opportunity.

    The function takes the combatant's squares before and after the step. Enemies that are Hidden from the
    combatant are left out. The search for paths calls the function often, so it computes what it needs about
    a starting square only once.
    """
    size = fight.size(combatant)
    threats = [
        (foe, *fight.square_and_size(foe), fight.reach(foe))
        for foe in fight.foes_on_map(combatant)
        if not is_hidden_from(fight, foe, combatant)
        and _is_opportunity_allowed_if_seen(fight, foe, combatant)
    ]
    near: dict[Square, list[tuple[str, Square, int, int]]] = {}

    def seeing_threats_with_distances(start: Square) -> list[tuple[str, Square, int, int]]:
        """Return the enemies that see the creature on `start` and have it in reach.

        Each comes with its square, its size, and its distance from the creature.
        """
        close = [
            (foe, at, foe_size, before)
            for foe, at, foe_size, reach in threats
            if (before := distance_between_spaces(start, size, at, foe_size)) <= reach
        ]
        if close:
            elsewhere = with_combatant_and_zones_at(fight, combatant, start)
            close = [one for one in close if not sight_of(elsewhere, one[0], combatant).unseen]
        return close

    def provoked_by_step(start: Square, end: Square) -> frozenset[str]:
        close = near.get(start)
        if close is None:
            close = near[start] = seeing_threats_with_distances(start)
        if not close:
            return NOBODY
        return frozenset(
            [
                foe
                for foe, at, foe_size, before in close
                if distance_between_spaces(end, size, at, foe_size) >= before
            ]
        )

    return provoked_by_step


NOBODY = frozenset[str]()


def make_provocation_counter(fight: Fight, combatant: str) -> Callable[[Square, Square], int]:
    """Return a function that counts the enemies that would get an Opportunity from a step."""
    struck_by = make_provoked_finder(fight, combatant)
    return lambda start, end: len(struck_by(start, end))


def take_opportunities_before_step(
    world: World, combatant: str, to: Square
) -> Procedure[list[OpportunityData]]:
    """Let enemies take Opportunities before a creature steps to the square `to`.

    Returns the Opportunities that were taken. An enemy may take one if it has the creature in its reach and
    the step doesn't bring the creature closer.
    """
    fight = Fight(world)
    start, size = fight.square_and_size(combatant)
    taken: list[OpportunityData] = []
    for foe in fight.foes_on_map(combatant):
        if fight.is_out(combatant):
            break
        if not fight.is_on_map(foe):
            continue
        at, foe_size = fight.square_and_size(foe)
        before = distance_between_spaces(start, size, at, foe_size)
        if before <= fight.reach(foe) and distance_between_spaces(to, size, at, foe_size) >= before:
            taken += yield from take_opportunity_unless_declined(
                world, foe, combatant, Leaving(format_square(start))
            )
    return taken


def may_take_opportunity(fight: Fight, taker: str, provoker: str) -> bool:
    """Return whether a creature may take an Opportunity against another.

    It may if both are in the fight, `taker` sees `provoker`, no status forbids the Opportunity, and `taker`
    hasn't yet taken one against `provoker` in this turn.
    """
    return (
        _is_opportunity_allowed_if_seen(fight, taker, provoker)
        and not sight_of(fight, taker, provoker).unseen
    )


def _is_opportunity_allowed_if_seen(fight: Fight, taker: str, provoker: str) -> bool:
    """Return whether `taker` may take an Opportunity against `provoker`.

    It isn't checked whether `taker` sees `provoker`.
    """
    world = fight.world
    return not (
        fight.is_out(provoker)  # an earlier Opportunity took them out
        or fight.is_out(taker)  # a reaction to an earlier Opportunity took them out
        or f"{taker}>{provoker}" in world.get("fight.turn.opportunities", [])
        or effect_banning(world, taker, "opportunity", other=provoker)
        or effect_banning(world, provoker, "opportunity", side="against", other=taker)
    )


def take_opportunity_unless_declined(
    world: World, taker: str, provoker: str, why: Reason
) -> Procedure[list[OpportunityData]]:
    """Play an Opportunity of `taker`, before the act of `provoker` that causes it.

    Returns a list with the data of the Opportunity. The list is empty if the Opportunity isn't allowed, or if
    `taker` declines it.
    """
    fight = Fight(world)
    if not may_take_opportunity(fight, taker, provoker):
        return []
    amount, _ = damage_changed_by_attacker(
        fight, taker, opportunity_damage(fight, taker, unmodified=True), provoker
    )
    if fight.is_player(taker) or world.book.house["creature_opportunities"] == "asked":
        what, about = f"opportunity against {provoker}", TakeOpportunity(taker, provoker, amount, why)
        if (yield Choose(taker, what, ("take", "pass"), kind="opportunity", about=about)) == "pass":
            return []
    used = [*world.get("fight.turn.opportunities", []), f"{taker}>{provoker}"]
    yield world.tell(OpportunityTaken(taker, provoker, why), {"fight.turn.opportunities": used})
    harm = yield from deal_damage(world, provoker, amount, OpportunityOf(taker), by=taker)
    yield from end_hiding(world, taker)  # STR-TAC-23: striking reveals
    return [
        {
            "by": taker,
            "against": provoker,
            "damage": harm["amount"],
            "hp_before": harm["hp_before"],
            "hp_after": harm["hp_after"],
            "taken_out": harm["taken_out"],
        }
    ]


def opportunities_as_price(fight: Fight, foes: Sequence[str]) -> GivingOpportunities:
    """Return a clause that names the enemies `foes` and their Opportunities as the price of an action."""
    return GivingOpportunities([OpportunityFrom(foe, opportunity_damage(fight, foe)) for foe in foes])


def opportunity_damage(fight: Fight, combatant: str, unmodified: bool = False) -> int:
    """Return the damage of a creature's Opportunity in HP: 2, or what its sheet says (STR-TAC-08).

    Effects change this number: Weakened, for instance, halves it. With `unmodified`, effects don't count.
    """
    own = int(fight.sheet(combatant).get("opportunity", combat_numbers()["defaults"]["opportunity_damage"]))
    return own if unmodified else damage_changed_by_attacker(fight, combatant, own, "")[0]


def ask_whether_to_decline(combatant: str, act: Reason, prices: Sequence[Reason]) -> Procedure[bool]:
    """Ask whether a creature still wants to do an act that has a price; return True if it declines.

    `prices` lists what the act costs, such as Opportunities of enemies.
    """
    answer: str = yield Choose(combatant, CONFIRM, (GO, STAY), about=GoOrStay(combatant, act, prices))
    return answer == STAY
