"""A status takes hold."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, cast

from strike_cli.faults import Fault, Faults, Place
from strike_cli.kernel.procedure import Procedure, World

from ..facts.statuses import LastingInFull, StatusIs
from ..fight import Fight
from ..harm import add_status, given_status, how_long
from ..powers.effects import comes_to_nothing
from ..powers.power import Deed
from ..powers.read_back import how_long_told
from .keys import Amount, DurationWord, FactWord, OneOrOther, StatusId
from .step import EffectStep, lasting_in_words

if TYPE_CHECKING:
    from strike_cli.tabletop.data import GivenStatus, StatusHeld
    from strike_cli.validation import CheckedTable

    from ..data import ContentOfFights


class ApplyStep(EffectStep):
    """A status takes hold, with `amount` as its number.

    By turns it ends with those of the user of the power, unless `whose` says the target's. The user is its
    giver, or with `by` the giver of the status that acts.
    """

    status: StatusId
    amount: Amount = 0
    duration: DurationWord = "save"
    until: FactWord = ""
    whose: OneOrOther = "self"
    by: Literal["self", "giver"] = "self"

    def play(self, world: World, deed: Deed, target: str) -> Procedure[list[str]]:
        """Apply the status. Returns its id in a list if it took hold."""
        if (yield from add_status(world, target, self.given(world, deed, target))):
            return [self.status]
        if not Fight(world).is_out(target):
            yield comes_to_nothing(world, deed, target, "has", status=self.status)
        return []

    def given(self, world: World, deed: Deed, target: str) -> StatusHeld:
        """Return the status as the target would have it."""
        of = deed.who if self.whose == "self" else target
        by = deed.who if self.by == "self" else deed.giver
        return given_status(Fight(world), cast("GivenStatus", vars(self)), by, of=of)

    def sheet(self, book: ContentOfFights) -> str:
        value = f" {self.amount_in_words(book)}" if "amount" in self.table else ""
        return f"{book.statuses[self.status]['name']}{value}{lasting_in_words(book, self.table)}"

    def told(self, book: ContentOfFights, who: str) -> str:
        """Return the step in full: `the target is Prone, until a Saving Throw ends it`."""
        value = f" {self.amount_in_words(book)}" if "amount" in self.table else ""
        lasts = f", {how_long_told(book, self.table)}" if "duration" in self.table else ""
        status = book.statuses[self.status]
        return f"{who} {'has' if status.get('noun') else 'is'} {status['name']}{value}{lasts}"

    def short(self, fight: Fight, deed: Deed, target: str) -> StatusIs:
        """Return the status as it would stand with them."""
        one = target if self.table["to"] == "target" else deed.who
        status = self.given(fight.world, deed, one)
        own = self.table["to"] == "self" and status.get("of", one) == one
        lasts = how_long(fight, one, status, partial(LastingInFull, own=own))
        return StatusIs(status["id"], status.get("value"), "", lasts)

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        """Check the duration; a save ends the status where none is given."""
        table.setdefault("duration", cls.duration)
        if (table["duration"] == "until") != ("until" in table):
            faults.append(Fault(where, 'duration = "until" goes with until, the fact that ends it'))
