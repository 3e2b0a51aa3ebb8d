"""Two change places."""

from __future__ import annotations

from typing import Any

from strike_cli.kernel.procedure import Procedure, World

from ..effects import comes_to_nothing
from ..enter_square import change_places, may_change_places
from ..fight import Fight
from ..powers import Deed
from . import USER, Step


class Swap(Step):
    """Who uses the power and that one change places, where both have room; no Opportunity comes of it."""

    brief = True

    def play(self, world: World, deed: Deed, one: str) -> Procedure[None]:
        """Change them."""
        if may_change_places(Fight(world), deed.who, one):
            yield from change_places(world, deed.who, one)
        elif one != deed.who:
            yield comes_to_nothing(world, deed, deed.who, "swap", one)

    def would(self, fight: Fight, deed: Deed, one: str) -> bool:
        """Who has room where the other one stands."""
        return may_change_places(fight, deed.who, one)

    def sheet(self, book: Any) -> str:
        """In few words."""
        return "changes places with the other"

    def told(self, book: Any, who: str) -> str:
        """With whom."""
        return f"{USER} and {who} change places"
