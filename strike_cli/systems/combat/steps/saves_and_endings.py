"""Steps that end statuses or summons, or that allow a Saving Throw."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.kernel.procedure import Procedure, World

from ..encounter.joining_and_leaving import dismiss_creature
from ..fight_state import Fight
from ..health_and_statuses import (
    end_status,
    find_status_instance_of_any_number,
    has_been_given_status,
    ids_of_harmful_temporary_statuses,
    statuses_to_save_against,
)
from ..powers.powers_and_targets import PowerUse
from ..powers.step_play_and_summaries import choose_one_status, no_effect_note
from ..turns.saving_throws import play_saving_throw
from .step import EffectStep

if TYPE_CHECKING:
    from strike_cli.tabletop.data import StatusHeld
    from strike_cli.validation import CheckedTable

    from ..data import ContentOfFights


class SaveStep(EffectStep):
    """A Saving Throw at once, against the status named in `status` or one that the target chooses."""

    status: str = ""

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        held = statuses_to_save_against(world, target)
        names = [item["id"] for item in held]
        status = self.status or (yield from choose_one_status(world, use, target, "save against", names))
        same = [item for item in held if item["id"] == status]
        if same:
            yield from play_saving_throw(world, target, max(same, key=lambda item: item.get("value", 0)))
        else:
            yield no_effect_note(world, use, target, "save")

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        """Return whether the target has a status against which this step lets it save.

        If the step names a `status`, only that status counts. Otherwise any status against which the target
        can save is enough.
        """
        held = [item["id"] for item in statuses_to_save_against(fight.world, target)]
        return self.status in held if self.status else bool(held)

    def summarize(self, book: ContentOfFights) -> str:
        return "a Saving Throw at once"

    def describe(self, book: ContentOfFights, target: str) -> str:
        status = book.statuses[self.status]["name"] if self.status else "one status, chosen"
        return f"{target} makes a Saving Throw at once against {status}"


class EndStatusStep(EffectStep):
    """A step that ends a status.

    The status is the one named in `status`. With `this`, it is the status to which the step belongs. Without
    either, it is a harmful status that the target chooses.
    """

    status: str = ""
    this: bool = False

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        if self.this:
            if use.held and use.held.instance:
                own = cast("StatusHeld", use.held.instance)
                only = find_status_instance_of_any_number(world, use.who, own) or own
                yield from end_status(world, use.who, only["id"], only=only)
            return
        status = self.status or (
            yield from choose_one_status(
                world, use, target, "end", ids_of_harmful_temporary_statuses(world, target)
            )
        )
        if status and has_been_given_status(world, target, status):
            yield from end_status(world, target, status)
        elif not self.status:
            yield no_effect_note(world, use, target, "end")
        elif not use.held:  # a status that does this every turn shouldn't report it
            yield no_effect_note(world, use, target, "lacks", status=self.status)

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        """Return whether the step would end a status of the target.

        If the step names a status, the target must have been given that status. If the step has `this`
        instead, return True. Otherwise the target must have a temporary harmful status.
        """
        if self.status:
            return has_been_given_status(fight.world, target, self.status)
        return self.this or bool(ids_of_harmful_temporary_statuses(fight.world, target))

    def summarize(self, book: ContentOfFights) -> str:
        if self.this:
            return "ends this"
        return f"ends {book.statuses[self.status]['name'] if self.status else 'a harmful status'}"

    def describe(self, book: ContentOfFights, target: str) -> str:
        """Return the step in the words of an explanation: `the target is rid of Prone`."""
        if self.this:
            return "it ends"
        status = book.statuses[self.status]["name"] if self.status else "one harmful status of your choice"
        return f"{target} is rid of {status}"

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        """Add a fault if the step has both `this` and the name of a status."""
        if table.get("this") and "status" in table:
            faults.append(Fault(where / "status", "it means the reacting status; leave out one of the two"))


class DismissStep(EffectStep):
    """A step that dismisses a summoned creature."""

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        if "summoned" in Fight(world).combatant(target):
            yield from dismiss_creature(world, target)
        else:
            yield no_effect_note(world, use, target, "stays")

    def summarize(self, book: object) -> str:
        return "is gone"

    def describe(self, book: object, target: str) -> str:
        return f"{target}, if summoned, is gone"
