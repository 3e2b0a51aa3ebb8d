"""Fights for `strike sim`: begin, end, losses, and difficulty (STR-TAC-19, 27)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import World
from strike_cli.play.legal import Option
from strike_cli.sim.plan import FLED, LOST, Lineup, Simulated, how_many, in_words

from .bots.legal_options import FINISH
from .encounter.creatures import QUARTERS, worth
from .encounter.objective import LEFT
from .encounter.setup import StartFight
from .fight import Fight
from .numbers import numbers

if TYPE_CHECKING:
    from .data import FinishData


def begin(world: World, encounter: str, lineup: Lineup) -> Option:
    """Return `combat start`, with everybody unless some are named."""
    args = StartFight(
        encounter=encounter,
        party=lineup.party or list(world.book.characters),
        creatures=lineup.creatures,
        difficulty=lineup.difficulty,
    )
    return Option("combat start", args, ("start", encounter))


def result(world: World) -> str:
    """Return whether a fight is won or lost: a side has nobody left, or the objective decides it.

    It is "fled" if the party has lost but some of its members got away.
    """
    fight = Fight(world)
    decided = fight.decided() or ""
    return (
        FLED
        if decided == LOST
        and any(fight.combatant(combatant).get("out") == LEFT for combatant in fight.players())
        else decided
    )


def finish(world: World) -> Option | None:
    """Return `combat finish` once the fight is decided, else None."""
    return FINISH if Fight(world).decided() else None


def used(option: Option, data: Mapping[str, object]) -> str:
    """Return the id of the power that an option uses; for a Charge and the like the command's word."""
    if "power" in data:
        return str(data["power"])
    word = option.command.rpartition(" ")[2]
    return word if word in ("charge", "rally", "assess", "improvise", "skill", "trigger") else ""


def named(world: World, what: str) -> str:
    """Return the name of a power, or words for any other option."""
    power = world.book.powers.get(what)
    return str(power["name"]) if power else in_words(world, what)


def came_of_it(data: Mapping[str, object]) -> Mapping[str, str]:
    """Return the Concession of a won fight, and how many party members gain a Condition."""
    over = cast("FinishData", data)
    won = {"concession": over["concession"]} if over["won"] else {}
    return {**won, "conditions": how_many(len(over["conditions"]))}


def worth_of(world: World, ref: str) -> float:
    """Return the worth of a creature, in standard creatures."""
    return worth(world.book.creatures[ref]) / QUARTERS


def budgets(world: World, players: int) -> Mapping[str, float]:
    """Return the budget of each difficulty for a number of characters, in standard creatures."""
    return {name: each * players / QUARTERS for name, each in numbers()["difficulty"].items()}


SIMULATED = Simulated(
    begin,
    result,
    finish,
    health=("hp",),
    fells=("hp",),
    counted=("strikes",),
    used=used,
    named=named,
    came_of_it=came_of_it,
    worth_of=worth_of,
    budgets=budgets,
    fled=(LEFT,),
)
