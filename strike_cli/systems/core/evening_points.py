"""What an evening's beginning and end do to Action Points and Awesome Points (STR-CORE-21).

For what everybody has once an evening (an Awesome Point, the Fallback), the state has the number of the
evening in which it was used. So nothing has to be handed out in a new evening, and nothing unused is carried
over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Data, Procedure, World
from strike_cli.registry.fact_follower import Follower
from strike_cli.tabletop.facts import ApGained
from strike_cli.tabletop.people import action_points, session_number

from .facts.points import ApLost
from .points import awards_left

if TYPE_CHECKING:
    from .data import EveningBegunData, EveningEndedData


class CoreFollower(Follower):
    """The core's follower of evenings, which adjusts Action Points."""

    def evening_began(self, world: World) -> Procedure[Data]:
        """Take away Action Points above the limit, and give one to everybody who has none."""
        return begin_evening(world)

    def evening_ended(self, world: World) -> Procedure[Data]:
        """Take away Action Points above the limit."""
        return end_evening(world)


def begin_evening(world: World) -> Procedure[EveningBegunData]:
    """Take away Action Points above the house rule `ap_carry_over`, and give one to everybody who has none.

    Points that were given since the last evening ended count towards the limit, too.
    """
    if session_number(world) > 1:
        yield from _carry_over(world)
    given = [person for person in world.book.characters if not action_points(world, person)]
    for person in given:
        yield world.tell(ApGained(person, 1, 1, begins=True), {f"characters.{person}.ap": 1})
    return {"action_points_given": given}


def end_evening(world: World) -> Procedure[EveningEndedData]:
    """Take away Action Points above the house rule `ap_carry_over`."""
    clipped = yield from _carry_over(world)
    return {"clipped": clipped, "awards_left": awards_left(world)}


def _carry_over(world: World) -> Procedure[dict[str, int]]:
    """Take away Action Points above the house rule `ap_carry_over`; return each character's loss."""
    most = world.book.house["ap_carry_over"]
    clipped = {}
    for person in world.book.characters:
        had = action_points(world, person)
        if had > most:
            clipped[person] = had - most
            yield world.tell(ApLost(person, most, had), {f"characters.{person}.ap": most})
    return clipped
