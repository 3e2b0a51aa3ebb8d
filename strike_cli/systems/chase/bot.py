"""Legal options of a chase, and the value of a side's position.

The rules are imported on first use.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import World
from strike_cli.play.bot import Bot

if TYPE_CHECKING:
    from strike_cli.play.legal import Option


class ChaseBot(Bot):
    """What may be done in a chase."""

    def options(self, world: World) -> Iterable[Option]:
        """Return all that may be typed now, in the order in which one would."""
        from .options import options

        return options(world)

    def evaluate(self, world: World, side: str) -> float:
        """Return a side's chance to get its way."""
        from .evaluation import worth

        return worth(world, side)
