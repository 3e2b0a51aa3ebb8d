"""The step that calls a plugin's handler."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.registry.installed_plugins import load_plugin_word

from ..fight_state import Fight
from ..powers.powers_and_targets import PowerUse
from .step import EffectStep


class HandlerStep(EffectStep):
    """A step that calls a plugin's procedure.

    The procedure (`handler`) gets the world, the `PowerUse` and the affected creature. `text` describes the
    step to people. If it is empty, the words of the procedure's id are shown.
    """

    handler: str
    text: str = ""

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[Sequence[str] | None]:
        handler: Callable[[World, PowerUse, str], Procedure[Sequence[str] | None]] = load_plugin_word(
            world.book, "handlers", self.handler
        )
        return (yield from handler(world, use, target))

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        return self.summarize(fight.world.book)

    def summarize(self, book: object) -> str:
        return self.text or self.handler.rpartition(":")[2].replace("-", " ")

    def describe(self, book: object, target: str) -> str:
        return f"{target}: {self.summarize(book)} (by the plugin {self.handler.partition(':')[0]})"
