"""Steps that contain steps: a choice, a repetition, faces of a die."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, cast

from strike_cli.faults import Fault, Faults, Place
from strike_cli.kernel.procedure import Procedure, Roll, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.people import slug

from ..facts.effects import ShowsFace, WhichOption
from ..facts.statuses import LastingInFull, StatusIs
from ..facts.steps import DieEach, FaceIs, OneOfSteps, OptionIs, TimesOver
from ..fight import Fight
from ..harm import add_status, lasting_words, make_status
from ..powers.effects import (
    choose_for_power,
    do_steps,
    duration_words,
    note_about,
    steps_in_short,
    tell_no_effect,
)
from ..powers.power import Deed, power_with_owner
from . import MOST_TIMES, USER, measured_amount
from .key_types import Amount, DurationWord, Faces, FactWord, OneOrOther, Options, StatusId, Steps
from .step import EffectStep, describe_steps, lasting_in_words, steps_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strike_cli.tabletop.data import GivenStatus, StatusHeld
    from strike_cli.validation import CheckedTable

    from ..data import ContentOfFights
    from . import StepTable


class ChooseStep(EffectStep):
    """One of several lists of steps, chosen by the power's user or, with `by`, by the affected creature."""

    options: Options
    by: OneOrOther = "self"

    def play(self, world: World, deed: Deed, target: str) -> Procedure[list[str]]:
        by = deed.who if self.by == "self" else target
        options = {slug(option["name"]): option for option in self.options}
        about = WhichOption(by, power_with_owner(deed.power, deed.who), "" if target == by else target)
        labels = self._labels(Fight(world), deed, target)
        answer = yield choose_for_power(deed, by, "which", tuple(options), about, tuple(labels))
        return (yield from do_steps(world, deed, options[answer]["steps"], target, deed.holding))

    def _labels(self, fight: Fight, deed: Deed, target: str) -> list[OptionIs]:
        return [
            OptionIs(str(option["name"]), steps_in_short(fight, deed, option["steps"], target))
            for option in self.options
        ]

    def summarize(self, book: ContentOfFights) -> str:
        each = (f"{option['name']} ({steps_words(book, option['steps'])})" for option in self.options)
        return f"{'one of' if self.by == 'self' else 'chooses'}: {' or '.join(each)}"

    def describe(self, book: ContentOfFights, target: str) -> str:
        by = USER if self.by == "self" else target
        options = (
            f"{option['name']} ({describe_steps(book, option['steps'], target)})" for option in self.options
        )
        return f"one of these, chosen by {by}: {', or '.join(options)}"

    def label(self, fight: Fight, deed: Deed, target: str) -> Reason:
        return OneOfSteps(self._labels(fight, deed, target))


class RepeatStep(EffectStep):
    """Steps that are repeated `amount` times, as long as the target is in the fight."""

    amount: Amount
    steps: Steps

    def play(self, world: World, deed: Deed, target: str) -> Procedure[list[str]]:
        added: list[str] = []
        for _ in range(min(self.amount, MOST_TIMES)):
            if Fight(world).is_out(target):
                break
            added += yield from do_steps(world, deed, self.steps, target, deed.holding)
        return added

    def summarize(self, book: ContentOfFights) -> str:
        return f"{self.amount_in_words(book)} times: {steps_words(book, self.steps)}"

    def describe(self, book: ContentOfFights, target: str) -> str:
        return f"{self.amount_in_words(book)} times: {describe_steps(book, self.steps, target)}"

    def label(self, fight: Fight, deed: Deed, target: str) -> Reason:
        amount = measured_amount(fight.world.book, self.amount)
        steps = steps_in_short(fight, deed, self.steps, target)
        return TimesOver(0 if amount else self.amount, steps, amount)

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        amount = table.get("amount")
        if isinstance(amount, int) and amount > MOST_TIMES:
            faults.append(Fault(where / "amount", f"{MOST_TIMES} times at most"))


