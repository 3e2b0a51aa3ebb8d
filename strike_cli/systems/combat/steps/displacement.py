"""What pushes, pulls, slides, shifts and teleports have in common (STR-TAC-07)."""

from __future__ import annotations

from typing import ClassVar

from strike_cli.kernel.procedure import Procedure, World

from ..board.forced_movement import displace
from ..fight import Fight
from ..powers.power import Deed, called
from ..powers.read_back import squares
from .keys import Amount
from .step import EffectStep


class DisplacementStep(EffectStep):
    """Somebody comes to stand elsewhere: `amount` squares, as `how` says, where who uses the power likes."""

    amount: Amount

    how: ClassVar[str]
    done: ClassVar[str]
    """On a sheet, with the squares behind it."""
    in_full: ClassVar[str]
    """Of `{who}`, by how many `{squares}`."""

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        """Move the target; a creature that is already out of the fight neither moves nor is moved."""
        fight, by = Fight(world), self.decider(deed, target)
        if fight.is_on_map(target) and fight.is_on_map(by):
            power, chosen = called(deed.power, deed.who), "way" in self.table
            yield from displace(world, target, by, self.amount, self.how, chosen=chosen, power=power)

    def decider(self, deed: Deed, target: str) -> str:
        return deed.who

    def sheet(self, book: object) -> str:
        chosen = ", square by square" if "way" in self.table else ""
        return f"{self.done} {self.amount_in_words(book)}{chosen}"

    def told(self, book: object, who: str) -> str:
        """Return the step in full: `the target is pushed 2 squares away`."""
        words = self.in_full.format(who=who, squares=squares(book, self.table["amount"]))
        return words + (", each square chosen" if "way" in self.table else "")
