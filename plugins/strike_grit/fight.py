"""The fight under way as the state has it: people, turns, and who may act (GRT-03)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from strike_cli.plugin import Refused, Sets, listed
from strike_cli.plugin.board import has_acted
from strike_cli.plugin.tactics import Combat

from .vitals import FALLEN, UP, GritStanding, fallen_states, state_of

if TYPE_CHECKING:
    from .data import GritPerson, GritScene
else:
    GritPerson = GritScene = object

WORDS = "words"
"""What the house rule `grit.distance` says for fights in which places are words."""


class GritFight(Combat[GritScene, GritPerson]):
    """The current fight. Raises Refused if there is none."""

    key, title = "grit", "by Grit"

    def standing(self, combatant: str) -> GritStanding:
        """Return a combatant's Grit, Armor and dice, for reading and changing."""
        return GritStanding.of(self.world, combatant)

    def is_up(self, combatant: str) -> bool:
        return state_of(self.people[combatant]) == UP

    def up(self, side: str = "") -> Iterator[str]:
        """Yield everybody who is up, on one side or, if `side` is "", on both."""
        return (
            combatant
            for combatant, one in self.people.items()
            if state_of(one) == UP and side in ("", one["side"])
        )

    def crawls(self, combatant: str) -> bool:
        """Return whether a combatant can only crawl.

        That is so for the incapacitated, unless they are also paralysed or catatonic (GRT-08).
        """
        one = self.people[combatant]
        return "out" not in one and fallen_states(one) == [FALLEN["str"]]

    def able(self, side: str) -> Iterator[str]:
        """Yield the combatants of a side who can do anything in its turn, even only crawl."""
        return (
            combatant
            for combatant, one in self.people.items()
            if one["side"] == side and (self.is_up(combatant) or self.crawls(combatant))
        )

    def may_act(self, combatant: str) -> bool:
        """Return whether a combatant has not taken their significant action in this round."""
        return not has_acted(self.people[combatant], self.round)

    def must_act(self, combatant: str) -> GritPerson:
        """Return a combatant who may take their significant action now.

        Raises Refused if they are not up, if it isn't the turn of their side, or if they have acted in this
        round. The error names those who may act.
        """
        one = self.must_be_able(combatant)
        if not self.may_act(combatant):
            waiting = [other for other in self.up(self.active) if self.may_act(other)]
            raise Refused(
                f"{one['name']} has acted in round {self.round}.",
                f"Can act: {listed(waiting)}." if waiting else "`strike grit next` goes on.",
            )
        return one

    def must_be_able(self, combatant: str, *, crawling: bool = False) -> GritPerson:
        """Return a combatant who can do something on the turn of their side.

        Raises Refused if they are not up, unless they can crawl and `crawling` is True, or if it isn't the
        turn of their side.
        """
        one = self.present(combatant)
        crawls = self.crawls(combatant)
        if (state := state_of(one)) != UP and not (crawling and crawls):
            only = f"They can only crawl: `strike grit move {combatant} SQUARE`. " if crawls else ""
            raise Refused(
                f"{one['name']} is {state}.", f"{only}Up: {listed(self.up(self.active)) or 'nobody'}."
            )
        if one["side"] != self.active:
            raise Refused(
                f"It is the turn of the {self.active}.",
                f"`strike grit next` once they are done. Can act: {listed(self.up(self.active))}.",
            )
        return one

    def sets_acted(self, combatant: str) -> Sets:
        """Return the change that marks the significant action of this round as taken."""
        return self.sets(combatant, acted=self.round)
