"""Changes of Action Points at the beginning and the end of an evening (STR-CORE-21).

Awesome Points and the Fallback need no such changes. Everybody has one Awesome Point and one use of the
Fallback each evening. The state records only in which evening each was last used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Data, Procedure, World
from strike_cli.registry.fact_follower import EventResponses
from strike_cli.tabletop.characters_and_names import action_points, open_or_last_session_number
from strike_cli.tabletop.facts import ApGained

from .facts.points_tricks_and_growth import ApLost
from .points_tricks_and_fallback import players_with_awesome_point_left

if TYPE_CHECKING:
    from .data import EveningBegunData, EveningEndedData


class CoreFollower(EventResponses):
    """The part of the core that follows evenings, and adjusts Action Points when they begin or end."""

    def session_started(self, world: World) -> Procedure[Data]:
        """Take away Action Points above the limit, and give one to each character who has none."""
        return adjust_points_for_new_evening(world)

    def session_ended(self, world: World) -> Procedure[Data]:
        """Take away Action Points above the limit."""
        return take_excess_points_after_evening(world)


def adjust_points_for_new_evening(world: World) -> Procedure[EveningBegunData]:
    """Take away Action Points above the limit, and give one to each character who has none.

    The limit is the house rule `ap_carry_over`. It also applies to points that were gained since the end of
    the last evening. On the first evening, nothing is taken away.
    """
    if open_or_last_session_number(world) > 1:
        yield from _take_excess_points(world)
    given = [person for person in world.book.characters if not action_points(world, person)]
    for person in given:
        yield world.tell(ApGained(person, 1, 1, begins=True), {f"characters.{person}.ap": 1})
    return {"action_points_given": given}


def take_excess_points_after_evening(world: World) -> Procedure[EveningEndedData]:
    """Take away Action Points above the house rule `ap_carry_over`."""
    clipped = yield from _take_excess_points(world)
    return {"clipped": clipped, "awards_left": players_with_awesome_point_left(world)}


def _take_excess_points(world: World) -> Procedure[dict[str, int]]:
    """Take away the Action Points that characters can't keep for the next evening.

    The house rule `ap_carry_over` is the greatest number that a character can keep. Returns how many points
    each character lost; characters who lost none are left out.
    """
    most = world.book.house["ap_carry_over"]
    clipped = {}
    for person in world.book.characters:
        had = action_points(world, person)
        if had > most:
            clipped[person] = had - most
            yield world.tell(ApLost(person, most, had), {f"characters.{person}.ap": most})
    return clipped
