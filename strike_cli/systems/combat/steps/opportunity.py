"""An Opportunity against who does it."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World

from ..board.opportunity import take_opportunity
from ..powers.effects import comes_to_nothing
from ..powers.power import Deed, called
from . import USER
from .step import EffectStep


class OpportunityStep(EffectStep):
    """An Opportunity against the status' holder, or the power's user, for each target (STR-TAC-08)."""

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        """Give an Opportunity by the usual rules: one from each a turn, and none where anything bans it."""
        if target == deed.who:
            yield comes_to_nothing(world, deed, target, "")
            return
        why = called(deed.power, deed.who)
        taken = yield from take_opportunity(
            world, target, deed.who, deed.moment.doing(why) if deed.moment else why
        )
        if deed.tally:
            deed.tally.opportunities += taken

    def sheet(self, book: object) -> str:
        return "an Opportunity"

    def told(self, book: object, who: str) -> str:
        return f"{who} may make an Opportunity" + (f" against {USER}" if who == "the target" else "")
