"""What Wealth shows of characters, and to whom. Each part is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import World
from strike_cli.terminal.views import Views

if TYPE_CHECKING:
    from strike_cli.tabletop.own_sheet import OwnSheet
    from strike_cli.terminal.sheet_view import SheetView


class WealthViews(Views):
    """What Wealth shows of characters."""

    def sheet(self, world: World, who: str) -> SheetView:
        """Return the rank, the rank that it counts as now, and parcels of cash."""
        from .sheet import view

        return view(world, who)

    def own_sheet(self, world: World, who: str) -> OwnSheet:
        """Return the same for their player."""
        from .sheet import own

        return own(world, who)
