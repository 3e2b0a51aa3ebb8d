"""How a round of a chase is told: its facts with their words. No rule is here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.kernel.procedure import Happen, Procedure, World
from strike_cli.systems.core.skill import help_words
from strike_cli.tabletop.dice import Rolled
from strike_cli.tabletop.people import display_name

from .outcome import Outcome, Round
from .tables import CAUGHT, CRASH, ESCAPED, GIVE_UP, SIDES, STOPPED, actions, prediction_gives

ENDINGS = {
    CAUGHT: "The Runners are caught.",
    ESCAPED: "The Runners escape.",
    "hidden": "The Runners are hidden: the Chasers have lost them.",
    "pinned": "The Runners are hidden but pinned down.",
    CRASH: "The Runners have crashed: the chase is lost.",
    STOPPED: "It is called off.",
}
CLOSE_ENDINGS = {
    CAUGHT: "The Runners are found, but have their say in it.",
    "hidden": "The Runners are hidden, but the Chasers have their say in it.",
}
BOTH_CRASH = "Both sides have crashed and are out of it; the game master says what is left."


def revealed(world: World, one: Round) -> Happen:
    """What both sides have picked."""
    did, predicted = actions()[one.action]["name"], actions()[one.prediction]["name"]
    gives = prediction_gives(one.action, one.prediction)
    chasers = f"have {gives.capitalize()}" if gives else "gain nothing by it"
    text = f"The Runners {did}; the Chasers predicted {predicted} and {chasers}."
    return world.happen("chase-revealed", "", text, action=one.action, prediction=one.prediction)


def risked(world: World, roll: Rolled) -> Happen:
    """The Runners' die of a Risk."""
    text = f"The Runners roll {roll.words()}."
    return world.happen("chase-risked", roll.who, text, roll=roll.as_json(), names=_names(world, roll))


def tell_rolls(world: World, outcome: Outcome) -> Procedure[None]:
    """Tell both drivers' rolls, where both were made, and each shot."""
    if len(outcome.rolls) < len(SIDES):
        return
    words = (
        f"{side.capitalize()} {roll.words()}"
        + help_words(world, outcome.helps.get(side, ()), outcome.helped(side)[1])
        for side, roll in outcome.rolls.items()
    )
    runners, chasers = outcome.rolls.values()
    rolls: dict[str, Any] = {"roll": runners.as_json(), "against": chasers.as_json()}
    if outcome.helps:
        rolls["helpers"] = outcome.as_data()["helpers"]
    if outcome.chose:  # the Runners' die of a Risk was told before
        del rolls["roll"]
    names = _names(world, runners, chasers, *(roll for helps in outcome.helps.values() for roll in helps))
    yield world.happen("chase-rolled", "", f"{', '.join(words)}.", **rolls, names=names)
    for shot in outcome.shots:
        who, beats = shot.roll.who, " and beats their driver" if shot.beats else ""
        text = f"{display_name(world, who)} shoots at the {shot.at.capitalize()}: {shot.roll.words()}{beats}."
        roll, names = shot.roll.as_json(), _names(world, shot.roll)
        yield world.happen("chase-shot", who, text, roll=roll, at=shot.at, names=names)


def _names(world: World, *rolls: Rolled) -> dict[str, str]:
    """The names of those who rolled, for whoever shows the dice."""
    return {roll.who: display_name(world, roll.who) for roll in rolls if roll.who}


def round_over(world: World, outcome: Outcome, sets: Mapping[str, Any]) -> Happen:
    """The round is over, with what else becomes true by it."""
    data = outcome.as_data()
    details = {key: data[key] for key in ("winner", "range_before", "range_after", "crashed")}
    return world.happen("chase-round-over", "", _result(outcome), sets, **details)


def _result(outcome: Outcome) -> str:
    """What the rolls came to, in a sentence or two."""
    parts = ["The Chasers give up the pursuit."] if outcome.chose == GIVE_UP else []
    if outcome.crashed:
        parts.append(f"The {' and the '.join(side.capitalize() for side in outcome.crashed)} crash.")
    elif outcome.tie and not (outcome.close and outcome.winner):
        lost = " and the Runners lose" if outcome.ended == CAUGHT else ""
        parts.append(f"A tie{lost}.")
    elif outcome.winner:
        parts.append(f"The {outcome.winner.capitalize()} win.")
    before, after = outcome.round.range.capitalize(), outcome.range.capitalize()
    if outcome.ended is None:
        parts.append(f"{before} to {after}." if before != after else f"Still {after}.")
        if outcome.advantage:
            parts.append("The Runners have Advantage on their next move.")
    return " ".join(parts)


def ended(world: World, outcome: Outcome, sets: Mapping[str, Any]) -> Happen:
    """The chase is over, and how."""
    of = f"{world.get('chase.name')} is over. " if outcome.round.number else ""
    return world.happen("chase-ended", "", of + _ending(outcome), sets, ended=outcome.ended)


def _ending(outcome: Outcome) -> str:
    if outcome.close and outcome.ended in CLOSE_ENDINGS:
        return CLOSE_ENDINGS[outcome.ended]
    return BOTH_CRASH if len(outcome.crashed) == len(SIDES) else ENDINGS[outcome.ended or STOPPED]
