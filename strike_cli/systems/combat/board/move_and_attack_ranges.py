"""The squares that a creature can move to and attack, for highlighting on maps (STR-TAC-07, STR-TAC-22).

They follow the same rules as the actions themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress

from strike_cli.kernel.procedure import Args, World
from strike_cli.problems import Refused, is_not_refused
from strike_cli.tabletop.distance_units import Ranges
from strike_cli.tabletop.grid import Square, distance_between_spaces

from ..fight_state import Fight, area_shape_of
from ..powers.power_use import UsePower
from ..powers.powers_and_targets import (
    aim_power_with_reach_of_first_steps,
    has_attack_roll,
    longest_reach_or_range,
    must_be_usable,
    powers_of,
    require_power_as_user_has_it,
)
from ..powers.standard_powers_and_use_limits import Power
from .move import destinations
from .sight_and_hiding import make_square_sight_test


def move_and_attack_ranges(world: World, combatant: str) -> Ranges:
    """Return the squares that a creature may move to now, and the squares that its attacks can reach.

    Both are empty for a creature that is off the map or out of the fight. Outside its own turn, a creature
    counts as having a whole Move Action.
    """
    fight = Fight(world)
    if combatant not in fight.data["combatants"] or not fight.is_on_map(combatant) or fight.is_out(combatant):
        return Ranges()
    own_turn = fight.data.get("active") == combatant
    may_move = not own_turn or is_not_refused(fight.action_to_spend, combatant, "move", trade=True)
    moves = sorted(destinations(fight, combatant)) if may_move else ()
    return Ranges(tuple(moves), tuple(_attackable_squares(fight, combatant)))


def area_of_power_use(world: World, args: Args) -> Collection[Square]:
    """Return the squares that a power's area covers if it is used with `args`.

    There are none if the power has no area, the use isn't allowed, or `args` aren't the arguments of a power.
    """
    if not isinstance(args, UsePower) or not args.power:
        return ()
    fight = Fight(world)
    with suppress(Refused):
        return aim_power_with_reach_of_first_steps(
            fight, args.who, require_power_as_user_has_it(fight, args.who, args.power), args.targets, args.at
        ).squares
    return ()


def _attackable_squares(fight: Fight, combatant: str) -> Iterator[Square]:
    attacks = [*_attacks_not_used_up(fight, combatant)]
    aimed = max(map(longest_reach_or_range, attacks), default=0)
    shapes = ((power, area_shape_of(power)) for power in attacks)
    spread = max((power[shape] for power, shape in shapes if shape and shape != "area"), default=0)
    grid, at, size, sees = (
        fight.grid,
        fight.at(combatant),
        fight.size(combatant),
        make_square_sight_test(fight, combatant),
    )
    own = fight.squares_of(combatant)
    for square in ((x, y) for y in range(grid.height) for x in range(grid.width)):
        far = distance_between_spaces(at, size, square, 1)
        if square in own or far > max(aimed, spread) or grid.is_blocked(square):
            continue
        if (far <= aimed and sees(square)) or (far <= spread and grid.has_line_of_sight(at, square, size)):
            yield square


def _attacks_not_used_up(fight: Fight, combatant: str) -> Iterator[Power]:
    """Yield the attacks that a creature can make on its own turn and has not used up in this fight."""
    for key in powers_of(fight, combatant):
        with suppress(Refused):
            power = require_power_as_user_has_it(fight, combatant, key)
            must_be_usable(fight, combatant, power)
            if has_attack_roll(power) and "trigger" not in power and "on" not in power:
                yield power
