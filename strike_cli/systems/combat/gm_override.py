"""The game master's overrides in a fight, and changes made at a virtual tabletop.

An override of HP has all consequences of the rules. Newcomers roll initiative. Creatures hide and leave by
the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from strike_cli.kernel.procedure import Data, Procedure, Sets, World
from strike_cli.play.gm_override.maps import DoorArgs
from strike_cli.refusals import CantHaveThere
from strike_cli.registry.gm_override_hooks import GmOverrideRules
from strike_cli.tabletop.grid import Grid
from strike_cli.tabletop.vtt_edit_types import DOOR, InterpretedChange, TabletopChange

from .board.move import MoveAction
from .board.sight_and_hiding import end_hiding, end_or_expose_hiding_of_seen, play_begin_to_hide
from .board.zones import end_zone_with_its_reactions
from .encounter.creatures_and_budgets import new_combatant
from .encounter.joining_and_leaving import complete_joining
from .encounter.objective import TAKEN_OUT
from .facts.powers_and_fight_events import FightParked, FightResumed
from .fight_as_scene import METERS
from .fight_state import Fight, combatant_path, parse_square_argument
from .gm_hp_and_statuses import ChangeHitPoints, SetHitPoints, play_damage, play_heal, play_hp


class FightHand(GmOverrideRules):
    """The game master's overrides in a fight: HP, Strikes, Miss Tokens, hiding, newcomers and zones."""

    gone_for_good = (TAKEN_OUT,)
    parks, resumes = FightParked, FightResumed
    counted = MappingProxyType({id: meter["name"] for id, meter in METERS.items() if id != "hp"})

    def table_of_newcomer(self, world: World, ref: str, person: Data) -> Data:
        """Return a joining creature's table for the state, with full HP or all boxes."""
        at = parse_square_argument(str(person["at"]))
        return {**new_combatant(world, ref, str(person["side"]), at, str(person["name"]))}

    def play_after_joining(self, world: World, newcomers: Sequence[str]) -> Procedure[Data | None]:
        """Roll initiative for newcomers, and give them their places in the order."""
        return complete_joining(world, newcomers)

    def play_hiding(self, world: World, person: str) -> Procedure[Data]:
        """Return the procedure by which a creature begins to hide, by the rules of hiding (STR-TAC-23).

        The creature isn't Hidden yet. It becomes Hidden after a full round out of every enemy's sight.
        """
        return play_begin_to_hide(world, person)

    def changes_after_hiding(self, world: World, person: str) -> Sets:
        """Return the changes that record this round as the one in which a creature began to hide.

        With this record, the rules of hiding apply, and enemies may find the creature.
        """
        return {combatant_path(person, "hiding"): Fight(world).data["round"]}

    def play_revealing(self, world: World, person: str) -> Procedure[Data] | None:
        """Return the procedure that ends a creature's hiding.

        Returns None if the creature neither hides nor is Hidden.
        """
        one = Fight(world).combatant(person)
        return _end_hiding_of_creature(world, person) if "hiding" in one or one.get("hidden") else None

    def play_zone_removal(self, world: World, zone: str) -> Procedure[None]:
        """Return the procedure that ends a zone, with the effects of its end on the creatures inside."""
        return end_zone_with_its_reactions(world, zone)

    def grid(self, world: World) -> Grid:
        """Return the map as a grid, with the walls of active zones."""
        return Fight(world).grid

    def play_after_map_change(self, world: World) -> Procedure[None]:
        """End the hiding of creatures that an enemy sees now."""
        return end_or_expose_hiding_of_seen(world)

    def play_setting_number(
        self, world: World, person: str, meter: str, number: int
    ) -> Procedure[Data] | None:
        """Return the procedure that sets a creature's HP to `number`.

        The procedure also gives or ends the statuses that depend on HP: Bloodied, Incapacitated and Taken
        Out. If `meter` isn't "hp", the function returns None.
        """
        return play_hp(world, SetHitPoints(who=person, to=number)) if meter == "hp" else None

    def changes_for_number(self, world: World, person: str, meter: str, number: int) -> Sets:
        """Return the changes that set the Strikes or Miss Tokens of a player's character.

        Raises CantHaveThere if `number` is below 0, or if `person` isn't a player's character.
        """
        fight = Fight(world)
        if number < 0 or not fight.is_player(person):
            raise CantHaveThere(
                fight.name(person),
                number,
                "0 or more; only players' characters have Strikes and Miss Tokens.",
            )
        return {combatant_path(person, meter): number or None}

    def play_harm_or_healing(self, world: World, person: str, meter: str, by: int) -> Procedure[Data] | None:
        """Return a procedure that changes a person's HP: it heals or, if `by` is below 0, deals damage.

        The procedure also plays the reactions that follow. Return None if `meter` isn't "hp".
        """
        if meter != "hp":
            return None
        return (play_heal if by > 0 else play_damage)(world, ChangeHitPoints(who=person, amount=abs(by)))


def _end_hiding_of_creature(world: World, combatant: str) -> Procedure[Data]:
    yield from end_hiding(world, combatant)
    return {"who": combatant}


def interpret_tabletop_change(world: World, change: TabletopChange) -> InterpretedChange:
    """Return the command that plays a change made at a virtual tabletop.

    For a moved token it is a Move Action (STR-TAC-07, 08). For changed HP it is the override `combat hp`. For
    a door it is the command that opens or closes the door. For any other change the result is empty.
    """
    combatant, to = change.who, change.to
    if change.kind == DOOR:
        squares = [square for square in (change.at, change.beyond) if square]
        words = ("combat", "door", "open" if to else "close", *squares)
        return InterpretedChange(
            "combat door", DoorArgs(at=change.at, beyond=change.beyond, open=bool(to)), words, by_rules=True
        )
    if combatant not in Fight(world).data["combatants"]:
        return InterpretedChange()
    if isinstance(to, str):
        move = MoveAction(who=combatant, to=to)
        return InterpretedChange(
            "combat move",
            move,
            ("combat", "move", combatant, to),
            True,
            {combatant_path(combatant, "at"): to},
        )
    if change.meter == "hp":
        hp = SetHitPoints(who=combatant, to=to)
        return InterpretedChange(
            "combat hp", hp, ("combat", "hp", combatant, f"={to}"), sets={combatant_path(combatant, "hp"): to}
        )
    return InterpretedChange()
