"""Views of fights: people and maps, with their permissions. Each part is imported when it is needed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, World
from strike_cli.terminal.views import Views

if TYPE_CHECKING:
    from strike_cli.content.book import Book
    from strike_cli.tabletop.grid import Square
    from strike_cli.tabletop.measure import Ranges
    from strike_cli.tabletop.own_sheet import OwnSheet
    from strike_cli.terminal.sheet_view import SheetView


class FightViews(Views):
    """The views of fights."""

    def sheet(self, world: World, person: str) -> SheetView:
        """Return HP, Speed and powers."""
        from .sheet import view

        return view(world, person)

    def own_sheet(self, world: World, person: str) -> OwnSheet:
        """Return a character's condition in the fight; nothing outside of a fight."""
        from .own_sheet import view

        return view(world, person)

    def card_boxes(self, book: Book, kind: str, sheet: Mapping[str, object]) -> Iterable[tuple[str, int]]:
        """Return the boxes of HP and Strikes."""
        from .sheet import tracks

        return tracks(book, kind, sheet)

    def ranges(self, world: World, person: str) -> Ranges:
        """Return the ranges of a person's move and of their attacks."""
        from ..board.ranges import ranges

        return ranges(world, person)

    def area(self, world: World, args: Args) -> Collection[Square]:
        """Return the squares of a burst, an area, a line or a cone (STR-TAC-22)."""
        from ..board.ranges import area_of

        return area_of(world, args)

    def in_sight(self, world: World) -> Collection[Square]:
        """Return the squares that the party sees now (STR-TAC-22)."""
        from ..board.fog import in_sight

        return in_sight(world)
