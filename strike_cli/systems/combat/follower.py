"""What follows the facts of a fight. Each part is imported when it is played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.registry.follower import Follower, Play


class FightFollower(Follower):
    """What follows the facts of a fight."""

    def middleware(self, play: Play) -> Play:
        """A command with all that its facts set off."""
        from .engine import with_reactions

        return with_reactions(play)

    def update_fog(self, world: World, before: Mapping[str, Any] | None) -> Procedure[None]:
        """What the party has come to see of the map (STR-TAC-22)."""
        from .fog import look

        return look(world, before)
