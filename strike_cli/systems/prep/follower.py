"""What goes on with evenings, rests and scenes: the day of the calendar, and clocks."""

from __future__ import annotations

from strike_cli.kernel.procedure import Data, Procedure, World
from strike_cli.registry.follower import Follower


class PrepFollower(Follower):
    """The day and the clocks."""

    def passed(self, world: World, what: str) -> Procedure[Data]:
        """Clocks that advance with what has passed do."""
        from .clocks import advance_with

        return advance_with(world, what)

    def evening_began(self, world: World) -> Procedure[Data]:
        """Put the day and the public clocks on the table."""
        from .days import begin

        return begin(world)
