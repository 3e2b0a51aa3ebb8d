"""Steps that raise or lower the number of a status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason

from ..facts.step_descriptions import NumberChanges
from ..fight_state import Fight
from ..health_and_statuses import (
    Status,
    add_status_by_stacking_rule,
    find_status_instance_of_any_number,
    make_status,
    set_status_number_or_end,
    statuses_given_to,
)
from ..powers.powers_and_targets import PowerUse
from ..powers.step_play_and_summaries import no_effect_note, step_duration_clause
from . import measured_amount_clause
from .step import EffectStep, duration_words_on_sheet

if TYPE_CHECKING:
    from strike_cli.validation import CheckedTable

    from ..data import ContentOfFights
    from . import StepTable


class StatusNumberStep(EffectStep):
    """A step that changes the number of one of the target's statuses.

    If the step belongs to a status and `this` is True, the number of that status is changed. Otherwise
    `status` names the status. If the target has several instances of it, the one with the highest number is
    changed.
    """

    status: str = ""
    this: bool = False
    amount: int = 1

    def status_instance(self, world: World, use: PowerUse, target: str) -> Status | None:
        """Return the creature's instance of the status, or None if it doesn't have the status."""
        if self.this:
            return find_status_instance_of_any_number(world, target, use.held.instance) if use.held else None
        held = [item for item in statuses_given_to(world, target) if item["id"] == self.status]
        return max(held, key=lambda item: int(item.get("value", 0)), default=None)

    def status_id(self, use: PowerUse) -> str:
        """Return the full id of the status."""
        return self.status or (use.held.id if use.held else "")

    def words_naming_number(self, book: ContentOfFights, target: str = "") -> str:
        """Return words for the number that the step is about: usually the name of its status.

        With a `target`, the words are like `the Ongoing of the target`. If the step belongs to the status
        itself (`this`), the words are `its number`.
        """
        if self.this:
            return "its number"
        name = str(book.statuses[self.status]["name"])
        return f"the {name} of {target}" if target else name

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        """Add a fault unless the step has exactly one of `this` and `status`."""
        if bool(table.get("this")) == ("status" in table):
            faults.append(Fault(where, f"{table['do']} needs a status, or this = true, one of the two"))


class RaiseStep(StatusNumberStep):
    """A step that raises the number of a status, to no more than `most`.

    A creature that lacks the named status gains it. The status then lasts for the rest of the fight, or as
    `duration` says.
    """

    most: int = 100
    duration: str = "encounter"
    until: str = ""
    whose: Literal["self", "target"] = "self"
    by: Literal["self", "giver"] = "self"

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[list[str]]:
        """Raise the number of a status. If the target lacks the status, give it the status.

        There is one exception: with `this`, a target without the status doesn't gain it. Returns a list with
        the status's id if the target gained the status, otherwise an empty list.
        """
        if held := self.status_instance(world, use, target):
            number = min(int(held.get("value", 0)) + self.amount, self.most)
            if number > held.get("value", 0):
                yield from set_status_number_or_end(world, target, held, number)
            else:
                yield no_effect_note(world, use, target, "most", status=held["id"])
            return []
        if self.this:
            yield no_effect_note(world, use, target, "lacks", status=self.status_id(use))
            return []
        own = {**vars(self), "duration": self.duration, "amount": min(self.amount, self.most)}
        given = cast("StepTable", own)
        by = use.who if self.by == "self" else use.giver
        new = make_status(Fight(world), given, by, turns_of=use.who if self.whose == "self" else target)
        return [self.status] if (yield from add_status_by_stacking_rule(world, target, new)) else []

    def summarize(self, book: ContentOfFights) -> str:
        most = f", {self.most} at most" if "most" in self.table else ""
        return (
            f"{self.words_naming_number(book)} "
            f"+{self.amount_in_words(book)}{most}{duration_words_on_sheet(book, self.table)}"
        )

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        by = measured_amount_clause(fight.world.book, self.amount) or str(self.amount)
        of = use.who if self.whose == "self" else target
        most = self.most if "most" in self.table else None
        return NumberChanges(
            self.status_id(use), False, by, most, step_duration_clause(fight, use, self.table, of)
        )

    def describe(self, book: ContentOfFights, target: str) -> str:
        most = f", to {self.most} at most" if "most" in self.table else ""
        return f"{self.words_naming_number(book, target)} goes up by {self.amount_in_words(book)}{most}"

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        super().check(table, where, faults)
        if (table.get("duration") == "until") != ("until" in table):
            faults.append(Fault(where, 'duration = "until" goes with until, the fact that ends it'))


class LowerStep(StatusNumberStep):
    """A step that lowers the number of a status; at 0 the status ends."""

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        if held := self.status_instance(world, use, target):
            yield from set_status_number_or_end(
                world, target, held, max(int(held.get("value", 0)) - self.amount, 0)
            )
        else:
            yield no_effect_note(world, use, target, "lacks", status=self.status_id(use))

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        return self.status_instance(fight.world, use, target) is not None

    def summarize(self, book: ContentOfFights) -> str:
        return f"{self.words_naming_number(book)} -{self.amount_in_words(book)}"

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        by = measured_amount_clause(fight.world.book, self.amount) or str(self.amount)
        return NumberChanges(self.status_id(use), True, by)

    def describe(self, book: ContentOfFights, target: str) -> str:
        return f"{self.words_naming_number(book, target)} goes down by {self.amount_in_words(book)}"
