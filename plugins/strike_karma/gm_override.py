"""What the game master sets by hand in a fight by Karma, apart from what every scene has (CIN-01, 03)."""

from __future__ import annotations

from collections.abc import Sequence

from strike_cli.plugin import Data, Procedure, Sets, World
from strike_cli.plugin.parts import Hand
from strike_cli.plugin.refusals import CantHaveThere

from .fight import KarmaFight
from .gm_moves import Spend, play_karma, sets_gone
from .setup import numbers_of, roll_luck


class KarmaHand(Hand):
    """How the game master changes Reaction Pools and Instant Karma by hand."""

    zones_do = ("blocks",)

    def newcomer(self, world: World, ref: str, person: Data) -> Data:
        """Return the data of somebody who joins, with the Reaction Pool of their sheet."""
        return {**person, **numbers_of(world, ref)}

    def joined(self, world: World, newcomers: Sequence[str]) -> Procedure[Data | None] | None:
        """Let player characters who join roll their Luck Die, as when a fight begins (CIN-01).

        Returns None if nobody has to roll.
        """
        people = KarmaFight(world).people
        new = [combatant for combatant in newcomers if "karma" not in people[combatant]]
        return _roll_luck(world, new) if new else None

    def left(self, world: World, person: str) -> Sets:
        """Return the changes that end the actions of somebody who leaves, and their initiative."""
        fight = KarmaFight(world)
        return {**sets_gone(fight, person), **fight.sets_going_on()}

    def sets_number(self, world: World, person: str, meter: str, number: int) -> Sets:
        """Return the changes that set a Reaction Pool or Instant Karma.

        Raises CantHaveThere for a number below 0, or for a pool with more dice than its maximum.
        """
        one = KarmaFight(world).present(person)
        most = one["max_pool"] if meter == "pool" else None
        if number < 0 or (most is not None and number > most):
            raise CantHaveThere(one["name"], number, f"0 to {most}." if most is not None else "0 or more.")
        return {f"karma.people.{person}.{meter}": number}

    def changes(self, world: World, person: str, meter: str, by: int) -> Procedure[Data] | None:
        """Play a gain or loss of Instant Karma. Returns None for a pool, whose number is just set."""
        if meter != "karma":
            return None
        return play_karma(world, Spend(who=person, verb="gain" if by > 0 else "spend", n=abs(by)))


def _roll_luck(world: World, newcomers: Sequence[str]) -> Procedure[None]:
    yield from roll_luck(world, newcomers)
