"""Uses of a power that would come to nothing. They are refused before anything is spent; what is idle besides
something that is not, is told when it comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from strike_cli.problems import Refused

from .areas import shape_of
from .effects import conditions, harmful_statuses, is_near, spent_class_powers
from .fight import Fight
from .harm import has_status, is_whole
from .powers import Deed, is_rolled

Step = Mapping[str, Any]


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


def _does_something(fight: Fight, deed: Deed, step: Step) -> bool:
    """Whether a step would do something to anybody; what is not known beforehand counts as something."""
    return any(_needs(fight, deed, step, one) for one in _people(fight, deed, step))


def _people(fight: Fight, deed: Deed, step: Step) -> Iterator[str]:
    """All whom a step may be for."""
    who = deed.who
    if step["to"] == "target":
        yield from deed.aim.targets
    elif step["to"] == "self":
        yield who
    else:
        own = step["to"] != "enemies"
        for other in fight.in_the_fight():
            if (
                other != who
                and (fight.side(other) == fight.side(who)) is own
                and is_near(fight, who, other, step)
            ):
                yield other


def _needs(fight: Fight, deed: Deed, step: Step, one: str) -> bool:
    world, status = fight.world, step.get("status", "")
    if "if" in step and step["if"] not in conditions(fight, deed, one):
        return False
    if "if_status" in step and not has_status(world, one, step["if_status"]):
        return False
    if step["do"] == "heal":
        return not is_whole(fight, one, step["amount"])
    if step["do"] == "end":
        return has_status(world, one, status) if status else bool(harmful_statuses(world, one))
    if step["do"] == "save":
        held = [item["id"] for item in fight.combatant(one).get("statuses", ()) if item["ends"] == "save"]
        return status in held if status else bool(held)
    if step["do"] == "regain":
        return bool(spent_class_powers(fight, one))
    if step["do"] in ("token", "strike"):
        return fight.is_player(one)
    return True