class RollStep(EffectStep):
    """A die for each affected creature, and the steps for the face that it shows."""

    faces: Faces

    def play(self, world: World, deed: Deed, target: str) -> Procedure[list[str]]:
        (face,) = yield Roll(1, 6, deed.power["name"], deed.who)
        yield note_about(world, deed, target, ShowsFace(target, face))
        return (yield from do_steps(world, deed, steps_of(self.faces, face), target, deed.holding))

    def summarize(self, book: ContentOfFights) -> str:
        """Return the step as a sheet has it: `a die each (1-3: nothing; 4-6: Prone)`."""
        each = (f"{faces}: {steps_words(book, steps) or 'nothing'}" for faces, steps in self.faces.items())
        return f"a die each ({'; '.join(each)})"

    def describe(self, book: ContentOfFights, target: str) -> str:
        faces = (f"on {faces} {describe_steps(book, steps, target)}" for faces, steps in self.faces.items())
        return f"a die for {target}: {'; '.join(faces)}"

    def label(self, fight: Fight, deed: Deed, target: str) -> Reason:
        """Return the steps of each face in short."""
        return DieEach(
            [FaceIs(faces, steps_in_short(fight, deed, steps, target)) for faces, steps in self.faces.items()]
        )


def steps_of(faces: Faces, die: int) -> Sequence[StepTable]:
    """Return the steps for the face that a die shows."""
    for span, steps in faces.items():
        first, _, last = span.partition("-")
        if int(first) <= die <= int(last or first):
            return steps
    raise AssertionError(f"no steps for {die}")


class ApplyStep(EffectStep):
    """A step that gives a status, with `amount` as its number.

    A duration by turns counts the turns of the power's user, or if `whose` says so those of the target. The
    giver is the user, or if `by` says so the giver of the status that has the step.
    """

    status: StatusId
    amount: Amount = 0
    duration: DurationWord = "save"
    until: FactWord = ""
    whose: OneOrOther = "self"
    by: Literal["self", "giver"] = "self"

    def play(self, world: World, deed: Deed, target: str) -> Procedure[list[str]]:
        """Give the target the status. Returns its id in a list, or an empty list if it didn't take hold."""
        if (yield from add_status(world, target, self.given(world, deed, target))):
            return [self.status]
        if not Fight(world).is_out(target):
            yield tell_no_effect(world, deed, target, "has", status=self.status)
        return []

    def given(self, world: World, deed: Deed, target: str) -> StatusHeld:
        """Return the status as the target would have it."""
        of = deed.who if self.whose == "self" else target
        by = deed.who if self.by == "self" else deed.giver
        return make_status(Fight(world), cast("GivenStatus", vars(self)), by, of=of)

    def summarize(self, book: ContentOfFights) -> str:
        value = f" {self.amount_in_words(book)}" if "amount" in self.table else ""
        return f"{book.statuses[self.status]['name']}{value}{lasting_in_words(book, self.table)}"

    def describe(self, book: ContentOfFights, target: str) -> str:
        """Return the step in an explanation: `the target is Prone, until a Saving Throw ends it`."""
        value = f" {self.amount_in_words(book)}" if "amount" in self.table else ""
        lasts = f", {duration_words(book, self.table)}" if "duration" in self.table else ""
        status = book.statuses[self.status]
        return f"{target} {'has' if status.get('noun') else 'is'} {status['name']}{value}{lasts}"

    def label(self, fight: Fight, deed: Deed, target: str) -> StatusIs:
        """Return the status in short, as the target or the user would have it."""
        one = target if self.table["to"] == "target" else deed.who
        status = self.given(fight.world, deed, one)
        own = self.table["to"] == "self" and status.get("of", one) == one
        lasts = lasting_words(fight, one, status, partial(LastingInFull, own=own))
        return StatusIs(status["id"], status.get("value"), "", lasts)

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        """Check the duration. Without one, a Saving Throw ends the status."""
        table.setdefault("duration", cls.duration)
        if (table["duration"] == "until") != ("until" in table):
            faults.append(Fault(where, 'duration = "until" goes with until, the fact that ends it'))
