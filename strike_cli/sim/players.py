"""Players that need nobody: each picks one of the legal options that a system offers, and answers what is
asked on the way. None knows a rule."""

from __future__ import annotations

from typing import Any, Protocol

from ..kernel.exhaustive import first_option
from ..kernel.procedure import Choose, World
from ..play.forecast import best_option
from ..play.legal import Option, legal_options
from ..problems import Usage, listed, nearest
from ..registry.installed import load_object
from ..registry.scenes import scene_of
from ..registry.system import System

NAMES = ("quick", "good", "full")
"""The players, the fastest first."""


class Player(Protocol):
    """Somebody who plays a system."""

    name: str

    def choose_command(self, world: World, who: str = "") -> Option | None:
        """The next command of `who`: somebody by id, or a side; without it of whoever is up, or what goes on
        where nobody is. None where nothing may be done. Nothing happens to the world."""

    def decide(self, world: World, question: Choose) -> str:
        """The answer to what is asked while one of its commands, or another's, is played: an option."""


def player_named(name: str, system: System) -> Player:
    """A player of a system: `quick`, `good` or `full`. Raises Usage for another name, or for a system that
    can't be played by a program.

    Where the system has a player of its own by that name (`System.players`) it is that one.
    """
    if name not in NAMES:
        raise Usage(f"There is no player {name!r}.{nearest(name, NAMES)}", f"The players: {listed(NAMES)}.")
    if own := system.players.get(name):
        player: Player = load_object(system.absolute(own))()
        return player
    if not (system.options and system.worth):
        raise Usage(f"Nobody plays {system.title or system.name} without people.", "It has no `options`.")
    return AnySystem(name, system)


class AnySystem:
    """Plays any system by its options and by what it says that a side's standing is worth."""

    def __init__(self, name: str, system: System) -> None:
        self.name = name
        self.system = system

    def choose_command(self, world: World, who: str = "") -> Option | None:
        """What brings the side most, on average over the dice; of equals the first."""
        found: Any = world.state.get(self.system.scene)
        if found is None:
            return None
        scene = scene_of(self.system, self.system.scene, found, {})
        if not who and scene.order and scene.order.active:
            who = str(scene.order.active)
        side = scene.people[who].side if who in scene.people else who
        if not side:
            options = (one for one in legal_options(self.system, world) if not one.answers)
            return next(options, None)
        return best_option(self.system, world, side)

    def decide(self, world: World, question: Choose) -> str:
        """What is taken where nobody can be asked, or the first option."""
        return question.default or first_option(question)
