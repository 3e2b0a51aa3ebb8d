"""The core's views of characters. Each view's module is imported when the view is first used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import World
from strike_cli.terminal.system_views import Task, Views

if TYPE_CHECKING:
    from strike_cli.tabletop.own_sheet_types import OwnRoll, OwnSheet
    from strike_cli.terminal.sheet_and_party_views import PartyView


class CoreViews(Views):
    """The core's views of characters.

    The core adds no part to a sheet, since the sheet itself is the core's.
    """

    def party(self, world: World, people: Sequence[str]) -> PartyView:
        """Return the Action Points, the Conditions, and the unresolved matters of these people.

        The unresolved matters are Flaws, Favors and banked bonuses.
        """
        from .current_sheets import core_part_of_party_view

        return core_part_of_party_view(world, people)

    def own_sheet(self, world: World, person: str) -> OwnSheet:
        """Return Action Points and Conditions, then everything that the character can use."""
        from .phone_sheet import own_sheet

        return own_sheet(world, person)

    def own_rolls(self, world: World, person: str) -> Iterable[OwnRoll]:
        """Return a Skill Roll for each of the character's Skills, and a plain die."""
        from .phone_sheet import skill_rolls_and_plain_die

        return skill_rolls_and_plain_die(world, person)

    def still_to_do(self, world: World) -> Iterable[Task]:
        """Yield a reminder of the Awesome Points that can still be given."""
        from strike_cli.terminal.sheet_and_party_views import is_listed_in_campaign_or_no_list

        from ..points_tricks_and_fallback import players_with_awesome_point_left

        if not is_listed_in_campaign_or_no_list(world, "core"):
            return
        if left := players_with_awesome_point_left(world):
            have = "have" if len(left) > 1 else "has"
            names = world.book.locale().listed(left, "and")
            yield Task(f"{names} still {have} an Awesome Point to give", 'strike awesome FROM TO --why "..."')
