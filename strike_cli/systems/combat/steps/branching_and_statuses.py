"""Steps that contain other steps (a choice, a repetition, a die), and the step that gives a status."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, cast

from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.kernel.procedure import Procedure, Roll, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.characters_and_names import slug

from ..facts.effects_and_causes import ShowsFace, WhichOption
from ..facts.statuses import LastingInFull, StatusIs
from ..facts.step_descriptions import DieEach, FaceIs, OneOfSteps, OptionIs, TimesOver
from ..fight_state import Fight
from ..health_and_statuses import add_status_by_stacking_rule, duration_clause, make_status
from ..powers.powers_and_targets import PowerUse, power_as_reason
from ..powers.step_play_and_summaries import (
    duration_in_explanation,
    no_effect_note,
    note_naming_power,
    play_steps_and_get_statuses_given,
    question_about_power,
    summarize_effective_else_first_step,
)
from . import MOST_TIMES, USER, Faces, StepOption, StepTable, measured_amount_clause
from .step import EffectStep, describe_steps, duration_words_on_sheet, steps_words_on_sheet

if TYPE_CHECKING:
    from strike_cli.tabletop.data import StatusHeld
    from strike_cli.validation import CheckedTable

    from ..data import ContentOfFights


class ChooseStep(EffectStep):
    """A step with several lists of steps, one of which is chosen and played.

    The power's user chooses or, with `by = "target"`, the affected creature.
    """

    options: Sequence[StepOption]
    by: Literal["self", "target"] = "self"

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[list[str]]:
        by = use.who if self.by == "self" else target
        options = {slug(option["name"]): option for option in self.options}
        about = WhichOption(by, power_as_reason(use.power, use.who), "" if target == by else target)
        labels = self._option_labels(Fight(world), use, target)
        answer = yield question_about_power(use, by, "which", tuple(options), about, tuple(labels))
        return (
            yield from play_steps_and_get_statuses_given(
                world, use, options[answer]["steps"], target, use.conditions_met
            )
        )

    def _option_labels(self, fight: Fight, use: PowerUse, target: str) -> list[OptionIs]:
        return [
            OptionIs(
                str(option["name"]), summarize_effective_else_first_step(fight, use, option["steps"], target)
            )
            for option in self.options
        ]

    def summarize(self, book: ContentOfFights) -> str:
        each = (
            f"{option['name']} ({steps_words_on_sheet(book, option['steps'])})" for option in self.options
        )
        return f"{'one of' if self.by == 'self' else 'chooses'}: {' or '.join(each)}"

    def describe(self, book: ContentOfFights, target: str) -> str:
        by = USER if self.by == "self" else target
        options = (
            f"{option['name']} ({describe_steps(book, option['steps'], target)})" for option in self.options
        )
        return f"one of these, chosen by {by}: {', or '.join(options)}"

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        return OneOfSteps(self._option_labels(fight, use, target))


class RepeatStep(EffectStep):
    """Steps that are played `amount` times, or until the target is out of the fight."""

    amount: int
    steps: Sequence[StepTable]

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[list[str]]:
        added: list[str] = []
        for _ in range(min(self.amount, MOST_TIMES)):
            if Fight(world).is_out(target):
                break
            added += yield from play_steps_and_get_statuses_given(
                world, use, self.steps, target, use.conditions_met
            )
        return added

    def summarize(self, book: ContentOfFights) -> str:
        return f"{self.amount_in_words(book)} times: {steps_words_on_sheet(book, self.steps)}"

    def describe(self, book: ContentOfFights, target: str) -> str:
        return f"{self.amount_in_words(book)} times: {describe_steps(book, self.steps, target)}"

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        amount = measured_amount_clause(fight.world.book, self.amount)
        steps = summarize_effective_else_first_step(fight, use, self.steps, target)
        return TimesOver(0 if amount else self.amount, steps, amount)

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        amount = table.get("amount")
        if isinstance(amount, int) and amount > MOST_TIMES:
            faults.append(Fault(where / "amount", f"{MOST_TIMES} times at most"))


class RollStep(EffectStep):
    """A step that rolls a die for each affected creature, and has steps for each face."""

    faces: Faces

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[list[str]]:
        (face,) = yield Roll(1, 6, use.power["name"], use.who)
        yield note_naming_power(world, use, target, ShowsFace(target, face))
        return (
            yield from play_steps_and_get_statuses_given(
                world, use, require_steps_for_face(self.faces, face), target, use.conditions_met
            )
        )

    def summarize(self, book: ContentOfFights) -> str:
        """Return the step in the words of a sheet: `a die each (1-3: nothing; 4-6: Prone)`."""
        each = (
            f"{faces}: {steps_words_on_sheet(book, steps) or 'nothing'}"
            for faces, steps in self.faces.items()
        )
        return f"a die each ({'; '.join(each)})"

    def describe(self, book: ContentOfFights, target: str) -> str:
        faces = (f"on {faces} {describe_steps(book, steps, target)}" for faces, steps in self.faces.items())
        return f"a die for {target}: {'; '.join(faces)}"

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        """Return a clause that says what each face of the die does."""
        return DieEach(
            [
                FaceIs(faces, summarize_effective_else_first_step(fight, use, steps, target))
                for faces, steps in self.faces.items()
            ]
        )


def require_steps_for_face(faces: Faces, die: int) -> Sequence[StepTable]:
    """Return the steps for the face that a die shows."""
    for span, steps in faces.items():
        first, _, last = span.partition("-")
        if int(first) <= die <= int(last or first):
            return steps
    raise AssertionError(f"no steps for {die}")


class ApplyStep(EffectStep):
    """A step that gives a status; `amount` is the status's number.

    A duration in turns counts the turns of the power's user. With `whose = "target"`, it counts the turns of
    the target.

    The giver of the status is the power's user. If the step belongs to another status, `by = "giver"` gives
    both statuses the same giver.
    """

    status: str
    amount: int = 0
    duration: str = "save"
    until: str = ""
    whose: Literal["self", "target"] = "self"
    by: Literal["self", "giver"] = "self"

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[list[str]]:
        """Give the target the status.

        Returns the status's id in a list, or an empty list if nothing changed.
        """
        if (yield from add_status_by_stacking_rule(world, target, self.status_to_give(world, use, target))):
            return [self.status]
        if not Fight(world).is_out(target):
            yield no_effect_note(world, use, target, "has", status=self.status)
        return []

    def status_to_give(self, world: World, use: PowerUse, target: str) -> StatusHeld:
        """Return the status instance that the target would get."""
        of = use.who if self.whose == "self" else target
        by = use.who if self.by == "self" else use.giver
        return make_status(Fight(world), cast("StepTable", vars(self)), by, turns_of=of)

    def summarize(self, book: ContentOfFights) -> str:
        value = f" {self.amount_in_words(book)}" if "amount" in self.table else ""
        return f"{book.statuses[self.status]['name']}{value}{duration_words_on_sheet(book, self.table)}"

    def describe(self, book: ContentOfFights, target: str) -> str:
        """Return the step in an explanation: `the target is Prone, until a Saving Throw ends it`."""
        value = f" {self.amount_in_words(book)}" if "amount" in self.table else ""
        lasts = f", {duration_in_explanation(book, self.table)}" if "duration" in self.table else ""
        status = book.statuses[self.status]
        return f"{target} {'has' if status.get('noun') else 'is'} {status['name']}{value}{lasts}"

    def label(self, fight: Fight, use: PowerUse, target: str) -> StatusIs:
        """Return a clause for the status that the step gives, with the duration of the status.

        The duration is worded for the creature that gets the status.
        """
        one = target if self.table["to"] == "target" else use.who
        status = self.status_to_give(fight.world, use, one)
        own = self.table["to"] == "self" and status.get("of", one) == one
        lasts = duration_clause(fight, one, status, partial(LastingInFull, own=own))
        return StatusIs(status["id"], status.get("value"), "", lasts)

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        """Check that the key `until` is present if the duration is "until", and missing if it is not.

        If the duration is missing, it is set to the default, "save".
        """
        table.setdefault("duration", cls.duration)
        if (table["duration"] == "until") != ("until" in table):
            faults.append(Fault(where, 'duration = "until" goes with until, the fact that ends it'))
