"""The amounts of steps: fixed numbers, dice, the numbers of statuses, and measures.

There is a function for each measure in `steps.AMOUNTS`, such as `users_melee_damage`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, Roll, World
from strike_cli.registry.installed_plugins import import_object

from ..fight_state import Fight
from ..health_and_statuses import statuses_given_to
from ..steps import amount_kind_named
from .powers_and_targets import PowerUse, other_creatures_treated_as, require_power_as_user_has_it
from .standard_powers_and_use_limits import MELEE_BASIC

if TYPE_CHECKING:
    from ..data import MeasuredWritten


def determine_step_amount(
    world: World, use: PowerUse, amount: int | MeasuredWritten, target: str
) -> Procedure[int]:
    """Return the amount of a step for one target: a fixed number, a roll, or a measure.

    A roll or a measure is then multiplied, divided and limited as the step says. Unless the step gives
    another lower limit, the result is at least 0. Dice are rolled separately for each target.
    """
    if isinstance(amount, int):
        return amount
    if "die" in amount:
        number = int(amount.get("dice", 1))
        faces = yield Roll(number, int(amount["die"]), use.power["name"], use.who, sum)
        found = sum(faces)
    elif "status" in amount:
        found = status_number_of(world, target, amount["status"])
    else:
        found = _load_measure(amount_kind_named(world.book, amount["of"]).measure)(Fight(world), use, target)
    found = found * int(amount.get("times", 1)) // int(amount.get("share", 1))
    if "half" in amount:
        found = (found + (amount["half"] == "up")) // 2
    found = max(found + int(amount.get("plus", 0)), int(amount.get("least", 0)))
    return min(found, int(amount.get("most", found)))


@cache
def _load_measure(reference: str) -> Callable[[Fight, PowerUse, str], int]:
    found: Callable[[Fight, PowerUse, str], int]
    found = import_object(f"{__package__}{reference}" if reference.startswith(".") else reference)
    return found


def damage_of_this_roll_so_far(fight: Fight, use: PowerUse, target: str) -> int:
    """Return the damage in HP that the present attack roll and its steps have dealt so far.

    For a power without an attack roll, return the damage of all its steps so far.
    """
    return use.tally.dealt if use.tally else 0


def status_number_of(world: World, target: str, status: str) -> int:
    """Return the number of a creature's status, 0 if it doesn't have the status.

    If the creature has several instances, the highest number is returned.
    """
    held = statuses_given_to(world, target)
    return max((int(item.get("value", 0)) for item in held if item["id"] == status), default=0)


def damage_reacted_to(fight: Fight, use: PowerUse, target: str) -> int:
    """Return the damage in HP that triggered the reaction: damage about to be dealt, or just taken."""
    if use.event:
        return use.event.amount
    assert use.moment is not None, "the form has it where there is damage alone"
    return use.moment.amount


def users_max_hp(fight: Fight, use: PowerUse, target: str) -> int:
    """Return the maximum HP of the power's user. For a user with boxes, it is the number of boxes."""
    return int(fight.combatant(use.who)["max_hp"])


def users_speed(fight: Fight, use: PowerUse, target: str) -> int:
    """Return how many squares the power's user can move with a Move Action now."""
    return fight.speed(use.who)[0]


def users_melee_damage(fight: Fight, use: PowerUse, target: str) -> int:
    """Return the damage of the Melee Basic Attack of the creature that uses the power."""
    return int(require_power_as_user_has_it(fight, use.who, MELEE_BASIC)["damage"])


def status_number_at_reaction(fight: Fight, use: PowerUse, target: str) -> int:
    """Return the number that a status had when its reaction began.

    If the steps don't belong to a status, or it has no number, return 0.
    """
    number = use.held.instance.get("value", 0) if use.held else 0
    return number if isinstance(number, int) else 0


def hp_missing_from_target(fight: Fight, use: PowerUse, target: str) -> int:
    """Return how many HP, or boxes, the target has lost."""
    combatant = fight.combatant(target)
    return int(combatant["max_hp"]) - int(combatant["hp"])


def round_now(fight: Fight, use: PowerUse, target: str) -> int:
    """Return the number of the current round."""
    return int(fight.data["round"])


def users_strikes(fight: Fight, use: PowerUse, target: str) -> int:
    """Return the Strikes of the power's user."""
    return int(fight.combatant(use.who).get("strikes", 0))


def users_miss_tokens(fight: Fight, use: PowerUse, target: str) -> int:
    """Return the Miss Tokens of the power's user."""
    return int(fight.combatant(use.who).get("miss_tokens", 0))


def target_count(fight: Fight, use: PowerUse, target: str) -> int:
    """Return the number of targets of the power."""
    return len(use.aim.targets)


def count_adjacent_enemies(fight: Fight, use: PowerUse, target: str) -> int:
    """Return the number of enemies next to the power's user."""
    return _count_adjacent(fight, use, friends=False)


def count_adjacent_allies(fight: Fight, use: PowerUse, target: str) -> int:
    """Return the number of allies next to the power's user."""
    return _count_adjacent(fight, use, friends=True)


def _count_adjacent(fight: Fight, use: PowerUse, friends: bool) -> int:
    if not fight.is_on_map(use.who):
        return 0
    others = filter(fight.is_on_map, other_creatures_treated_as(fight, use, friends))
    return sum(fight.gap(use.who, one) == 1 for one in others)
