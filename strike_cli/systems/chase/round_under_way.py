"""The round of the chase under way, with everything that affects it (STR-CH-03 to 07).

The parts that chases share with Skill Rolls, such as Conditions and banked bonuses, are read here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.refusals import NamedTwice
from strike_cli.systems.core.roll_circumstances import find_reasons, spend_banked_bonuses
from strike_cli.systems.core.skill_roll import RollingSide, prepare_helpers
from strike_cli.tabletop.characters_and_names import display_name
from strike_cli.tabletop.dice import DISADVANTAGE, Source

from .facts import ShootingAndDriving
from .moves_without_dice import must_find_chase_under_way, next_step_sentence, people_still_in
from .round import play_whole_round
from .round_outcome import ChaseRoller, ChaseRound, Shooter
from .rule_tables import RUNNERS, SIDES, actions

if TYPE_CHECKING:
    from .data import ChaseRoundData

PHYSICAL = ("physical",)
"""The subject of driving and shooting, which are physical tasks (a ruling)."""
SHOOTING_TOO = (Source(DISADVANTAGE, ShootingAndDriving()),)
MISSING_CHOICES = {
    (True, True): "The Runners have not picked an action and the Chasers have not predicted one.",
    (True, False): "The Runners have not picked an action.",
    (False, True): "The Chasers have not predicted an action.",
}


class Driver(RollingSide):
    """The options of one side in a chase command: its driver, and what affects the driver's roll.

    If `who` is "", the driver is the first person who is free to drive. `skill` and the helpers are for a
    Hide.
    """

    who: str = ""
    skill: str = ""
    skilled: bool = True
    known: bool = True


NO_DRIVER_OPTIONS = Driver()
"""The arguments about a driver if nothing was typed."""


class RollChaseRound(Args):
    """The arguments of `chase roll`: the typed options about each side's driver."""

    runners: Driver = NO_DRIVER_OPTIONS
    chasers: Driver = NO_DRIVER_OPTIONS

    def options_of_driver(self, side: str) -> Driver:
        return self.runners if side == RUNNERS else self.chasers

    def people(self) -> Iterator[str]:
        """Yield the people who are named as drivers and helpers."""
        for side in SIDES:
            yield from self.options_of_driver(side).people()


def play_roll(world: World, args: RollChaseRound) -> Procedure[ChaseRoundData]:
    """Play `chase roll`: the round of a chase (STR-CH-03 to 07).

    First the Runners roll, then the Chasers, then each shooter. Raises Refused if a side has not chosen yet,
    or if somebody can't drive or help.
    """
    one = gather_round(world, args)
    for roller in one.drivers.values():
        yield from spend_banked_bonuses(world, roller.who, roller.banked)
        for helper in roller.helpers:
            yield from spend_banked_bonuses(world, helper.name, helper.banked)
    return (yield from play_whole_round(world, one))


def gather_round(world: World, args: RollChaseRound) -> ChaseRound:
    """Return the round that is about to be rolled, with the state of the chase and the people who roll.

    Raises Refused if the Runners' action or the Chasers' prediction hasn't been chosen, or if options don't
    fit the action.
    """
    chase = must_find_chase_under_way(world)
    if lacking := MISSING_CHOICES.get(("runners_action" not in chase, "prediction" not in chase)):
        raise Refused(lacking, next_step_sentence(chase))
    action = actions()[chase["runners_action"]]
    if not action.get("opposed") and any(
        args.options_of_driver(side).skill or args.options_of_driver(side).helpers for side in SIDES
    ):
        raise Refused(
            f"The Runners {action['name']}: Skills are for a Hide, which is an Opposed Roll, and so is help.",
            "Leave out --skill-runners, --help-runners and the Chasers' options.",
        )
    unskilled = [side for side in SIDES if not args.options_of_driver(side).skilled]
    return ChaseRound(
        chase["runners_action"],
        chase["prediction"],
        chase["range"],
        chase["danger"],
        {side: free_driver_of(world, side, args.options_of_driver(side)) for side in SIDES},
        [
            Shooter(
                item["at"], roller_of(world, item["who"], NO_DRIVER_OPTIONS, SHOOTING_TOO * item["driving"])
            )
            for item in chase.get("shooters", ())
        ],
        bool(chase.get("runners_advantage")),
        unskilled.pop() if len(unskilled) == 1 else "",
        {side: people_still_in(chase, side) for side in SIDES},
        chase["round"] + 1,
    )


def free_driver_of(world: World, side: str, typed: Driver = NO_DRIVER_OPTIONS) -> ChaseRoller:
    """Return the driver of a side, with everything that affects the roll.

    A person who shoots and drives at once is the driver. Otherwise it is the named person, or the first who
    doesn't shoot. Raises Refused for somebody who can't drive or help, and NamedTwice for a helper who is
    named twice.
    """
    chase = must_find_chase_under_way(world)
    shooters: Mapping[str, bool] = {item["who"]: item["driving"] for item in chase.get("shooters", ())}
    people = people_still_in(chase, side)
    both = [person for person in people if shooters.get(person)]
    free = both or [person for person in people if person not in shooters]
    if not free:
        raise Refused(
            f"Nobody is left to drive the {side.capitalize()}.", "`strike chase end` clears it away."
        )
    person = typed.who or free[0]
    helpers = [helper.name for helper in typed.helpers]
    if twice := next((one for one in helpers if helpers.count(one) > 1), ""):
        raise NamedTwice(twice, "Each helper rolls once.")
    if busy := [one for one in helpers if one == person or one in shooters]:
        raise Refused(
            f"{display_name(world, busy[0])} can't help the {side.capitalize()}: they drive or shoot.",
            "Choose another helper.",
        )
    if person not in free:
        why = "shoots in this round" if shooters.get(person) is False else "is not free to drive them"
        raise Refused(
            f"{display_name(world, person)} {why}.", f"For the {side.capitalize()}: {listed(free)}."
        )
    return roller_of(world, person, typed, SHOOTING_TOO if both else ())


def roller_of(world: World, person: str, typed: Driver, more_sources: Sequence[Source] = ()) -> ChaseRoller:
    """Return a person as the one who rolls for a side of the chase.

    The result has the reasons and modifiers that affect the roll. They come from the options typed for the
    person (`typed`), from the person's Conditions, and from `more_sources`. If a Skill is named, the roll
    counts as an Opposed Roll. Otherwise it counts as a physical task.
    """
    if typed.skill:
        matters = find_reasons(world, person, "opposed", typed.skill, typed)
    else:
        roller = person if person in world.book.characters else ""
        matters = find_reasons(world, roller, "skill", "", typed.but(tags=PHYSICAL))
    return ChaseRoller(
        person,
        (*matters.sources, *more_sources),
        tuple(matters.modifiers),
        typed.skill,
        tuple(matters.banked),
        prepare_helpers(world, typed),
        typed.unlisted and not typed.skilled,
    )
