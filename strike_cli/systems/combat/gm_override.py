"""Game master overrides in a fight, besides those that all scenes share.

They set numbers with their consequences and places in the order, and follow the rules of hiding and leaving.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from strike_cli.kernel.procedure import Data, Procedure, Sets, World
from strike_cli.play.gm_override.maps import DoorByHand
from strike_cli.refusals import CantHaveThere
from strike_cli.registry.gm_override import Hand
from strike_cli.tabletop.grid import Grid
from strike_cli.tabletop.vtt_changes import DOOR, TabletopChange, TakenChange

from .board.move import MoveAction
from .board.sight import give_away, look_around, play_hide
from .board.zones import remove_zone
from .encounter.creatures import new_combatant
from .encounter.objective import TAKEN_OUT
from .encounter.reinforcements import take_their_places
from .facts.powers import FightParked, FightResumed
from .fight import Fight, path_of, square_named
from .gm_moves import HitPoints, SetHitPoints, play_damage, play_heal, play_hp
from .scene_reader import METERS


class FightHand(Hand):
    """The game master's overrides in a fight: HP by the rules of harm, Strikes, and Miss Tokens."""

    gone_for_good = (TAKEN_OUT,)
    parks, resumes = FightParked, FightResumed
    counted = MappingProxyType({id: meter["name"] for id, meter in METERS.items() if id != "hp"})

    def newcomer(self, world: World, ref: str, person: Data) -> Data:
        """Return a reinforcement's table in the state, with full HP or all boxes."""
        at = square_named(str(person["at"]))
        return {**new_combatant(world, ref, str(person["side"]), at, str(person["name"]))}

    def joined(self, world: World, newcomers: Sequence[str]) -> Procedure[Data | None]:
        """Roll initiative for newcomers, and give them their places in the order."""
        return take_their_places(world, newcomers)

    def hides(self, world: World, person: str) -> Procedure[Data]:
        """Let a creature begin to hide, as if it had been out of every enemy's sight for a full round."""
        return play_hide(world, person)

    def sets_hidden(self, world: World, person: str) -> Sets:
        """Return the changes that record this round as that of hiding, so that enemies may still see it."""
        return {path_of(person, "hiding"): Fight(world).data["round"]}

    def reveals(self, world: World, person: str) -> Procedure[Data] | None:
        """End a creature's hiding; None if it neither hides nor is Hidden."""
        one = Fight(world).combatant(person)
        return _reveal(world, person) if "hiding" in one or one.get("hidden") else None

    def removes_zone(self, world: World, zone: str) -> Procedure[None]:
        """End a zone, after the effects of its end on the creatures in it."""
        return remove_zone(world, zone)

    def grid(self, world: World) -> Grid:
        """Return the map as a grid, with the walls of active zones."""
        return Fight(world).grid

    def looked(self, world: World) -> Procedure[None]:
        """End the hiding of creatures that are now seen."""
        return look_around(world)

    def writes(self, world: World, person: str, meter: str, number: int) -> Procedure[Data] | None:
        """Set HP, with the statuses Bloodied, Incapacitated or Taken Out that follow.

        None for another meter.
        """
        return play_hp(world, SetHitPoints(who=person, to=number)) if meter == "hp" else None

    def sets_number(self, world: World, person: str, meter: str, number: int) -> Sets:
        """Return the changes that set Strikes or Miss Tokens.

        Raises CantHaveThere for a number below 0, and for a combatant that isn't a player's character.
        """
        fight = Fight(world)
        if number < 0 or not fight.is_player(person):
            raise CantHaveThere(
                fight.name(person),
                number,
                "0 or more; only players' characters have Strikes and Miss Tokens.",
            )
        return {path_of(person, meter): number or None}

    def changes(self, world: World, person: str, meter: str, by: int) -> Procedure[Data] | None:
        """Deal damage or heal, with the reactions that follow; None for a meter other than HP."""
        if meter != "hp":
            return None
        return (play_heal if by > 0 else play_damage)(world, HitPoints(who=person, amount=abs(by)))


def _reveal(world: World, combatant: str) -> Procedure[Data]:
    yield from give_away(world, combatant)
    return {"who": combatant}


def take_edit(world: World, change: TabletopChange) -> TakenChange:
    """Return the command that plays a change made at a virtual tabletop, if there is one.

    A moved token is a Move Action, for whose price the player may be asked (STR-TAC-07, 08). Changed HP are a
    game master's override with all consequences. A door is opened or closed.
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
            "combat move", move, ("combat", "move", combatant, to), True, {path_of(combatant, "at"): to}
        )
    if change.meter == "hp":
        hp = SetHitPoints(who=combatant, to=to)
        return TakenChange(
            "combat hp", hp, ("combat", "hp", combatant, f"={to}"), False, {path_of(combatant, "hp"): to}
        )
    return TakenChange()
