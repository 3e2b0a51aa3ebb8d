"""The value of positions in a fight, and what an option is expected to gain, both in HP.

Bots use only what everybody at the table can see, and ask the rules instead of repeating them. Begin with
`expected_gain_to_side_acted_for`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import State, apply_changes
from strike_cli.play.legal_options import Option, refusal_of_move
from strike_cli.problems import Refused
from strike_cli.tabletop.characters_and_names import checked_creature_size
from strike_cli.tabletop.grid import Square, footprint, format_square, parse_square
from strike_cli.tabletop.zones import zone_affects

from ..board.move import provoked_by_move_to
from ..board.opportunity_attacks import opportunity_damage
from ..encounter.objective import LEFT, objective_value_for_side
from ..fight_state import Fight, combatants_in, fight_in
from .legal_options import move_option_to
from .outcome_forecast import (
    FEW_PLAYS,
    MOST_TOGETHER,
    USUAL_POLICY,
    ChoicePolicy,
    ForeseenOutcome,
    WorkBudget,
    independent_outcomes_by_target,
    outcome_chances_of_option,
    targets_rolled_against,
)
from .status_worth import worth_of_status, worth_per_turn

if TYPE_CHECKING:
    from ..data import Combatant, ContentOfFights, FightState

# The value of things to a bot, in HP
STANDING_UP = 4.0
"""The value, in HP, of a creature that is still in the fight, besides its own HP."""
SAFE = 2.0
"""The value, in HP, of a creature that has left the fight of its own accord."""
DOWN = 1.0
"""The value, in HP, of a creature that is Incapacitated and may come back."""
ZONE = 0.3
"""The value, in HP, to a side of each kind of zone that one of its creatures has made."""
ACTION_POINT = 4.0
"""The value, in HP, of an Action Point: that of the power which Rally restores for one."""
STEP = 0.01
"""The cost, in HP, of a square of movement: of two moves that are otherwise equal, the shorter is chosen."""
WORTH_IT = 0.05
"""The least gain, in HP, for which a bot acts at all."""


def expected_gain_to_side_acted_for(
    world: World, combatant: str, option: Option, effort: WorkBudget | None = None
) -> float:
    """Return the expected gain of an option, in HP, for the side that the creature acts for.

    A dominated creature acts for the dominating side. The cost of Action Points is subtracted. The result is
    ILLEGAL_GAIN for an illegal option. It is an estimate if there are too many outcomes to play all of them.
    """
    power = world.book.powers.get(getattr(option.args, "power", ""), {})
    paid = ACTION_POINT * int(power.get("ap", 0))
    fight = Fight(world)
    if paid and fight.side_acted_for(combatant) != fight.side(combatant):  # not the other side's
        return ILLEGAL_GAIN
    targets, effort = targets_rolled_against(world, option), effort or WorkBudget(world)
    # A Miss Token can be spent only once, so with many rolls none is planned.
    plan = USUAL_POLICY if len(targets) <= MOST_TOGETHER else KEEPING_TOKENS
    try:
        return _gain_over_outcomes(world, combatant, option, targets, plan, effort) - paid
    except Refused:
        return ILLEGAL_GAIN


ILLEGAL_GAIN = float("-inf")
"""The gain of an option that is illegal, or turns out to be while it is played."""


def _gain_over_outcomes(
    world: World, actor: str, option: Option, targets: Sequence[str], plan: ChoicePolicy, effort: WorkBudget
) -> float:
    side = Fight(world).side_acted_for(actor)

    def gain_of_outcome(outcome: ForeseenOutcome, number: int | None) -> float:
        first, _ = outcome.at_first_roll or (outcome.state, 0)
        before = first if number else world.state
        return round(_value_change(world.book, before, outcome.state, side), 6)

    if len(targets) > 1:
        leaves = independent_outcomes_by_target(
            world, option, targets, gain_of_outcome, _sum_of_gains, plan, effort, test_plays=0
        )
        if leaves is not None:
            return fsum(leaf.value * float(leaf.chance) for own in leaves for leaf in own)
    ways = outcome_chances_of_option(
        world, option, lambda outcome: gain_of_outcome(outcome, None), plan, effort, len(targets), FEW_PLAYS
    )
    return ways.mean(float)


def _sum_of_gains(gains: Sequence[float]) -> float:
    return round(sum(gains), 6)


KEEPING_TOKENS = ChoicePolicy(tokens="keep")


def fight_value_to_side_in(world: World, side: str) -> float:
    """Return the value of the fight to a side, in HP."""
    return fight_value_to_side(world.book, world.state, side)


def fight_value_to_side(book: ContentOfFights, state: State, side: str) -> float:
    """Return the value of a fight's state to a side, in HP; 0 without a fight.

    It is the value of the side's creatures minus that of all others. Zones and progress towards an objective
    count, too.
    """
    fight = fight_in(state)
    if not fight:
        return 0.0
    total = fsum(
        _value_of_hp_statuses_and_safety(book, one) * (1 if one["side"] == side else -1)
        for one in fight["combatants"].values()
    )
    if fight.get("zones"):
        total += _value_of_zones(book, fight, side)
    return total + objective_value_for_side(fight, side) if "objective" in fight else total


def _value_of_zones(book: ContentOfFights, fight: FightState, side: str) -> float:
    """Return the worth to a side, in HP, of the zones that combatants made.

    All zones of one maker with the same name together are worth ZONE to the maker's side. For each creature
    in a zone, half the worth of the zone's status counts for the creature's side. Half of the zone's damage
    counts against that side.
    """
    people, worth = fight["combatants"], 0.0
    kinds = set[tuple[str, str]]()
    for zone in fight["zones"].values():
        maker = people.get(zone.get("by", ""))
        if maker is None:
            continue
        own = 1 if maker["side"] == side else -1
        if (zone["by"], zone["name"]) not in kinds:
            kinds.add((zone["by"], zone["name"]))
            worth += own * ZONE
        status = book.statuses[zone["status"]] if "status" in zone else None
        for combatant, one in people.items() if "damage" in zone or status else ():
            if "at" in one and "out" not in one and zone_affects(zone, combatant, people):
                squares = footprint(parse_square(one["at"]), checked_creature_size(one["size"]))
                if any(format_square(square) in zone["squares"] for square in squares):
                    gives = worth_per_turn(book, one, status) if status else 0.0
                    gives = (gives - zone.get("damage", 0)) / 2
                    worth += gives if one["side"] == side else -gives
    return worth


def _value_change(book: ContentOfFights, before: State, after: State, side: str) -> float:
    """Return how much the value of a fight to a side rises between two states, in HP."""
    earlier, later = fight_in(before), fight_in(after)
    was, now = combatants_in(before), combatants_in(after)
    total = 0.0
    if earlier and earlier.get("zones"):
        total -= _value_of_zones(book, earlier, side)
    if later and later.get("zones"):
        total += _value_of_zones(book, later, side)
    if earlier and later and "objective" in earlier and "objective" in later:
        total += objective_value_for_side(later, side) - objective_value_for_side(earlier, side)
    for combatant, there in {**was, **now}.items():
        one, other = now.get(combatant), was.get(combatant)
        if one is other:
            continue
        change = (_value_of_hp_statuses_and_safety(book, one) if one else 0.0) - (
            _value_of_hp_statuses_and_safety(book, other) if other else 0.0
        )
        total += change if there["side"] == side else -change
    return total


def _value_of_hp_statuses_and_safety(book: ContentOfFights, combatant: Combatant) -> float:
    if "out" in combatant:
        return SAFE if combatant["out"] == LEFT and "summoned" not in combatant else 0.0
    helps = sum(worth_of_status(book, combatant, status) for status in combatant.get("statuses", ()))
    if combatant["hp"] <= 0:
        return DOWN + float(combatant["hp"]) / 10
    return STANDING_UP + float(combatant["hp"]) + helps


# Moves


def legal_move_option(world: World, combatant: str, square: Square, trade: bool = False) -> Option | None:
    """Return the option to move to a square, or None if that move isn't legal."""
    option = move_option_to(combatant, square, trade)
    return option if refusal_of_move(world, option.command, option.args) is None else None


def world_as_if_move_spent_to_reach(world: World, combatant: str, square: Square) -> World:
    """Return a copy of the world in which a creature is on another square and has spent a Move Action.

    Nothing that would happen on the way is played.
    """
    at, taken = f"fight.combatants.{combatant}.at", "fight.turn.move"
    return World(
        world.book,
        apply_changes(
            world.state,
            [(at, world.get(at), format_square(square)), (taken, world.get(taken), world.get(taken, 0) + 1)],
        ),
    )


def opportunity_cost_to_side_acted_for(fight: Fight, combatant: str, square: Square) -> float:
    """Return the damage, in HP, of the Opportunities that a creature gives by moving to a square.

    If another side decides for the creature, the result is negative, since the damage is good for that side.
    """
    own = 1 if fight.side_acted_for(combatant) == fight.side(combatant) else -1
    struck_by = provoked_by_move_to(fight, combatant, square)
    return float(own * sum(opportunity_damage(fight, foe) for foe in struck_by))
