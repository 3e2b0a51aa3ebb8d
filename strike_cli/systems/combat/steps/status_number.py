"""What raising and lowering the number of a status have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.faults import Fault, Faults, Place
from strike_cli.kernel.procedure import World

from ..harm import Status, as_it_is, statuses_of
from ..powers.power import Deed
from .keys import Amount, StatusId
from .step import EffectStep

if TYPE_CHECKING:
    from strike_cli.validation import CheckedTable

    from ..data import ContentOfFights


class StatusNumberStep(EffectStep):
    """A step about the number of a status that somebody has, of several the highest.

    With `this` it is about the very status that acts.
    """

    status: StatusId = ""
    this: bool = False
    amount: Amount = 1

    def found(self, world: World, deed: Deed, target: str) -> Status | None:
        """Return the status as it stands with a creature; None where it hasn't the status."""
        if self.this:
            return as_it_is(world, target, deed.held.instance) if deed.held else None
        held = [item for item in statuses_of(world, target) if item["id"] == self.status]
        return max(held, key=lambda item: int(item.get("value", 0)), default=None)

    def named_id(self, deed: Deed) -> str:
        """Return the full id of the status."""
        return self.status or (deed.held.id if deed.held else "")

    def named(self, book: ContentOfFights, who: str = "") -> str:
        """Return the words for the number that goes up or down."""
        if self.this:
            return "its number"
        name = str(book.statuses[self.status]["name"])
        return f"the {name} of {who}" if who else name

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        """Require either `this` or the name of a status."""
        if bool(table.get("this")) == ("status" in table):
            faults.append(Fault(where, f"{table['do']} needs a status, or this = true: one of the two"))
