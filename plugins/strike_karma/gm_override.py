"""The game master's overrides in a fight by Karma: Reaction Pools and Instant Karma (CIN-01, 03)."""

from __future__ import annotations

from collections.abc import Sequence

from strike_cli.plugin import Data, Procedure, Sets, World
from strike_cli.plugin.parts import GmOverrideRules
from strike_cli.plugin.refusals import CantHaveThere

from .fight_setup import roll_luck_for_instant_karma, starting_pool_and_turns
from .fight_state import KarmaFight
from .recorded_decisions_and_fight_end import Spend, play_karma, sets_after_leaving


class KarmaHand(GmOverrideRules):
    """How the game master's overrides change Reaction Pools and Instant Karma."""

    zones_do = ("blocks",)

    def table_of_newcomer(self, world: World, ref: str, person: Data) -> Data:
        """Return the data of somebody who joins: `person` with the Reaction Pool of their sheet."""
        return {**person, **starting_pool_and_turns(world, ref)}

    def play_after_joining(self, world: World, newcomers: Sequence[str]) -> Procedure[Data | None] | None:
        """Roll the Luck Dice of newcomers, as at the start of a fight (CIN-01).

        Returns None if every newcomer has Instant Karma already. Only players' characters have a Luck Die.
        """
        people = KarmaFight(world).people
        new = [combatant for combatant in newcomers if "karma" not in people[combatant]]
        return _roll_newcomers_luck(world, new) if new else None

    def changes_after_leaving(self, world: World, person: str) -> Sets:
        """Return the changes that end the actions and the initiative of somebody who leaves."""
        fight = KarmaFight(world)
        return {**sets_after_leaving(fight, person), **fight.sets_holds_cleared()}

    def changes_for_number(self, world: World, person: str, meter: str, number: int) -> Sets:
        """Return the changes that set a Reaction Pool or Instant Karma.

        Raises CantHaveThere for a number below 0, or for a pool with more dice than its maximum.
        """
        one = KarmaFight(world).require_present(person)
        most = one["max_pool"] if meter == "pool" else None
        if number < 0 or (most is not None and number > most):
            raise CantHaveThere(one["name"], number, f"0 to {most}." if most is not None else "0 or more.")
        return {f"karma.people.{person}.{meter}": number}

    def play_harm_or_healing(
        self, world: World, person: str, meter: str, signed_amount: int
    ) -> Procedure[Data] | None:
        """Play a gain or loss of Instant Karma. `signed_amount` is the amount; it is negative for a loss.

        If the meter is a Reaction Pool, return None. The caller then sets the number directly.
        """
        if meter != "karma":
            return None
        return play_karma(
            world, Spend(who=person, verb="gain" if signed_amount > 0 else "spend", n=abs(signed_amount))
        )


def _roll_newcomers_luck(world: World, newcomers: Sequence[str]) -> Procedure[None]:
    yield from roll_luck_for_instant_karma(world, newcomers)
