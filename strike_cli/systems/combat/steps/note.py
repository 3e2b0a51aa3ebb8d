"""Words for the table."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason, Said

from ..fight import Fight
from ..powers.effects import noted
from ..powers.power import Deed
from .step import EffectStep


class NoteStep(EffectStep):
    """Words for the table, which plays what they say."""

    text: str

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        yield noted(world, deed, target, self._said())

    def _said(self) -> Reason:
        return self.table.get("said") or Said(self.text)

    def sheet(self, book: object) -> str:
        return str(self.text)

    def told(self, book: object, who: str) -> str:
        return f"the table plays: {self.text.rstrip('.')}"

    def short(self, fight: Fight, deed: Deed, target: str) -> Reason:
        """Return the words alone, as part of a question that has its own full stop."""
        return self.table.get("said") or Said(self.text.rstrip("."))
