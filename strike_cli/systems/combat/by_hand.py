"""The game master's hand in a fight, beyond the common keys of a scene: numbers, with what follows from
them."""

from __future__ import annotations

from types import MappingProxyType

from strike_cli.kernel.procedure import Data, Procedure, Sets, World
from strike_cli.refusals import CantHaveThere
from strike_cli.registry.hand import Hand

from .fight import Fight, path_of
from .gm import HitPoints, SetHitPoints, play_damage, play_heal, play_hp
from .scene import METERS


class FightHand(Hand):
    """HP by the rules of harm and healing; Strikes and Miss Tokens of players' characters."""

    counted = MappingProxyType({id: meter["name"] for id, meter in METERS.items() if id != "hp"})

    def writes(self, world: World, who: str, meter: str, number: int) -> Procedure[Data] | None:
        """HP, with who is Bloodied, Incapacitated or Taken Out by them."""
        return _hp(world, who, number) if meter == "hp" else None

    def sets_number(self, world: World, who: str, meter: str, number: int) -> Sets:
        """Strikes and Miss Tokens are the party's, and none is below 0."""
        fight = Fight(world)
        if number < 0 or not fight.is_player(who):
            raise CantHaveThere(
                fight.name(who),
                number,
                "0 or more, and only characters of players have Strikes and Miss Tokens.",
            )
        return {path_of(who, meter): number or None}

    def changes(self, world: World, who: str, meter: str, by: int) -> Procedure[Data] | None:
        """Damage and healing, with what answers them."""
        if meter != "hp":
            return None
        return _changed(world, HitPoints(who=who, amount=abs(by)), heals=by > 0)


def _hp(world: World, who: str, number: int) -> Procedure[Data]:
    return (yield from play_hp(world, SetHitPoints(who=who, to=number)))


def _changed(world: World, args: HitPoints, *, heals: bool) -> Procedure[Data]:
    return (yield from (play_heal if heals else play_damage)(world, args))
