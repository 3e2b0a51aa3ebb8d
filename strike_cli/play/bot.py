"""What may be done in a system's scene, and what it is worth: the class that a system subclasses, and who
asks for it."""

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
    """What may be done in a system's scene now, and what a side's standing is worth. Subclass it, and name
    the class in `System.bot`: it brings the commands `options` and `auto`, next steps, and `strike sim`."""

    def options(self, world: World) -> Iterable[Option]:
        """Return the moves that may be made now: each an `Option` of the move's name, its arguments, and the
        words behind the game's own that play it ("press", "vex", "brann").

        The caller leaves out those that are illegal, so list generously. An option that `answers` what is
        said at the table (a reaction) is listed, and no bot takes it.
        """
        return ()

    def evaluate(self, world: World, side: str) -> float:
        """What the standing of a side is worth, the more the better, in any unit: bots compare the worlds
        after each option. Without a scene under way, 0."""
        return 0.0

    def preview(self, world: World, option: Option) -> Preview | None:
        """What to expect of an option: chances, averages, the way, who gets to strike. None, as it is unless
        written, counts what `Move.odds` says. Raises Refused where the move would be."""
        return None


def bot_of(system: System) -> Bot:
    """What may be done in a system's scene. Raises PluginProblem where its class can't be imported."""
    return made(system.absolute(system.bot), Bot)
