"""A status ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.faults import Fault, Faults, Place
from strike_cli.kernel.procedure import Procedure, World

from ..fight import Fight
from ..harm import as_it_is, end_status, harmful_statuses, has_status
from ..powers.effects import choose_status, comes_to_nothing
from ..powers.power import Deed
from .keys import StatusId
from .step import EffectStep

if TYPE_CHECKING:
    from strike_cli.tabletop.data import StatusHeld
    from strike_cli.validation import CheckedTable

    from ..data import ContentOfFights


class EndStep(EffectStep):
    """A status ends.

    Without a name it is one of those that harm, as its holder chooses; with `this` the very one that acts.
    """

    status: StatusId = ""
    this: bool = False

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        if self.this:
            if deed.held and deed.held.instance:
                own = cast("StatusHeld", deed.held.instance)
                only = as_it_is(world, deed.who, own) or own
                yield from end_status(world, deed.who, only["id"], only=only)
            return
        status = self.status or (
            yield from choose_status(world, deed, target, "end", harmful_statuses(world, target))
        )
        if status and has_status(world, target, status):
            yield from end_status(world, target, status)
        elif not self.status:
            yield comes_to_nothing(world, deed, target, "end")
        elif not deed.held:  # what a status sees to again and again goes without saying
            yield comes_to_nothing(world, deed, target, "lacks", status=self.status)

    def would(self, fight: Fight, deed: Deed, target: str) -> bool:
        """Return whether the target has the status, or any that harms."""
        if self.status:
            return has_status(fight.world, target, self.status)
        return self.this or bool(harmful_statuses(fight.world, target))

    def sheet(self, book: ContentOfFights) -> str:
        if self.this:
            return "ends this"
        return f"ends {book.statuses[self.status]['name'] if self.status else 'a harmful status'}"

    def told(self, book: ContentOfFights, who: str) -> str:
        """Return the step in full: `the target is rid of Prone`."""
        if self.this:
            return "it ends"
        status = book.statuses[self.status]["name"] if self.status else "one status that harms, chosen"
        return f"{who} is rid of {status}"

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        """Refuse both `this` and the name of a status."""
        if table.get("this") and "status" in table:
            faults.append(
                Fault(where / "status", "the status that does it is meant; leave one of the two out")
            )
