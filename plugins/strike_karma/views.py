"""What fights by passed initiative show, and to whom. Each part is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import World
from strike_cli.plugin.views import Views

if TYPE_CHECKING:
    from strike_cli.plugin.views import OwnSheet, SheetView


class KarmaViews(Views):
    """What fights by passed initiative show."""

    def sheet(self, world: World, who: str) -> SheetView:
        from .sheet_view import view

        return view(world, who)

    def own_sheet(self, world: World, who: str) -> OwnSheet:
        from .sheet_view import own

        return own(world, who)

    def scene(self, world: World) -> SheetView:
        """Return who holds the initiative, and what waits."""
        from .screen import view

        return view(world)
