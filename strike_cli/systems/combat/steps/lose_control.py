"""A die says what somebody does who isn't their own master (STR-TAC-25)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.contributions import ban_on, reasons_for
from strike_cli.tabletop.dice import clamp, roll_die

from ..facts.control import Compelled, ControlRolled, TurnSpent
from ..facts.steps import DieEach, FaceIs
from ..fight import ACTIONS, Fight
from ..harm import add_status
from ..powers.effects import do_steps, steps_in_short
from ..powers.power import Deed, called
from . import COMPELLED, StepTable
from .apply import ApplyStep
from .compulsion import CompulsionStep
from .keys import Faces, RollWord
from .roll import steps_of
from .step import EffectStep, all_in_words, all_told, step_in

if TYPE_CHECKING:
    from ..data import ContentOfFights


class LoseControlStep(EffectStep):
    """A die of the kind `roll` decides what somebody does this turn, and it is played.

    The steps of its face follow. Some of them move somebody or make them attack; these take up the whole
    turn.

    They are about the giver of the status; where that is nobody in the fight, about the nearest enemy.
    """

    faces: Faces
    roll: RollWord = "panic"

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        """Roll and play the face's steps; a creature that takes no actions doesn't roll."""
        fight = Fight(world)
        if ban_on(world, target, "act"):
            return
        origin = _origin(fight, deed, target)
        rolled = yield from roll_die(target, deed.power["name"], *reasons_for(world, target, self.roll))
        steps = steps_of(self.faces, clamp(rolled.total))
        does = tuple(_does(fight, deed, step, target, origin) for step in steps)
        yield world.tell(ControlRolled(target, rolled, called(deed.power, deed.who), does))
        yield from _take(world, deed._replace(giver=deed.giver or origin), target, origin, steps)
        if any(step["do"] in COMPELLED for step in steps):
            spent = {f"fight.turn.{action}": max(1, fight.taken(action)) for action in ACTIONS}
            yield world.tell(TurnSpent(target), spent)

    def sheet(self, book: ContentOfFights) -> str:
        each = (f"{faces}: {all_in_words(book, steps) or 'nothing'}" for faces, steps in self.faces.items())
        return f"a die of control ({'; '.join(each)})"

    def short(self, fight: Fight, deed: Deed, target: str) -> Reason:
        """Return the steps of each face in few words."""
        faces = {faces: steps_in_short(fight, deed, steps, target) for faces, steps in self.faces.items()}
        return DieEach([FaceIs(*face) for face in faces.items()], True)

    def told(self, book: ContentOfFights, who: str) -> str:
        faces = (f"on {faces} {all_told(book, steps, who)}" for faces, steps in self.faces.items())
        return f"a die for {who}: {'; '.join(faces)}"


def _does(fight: Fight, deed: Deed, step: StepTable, target: str, origin: str) -> Compelled:
    do = step["do"]
    if do in COMPELLED or do == "apply":
        return Compelled(do, origin, step.get("status", ""))
    (words,) = steps_in_short(fight, deed, [step], target)
    return Compelled(do, words=words)


def _origin(fight: Fight, deed: Deed, target: str) -> str:
    giver = deed.giver if deed.held else deed.who
    if giver in fight.data["combatants"] and giver != target and fight.is_on_map(giver):
        return giver
    return min(fight.foes_on_map(target), key=lambda foe: fight.gap(target, foe), default="")


def _take(world: World, deed: Deed, target: str, origin: str, steps: Sequence[StepTable]) -> Procedure[None]:
    """Play the steps, in order. If one can't be taken, its `otherwise` takes its place and ends it."""
    for table in steps:
        step = step_in(world.book, table)(table)
        if isinstance(step, ApplyStep):  # the die has said so
            yield from add_status(world, target, step.given(world, deed, target), silent=True)
        elif not isinstance(step, CompulsionStep):
            yield from do_steps(world, deed, [table], target, deed.holding)
        elif not (yield from step.compel(world, deed, target, origin)) and step.otherwise:
            yield from _take(world, deed, target, origin, step.otherwise)
            return
