"""A player's view of their own character in a fight, on a phone: its statuses and powers now."""

from __future__ import annotations

from collections.abc import Iterator

from strike_cli.kernel.procedure import World
from strike_cli.tabletop.own_sheet_types import Holding, OwnSheet, SheetPart

from ..fight_state import ACTIONS, Fight
from ..health_and_statuses import status_end_in_words, status_name_with_number
from ..powers.powers_and_targets import powers_of, require_power_as_user_has_it
from ..powers.standard_powers_and_use_limits import uses_left_and_in_all
from .power_descriptions import cost_and_effects_line, reach_range_and_area_words
from .remaining_actions_and_map import may_spend_action_without_trade_now


def fight_part_of_own_sheet(world: World, combatant: str) -> OwnSheet:
    """Return what a player's own page shows about their combatant in the fight.

    If there is no fight, or the combatant isn't in it, the result is empty.
    """
    if combatant not in world.get("fight.combatants", ()):
        return OwnSheet()
    fight = Fight(world)
    numbers = []
    if fight.data.get("active") == combatant:
        left = [
            action.capitalize()
            for action in ACTIONS
            if may_spend_action_without_trade_now(fight, combatant, action)
        ]
        numbers.append(("Left to do", ", ".join(left) or "nothing"))
    return OwnSheet(
        numbers,
        [*_status_holdings(fight, combatant)],
        [SheetPart("Powers", [*_power_holdings(fight, combatant)])],
    )


def _status_holdings(fight: Fight, combatant: str) -> Iterator[Holding]:
    for status in fight.combatant(combatant).get("statuses", ()):
        definition = fight.world.book.statuses[status["id"]]
        by = f" by {fight.name_or_id(status['by'])}" if status.get("by") else ""
        note = status_end_in_words(fight, combatant, status)
        yield Holding(f"{status_name_with_number(fight, status)}{by}", definition.get("summary", ""), note)


def _power_holdings(fight: Fight, combatant: str) -> Iterator[Holding]:
    for key in powers_of(fight, combatant):
        power = require_power_as_user_has_it(fight, combatant, key)
        left = uses_left_and_in_all(fight, combatant, power)
        damage = f"{power['damage']} damage" if "damage" in power else ""
        far = "" if reach_range_and_area_words(power) == "-" else reach_range_and_area_words(power)
        what = cost_and_effects_line(fight.world.book, power)
        reach = ", ".join(filter(None, (far, damage)))
        text = ". ".join(filter(None, (reach, "" if what == "-" else what)))
        few = left[0] if left else 2
        yield Holding(power["name"], text, _uses_left_words(left), used=few == 0, last=few == 1)


def _uses_left_words(left: tuple[int, int] | None) -> str:
    """Return the uses left of a power in words, such as `1 of 2 left` or `used`.

    It is "" if the power's uses aren't limited, or if its single use is left.
    """
    if left is None or left == (1, 1):
        return ""
    return f"{left[0]} of {left[1]} left" if left[0] else "used"
