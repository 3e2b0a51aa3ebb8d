"""The legal options of a chase, and the value of each side's position.

The rules are imported when they are first used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Args, Choose, World
from strike_cli.play.legal_options import Bot, Option

from .chase_solver import (
    END_VALUES,
    Sides,
    State,
    best_danger_level_and_chance,
    escape_chances,
    highest_roll_to_follow,
    solve_chase,
)
from .moves_without_dice import (
    ChangeDanger,
    PickAction,
    Predict,
    Shoot,
    chase_if_any,
    must_find_chase,
    people_still_in,
)
from .round_under_way import RollChaseRound, free_driver_of
from .rule_tables import CHASERS, DANGER_CHANGES, FOLLOW, GIVE_UP, RUNNERS, SIDES, actions, other_side

if TYPE_CHECKING:
    from .data import ChaseRoundData


class ChaseBot(Bot):
    """The bot of chases."""

    def options(self, world: World) -> Iterable[Option]:
        """Yield the commands of the chase to consider now, in the usual order.

        Some of them may turn out to be illegal.
        """
        return commands_that_may_be_legal(world)

    def evaluate(self, world: World, side: str) -> float:
        """Return a side's chance to reach its goal."""
        return chance_to_reach_goal(world, side)


def commands_that_may_be_legal(world: World) -> Iterator[Option]:
    """Yield the commands of the chase to consider now, in the usual order.

    Some of them may turn out to be illegal. There are none without a chase, or while a decision about the
    chase is open.
    """
    chase = chase_if_any(world)
    if not chase or world.get("pending.chase"):
        return
    for word, by in DANGER_CHANGES.items():
        yield Option("chase danger", ChangeDanger(by=by), ("danger", word), chase.get("winner", ""))
    secret = "runners_action" not in chase
    for action in actions() if secret else ():
        yield Option("chase run", PickAction(action=action), ("run", action), RUNNERS)
    for action in actions() if "prediction" not in chase else ():
        typed = ("predict", action, *("--secret",) * secret)
        yield Option("chase predict", Predict(action=action, secret=secret), typed, CHASERS)
    yield Option("chase roll", RollChaseRound(), ("roll",))
    for at in SIDES:
        for person in people_still_in(chase, other_side(at)):
            yield Option(
                "chase shoot", Shoot(who=person, at=at), ("shoot", person, "--at", at), other_side(at)
            )
            driving = Shoot(who=person, at=at, driving=True)
            yield Option("chase shoot", driving, ("shoot", person, "--at", at, "--driving"), other_side(at))
    yield Option("chase end", Args(), ("end",))


def chase_as_game(world: World) -> tuple[Sides, State]:
    """Return the chase under way in the form in which the bot searches it.

    The first part has the driver of each side, with the driver's modifiers. The second part is the state: the
    range, whether the Runners have Advantage, and the danger.
    """
    chase = must_find_chase(world)
    # The names of the rollers make no difference to the odds.
    runners, chasers = (free_driver_of(world, side)._replace(who="", banked=()) for side in SIDES)
    state = (chase["range"], bool(chase.get("runners_advantage")), chase["danger"])
    return Sides(runners, chasers), state


def chance_to_reach_goal(world: World, side: str) -> float:
    """Return a side's chance to reach its goal in the chase, or 0 if there is no chase.

    Some ends are neither a full success nor a full failure. They count with their value in `END_VALUES`, such
    as 0.5. Choices that a side has already made for this round are ignored. A side that may change the Danger
    Level is assumed to choose the best one (STR-CH-06).
    """
    chase = chase_if_any(world)
    if not chase:
        return 0.0
    if "ended" in chase:
        runners = END_VALUES.get(chase["ended"], 0.0)
    elif not all(people_still_in(chase, one) for one in SIDES):
        runners = float(bool(people_still_in(chase, RUNNERS)))
    else:
        sides, (range_, advantage, danger) = chase_as_game(world)
        _, runners = best_danger_level_and_chance(
            escape_chances(sides), range_, advantage, danger, chase.get("winner")
        )
    return runners if side == RUNNERS else 1.0 - runners


def best_mixed_strategy(world: World, side: str) -> Mapping[str, float]:
    """Return a side's best mixed strategy: the probability of each action or prediction."""
    sides, state = chase_as_game(world)
    best = solve_chase(sides)[state]
    return best.runners if side == RUNNERS else best.predictions


def best_danger_change(world: World) -> int:
    """Return the best change of the Danger Level for the side that won the round: 1, -1 or 0 (STR-CH-06)."""
    sides, (range_, advantage, danger) = chase_as_game(world)
    level, _ = best_danger_level_and_chance(
        escape_chances(sides), range_, advantage, danger, must_find_chase(world).get("winner")
    )
    return level - danger


def best_answer_to_risk(world: World, question: Choose) -> str:
    """Return the Chasers' best answer to a Risk once they have seen the Runners' roll (STR-CH-05)."""
    chase = must_find_chase(world)
    sides, state = chase_as_game(world)
    most = highest_roll_to_follow(state, sides, chase["runners_action"], chase["prediction"])
    runners = cast("ChaseRoundData", question.data)[RUNNERS]
    assert runners is not None
    return FOLLOW if runners["total"] <= most else GIVE_UP
