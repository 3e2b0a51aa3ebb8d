"""What of a round of a chase is told. No rule is here, and no word: those stand in `facts`."""

from __future__ import annotations

from collections.abc import Mapping

from strike_cli.kernel.procedure import Happen, Procedure, World
from strike_cli.systems.core.facts.rolls import HelpedWith
from strike_cli.tabletop.dice import Rolled

from .facts import (
    ChaseEnded,
    ChaseRevealed,
    ChaseRisked,
    ChaseRolled,
    ChaseRoundOver,
    ChaseShot,
)
from .outcome import ChaseOutcome, ChaseRound
from .tables import CAUGHT, GIVE_UP, SIDES, STOPPED, prediction_gives


def revealed(world: World, chase_round: ChaseRound) -> Happen:
    """Report what both sides have picked."""
    gives = prediction_gives(chase_round.action, chase_round.prediction)
    return world.tell(ChaseRevealed(chase_round.action, chase_round.prediction, gives or ""))


def risked(world: World, roll: Rolled) -> Happen:
    """Report the Runners' die of a Risk."""
    return world.tell(ChaseRisked(roll.who, roll))


def tell_rolls(world: World, outcome: ChaseOutcome) -> Procedure[None]:
    """Tell both drivers' rolls, where both were made, and each shot."""
    if len(outcome.rolls) < len(SIDES):
        return
    runners, chasers = outcome.rolls.values()
    helpers = [
        HelpedWith(roll.who, roll, gain, side)
        for side in outcome.helps
        for roll, gain in zip(outcome.helps[side], outcome.helped(side)[1], strict=True)
    ]
    if outcome.chose:  # the Runners' die of a Risk was told before
        yield world.tell(ChaseRolled(chasers, before=runners, helpers=helpers))
    else:
        yield world.tell(ChaseRolled(chasers, roll=runners, helpers=helpers))
    for shot in outcome.shots:
        yield world.tell(ChaseShot(shot.roll.who, shot.at, shot.roll, shot.beats))


def round_over(world: World, outcome: ChaseOutcome, sets: Mapping[str, object]) -> Happen:
    """Report the end of the round, with the changes that go with it."""
    fact = ChaseRoundOver(
        outcome.winner,
        outcome.round.range,
        outcome.range,
        tuple(outcome.crashed),
        gave_up=outcome.chose == GIVE_UP,
        tie=outcome.tie and not (outcome.close and outcome.winner is not None),
        lost=outcome.ended == CAUGHT,
        over=outcome.ended is not None,
        advantage=outcome.advantage,
    )
    return world.tell(fact, sets)


def ended(world: World, outcome: ChaseOutcome, sets: Mapping[str, object]) -> Happen:
    """Report the end of the chase and its kind."""
    name = world.get("chase.name", "") if outcome.round.number else ""
    both = len(outcome.crashed) == len(SIDES)
    return world.tell(ChaseEnded(outcome.ended or STOPPED, name, outcome.close, both), sets)
