"""What `strike sim` needs to play fights (STR-TAC-19, 27).

That is how they begin and end, their losses, and their difficulty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import World
from strike_cli.play.legal_options import Option
from strike_cli.sim.simulation_hooks import FLED, LOST, Lineup, Simulated, count_word, used_thing_name

from .bots.legal_options import FINISH
from .encounter.creatures import QUARTERS, creature_worth
from .encounter.fight_setup import StartFight
from .encounter.objective import LEFT
from .fight_state import Fight
from .numbers import numbers

if TYPE_CHECKING:
    from .data import FinishData


def start_option(world: World, encounter: str, lineup: Lineup) -> Option:
    """Return the option to start an encounter with the party of `lineup`, or with all characters.

    All characters take part if `lineup` names nobody.
    """
    args = StartFight(
        encounter=encounter,
        party=lineup.party or list(world.book.characters),
        creatures=lineup.creatures,
        difficulty=lineup.difficulty,
    )
    return Option("combat start", args, ("start", encounter))


def fight_result(world: World) -> str:
    """Return the result of a fight: "won", "lost", "fled", or "" while it is undecided.

    It is "fled" if the party has lost, but at least one of its members left the fight.
    """
    fight = Fight(world)
    decided = fight.fight_outcome() or ""
    return (
        FLED
        if decided == LOST
        and any(fight.combatant(combatant).get("out") == LEFT for combatant in fight.player_characters())
        else decided
    )


def end_option(world: World) -> Option | None:
    """Return the option that ends the fight if it is decided, else None."""
    return FINISH if Fight(world).fight_outcome() else None


def power_or_act_used(option: Option, data: Mapping[str, object]) -> str:
    """Return what an option used: the id of a power, or the word of an act such as `charge`, or ""."""
    if "power" in data:
        return str(data["power"])
    word = option.command.rpartition(" ")[2]
    return word if word in ("charge", "rally", "assess", "improvise", "skill", "trigger") else ""


def name_of_power_or_act(world: World, what: str) -> str:
    """Return the name of what an option used, from its id: a power's name, or words for an act."""
    power = world.book.powers.get(what)
    return str(power["name"]) if power else used_thing_name(world, what)


def aftermath_by_kind(data: Mapping[str, object]) -> Mapping[str, str]:
    """Return the results of a finished fight that `strike sim` counts.

    They are the Concession, if the fight was won, and how many characters gained a Condition.
    """
    over = cast("FinishData", data)
    won = {"concession": over["concession"]} if over["won"] else {}
    return {**won, "conditions": count_word(len(over["conditions"]))}


def creature_budget_worth(world: World, ref: str) -> float:
    """Return how much of a budget a creature takes, in standard creatures."""
    return creature_worth(world.book.creatures[ref]) / QUARTERS


def difficulty_budgets(world: World, players: int) -> Mapping[str, float]:
    """Return the budget of each difficulty for a number of characters, in standard creatures."""
    return {name: each * players / QUARTERS for name, each in numbers()["difficulty"].items()}


SIMULATED = Simulated(
    start_option,
    fight_result,
    end_option,
    health=("hp",),
    fells=("hp",),
    counted=("strikes",),
    used=power_or_act_used,
    named=name_of_power_or_act,
    came_of_it=aftermath_by_kind,
    worth_of=creature_budget_worth,
    budgets=difficulty_budgets,
    fled=(LEFT,),
)
