"""A move for nothing."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.grid import Square, format_square

from ..board.move import destinations, find_way, walk
from ..facts.effects import WhereTo
from ..facts.steps import MoveIs
from ..fight import Fight
from ..powers.effects import choose, comes_to_nothing, squares
from ..powers.power import Deed, called
from . import measured
from .keys import Amount
from .step import EffectStep


class MoveStep(EffectStep):
    """A move for nothing, of up to `amount` squares or one's Speed, with the Opportunities that it gives."""

    amount: Amount | None = None

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        fight, most = Fight(world), self.amount
        if not fight.is_on_map(target):
            return
        reachable = destinations(fight, target, most)
        to_foes, size = fight.measure_to_foes(target), fight.size(target)

        def worth(square: Square) -> tuple[int, int, Square]:
            return to_foes(square, size), reachable[square], square

        names = {format_square(square): square for square in sorted(reachable, key=worth)}
        if not names:
            yield comes_to_nothing(world, deed, target, "go")
            return
        about = WhereTo(target, called(deed.power, deed.who))
        answer = yield choose(deed, target, "move to", (*names, "stay"), about)
        if answer != "stay":
            yield from walk(world, target, find_way(fight, target, [names[answer]], False, most))

    def sheet(self, book: object) -> str:
        """Return the step on a sheet: `moves up to 3`."""
        return f"moves up to {self.amount_in_words(book)}" if "amount" in self.table else "moves"

    def short(self, fight: Fight, deed: Deed, target: str) -> Reason:
        return MoveIs(measured(fight.world.book, self.amount) or str(self.amount or ""))

    def told(self, book: object, who: str) -> str:
        far = f"up to {squares(book, self.amount)}" if "amount" in self.table else "up to their Speed"
        return f"{who} may move {far}, giving Opportunities"
