"""A Saving Throw at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, World

from ..fight import Fight
from ..harm import saved_against
from ..powers.effects import choose_status, comes_to_nothing
from ..powers.power import Deed
from ..turns.saves import saving_throw
from .keys import StatusId
from .step import EffectStep

if TYPE_CHECKING:
    from ..data import ContentOfFights


class SaveStep(EffectStep):
    """A Saving Throw at once, against a status that a save ends."""

    status: StatusId = ""

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        held = saved_against(world, target)
        names = [item["id"] for item in held]
        status = self.status or (yield from choose_status(world, deed, target, "save against", names))
        same = [item for item in held if item["id"] == status]
        if same:
            yield from saving_throw(world, target, max(same, key=lambda item: item.get("value", 0)))
        else:
            yield comes_to_nothing(world, deed, target, "save")

    def would(self, fight: Fight, deed: Deed, target: str) -> bool:
        """Return whether the target has the status, or any, that a save ends."""
        held = [item["id"] for item in saved_against(fight.world, target)]
        return self.status in held if self.status else bool(held)

    def sheet(self, book: ContentOfFights) -> str:
        return "a Saving Throw at once"

    def told(self, book: ContentOfFights, who: str) -> str:
        status = book.statuses[self.status]["name"] if self.status else "one status, chosen"
        return f"{who} makes a Saving Throw at once against {status}"
