"""What fights by Grit show of characters, and to whom. Each part is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import World
from strike_cli.plugin.views import Views

if TYPE_CHECKING:
    from strike_cli.plugin.views import OwnSheet, SheetView


class GritViews(Views):
    """What fights by Grit show of characters."""

    def sheet(self, world: World, who: str) -> SheetView:
        """Grit, attributes and weapons."""
        from .sheet_view import view

        return view(world, who)

    def own_sheet(self, world: World, who: str) -> OwnSheet:
        from .sheet_view import own

        return own(world, who)
