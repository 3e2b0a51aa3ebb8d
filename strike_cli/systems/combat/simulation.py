"""The hooks of `strike sim` for fights (STR-TAC-19, 27).

They start and end a fight, and report its result, the powers used, the losses and the budgets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import World
from strike_cli.play.legal_options import Option
from strike_cli.sim.simulation_hooks import (
    FLED,
    LOST,
    Lineup,
    SimulationRules,
    number_word_or_more,
    spell_thing_id_as_name,
)

from .bots.legal_options import FINISH
from .encounter.creatures_and_budgets import QUARTERS, creature_worth_in_quarters
from .encounter.fight_setup import StartFight
from .encounter.objective import LEFT
from .fight_state import Fight
from .rule_numbers import combat_numbers

if TYPE_CHECKING:
    from .data import FinishData


def start_fight_option(world: World, encounter: str, lineup: Lineup) -> Option:
    """Return the option to start an encounter with the party of `lineup`.

    If `lineup` has no party, all characters take part.
    """
    args = StartFight(
        encounter=encounter,
        party=lineup.party or list(world.book.characters),
        creatures=lineup.creatures,
        difficulty=lineup.difficulty,
    )
    return Option("combat start", args, ("start", encounter))


def fight_result_with_fled(world: World) -> str:
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


def end_fight_option(world: World) -> Option | None:
    """Return the option that ends the fight if it is decided, else None."""
    return FINISH if Fight(world).fight_outcome() else None


def power_or_act_used(option: Option, data: Mapping[str, object]) -> str:
    """Return the power or action that an option used: a power's id, a word such as `charge`, or ""."""
    if "power" in data:
        return str(data["power"])
    word = option.command.rpartition(" ")[2]
    return word if word in ("charge", "rally", "assess", "improvise", "skill", "trigger") else ""


def name_of_power_or_act(world: World, used: str) -> str:
    """Return the name of a power by its id, or the words for an action such as `charge`."""
    power = world.book.powers.get(used)
    return str(power["name"]) if power else spell_thing_id_as_name(world, used)


def conditions_and_concession_by_kind(data: Mapping[str, object]) -> Mapping[str, str]:
    """Return the results of a finished fight that `strike sim` counts.

    `conditions` is the number of Conditions gained, as a word such as "two". If the party won, `concession`
    is the Concession.
    """
    over = cast("FinishData", data)
    won = {"concession": over["concession"]} if over["won"] else {}
    return {**won, "conditions": number_word_or_more(len(over["conditions"]))}


def worth_in_standard_creatures(world: World, ref: str) -> float:
    """Return how much of a fight's budget a creature takes, measured in standard creatures.

    For example, 0.5 means that it takes half as much as a standard creature.
    """
    return creature_worth_in_quarters(world.book.creatures[ref]) / QUARTERS


def budgets_in_standard_creatures(world: World, players: int) -> Mapping[str, float]:
    """Return the budget of each difficulty for a number of characters, in standard creatures."""
    return {name: each * players / QUARTERS for name, each in combat_numbers()["difficulty"].items()}


SIMULATED = SimulationRules(
    start_fight_option,
    fight_result_with_fled,
    end_fight_option,
    health=("hp",),
    fells=("hp",),
    counted=("strikes",),
    used=power_or_act_used,
    named=name_of_power_or_act,
    came_of_it=conditions_and_concession_by_kind,
    worth_of=worth_in_standard_creatures,
    budgets=budgets_in_standard_creatures,
    fled=(LEFT,),
)
