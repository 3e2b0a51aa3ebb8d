"""Steps of reactions that change an event before it happens.

The event is an attack, damage, a movement or a die.
"""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World

from ..facts.effects_and_causes import Adds, Befalls, ComesToNothing, DieBecomes, Halves, Prevents
from ..powers.powers_and_targets import PowerUse, power_as_reason
from ..powers.step_play_and_summaries import add_to_event_amount, note_naming_power
from . import USER
from .step import EffectStep


class PreventStep(EffectStep):
    """A step of a reaction: it prevents the event that set the reaction off."""

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        if coming := use.event:
            coming.prevented = True
            coming.amount = 0
            coming.reasons.append(Prevents(power_as_reason(use.power, use.who)))
            yield note_naming_power(world, use, coming.befallen or coming.doer, ComesToNothing("prevented"))

    def summarize(self, book: object) -> str:
        return "it doesn't happen"

    def describe(self, book: object, target: str) -> str:
        return "it doesn't happen"


class RedirectStep(EffectStep):
    """A step that redirects the event to another creature, by default the power's user.

    If the step affects several creatures, the event is redirected to the first of them.
    """

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        coming = use.event
        if coming and not coming.redirected and target not in (coming.befallen, coming.doer):
            coming.redirected = target
            coming.reasons.append(power_as_reason(use.power, use.who))
            yield note_naming_power(world, use, target, Befalls(target))

    def summarize(self, book: object) -> str:
        return "it happens to them instead"

    def describe(self, book: object, target: str) -> str:
        return f"it happens to {USER if self.table['to'] == 'target' else target} instead"


class RerollStep(EffectStep):
    """A step that rolls the die of the event again. The new roll counts."""

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        coming = use.event
        if coming and coming.roll:
            before = coming.die
            coming.set_current_roll((yield from coming.roll()))
            yield note_naming_power(world, use, coming.doer, DieBecomes(before, coming.die))

    def summarize(self, book: object) -> str:
        return "the die is rolled again"

    def describe(self, book: object, target: str) -> str:
        return "the die is rolled again, and the new one counts"


class ReduceStep(EffectStep):
    """A step that reduces the amount of the event, to no less than 0."""

    amount: int

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        yield from add_to_event_amount(
            world, use, -self.amount, Adds(-self.amount, power_as_reason(use.power, use.who))
        )

    def summarize(self, book: object) -> str:
        return f"{self.amount_in_words(book)} less"

    def describe(self, book: object, target: str) -> str:
        return f"it is reduced by {self.amount_in_words(book)}"


class HalveStep(EffectStep):
    """A step that halves the amount of the event, rounded down unless `half` is "up"."""

    half: str = "down"

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        if coming := use.event:
            left = (coming.amount + (self.half == "up")) // 2
            yield from add_to_event_amount(
                world, use, left - coming.amount, Halves(power_as_reason(use.power, use.who))
            )

    def summarize(self, book: object) -> str:
        return f"half of it, rounded {self.half}"

    def describe(self, book: object, target: str) -> str:
        return f"it is halved, rounded {self.half}"
