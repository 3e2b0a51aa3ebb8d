"""Steps that raise or lower the number of a status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from strike_cli.faults import Fault, Faults, Place
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason

from ..facts.steps import NumberChanges
from ..fight import Fight
from ..harm import Status, add_status, current_status, make_status, set_number, statuses_of
from ..powers.effects import duration_of_effect, tell_no_effect
from ..powers.power import Deed
from . import measured_amount
from .key_types import Amount, Count, DurationWord, FactWord, OneOrOther, StatusId
from .step import EffectStep, lasting_in_words

if TYPE_CHECKING:
    from strike_cli.tabletop.data import GivenStatus
    from strike_cli.validation import CheckedTable

    from ..data import ContentOfFights


class StatusNumberStep(EffectStep):
    """A step about the number of a creature's status; of several instances, it is the highest number.

    With `this`, it is the status that has the step.
    """

    status: StatusId = ""
    this: bool = False
    amount: Amount = 1

    def found(self, world: World, deed: Deed, target: str) -> Status | None:
        """Return the instance of the status that a creature has, None if it has none."""
        if self.this:
            return current_status(world, target, deed.held.instance) if deed.held else None
        held = [item for item in statuses_of(world, target) if item["id"] == self.status]
        return max(held, key=lambda item: int(item.get("value", 0)), default=None)

    def named_id(self, deed: Deed) -> str:
        """Return the full id of the status."""
        return self.status or (deed.held.id if deed.held else "")

    def named(self, book: ContentOfFights, target: str = "") -> str:
        """Return the words for the number that changes."""
        if self.this:
            return "its number"
        name = str(book.statuses[self.status]["name"])
        return f"the {name} of {target}" if target else name

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        """Check that the step has either `this` or a status, not both."""
        if bool(table.get("this")) == ("status" in table):
            faults.append(Fault(where, f"{table['do']} needs a status, or this = true, one of the two"))


class RaiseStep(StatusNumberStep):
    """A step that raises the number of a status, to `most` at the highest.

    A creature without the status gains it, for the fight unless `duration` says otherwise.
    """

    most: Count = 100
    duration: DurationWord = "encounter"
    until: FactWord = ""
    whose: OneOrOther = "self"
    by: Literal["self", "giver"] = "self"

    def play(self, world: World, deed: Deed, target: str) -> Procedure[list[str]]:
        """Raise the number.

        Returns the id of the status in a list if the target gained it, else an empty list.
        """
        if held := self.found(world, deed, target):
            number = min(int(held.get("value", 0)) + self.amount, self.most)
            if number > held.get("value", 0):
                yield from set_number(world, target, held, number)
            else:
                yield tell_no_effect(world, deed, target, "most", status=held["id"])
            return []
        if self.this:
            yield tell_no_effect(world, deed, target, "lacks", status=self.named_id(deed))
            return []
        own = {**vars(self), "duration": self.duration, "amount": min(self.amount, self.most)}
        given = cast("GivenStatus", own)
        by = deed.who if self.by == "self" else deed.giver
        new = make_status(Fight(world), given, by, of=deed.who if self.whose == "self" else target)
        return [self.status] if (yield from add_status(world, target, new)) else []

    def summarize(self, book: ContentOfFights) -> str:
        most = f", {self.most} at most" if "most" in self.table else ""
        return f"{self.named(book)} +{self.amount_in_words(book)}{most}{lasting_in_words(book, self.table)}"

    def label(self, fight: Fight, deed: Deed, target: str) -> Reason:
        by = measured_amount(fight.world.book, self.amount) or str(self.amount)
        of = deed.who if self.whose == "self" else target
        most = self.most if "most" in self.table else None
        return NumberChanges(
            self.named_id(deed), False, by, most, duration_of_effect(fight, deed, self.table, of)
        )

    def describe(self, book: ContentOfFights, target: str) -> str:
        most = f", to {self.most} at most" if "most" in self.table else ""
        return f"{self.named(book, target)} goes up by {self.amount_in_words(book)}{most}"

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        super().check(table, where, faults)
        if (table.get("duration") == "until") != ("until" in table):
            faults.append(Fault(where, 'duration = "until" goes with until, the fact that ends it'))


class LowerStep(StatusNumberStep):
    """A step that lowers the number of a status; at 0 the status ends."""

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        if held := self.found(world, deed, target):
            yield from set_number(world, target, held, max(int(held.get("value", 0)) - self.amount, 0))
        else:
            yield tell_no_effect(world, deed, target, "lacks", status=self.named_id(deed))

    def has_effect_on(self, fight: Fight, deed: Deed, target: str) -> bool:
        return self.found(fight.world, deed, target) is not None

    def summarize(self, book: ContentOfFights) -> str:
        return f"{self.named(book)} -{self.amount_in_words(book)}"

    def label(self, fight: Fight, deed: Deed, target: str) -> Reason:
        by = measured_amount(fight.world.book, self.amount) or str(self.amount)
        return NumberChanges(self.named_id(deed), True, by)

    def describe(self, book: ContentOfFights, target: str) -> str:
        return f"{self.named(book, target)} goes down by {self.amount_in_words(book)}"
