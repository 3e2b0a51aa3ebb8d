"""Uses of a power that would come to nothing. They are refused before anything is spent; what is idle besides
something that is not, is told when it comes.
"""

from __future__ import annotations

from strike_cli.problems import Refused

from .areas import shape_of
from .damage import is_whole
from .effects import all_meant, conditions, harmful_statuses, spent_class_powers
from .enter_square import may_change_places
from .fight import Fight
from .ground import zones_meant
from .powers import Deed, is_rolled
from .statuses import has_status, saved_against
from .steps import Step, load_part, step_in


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
    people = all_meant(fight, deed, step, deed.aim.targets)
    return any(_would(fight, deed, step, one) for one in people)


def _would(fight: Fight, deed: Deed, step: Step, one: str) -> bool:
    if "if" in step and step["if"] not in conditions(fight, deed, one):
        return False
    if "if_status" in step and not has_status(fight.world, one, step["if_status"]):
        return False
    would = step_in(fight.world.book, step).would
    return not would or bool(load_part(would)(fight, deed, step, one))


def would_heal(fight: Fight, deed: Deed, step: Step, one: str) -> bool:
    """Not who is whole."""
    amount = step["amount"]
    return not is_whole(fight, one, amount if isinstance(amount, int) else 1)


def would_end(fight: Fight, deed: Deed, step: Step, one: str) -> bool:
    """Who has the status, or any that harms."""
    if "status" in step:
        return has_status(fight.world, one, step["status"])
    return bool(harmful_statuses(fight.world, one))


def would_swap(fight: Fight, deed: Deed, step: Step, one: str) -> bool:
    """Who has room where the other one stands."""
    return may_change_places(fight, deed.who, one)


def would_save(fight: Fight, deed: Deed, step: Step, one: str) -> bool:
    """Who has the status, or any, that a save ends."""
    held = [item["id"] for item in saved_against(fight.world, one)]
    return step["status"] in held if "status" in step else bool(held)


def would_regain(fight: Fight, deed: Deed, step: Step, one: str) -> bool:
    """Who has spent a power of their class."""
    return bool(spent_class_powers(fight, one))


def has_zone(fight: Fight, deed: Deed, step: Step, one: str) -> bool:
    """Where the zone is."""
    return bool(zones_meant(fight, deed, step))


def would_summon(fight: Fight, deed: Deed, step: Step, one: str) -> bool:
    """Who has not as many as there may be."""
    from .summons import MOST_SUMMONED, summoned_by  # with all that brings creatures into a fight

    return len(summoned_by(fight, deed.who)) < MOST_SUMMONED


def is_for_players(fight: Fight, deed: Deed, step: Step, one: str) -> bool:
    """Only players collect Strikes and Miss Tokens."""
    return fight.is_player(one)
