"""Opportunities: attacks on a creature just before it does something that allows them (STR-TAC-08).

Each creature takes at most one from each opponent in a turn. Creatures of the game master always take theirs,
unless a house rule has the game master asked; players choose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import CONFIRM, Choose, Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.grid import Square, format_square, gap
from strike_cli.tabletop.status_effects import ban_on

from ..facts.effects import OpportunityOf
from ..facts.movement import GoOrStay
from ..facts.turns import GivingOpportunities, Leaving, OpportunityFrom, OpportunityTaken, TakeOpportunity
from ..fight import Fight
from ..harm import deal_damage, dealt_by
from ..numbers import numbers
from .areas import with_combatant_at
from .sight import give_away, is_hidden_from, sight_of

if TYPE_CHECKING:
    from ..data import OpportunityData

GO, STAY = "go", "stay"
"""The answers to the question whether to do something at its price."""


def make_striker_finder(fight: Fight, combatant: str) -> Callable[[Square, Square], frozenset[str]]:
    """Return a function from a step to the enemies that it gives an Opportunity, as far as the mover knows.

    It serves the search for paths: what is known of a starting square is computed once.
    """
    size = fight.size(combatant)
    threats = [
        (foe, *fight.place(foe), fight.reach(foe))
        for foe in fight.foes_on_map(combatant)
        if not is_hidden_from(fight, foe, combatant) and _is_open(fight, foe, combatant)
    ]
    near: dict[Square, list[tuple[str, Square, int, int]]] = {}

    def in_reach(start: Square) -> list[tuple[str, Square, int, int]]:
        """Return the enemies that have a square in reach and in sight, each with place, size and distance."""
        close = [
            (foe, at, foe_size, before)
            for foe, at, foe_size, reach in threats
            if (before := gap(start, size, at, foe_size)) <= reach
        ]
        if close:
            elsewhere = with_combatant_at(fight, combatant, start)
            close = [one for one in close if not sight_of(elsewhere, one[0], combatant).unseen]
        return close

    def count(start: Square, end: Square) -> frozenset[str]:
        close = near.get(start)
        if close is None:
            close = near[start] = in_reach(start)
        if not close:
            return NOBODY
        return frozenset(
            [foe for foe, at, foe_size, before in close if gap(end, size, at, foe_size) >= before]
        )

    return count


NOBODY = frozenset[str]()


def make_provocation_counter(fight: Fight, combatant: str) -> Callable[[Square, Square], int]:
    """Return a function from a step to the number of enemies that it would give an Opportunity."""
    struck_by = make_striker_finder(fight, combatant)
    return lambda start, end: len(struck_by(start, end))


def strike_on_leaving(world: World, combatant: str, to: Square) -> Procedure[list[OpportunityData]]:
    """Let enemies take Opportunities before a creature steps out of reach or along without coming closer.

    Each enemy that has the creature in reach may strike, if the step doesn't bring the creature closer to it.
    """
    fight = Fight(world)
    start, size = fight.place(combatant)
    taken: list[OpportunityData] = []
    for foe in fight.foes_on_map(combatant):
        if fight.is_out(combatant):
            break
        if not fight.is_on_map(foe):
            continue
        at, foe_size = fight.place(foe)
        before = gap(start, size, at, foe_size)
        if before <= fight.reach(foe) and gap(to, size, at, foe_size) >= before:
            taken += yield from take_opportunity(world, foe, combatant, Leaving(format_square(start)))
    return taken


def may_take(fight: Fight, taker: str, provoker: str) -> bool:
    """Return whether `taker` may take an Opportunity against `provoker`.

    It may if it hasn't taken one against it in this turn, no status forbids it, and it sees `provoker`.
    """
    return _is_open(fight, taker, provoker) and not sight_of(fight, taker, provoker).unseen


def _is_open(fight: Fight, taker: str, provoker: str) -> bool:
    """Return whether an Opportunity is still allowed between the two, regardless of sight."""
    world = fight.world
    return not (
        fight.is_out(provoker)  # an earlier Opportunity took them out
        or fight.is_out(taker)  # a reaction to an earlier Opportunity took them out
        or f"{taker}>{provoker}" in world.get("fight.turn.opportunities", [])
        or ban_on(world, taker, "opportunity", other=provoker)
        or ban_on(world, provoker, "opportunity", side="against", other=taker)
    )


def take_opportunity(
    world: World, taker: str, provoker: str, why: Reason
) -> Procedure[list[OpportunityData]]:
    """Play an Opportunity of `taker`, before the act of `provoker` that causes it.

    Returns its data in a list, which is empty if none is allowed or `taker` declines.
    """
    fight = Fight(world)
    if not may_take(fight, taker, provoker):
        return []
    amount, _ = dealt_by(fight, taker, opportunity_damage(fight, taker, whole=True), provoker)
    if fight.is_player(taker) or world.book.house["creature_opportunities"] == "asked":
        what, about = f"opportunity against {provoker}", TakeOpportunity(taker, provoker, amount, why)
        if (yield Choose(taker, what, ("take", "pass"), kind="opportunity", about=about)) == "pass":
            return []
    used = [*world.get("fight.turn.opportunities", []), f"{taker}>{provoker}"]
    yield world.tell(OpportunityTaken(taker, provoker, why), {"fight.turn.opportunities": used})
    harm = yield from deal_damage(world, provoker, amount, OpportunityOf(taker), by=taker)
    yield from give_away(world, taker)  # STR-TAC-23: striking reveals
    return [
        {
            "by": taker,
            "against": provoker,
            "damage": harm.amount,
            "hp_before": harm.hp_before,
            "hp_after": harm.hp_after,
            "taken_out": harm.taken_out,
        }
    ]


def opportunities_for(fight: Fight, foes: Sequence[str]) -> GivingOpportunities:
    """Return the Opportunities that these enemies would get, as a price."""
    return GivingOpportunities([OpportunityFrom(foe, opportunity_damage(fight, foe)) for foe in foes])


def opportunity_damage(fight: Fight, combatant: str, whole: bool = False) -> int:
    """Return the damage of a creature's Opportunity in HP: 2, unless its sheet says otherwise (STR-TAC-08).

    It is what the creature now deals, for instance half while it is Weakened; with `whole`, it is the number
    before such changes.
    """
    own = int(fight.sheet(combatant).get("opportunity", numbers()["defaults"]["opportunity_damage"]))
    return own if whole else dealt_by(fight, combatant, own, "")[0]


def declines_at_prices(combatant: str, doing: Reason, prices: Sequence[Reason]) -> Procedure[bool]:
    """Ask a creature whether to do something at these prices; return True if it would rather not."""
    answer: str = yield Choose(combatant, CONFIRM, (GO, STAY), about=GoOrStay(combatant, doing, prices))
    return answer == STAY
