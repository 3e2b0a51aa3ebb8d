"""One of several lists of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.people import slug

from ..facts.effects import WhichOption
from ..facts.steps import OneOfSteps, OptionIs
from ..fight import Fight
from ..powers.effects import choose, do_steps, steps_in_short
from ..powers.power import Deed, called
from . import USER
from .keys import OneOrOther, Options
from .step import EffectStep, all_in_words, all_told

if TYPE_CHECKING:
    from ..data import ContentOfFights


class ChooseStep(EffectStep):
    """One of several lists of steps, as who uses the power says, or with `by` the one whom it befalls."""

    options: Options
    by: OneOrOther = "self"

    def play(self, world: World, deed: Deed, target: str) -> Procedure[list[str]]:
        by = deed.who if self.by == "self" else target
        options = {slug(option["name"]): option for option in self.options}
        about = WhichOption(by, called(deed.power, deed.who), "" if target == by else target)
        labels = self._labels(Fight(world), deed, target)
        answer = yield choose(deed, by, "which", tuple(options), about, tuple(labels))
        return (yield from do_steps(world, deed, options[answer]["steps"], target, deed.holding))

    def _labels(self, fight: Fight, deed: Deed, target: str) -> list[OptionIs]:
        return [
            OptionIs(str(option["name"]), steps_in_short(fight, deed, option["steps"], target))
            for option in self.options
        ]

    def sheet(self, book: ContentOfFights) -> str:
        each = (f"{option['name']} ({all_in_words(book, option['steps'])})" for option in self.options)
        return f"{'one of' if self.by == 'self' else 'chooses'}: {' or '.join(each)}"

    def told(self, book: ContentOfFights, who: str) -> str:
        by = USER if self.by == "self" else who
        options = (f"{option['name']} ({all_told(book, option['steps'], who)})" for option in self.options)
        return f"one of these, as {by} says: {', or '.join(options)}"

    def short(self, fight: Fight, deed: Deed, target: str) -> Reason:
        return OneOfSteps(self._labels(fight, deed, target))
