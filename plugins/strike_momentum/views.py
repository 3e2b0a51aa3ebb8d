"""What fights by Momentum show, and to whom. Each part is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import World
from strike_cli.plugin.views import Views

if TYPE_CHECKING:
    from strike_cli.plugin.views import OwnSheet, SheetView


class MomentumViews(Views):
    """What fights by Momentum show."""

    def sheet(self, world: World, who: str) -> SheetView:
        from .sheet_view import on_sheet

        return on_sheet(world, who)

    def own_sheet(self, world: World, who: str) -> OwnSheet:
        from .sheet_view import own

        return own(world, who)

    def scene(self, world: World) -> SheetView:
        """Momentum, and what is left of the turn."""
        from .sheet_view import on_screen

        return on_screen(world)
