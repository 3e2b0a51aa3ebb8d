"""Changes that the game master makes by hand in a fight by Momentum (WSH-02, 03, 07).

They are made by the game master's override, or by edits on a virtual tabletop.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from strike_cli.plugin import Data, Procedure, Refused, Sets, World
from strike_cli.plugin.board import InterpretedChange, TabletopChange
from strike_cli.plugin.parts import GmOverrideRules
from strike_cli.plugin.refusals import CantHaveThere

from .action_costs import MomentumAction
from .actions import play_act
from .facts import MomentumTakesPlace
from .fight_start_end_and_summons import fighter_with_kept_or_sheet_numbers
from .fight_state import DEAD, DESTROYED, Battle
from .gm_moves import Amount, Hurt, play_gain, play_heal, play_hurt
from .initiative_and_rounds import calculate_own_initiative, sort_by_initiative
from .rule_constants import REACTION_POINTS
from .walking import reveal_or_expose_seen_combatants

if TYPE_CHECKING:
    from .data import MomentumFighter


class MomentumHand(GmOverrideRules):
    """How the game master's overrides change Vitality and points, and add people to a fight."""

    gone_for_good = (DEAD, DESTROYED)
    counted = MappingProxyType({"temp_vitality": "Temporary Vitality"})
    zones_do = ("damage", "difficult", "obscured", "dark", "light")

    def table_of_newcomer(self, world: World, ref: str, person: Data) -> Data:
        """Return the data of a newcomer: `person`, to which the newcomer's numbers are added.

        The numbers are those of the sheet, or those that the last fight left.
        """
        return fighter_with_kept_or_sheet_numbers(world, ref, person)

    def play_after_joining(self, world: World, newcomers: Sequence[str]) -> Procedure[Data | None]:
        """Give newcomers a place in the turn order, if initiative has been rolled; objects get no place."""
        for combatant in newcomers:
            battle = Battle(world)
            if battle.round and not battle.people[combatant].get("object"):
                yield from _give_place_in_order(world, combatant)
        return None

    def play_hiding(self, world: World, person: str) -> Procedure[Data]:
        return play_act(world, MomentumAction(who=person, action="hide"))

    def play_after_map_change(self, world: World) -> Procedure[Data | None]:
        """Reveal the hidden combatants whom an enemy can see."""
        return reveal_or_expose_seen_combatants(world)

    def changes_for_number(self, world: World, person: str, meter: str, number: int) -> Sets:
        """Return the changes that set a number of a combatant.

        With Vitality below 1, the combatant also goes down, but doesn't die. Raises CantHaveThere if any
        other number is below 0. Raises Refused for Vitality above the maximum, or so low that the combatant
        would die.
        """
        battle = Battle(world)
        one = battle.require_present(person)
        if meter != "vitality":
            if number < 0:
                raise CantHaveThere(one["name"], number, "0 or more.")
            return battle.sets(person, **{meter: number})
        least, most = battle.sheet(person).dies_at + 1, one["max_vitality"]
        if not least <= number <= most:
            raise Refused(
                f"{one['name']}'s Vitality must be from {least} to {most}, not {number}.",
                f"`strike momentum leave {person} dead` lets them die.",
            )
        return battle.sets(person, vitality=number, down=number < 1)

    def play_harm_or_healing(self, world: World, person: str, meter: str, by: int) -> Procedure[Data] | None:
        """Return a procedure that changes Vitality or Narrative Momentum; None for any other number.

        `meter` names the number, and `by` is the change. A change of Vitality is played as healing if `by` is
        above 0, and otherwise as damage. A change of Narrative Momentum is played as a gain. If the result is
        None, the caller sets the number directly.
        """
        if meter == "momentum":
            return play_gain(world, Amount(who=person, amount=by))
        if meter != "vitality":
            return None
        return (
            play_heal(world, Amount(who=person, amount=by))
            if by > 0
            else play_hurt(world, Hurt(who=person, amount=-by))
        )


def _give_place_in_order(world: World, combatant: str) -> Procedure[None]:
    """Give a newcomer a place in the turn order, by initiative.

    If somebody later in the order has begun their turn in this round, the newcomer first acts in the next
    round. Otherwise the newcomer still acts in this round.
    """
    battle = Battle(world)
    order = [one for one in battle.data.get("order", ()) if one != combatant]
    initiative = calculate_own_initiative(battle, combatant)
    newcomer: MomentumFighter = {**battle.people[combatant], "initiative": initiative}
    placed = sort_by_initiative({**battle.people, combatant: newcomer}, [*order, combatant])
    past = any(
        battle.people[one].get("begun") == battle.round for one in placed[placed.index(combatant) + 1 :]
    )
    acted = battle.round if past else None
    sets = battle.sets(combatant, initiative=initiative, rp=REACTION_POINTS, reacted=0, acted=acted)
    sets["momentum.order"] = placed
    yield world.tell(MomentumTakesPlace(combatant, initiative, past), sets)


def interpret_tabletop_change(world: World, change: TabletopChange) -> InterpretedChange:
    """Return the command or the changes for an edit made on a virtual tabletop.

    A token that was moved becomes `momentum move`. Numbers are set in the same way as by the game master's
    override.
    """
    combatant, to = change.who, change.to
    if change.kind == "moved":
        sets = {f"momentum.people.{combatant}.at": to}
        move = {"who": combatant, "to": to}
        return InterpretedChange("momentum move", move, ("momentum", "move", combatant, str(to)), True, sets)
    return InterpretedChange(sets={f"momentum.people.{combatant}.{change.meter}": to} if change.meter else {})
