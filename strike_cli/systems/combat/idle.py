"""Uses of a power that would come to nothing. They are refused before anything is spent; what is idle besides
something that is not, is told when it comes.
"""

from __future__ import annotations

from strike_cli.problems import Refused

from .areas import shape_of
from .effects import all_meant, conditions
from .fight import Fight
from .powers import Deed, is_rolled
from .statuses import has_status
from .steps import StepTable, step_in


def must_do_something(fight: Fight, deed: Deed) -> None:
    """Raises Refused for a power that would do nothing to anybody as things stand: nobody is in its area,
    those it would heal are whole, what it would end nobody has."""
    power = deed.power
    if is_rolled(power) and deed.aim.targets:
        return
    steps = [step for part in ("before", "effect", "always") for step in power.get(part, ())]
    if not steps or any(_does_something(fight, deed, step) for step in steps):
        return
    name, nothing_spent = power["name"], "Nothing is spent; `strike combat show` tells how everybody is."
    if shape_of(power) and not deed.aim.targets:
        raise Refused(f"Nobody is in the area of {name}.", nothing_spent)
    raise Refused(f"{name} would do nothing as things stand.", nothing_spent)


def _does_something(fight: Fight, deed: Deed, step: StepTable) -> bool:
    """Whether a step would do something to anybody; what is not known beforehand counts as something."""
    people = all_meant(fight, deed, step, deed.aim.targets)
    return any(_would(fight, deed, step, one) for one in people)


def _would(fight: Fight, deed: Deed, step: StepTable, one: str) -> bool:
    if "if" in step and step["if"] not in conditions(fight, deed, one):
        return False
    if "if_status" in step and not has_status(fight.world, one, step["if_status"]):
        return False
    return step_in(fight.world.book, step)(step).would(fight, deed, one)
