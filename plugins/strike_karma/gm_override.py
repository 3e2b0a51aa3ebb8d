"""Game master overrides of these fights, beyond the common keys of a scene (CIN-01, 03)."""

from __future__ import annotations

from collections.abc import Sequence

from strike_cli.plugin import Data, Procedure, Sets, World
from strike_cli.plugin.parts import Hand
from strike_cli.plugin.refusals import CantHaveThere

from .fight import KarmaFight
from .gm_moves import Spend, play_karma, sets_gone
from .setup import numbers_of, roll_luck


class KarmaHand(Hand):
    """The overrides of Reaction Pools and Instant Karma."""

    zones_do = ("blocks",)

    def newcomer(self, world: World, ref: str, person: Data) -> Data:
        """Return a reinforcement's data: a card face down, with the Reaction Pool of their sheet."""
        return {**person, **numbers_of(world, ref)}

    def joined(self, world: World, newcomers: Sequence[str]) -> Procedure[Data | None] | None:
        """Let player characters who join roll the Luck Die, as at the start of a scene (CIN-01)."""
        people = KarmaFight(world).people
        new = [combatant for combatant in newcomers if "karma" not in people[combatant]]
        return _roll_luck(world, new) if new else None

    def left(self, world: World, person: str) -> Sets:
        """End the actions of a combatant who leaves; the game master passes on their initiative."""
        fight = KarmaFight(world)
        return {**sets_gone(fight, person), **fight.sets_going_on()}

    def sets_number(self, world: World, person: str, meter: str, number: int) -> Sets:
        """Return the changes that set a meter; a Reaction Pool is at most the number of Hero Dice."""
        one = KarmaFight(world).present(person)
        most = one["max_pool"] if meter == "pool" else None
        if number < 0 or (most is not None and number > most):
            raise CantHaveThere(one["name"], number, f"0 to {most}." if most is not None else "0 or more.")
        return {f"karma.people.{person}.{meter}": number}

    def changes(self, world: World, person: str, meter: str, by: int) -> Procedure[Data] | None:
        """Play a change of a meter: Instant Karma is gained or spent; a pool is just set."""
        if meter != "karma":
            return None
        return play_karma(world, Spend(who=person, verb="gain" if by > 0 else "spend", n=abs(by)))


def _roll_luck(world: World, newcomers: Sequence[str]) -> Procedure[None]:
    yield from roll_luck(world, newcomers)
