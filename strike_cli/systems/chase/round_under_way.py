"""The round of the chase under way, with everything that affects it (STR-CH-03 to 07).

What chases have in common with Skill Rolls is here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.refusals import NamedTwice
from strike_cli.systems.core.circumstances import find_reasons, spend_banked
from strike_cli.systems.core.skill_roll import RollingSide, helpers_of
from strike_cli.tabletop.dice import DISADVANTAGE, Source
from strike_cli.tabletop.people import display_name

from .facts import ShootingAndDriving
from .moves_without_dice import chase_under_way, next_step, people_still_in
from .round import whole_round
from .round_outcome import ChaseRoller, ChaseRound, Shooter
from .tables import RUNNERS, SIDES, actions

if TYPE_CHECKING:
    from .data import ChaseRoundData

PHYSICAL = ("physical",)
"""The subject of driving and shooting, which are physical tasks (a ruling)."""
SHOOTING_TOO = (Source(DISADVANTAGE, ShootingAndDriving()),)
LACKING = {
    (True, True): "The Runners have not picked an action and the Chasers have not predicted one.",
    (True, False): "The Runners have not picked an action.",
    (False, True): "The Chasers have not predicted an action.",
}


class Driver(RollingSide):
    """The arguments about the driver of a side. `who` is "" for the first person who is free.

    For a Hide, they include the `skill` and the helpers.
    """

    who: str = ""
    skill: str = ""
    skilled: bool = True
    known: bool = True


NOTHING = Driver()
"""The arguments about a driver if nothing was typed."""


class RollChaseRound(Args):
    """The arguments of `chase roll`: what was typed about each side's driver."""

    runners: Driver = NOTHING
    chasers: Driver = NOTHING

    def of(self, side: str) -> Driver:
        """Return the arguments about a side's driver."""
        return self.runners if side == RUNNERS else self.chasers

    def people(self) -> Iterator[str]:
        """Yield the people who are named as drivers and helpers."""
        for side in SIDES:
            yield from self.of(side).people()


def play_roll(world: World, args: RollChaseRound) -> Procedure[ChaseRoundData]:
    """Play `chase roll`: the round (STR-CH-03 to 07).

    The dice are the Runners', the Chasers', and each shooter's.

    Raises Refused if a choice is missing, or if somebody can't drive or help.
    """
    one = ready_round(world, args)
    for roller in one.drivers.values():
        yield from spend_banked(world, roller.who, roller.banked)
        for helper in roller.helpers:
            yield from spend_banked(world, helper.name, helper.banked)
    return (yield from whole_round(world, one))


def ready_round(world: World, args: RollChaseRound) -> ChaseRound:
    """Return everything that affects the round now. Raises Refused with what is missing."""
    chase = chase_under_way(world)
    if lacking := LACKING.get(("runners_action" not in chase, "prediction" not in chase)):
        raise Refused(lacking, next_step(chase))
    action = actions()[chase["runners_action"]]
    if not action.get("opposed") and any(args.of(side).skill or args.of(side).helpers for side in SIDES):
        raise Refused(
            f"The Runners {action['name']}: Skills are for a Hide, which is an Opposed Roll, and so is help.",
            "Leave out --skill-runners, --help-runners and the Chasers' options.",
        )
    unskilled = [side for side in SIDES if not args.of(side).skilled]
    return ChaseRound(
        chase["runners_action"],
        chase["prediction"],
        chase["range"],
        chase["danger"],
        {side: driver_of(world, side, args.of(side)) for side in SIDES},
        [
            Shooter(item["at"], roller_of(world, item["who"], NOTHING, SHOOTING_TOO * item["driving"]))
            for item in chase.get("shooters", ())
        ],
        bool(chase.get("runners_advantage")),
        unskilled.pop() if len(unskilled) == 1 else "",
        {side: people_still_in(chase, side) for side in SIDES},
        chase["round"] + 1,
    )


def driver_of(world: World, side: str, said: Driver = NOTHING) -> ChaseRoller:
    """Return the driver of a side, with everything that affects the roll.

    It is the person who shoots and drives at once, else the named driver, else the first person who doesn't
    shoot. Raises Refused for somebody who can't drive or help, and NamedTwice for a helper who is named
    twice.
    """
    chase = chase_under_way(world)
    shooters: Mapping[str, bool] = {item["who"]: item["driving"] for item in chase.get("shooters", ())}
    people = people_still_in(chase, side)
    both = [person for person in people if shooters.get(person)]
    free = both or [person for person in people if person not in shooters]
    if not free:
        raise Refused(
            f"Nobody is left to drive the {side.capitalize()}.", "`strike chase end` clears it away."
        )
    person = said.who or free[0]
    helpers = [helper.name for helper in said.helpers]
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
    return roller_of(world, person, said, SHOOTING_TOO if both else ())


def roller_of(world: World, person: str, said: Driver, more: Sequence[Source] = ()) -> ChaseRoller:
    """Return a roller with everything that affects the roll: what was typed, their Conditions, and `more`.

    The roll is a physical task. If a Skill is named, it is affected by everything that affects an Opposed
    Roll.
    """
    if said.skill:
        matters = find_reasons(world, person, "opposed", said.skill, said)
    else:
        roller = person if person in world.book.characters else ""
        matters = find_reasons(world, roller, "skill", "", said.but(tags=PHYSICAL))
    return ChaseRoller(
        person,
        (*matters.sources, *more),
        tuple(matters.modifiers),
        said.skill,
        tuple(matters.banked),
        helpers_of(world, said),
        said.unlisted and not said.skilled,
    )
