"""The options of a system's scene and their value: the class that a system subclasses, and its lookup."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..kernel.procedure import World
from ..registry import made
from ..registry.declaration import System

if TYPE_CHECKING:
    from .forecast import Preview
    from .legal import Option


class Bot:
    """The legal moves in a system's scene, and the value of a side's position.

    Subclass it, and name the class in `System.bot`: it brings the commands `options` and `auto`, next steps,
    and `strike sim`.
    """

    def options(self, world: World) -> Iterable[Option]:
        """Return the moves that may be made now.

        Each is an `Option`: the move's name, its arguments, and the words behind the game's own that play it
        ("press", "vex", "brann"). The caller leaves out illegal ones, so list generously. An option that
        `answers` something said at the table (a reaction) is listed, and no bot takes it.
        """
        return ()

    def evaluate(self, world: World, side: str) -> float:
        """Return the value of a side's position, higher is better, in any unit.

        Bots compare the worlds after each option. Without a scene under way it is 0.
        """
        return 0.0

    def preview(self, world: World, option: Option) -> Preview | None:
        """Return the forecast of an option: chances, averages, the path, opportunities for others to strike.

        None, the default, makes the caller count `Move.odds`. Raises Refused where the move would be refused.
        """
        return None


def bot_of(system: System) -> Bot:
    """Return the bot of a system. Raises PluginProblem where its class can't be imported."""
    return made(system.absolute(system.bot), Bot)
