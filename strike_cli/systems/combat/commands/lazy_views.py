"""The views that Tactical Combat adds to strike, such as a sheet's part about fights.

To save time at the start, the code of each view is only imported when the view is first used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Rulebook, World
from strike_cli.terminal.system_views import Views

if TYPE_CHECKING:
    from strike_cli.tabletop.distance_units import Ranges
    from strike_cli.tabletop.grid import Square
    from strike_cli.tabletop.own_sheet_types import OwnSheet
    from strike_cli.terminal.sheet_and_party_views import SheetView


class FightViews(Views):
    """The views that Tactical Combat adds to strike, such as a sheet's part about fights."""

    def sheet(self, world: World, person: str) -> SheetView:
        """Return the part of a sheet about fights.

        It has HP, Speed, attacks, powers, and the state in the present fight.
        """
        from .sheet_view import fight_part_of_sheet

        return fight_part_of_sheet(world, person)

    def own_sheet(self, world: World, person: str) -> OwnSheet:
        """Return a character's state in the fight; it is empty if there is no fight with this character."""
        from .own_sheet_view import fight_part_of_own_sheet

        return fight_part_of_own_sheet(world, person)

    def card_boxes(self, book: Rulebook, kind: str, sheet: Mapping[str, object]) -> Iterable[tuple[str, int]]:
        """Return the boxes on a card: HP and Strikes of a character, HP or boxes of a creature."""
        from .sheet_view import hp_and_strike_boxes_on_card

        return hp_and_strike_boxes_on_card(book, kind, sheet)

    def ranges(self, world: World, person: str) -> Ranges:
        """Return the squares that a person can move to, and those that its attacks reach."""
        from ..board.move_and_attack_ranges import move_and_attack_ranges

        return move_and_attack_ranges(world, person)

    def area(self, world: World, args: Args) -> Collection[Square]:
        """Return the squares of a power's area (STR-TAC-22); empty if it has none."""
        from ..board.move_and_attack_ranges import area_of_power_use

        return area_of_power_use(world, args)

    def in_sight(self, world: World) -> Collection[Square]:
        """Return the squares that the party sees now (STR-TAC-22)."""
        from ..board.fog import squares_in_party_sight

        return squares_in_party_sight(world)
