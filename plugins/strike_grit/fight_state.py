"""The fight under way, as stored in the state: its people, its turns, and the right to act (GRT-03)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from strike_cli.plugin import Refused, Sets, listed
from strike_cli.plugin.board import has_acted
from strike_cli.plugin.tactics import Combat

from .vitals import FALLEN, UP, GritVitals, state_of, states_of_attributes_at_zero

if TYPE_CHECKING:
    from .data import GritPerson, GritScene
else:
    GritPerson = GritScene = object

WORDS = "words"
"""What the house rule `grit.distance` says for fights in which places are words."""


class GritFight(Combat[GritScene, GritPerson]):
    """The current fight, read from the state. Creating it raises Refused if there is none."""

    key, title = "grit", "by Grit"

    def vitals_of(self, combatant: str) -> GritVitals:
        """Return a combatant's Grit, Armor and dice, to read and to change."""
        return GritVitals.of_person(self.world, combatant)

    def is_up(self, combatant: str) -> bool:
        return state_of(self.people[combatant]) == UP

    def combatants_up(self, side: str = "") -> Iterator[str]:
        """Yield everybody who is up, on one side or, if `side` is "", on both."""
        return (
            combatant
            for combatant, one in self.people.items()
            if state_of(one) == UP and side in ("", one["side"])
        )

    def can_only_crawl(self, combatant: str) -> bool:
        """Return whether a combatant can do nothing but crawl.

        That is so for the incapacitated, unless they are also paralysed or catatonic (GRT-08).
        """
        one = self.people[combatant]
        return "out" not in one and states_of_attributes_at_zero(one) == [FALLEN["str"]]

    def combatants_up_or_able_to_crawl(self, side: str) -> Iterator[str]:
        """Yield the combatants of a side who can act on that side's turn, even if they can only crawl."""
        return (
            combatant
            for combatant, one in self.people.items()
            if one["side"] == side and (self.is_up(combatant) or self.can_only_crawl(combatant))
        )

    def has_not_acted_this_round(self, combatant: str) -> bool:
        """Return whether a combatant still has their significant action of this round."""
        return not has_acted(self.people[combatant], self.round)

    def must_be_free_to_act(self, combatant: str) -> GritPerson:
        """Return a combatant who may take their significant action now.

        Raises Refused if they aren't up, if it isn't their side's turn, or if they have acted in this round.
        """
        one = self.must_be_able_to_act_on_own_turn(combatant)
        if not self.has_not_acted_this_round(combatant):
            waiting = [
                other for other in self.combatants_up(self.active) if self.has_not_acted_this_round(other)
            ]
            raise Refused(
                f"{one['name']} has acted in round {self.round}.",
                f"Can act: {listed(waiting)}." if waiting else "`strike grit next` goes on.",
            )
        return one

    def must_be_able_to_act_on_own_turn(self, combatant: str, *, or_crawl: bool = False) -> GritPerson:
        """Return a combatant who is up, on their side's turn.

        With `or_crawl`, somebody who can only crawl is accepted, too. Raises Refused for anybody else who
        isn't up, and if it isn't their side's turn.
        """
        one = self.require_present(combatant)
        crawls = self.can_only_crawl(combatant)
        if (state := state_of(one)) != UP and not (or_crawl and crawls):
            only = f"They can only crawl: `strike grit move {combatant} SQUARE`. " if crawls else ""
            raise Refused(
                f"{one['name']} is {state}.",
                f"{only}Up: {listed(self.combatants_up(self.active)) or 'nobody'}.",
            )
        if one["side"] != self.active:
            raise Refused(
                f"It is the turn of the {self.active}.",
                f"`strike grit next` once they are done. Can act: {listed(self.combatants_up(self.active))}.",
            )
        return one

    def changes_marking_acted(self, combatant: str) -> Sets:
        """Return the change that marks a combatant's significant action of this round as taken."""
        return self.sets(combatant, acted=self.round)
