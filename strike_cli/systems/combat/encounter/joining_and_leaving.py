"""Joining and leaving a fight: reinforcements, departures, and the end of summons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Procedure, Sets, World
from strike_cli.problems import Refused
from strike_cli.tabletop.distance_units import SQUARES
from strike_cli.tabletop.scene_change_facts import Left
from strike_cli.tabletop.turn_order import (
    INITIATIVE,
    INITIATIVES,
    Entry,
    order_entries,
    which_turns_have_begun,
)

from ..board.zones import add_auras_of
from ..facts.turns_and_actions import InitiativeRolled
from ..facts.zones_and_summons import SummonLasts
from ..fight_state import ENEMIES, Fight, combatant_path
from ..health_and_statuses import (
    apply_hp_consequences,
    changes_clearing_removed_combatant,
    end_effects_waiting_for_turn_of,
)
from ..rule_numbers import combat_numbers
from .fight_setup import initiative_groups_of_sharing_kinds, roll_initiative_die_for_each_turn
from .objective import is_party_member_on_way_out, leaves_short_of_way_out

if TYPE_CHECKING:
    from ..data import JoinData, LeaveData


def complete_joining(world: World, newcomers: Sequence[str]) -> Procedure[JoinData]:
    """Complete the joining of newcomers: make their auras, and put them into the turn order.

    If initiative has been rolled, newcomers roll, too. They act in this round if their place is still to
    come. A combatant that had left the fight keeps its old place in the order, and gets the statuses that
    follow from its HP.
    """
    known = {entry.who for entry in order_entries(Fight(world).data, Fight(world).data["combatants"])}
    for combatant in newcomers:
        yield from add_auras_of(world, combatant)
        if combatant in known:
            yield from apply_hp_consequences(world, combatant)
    fight, rolls = Fight(world), []
    if fight.data["round"]:
        for group in initiative_groups_of_sharing_kinds(
            fight, [combatant for combatant in newcomers if combatant not in known]
        ):
            for rolled in (yield from roll_initiative_die_for_each_turn(fight, group[0])):
                rolls.append(rolled.as_json())
                yield from add_turn_to_order_by_initiative(world, group, rolled.total)
    return {"rolls": rolls, "order": fight.data.get("order", [])}


def add_turn_to_order_by_initiative(world: World, group: Sequence[str], total: int) -> Procedure[None]:
    """Give a group one turn in the turn order, by its initiative total.

    If totals are equal, enemies come before the party, and newcomers come after combatants of their own side.
    A combatant without an initiative total stays directly behind the combatant whom it follows now.

    If the group's place has already passed in this round, its turn counts as taken. A second call gives the
    group another turn in each round.
    """
    fight = Fight(world)
    side, people = fight.side(group[0]), fight.data["combatants"]
    places = order_entries(fight.data, people)

    def acts_after_newcomers(other: Entry) -> bool:
        if other.initiative is None:
            return False
        tied = other.initiative == total and side == ENEMIES and fight.side(other.who) != ENEMIES
        return other.initiative < total or tied

    place = next((number for number, other in enumerate(places) if acts_after_newcomers(other)), len(places))
    past = any(which_turns_have_begun(fight.data, people)[place:])
    order = [other.who for other in places]
    order[place:place] = group
    sets: Sets = {"fight.order": order}
    for combatant in group:
        one = fight.combatant(combatant)
        sets[combatant_path(combatant, INITIATIVE)] = max(total, one.get(INITIATIVE, total))
        if INITIATIVE in one:  # another turn in each round
            totals = [*one.get(INITIATIVES, [one[INITIATIVE]]), total]
            sets[combatant_path(combatant, INITIATIVES)] = sorted(totals, reverse=True)
        if past:
            sets |= fight.turn_count_changes(combatant)
    yield world.tell(InitiativeRolled(group[0], group=group, total=total), sets)


class LeaveFight(Args):
    """The arguments of `combat leave`.

    Attributes:
        who: The combatant who leaves.
        why: A reason from the story for which the combatant gets away.
        surrender: The combatant gives up.
    """

    who: str
    why: str = ""
    surrender: bool = False


def play_leave(world: World, args: LeaveFight) -> Procedure[LeaveData]:
    """Play `combat leave`: a combatant leaves the fight of its own accord (STR-TAC-15).

    A combatant may leave if it surrenders, if `why` gives a reason from the story, or if
    `may_leave_by_distance_or_way_out` allows it. Raises Refused otherwise.
    """
    fight, combatant = Fight(world), args.who
    fight.must_be_in_fight(combatant)
    if not (args.surrender or args.why or may_leave_by_distance_or_way_out(fight, combatant)):
        raise Refused(
            f"{fight.name(combatant)} is "
            f"{SQUARES.words(fight.distance_to_nearest_enemy(combatant) or 0)} from an enemy, "
            f"and leaving takes {combat_numbers()['defaults']['leave_distance']}.",
            "--surrender makes them surrender. --why gives another way to get away: unseen, by the story.",
        )
    yield from record_leaving_and_end_effects(
        world, combatant, Left(combatant, args.why.strip().rstrip("."), surrenders=args.surrender)
    )
    return {"who": combatant, "decided": fight.fight_outcome()}


def may_leave_by_distance_or_way_out(fight: Fight, combatant: str) -> bool:
    """Return whether a combatant may leave the fight from its present square (STR-TAC-15).

    It is True if the combatant isn't on the map, or if every enemy on the map is far enough away (20
    squares). It is True also for a member of the party on the objective's way out.
    """
    near = fight.distance_to_nearest_enemy(combatant) if fight.is_on_map(combatant) else None
    return (
        near is None
        or near >= combat_numbers()["defaults"]["leave_distance"]
        or is_party_member_on_way_out(fight.data, combatant)
    )


def record_leaving_and_end_effects(world: World, combatant: str, fact: Left) -> Procedure[None]:
    """Remove a combatant from the fight without making it Taken Out.

    The effects that depend on the combatant end, too. If its turn is under way, the turn ends.
    """
    fight = Fight(world)
    sets: Sets = {
        **changes_clearing_removed_combatant(fight, combatant),
        combatant_path(combatant, "out"): "left",
    }
    if leaves_short_of_way_out(fight.data, combatant, fact):
        sets[combatant_path(combatant, "elsewhere")] = True
    if fight.data.get("active") == combatant:
        sets |= {
            "fight.active": None,
            "fight.turn": None,
            "fight.due": None,
            **fight.turn_count_changes(combatant),
        }
    yield world.tell(fact, sets)
    yield from end_effects_waiting_for_turn_of(world, combatant)


MOST_SUMMONED = 6
"""The most creatures that one combatant may have summoned at a time."""


def present_creatures_summoned_by(fight: Fight, summoner: str) -> list[str]:
    """Return the creatures summoned by a combatant that are still in the fight."""
    return [
        combatant
        for combatant in fight.still_in_fight()
        if fight.combatant(combatant).get("summoned", {}).get("by") == summoner
    ]


def dismiss_creature(world: World, combatant: str) -> Procedure[None]:
    """Remove a summoned creature from the fight."""
    if not Fight(world).is_out(combatant):
        yield from record_leaving_and_end_effects(world, combatant, Left(combatant, gone=True))


def dismiss_or_keep_expiring_summons(world: World, moment: str, summoner: str) -> Procedure[None]:
    """Dismiss the creatures of `summoner` whose time is over at this moment of its turn.

    `moment` is `turn-start` or `turn-end`. A creature that is marked `later` stays until the same moment of
    the next turn, and only loses the mark.
    """
    for combatant, one in list(Fight(world).data["combatants"].items()):
        lasts = one.get("summoned")
        if (
            lasts
            and lasts["by"] == summoner
            and lasts["ends"] == moment
            and not Fight(world).is_out(combatant)
        ):
            if lasts.get("later"):
                yield world.tell(SummonLasts(combatant), {combatant_path(combatant, "summoned.later"): None})
            else:
                yield from dismiss_creature(world, combatant)


def dismiss_summons_bound_to_summoner(world: World, summoner: str) -> Procedure[None]:
    """Dismiss the creatures that `summoner` summoned, except those that stay without their summoner."""
    for combatant in present_creatures_summoned_by(Fight(world), summoner):
        if not Fight(world).combatant(combatant)["summoned"].get("stays"):
            yield from dismiss_creature(world, combatant)
