"""The chase under way as a game between its two sides, and their best choices.

What each may pick, what a winner makes of the Danger Level, how long to follow a Risk. All of it is what
`matrix_game` finds from the rules; only a declared shooter shoots.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Choose, World

from .declare import chase_if_any, chase_in, still_in
from .matrix_game import WORTH, Sides, State, best_danger, follow_up_to, solved, values_of
from .resolve import driver_of
from .tables import FOLLOW, GIVE_UP, RUNNERS, SIDES

if TYPE_CHECKING:
    from .data import ChaseRoundData


def game_of(world: World) -> tuple[Sides, State]:
    """Return who drives each side with what bears on them, and where the chase is."""
    chase = chase_in(world)
    # Whose roll it is makes no difference to the odds.
    runners, chasers = (driver_of(world, side)._replace(who="", banked=()) for side in SIDES)
    state = (chase["range"], bool(chase.get("runners_advantage")), chase["danger"])
    return Sides(runners, chasers), state


def worth(world: World, side: str) -> float:
    """Return a side's chance to get its way, before anybody's pick is known; 0 where there is no chase.

    The side that may move the Danger Level is taken to make the best of it (STR-CH-06).
    """
    chase = chase_if_any(world)
    if not chase:
        return 0.0
    if "ended" in chase:
        runners = WORTH.get(chase["ended"], 0.0)
    elif not all(still_in(chase, one) for one in SIDES):
        runners = float(bool(still_in(chase, RUNNERS)))
    else:
        sides, (range_, advantage, danger) = game_of(world)
        _, runners = best_danger(values_of(sides), range_, advantage, danger, chase.get("winner"))
    return runners if side == RUNNERS else 1.0 - runners


def mix(world: World, side: str) -> Mapping[str, float]:
    """Return how a side that knows nothing of the other's pick would mix its own, each by its share."""
    sides, state = game_of(world)
    best = solved(sides)[state]
    return best.runners if side == RUNNERS else best.predictions


def best_change(world: World) -> int:
    """By how much the winner of the round would move the Danger Level: 1, -1 or 0 (STR-CH-06)."""
    sides, (range_, advantage, danger) = game_of(world)
    level, _ = best_danger(values_of(sides), range_, advantage, danger, chase_in(world).get("winner"))
    return level - danger


def answer(world: World, question: Choose) -> str:
    """Return the Chasers' best answer to a Risk, with the Runners' roll in sight (STR-CH-05)."""
    chase = chase_in(world)
    sides, state = game_of(world)
    most = follow_up_to(state, sides, chase["runners_action"], chase["prediction"])
    runners = cast("ChaseRoundData", question.data)[RUNNERS]
    assert runners is not None
    return FOLLOW if runners["total"] <= most else GIVE_UP
