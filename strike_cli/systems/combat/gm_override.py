"""The game master's overrides that exist only in a fight.

An override of HP has all consequences that the rules give it. Newcomers roll initiative. A creature hides or
leaves as the rules say.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from strike_cli.kernel.procedure import Data, Procedure, Sets, World
from strike_cli.play.gm_override.maps import DoorByHand
from strike_cli.refusals import CantHaveThere
from strike_cli.registry.gm_override_hooks import Hand
from strike_cli.tabletop.grid import Grid
from strike_cli.tabletop.vtt_changes import DOOR, TabletopChange, TakenChange

from .board.move import MoveAction
from .board.sight_and_hiding import end_hiding, end_hiding_of_seen_creatures, play_hide
from .board.zones import remove_zone
from .encounter.creatures import new_combatant
from .encounter.joining_and_leaving import complete_joining
from .encounter.objective import TAKEN_OUT
from .facts.powers import FightParked, FightResumed
from .fight_state import Fight, combatant_path, parse_square_argument
from .gm_moves import HitPoints, SetHitPoints, play_damage, play_heal, play_hp
from .scene_view import METERS


class FightHand(Hand):
    """The game master's overrides in a fight: HP, Strikes, Miss Tokens, hiding, newcomers and zones."""

    gone_for_good = (TAKEN_OUT,)
    parks, resumes = FightParked, FightResumed
    counted = MappingProxyType({id: meter["name"] for id, meter in METERS.items() if id != "hp"})

    def newcomer(self, world: World, ref: str, person: Data) -> Data:
        """Return a joining creature's table for the state, with full HP or all boxes."""
        at = parse_square_argument(str(person["at"]))
        return {**new_combatant(world, ref, str(person["side"]), at, str(person["name"]))}

    def joined(self, world: World, newcomers: Sequence[str]) -> Procedure[Data | None]:
        """Roll initiative for newcomers, and give them their places in the order."""
        return complete_joining(world, newcomers)

    def hides(self, world: World, person: str) -> Procedure[Data]:
        """Let a creature begin to hide, as if it had been out of every enemy's sight for a full round."""
        return play_hide(world, person)

    def sets_hidden(self, world: World, person: str) -> Sets:
        """Return the changes that record this round as the one in which a creature began to hide.

        Because of the record the rules of hiding apply to the creature, and enemies may find it.
        """
        return {combatant_path(person, "hiding"): Fight(world).data["round"]}

    def reveals(self, world: World, person: str) -> Procedure[Data] | None:
        """Return the procedure that ends a creature's hiding.

        Returns None if the creature neither hides nor is Hidden.
        """
        one = Fight(world).combatant(person)
        return _reveal_creature(world, person) if "hiding" in one or one.get("hidden") else None

    def removes_zone(self, world: World, zone: str) -> Procedure[None]:
        """End a zone, after its end has had its effects on the creatures in the zone."""
        return remove_zone(world, zone)

    def grid(self, world: World) -> Grid:
        """Return the map as a grid, with the walls of active zones."""
        return Fight(world).grid

    def looked(self, world: World) -> Procedure[None]:
        """End the hiding of creatures that an enemy sees now."""
        return end_hiding_of_seen_creatures(world)

    def writes(self, world: World, person: str, meter: str, number: int) -> Procedure[Data] | None:
        """Return the procedure that sets a creature's HP to `number`, or None for another meter.

        The procedure also gives or ends the statuses that follow: Bloodied, Incapacitated and Taken Out.
        """
        return play_hp(world, SetHitPoints(who=person, to=number)) if meter == "hp" else None

    def sets_number(self, world: World, person: str, meter: str, number: int) -> Sets:
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

    def changes(self, world: World, person: str, meter: str, by: int) -> Procedure[Data] | None:
        """Return the procedure that deals damage (`by` below 0) or heals, None unless `meter` is "hp".

        The procedure also plays the reactions that follow.
        """
        if meter != "hp":
            return None
        return (play_heal if by > 0 else play_damage)(world, HitPoints(who=person, amount=abs(by)))


def _reveal_creature(world: World, combatant: str) -> Procedure[Data]:
    yield from end_hiding(world, combatant)
    return {"who": combatant}


def command_for_tabletop_change(world: World, change: TabletopChange) -> TakenChange:
    """Return the command that plays a change made at a virtual tabletop.

    The result has no command if none can play the change. A moved token becomes a Move Action; the player may
    be asked what price to pay for it (STR-TAC-07, 08). Changed HP become a game master's override with all
    consequences. A changed door is opened or closed.
    """
    combatant, to = change.who, change.to
    if change.kind == DOOR:
        squares = [square for square in (change.at, change.beyond) if square]
        words = ("combat", "door", "open" if to else "close", *squares)
        return TakenChange(
            "combat door", DoorByHand(at=change.at, beyond=change.beyond, open=bool(to)), words, by_rules=True
        )
    if combatant not in Fight(world).data["combatants"]:
        return TakenChange()
    if isinstance(to, str):
        move = MoveAction(who=combatant, to=to)
        return TakenChange(
            "combat move",
            move,
            ("combat", "move", combatant, to),
            True,
            {combatant_path(combatant, "at"): to},
        )
    if change.meter == "hp":
        hp = SetHitPoints(who=combatant, to=to)
        return TakenChange(
            "combat hp",
            hp,
            ("combat", "hp", combatant, f"={to}"),
            False,
            {combatant_path(combatant, "hp"): to},
        )
    return TakenChange()
