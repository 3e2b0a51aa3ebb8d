"""The player that `combat auto` is unless another is named: it weighs every act, and of moves the few that
promise most (`bot`); where that finds nothing to do, it opens doors and comes nearer as habit has it."""

from __future__ import annotations

from strike_cli.kernel.procedure import World
from strike_cli.play.legal import Option

from ..fight import Fight, fight_in
from .bot import choose_option
from .heuristic import HABITS, Quick, QuickTurn
from .legal_options import END_TURN
from .tactics import Habit


class Usual(Quick):
    """Weighs all that may be done."""

    name = "usual"

    def choose_command(self, world: World, who: str = "") -> Option | None:
        """The next command: what gains most, a move towards it, a door in the way, or the end."""
        fight = fight_in(world.state)
        if not fight or not fight.get("active") or Fight(world).decided():
            return super().choose_command(world, who)
        turn = QuickTurn(Fight(world), fight["active"])
        if "at" in turn.one and (away := turn.at_once()):
            return away
        option = choose_option(world, fight["active"])
        if option == END_TURN and "at" in turn.one and not turn.turn.get("attack"):
            return turn.first(HABITS["door"](turn, Habit("door"))) or option
        return option
