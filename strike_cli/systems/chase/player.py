"""A bot for both sides of a chase, which knows no more than each side may.

It mixes its picks as two perfect sides would, by lot, so that nobody can foresee it, and rolls them.
"""

from __future__ import annotations

from strike_cli.kernel.procedure import Choose, World
from strike_cli.play.decisions import Underway
from strike_cli.play.legal import Option, why_not
from strike_cli.sim.players import ByLot

from . import evaluation
from .declare import ChangeDanger, Pick
from .options import options
from .tables import CHASERS, FOLLOW, RUNNERS

PICKS = {"chase run": RUNNERS, "chase predict": CHASERS}
ORDER = ("chase danger", *PICKS, "chase roll", "chase end")
"""What comes first of what may be done. Whether to shoot is for the table to say."""


class Perfect(ByLot):
    """Plays each side as well as the rules allow (STR-CH-02, 03, 05, 06)."""

    def __init__(self, name: str = "quick") -> None:
        super().__init__()
        self.name = name

    def choose_command(self, world: World, who: str = "") -> Option | None:
        """Return the next command; None where no chase is under way, or it waits for a decision."""
        legal = [one for one in options(world) if why_not(world, one.command, one.args) is None]
        for command in ORDER:
            if found := [one for one in legal if one.command == command and who in ("", one.side)]:
                return self._best(world, command, found)
        return None

    def _best(self, world: World, command: str, options: list[Option]) -> Option:
        """Pick the best option of a command: an action by lot, a Danger Level by its worth."""
        if side := PICKS.get(command):
            shares = evaluation.mix(world, side)
            chances = [shares.get(one.given(Pick).action, 0.0) for one in options]
            seen = {key: world.get(f"chase.{key}") for key in SEEN}
            return options[self.draw(chances, side, f"what the {side} pick", seen)]
        if command == "chase danger":
            by = evaluation.best_change(world)
            return next(one for one in options if one.given(ChangeDanger).by == by)
        return options[0]

    def decide(self, world: World, question: Choose, underway: Underway | None = None) -> str:
        """Return the better answer to a Risk for the Chasers.

        For any other question: what is taken where nobody can be asked, or the first option.
        """
        return evaluation.answer(world, question) if question.what == FOLLOW else self.unasked(question)


SEEN = ("id", "round", "range", "danger", "runners_advantage")
"""What both sides know, by which a pick is drawn where nobody throws for it."""
