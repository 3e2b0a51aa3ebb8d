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
    """The number of a status that somebody has, of several the highest; with `this` that of the very status
    that does it."""

    status: StatusId = ""
    this: bool = False
    amount: Amount = 1

    def found(self, world: World, deed: Deed, one: str) -> Status | None:
        """The status as it stands with them; None where they haven't it."""
        if self.this:
            return as_it_is(world, one, deed.held.instance) if deed.held else None
        held = [item for item in statuses_of(world, one) if item["id"] == self.status]
        return max(held, key=lambda item: int(item.get("value", 0)), default=None)

    def named_id(self, deed: Deed) -> str:
        """The full id of the status."""
        return self.status or (deed.held.id if deed.held else "")

    def named(self, book: ContentOfFights, who: str = "") -> str:
        """What goes up or down."""
        if self.this:
            return "its number"
        name = str(book.statuses[self.status]["name"])
        return f"the {name} of {who}" if who else name

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        """This status, or one of a name."""
        if bool(table.get("this")) == ("status" in table):
            faults.append(Fault(where, f"{table['do']} needs a status, or this = true: one of the two"))
