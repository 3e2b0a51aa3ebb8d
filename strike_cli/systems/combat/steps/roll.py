"""A die, and the steps of the face that it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, Roll, World
from strike_cli.kernel.statements import Reason

from ..facts.effects import ShowsFace
from ..facts.steps import DieEach, FaceIs
from ..fight import Fight
from ..powers.effects import do_steps, noted, steps_in_short
from ..powers.power import Deed
from .keys import Faces
from .step import EffectStep, all_in_words, all_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..data import ContentOfFights
    from . import StepTable


class RollStep(EffectStep):
    """A die for each whom it is for, and the steps of the face that it shows."""

    faces: Faces

    def play(self, world: World, deed: Deed, target: str) -> Procedure[list[str]]:
        (face,) = yield Roll(1, 6, deed.power["name"], deed.who)
        yield noted(world, deed, target, ShowsFace(target, face))
        return (yield from do_steps(world, deed, steps_of(self.faces, face), target, deed.holding))

    def sheet(self, book: ContentOfFights) -> str:
        """Return the step on a sheet: `a die each (1-3: nothing; 4-6: Prone)`."""
        each = (f"{faces}: {all_in_words(book, steps) or 'nothing'}" for faces, steps in self.faces.items())
        return f"a die each ({'; '.join(each)})"

    def told(self, book: ContentOfFights, who: str) -> str:
        faces = (f"on {faces} {all_told(book, steps, who)}" for faces, steps in self.faces.items())
        return f"a die for {who}: {'; '.join(faces)}"

    def short(self, fight: Fight, deed: Deed, target: str) -> Reason:
        """Return the steps of each face in few words."""
        return DieEach(
            [FaceIs(faces, steps_in_short(fight, deed, steps, target)) for faces, steps in self.faces.items()]
        )


def steps_of(faces: Faces, die: int) -> Sequence[StepTable]:
    """Return the steps of the face that a die shows."""
    for span, steps in faces.items():
        first, _, last = span.partition("-")
        if int(first) <= die <= int(last or first):
            return steps
    raise AssertionError(f"no steps for {die}")
