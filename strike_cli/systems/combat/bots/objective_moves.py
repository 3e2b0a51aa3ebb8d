"""Moves that win by the fight's objective before its rounds are over.

If the objective is a way out, the moves lead to it, even at the cost of Opportunities. If a place must be
held at the end, the moves lead onto it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import TYPE_CHECKING

from strike_cli.kernel.state_changes import apply_changes
from strike_cli.play.legal_options import Option
from strike_cli.tabletop.grid import MORE_THAN_ANY_DISTANCE, Square, footprint, format_square, parse_square

from ..board.move import MoveAction, destinations
from ..encounter.objective import is_party_member_on_way_out, objective_outcome, objective_squares
from ..fight_state import PARTY, combatant_path, fight_in, last_part_of_id
from ..powers.powers_and_targets import require_power_as_user_has_it
from ..powers.standard_powers_and_use_limits import RALLY
from .legal_options import adjacent_door_opening_options, leave_option, power_option
from .position_value import opportunity_cost_to_side_acted_for

if TYPE_CHECKING:
    from .quick_bot import QuickTurn

SOON = 2
"""A creature that can reach the way out in fewer turns than this runs there, whatever else it could do."""


def options_towards_near_win(turn: QuickTurn) -> Iterator[Option]:
    """Yield options that lead to a win by the fight's objective, the best first.

    There are none if such a win isn't near. There are none for a dominated creature, or for an enemy of the
    party.
    """
    objective = turn.fight.data.get("objective", {})
    if (
        turn.acts_for_another_side
        or turn.side_acted_for != PARTY
        or turn.combatant["hp"] <= 0
        or "at" not in turn.combatant
    ):
        return
    if "reach" in objective:
        if is_party_member_on_way_out(turn.fight.data, turn.who):
            yield leave_option(turn.who)
        yield from _moves_to_way_out_or_rally(turn)
    elif "hold" in objective and turn.fight.data["round"] >= objective["rounds"]:
        yield from _winning_moves_onto_place_to_hold(turn)


def _moves_to_way_out_or_rally(turn: QuickTurn) -> Iterator[Option]:
    """Yield moves towards the way out, the best first.

    There are moves only if the creature can reach the way out in time. The way out must also be near, or the
    time must be only just enough.

    A move must bring the creature nearer to the way out. The Opportunities that it gives must not take the
    creature out. The best moves leave the fewest turns to go. Among equal moves, those with less damage and
    fewer squares left to go come first.

    If a badly hurt player's character has no move left in this turn, the option to Rally is yielded instead.
    """
    fight, combatant, size = turn.fight, turn.who, turn.size
    goals = _squares_that_cover_objective(turn, destinations(fight, combatant, MORE_THAN_ANY_DISTANCE))
    speed, _ = fight.speed(combatant)
    moves = (not turn.turn.get("move")) + (not turn.turn.get("attack"))
    if not goals or not speed:
        return
    goal = min(goals, key=lambda square: (goals[square], square))
    far = fight.grid.distances_to(goal, size)

    def later_turns_needed(squares: int, moves_left: int) -> int:
        return -(-max(0, squares - moves_left * speed) // (2 * speed))

    rounds = fight.data.get("objective", {}).get("rounds", inf)
    needed, left = later_turns_needed(goals[goal], moves), rounds - fight.data["round"]
    if needed > left or (needed >= SOON and needed < left):
        return
    if not turn.has_action_left("move"):
        if turn.is_hurt(combatant, HURT) and fight.is_player(combatant):
            yield power_option(
                combatant,
                require_power_as_user_has_it(fight, combatant, RALLY),
                last_part_of_id(RALLY),
                (combatant,),
                None,
                False,
            )
        return
    steps = {square: turn.move_option(square) for square in destinations(fight, combatant)}
    free = filter(
        turn.is_unoccupied_as_known, fight.grid.neighbours(turn.at, size) if turn.adjacent_foe_count else ()
    )
    shifts = {square: shift_option(turn, square) for square in free}
    ways = list[tuple[int, float, Option]]()
    for options in (steps, shifts):
        for square, option in options.items():
            squares = far.get(square, MORE_THAN_ANY_DISTANCE)
            turns = later_turns_needed(squares, moves - 1)
            harm = opportunity_cost_to_side_acted_for(fight, combatant, square) if options is steps else 0.0
            if (
                squares < far.get(turn.at, MORE_THAN_ANY_DISTANCE)
                and turns <= left
                and harm < turn.combatant["hp"]
            ):
                ways.append((turns, harm + BEHIND * squares, option))
    yield from (option for *_, option in sorted(ways, key=lambda way: way[:2]))


HURT = 0.5
"""The share of its HP at or below which a player's character rallies on the way out."""
BEHIND = 0.5
"""The cost, in HP, of each square that is left to the way out, since stragglers may be caught."""


def shift_option(turn: QuickTurn, square: Square) -> Option:
    """Return the option to Shift to a square."""
    to = format_square(square)
    args = MoveAction(who=turn.who, to=to, shift=True, trade=turn.would_trade_attack_action)
    return Option("combat move", args, ("move", turn.who, to, "--shift", *turn.trade_flags))


def _winning_moves_onto_place_to_hold(turn: QuickTurn) -> Iterator[Option]:
    """Yield moves onto the place that must be held; each wins the fight if nothing else changes."""
    if not turn.has_action_left("move"):
        return
    found, state, path = destinations(turn.fight, turn.who), turn.world.state, combatant_path(turn.who, "at")
    goals = _squares_that_cover_objective(turn, found)
    for square in sorted(
        goals, key=lambda one: (opportunity_cost_to_side_acted_for(turn.fight, turn.who, one), found[one])
    ):
        after = fight_in(apply_changes(state, [(path, turn.combatant["at"], format_square(square))]))
        if after and objective_outcome({**after, "round": after["objective"]["rounds"] + 1}) == "won":
            yield turn.move_option(square)


def adjacent_door_options_to_objective(turn: QuickTurn) -> Iterator[Option]:
    """Yield the option to open a door that bars the way to the fight's objective.

    The door is next to the creature.
    """
    for square in map(parse_square, objective_squares(turn.fight.data, turn.who)):
        if turn.is_unoccupied_as_known(square):
            yield from adjacent_door_opening_options(turn.fight, turn.who, square)


def _squares_that_cover_objective(turn: QuickTurn, squares: Mapping[Square, int]) -> dict[Square, int]:
    """Return those of `squares` on which the creature would cover a square of the objective.

    `squares` has the cost of each square, and so has the result.
    """
    aims = frozenset(map(parse_square, objective_squares(turn.fight.data, turn.who)))
    return {
        square: cost for square, cost in squares.items() if not aims.isdisjoint(footprint(square, turn.size))
    }
