"""Steps that move a creature: pushes, pulls, slides, shifts, teleports, swaps, and free moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.grid import Square, format_square

from ..board.move import destinations, find_move_path, walk_path_until_stopped
from ..board.movement_by_effects import displace_target
from ..board.square_entry import change_places, have_room_at_each_others_places
from ..facts.effects_and_causes import WhereTo
from ..facts.step_descriptions import MoveIs, SwapIs
from ..fight_state import Fight
from ..powers.powers_and_targets import PowerUse, power_as_reason
from ..powers.step_play_and_summaries import (
    no_effect_note,
    people_step_may_affect,
    question_about_power,
    squares_in_words,
)
from . import USER, WHOM, WHOM_AS_SUBJECTS, measured_amount_clause
from .step import EffectStep

if TYPE_CHECKING:
    from . import StepTable


class DisplacementStep(EffectStep):
    """A step that moves the target by up to `amount` squares. `how` is the kind of movement."""

    amount: int

    how: ClassVar[str]
    done: ClassVar[str]
    """The words on a sheet before the number of squares."""
    in_full: ClassVar[str]
    """The words in an explanation, with `{who}` and `{squares}`."""

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        """Move the target, if the target and the creature that chooses the squares are both on the map."""
        fight, by = Fight(world), self.creature_choosing_squares(use, target)
        if fight.is_on_map(target) and fight.is_on_map(by):
            power, chosen = power_as_reason(use.power, use.who), "way" in self.table
            yield from displace_target(
                world, target, by, self.amount, self.how, square_by_square=chosen, power=power
            )

    def creature_choosing_squares(self, use: PowerUse, target: str) -> str:
        return use.who

    def summarize(self, book: object) -> str:
        chosen = ", square by square" if "way" in self.table else ""
        return f"{self.done} {self.amount_in_words(book)}{chosen}"

    def describe(self, book: object, target: str) -> str:
        """Return the step in the words of an explanation: `the target is pushed 2 squares away`."""
        words = self.in_full.format(who=target, squares=squares_in_words(book, self.table["amount"]))
        return words + (", each square chosen" if "way" in self.table else "")


class PushStep(DisplacementStep):
    """A movement away from the power's user. With `way = "chosen"` the user is asked for each square."""

    way: Literal["chosen"] | None = None

    how = "push"
    done = "pushed"
    in_full = "{who} is pushed {squares} away"


class PullStep(DisplacementStep):
    """A movement towards the power's user. With `way = "chosen"` the user is asked for each square."""

    way: Literal["chosen"] | None = None

    how = "pull"
    done = "pulled"
    in_full = "{who} is pulled {squares} nearer"


class SlideStep(DisplacementStep):
    """A movement in any direction. With `way = "chosen"` the user is asked for each square."""

    way: Literal["chosen"] | None = None

    how = "slide"
    done = "slid"
    in_full = "{who} is slid {squares} anywhere"


class ShiftStep(DisplacementStep):
    """A movement without Opportunities. The moving creature chooses the squares."""

    how = "shift"
    done = "shifts"
    in_full = "{who} shifts up to {squares}"

    def creature_choosing_squares(self, use: PowerUse, target: str) -> str:
        return target


class TeleportStep(DisplacementStep):
    """A movement to any free square at most `amount` squares away; obstacles don't matter.

    The power's user chooses the square.
    """

    how = "teleport"
    done = "teleported"
    in_full = "{who} is teleported up to {squares}"


NEXT = "next-target"


class SwapStep(EffectStep):
    """A step by which the target and another creature, its partner, change places.

    They only change places if both have room, and they give no Opportunities. `partner` says who the partner
    is:

    - "self": the user of the power.
    - "next-target": the next target of the power.
    - Other values: another creature, such as the giver of the status.
    """

    partner: Literal["self", "target", "next-target", "giver", "other", "doer", "befallen"] = "self"

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        """Let the target and its partner change places. If that is impossible, report why.

        With the partner "next-target", a target's partner is the next target of the power. Then the last
        target has no partner. This is reported only if the power has no other target.
        """
        fight, partner = Fight(world), self._partner_of(Fight(world), use, target)
        if partner and have_room_at_each_others_places(fight, partner, target):
            yield from change_places(world, partner, target)
        elif partner and partner != target:
            yield no_effect_note(world, use, partner, "swap", target)
        elif self.partner != NEXT or len(use.aim.targets) < 2:
            yield no_effect_note(world, use, target, "alone")

    def _partner_of(self, fight: Fight, use: PowerUse, target: str) -> str:
        targets = use.aim.targets
        if self.partner == NEXT:
            later = targets[targets.index(target) + 1 :] if target in targets else ()
            return next(iter(later), "")
        table: StepTable = {"do": "swap", "to": self.partner}
        return next(iter(people_step_may_affect(fight, use, table, targets)), "")

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        """Return whether there is a partner, and both creatures have room at each other's places."""
        partner = self._partner_of(fight, use, target)
        return bool(partner) and have_room_at_each_others_places(fight, partner, target)

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason | None:
        """Return a clause such as "changes places with Vex", which names the target's partner.

        With "next-target", the clause is "changes places with the next target". Return None if the partner is
        the power's user, or if there is no partner.
        """
        one = target if self.table["to"] == "target" else use.who
        partner = "" if self.partner == NEXT else self._partner_of(fight, use, one)
        return SwapIs(partner) if partner != use.who and (partner or self.partner == NEXT) else None

    def summarize(self, book: object) -> str:
        if self.partner == "self":
            return "changes places with the other"
        return f"changes places with {_NAMED.get(self.partner) or WHOM[self.partner]}"

    def describe(self, book: object, target: str) -> str:
        if self.partner == "self":
            return f"{USER} and {target} change places"
        return f"{target} and {_NAMED.get(self.partner) or WHOM_AS_SUBJECTS[self.partner]} change places"


_NAMED = {"target": "the target", NEXT: "the next target"}


class MoveStep(EffectStep):
    """A free move of up to `amount` squares, which gives Opportunities.

    If `amount` is None, the creature may move up to its Speed.
    """

    amount: int | None = None

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        fight, most = Fight(world), self.amount
        if not fight.is_on_map(target):
            return
        reachable = destinations(fight, target, most)
        to_foes, size = fight.nearest_foe_distance_function(target), fight.size(target)

        def foe_distance_then_cost(square: Square) -> tuple[int, int, Square]:
            return to_foes(square, size), reachable[square], square

        names = {format_square(square): square for square in sorted(reachable, key=foe_distance_then_cost)}
        if not names:
            yield no_effect_note(world, use, target, "go")
            return
        about = WhereTo(target, power_as_reason(use.power, use.who))
        answer = yield question_about_power(use, target, "move to", (*names, "stay"), about)
        if answer != "stay":
            yield from walk_path_until_stopped(
                world, target, find_move_path(fight, target, [names[answer]], False, most)
            )

    def summarize(self, book: object) -> str:
        """Return the step in the words of a sheet: `moves up to 3`."""
        return f"moves up to {self.amount_in_words(book)}" if "amount" in self.table else "moves"

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        return MoveIs(measured_amount_clause(fight.world.book, self.amount) or str(self.amount or ""))

    def describe(self, book: object, target: str) -> str:
        far = (
            f"up to {squares_in_words(book, self.amount)}" if "amount" in self.table else "up to their Speed"
        )
        return f"{target} may move {far}, giving Opportunities"
