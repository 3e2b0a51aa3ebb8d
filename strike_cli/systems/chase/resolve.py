"""The round of those who stand in a chase, and all that bears on it as they stand (STR-CH-03 to 07)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from strike_cli.kernel.args import Args
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.tabletop.dice import DISADVANTAGE, Source
from strike_cli.tabletop.people import display_name

from .bearing import NOTHING, Driver, roller_of, spend_kept
from .declare import next_step, still_in, under_way
from .outcome import Roller, Round, Shooter
from .round import whole_round
from .tables import RUNNERS, SIDES, actions

SHOOTING_TOO = (Source(DISADVANTAGE, "shooting and driving at once"),)


class RollRound(Args):
    """Who drives each side, and what bears on it."""

    runners: Driver = NOTHING
    chasers: Driver = NOTHING

    def of(self, side: str) -> Driver:
        """What is said of the one who drives a side."""
        return self.runners if side == RUNNERS else self.chasers

    def people(self) -> Iterator[str]:
        """Who is named as driving, and who helps."""
        for side in SIDES:
            yield from self.of(side).people()


def play_roll(world: World, args: RollRound) -> Procedure[dict[str, Any]]:
    """`chase roll`: the round (STR-CH-03 to 07). Dice: Runners', Chasers', then each shooter's."""
    one = ready(world, args)
    for roller in one.drivers.values():
        yield from spend_kept(world, roller)
    return (yield from whole_round(world, one))


def ready(world: World, args: RollRound) -> Round:
    """All that bears on the round as everybody stands. Raises Refused with what is missing."""
    chase = under_way(world)
    if "runners_action" not in chase or "prediction" not in chase:
        whose = {
            (False, False): "The Runners have not picked an action and the Chasers have not predicted one.",
            (False, True): "The Runners have not picked an action.",
            (True, False): "The Chasers have not predicted an action.",
        }["runners_action" in chase, "prediction" in chase]
        raise Refused(whose, next_step(chase))
    _skills_must_matter(chase["runners_action"], args)
    unskilled = [side for side in SIDES if not args.of(side).skilled]
    return Round(
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
        unskilled[0] if len(unskilled) == 1 else "",
        {side: still_in(chase, side) for side in SIDES},
        chase["round"] + 1,
    )


def _skills_must_matter(action: str, args: RollRound) -> None:
    """Raises Refused for a Skill that is named, or help, where it makes no difference."""
    named = any(args.of(side).skill or args.of(side).helpers for side in SIDES)
    if named and not actions()[action].get("opposed"):
        raise Refused(
            f"The Runners {actions()[action]['name']}: Skills are for a Hide, which is an Opposed Roll, and "
            "so is help.",
            "Leave --skill-runners, --help-runners and the Chasers' out.",
        )


def driver_of(world: World, side: str, said: Driver = NOTHING) -> Roller:
    """Who drives, with all that bears on it: the one who shoots at it, else the one named, else the first who
    does not shoot. Raises Refused for somebody who can't."""
    chase = under_way(world)
    shooters: Mapping[str, bool] = {item["who"]: item["driving"] for item in chase.get("shooters", ())}
    people = still_in(chase, side)
    both = [who for who in people if shooters.get(who)]
    free = both or [who for who in people if who not in shooters]
    if not free:
        raise Refused(f"Nobody is left to drive the {side.capitalize()}.", "`strike chase end` puts it away.")
    who = said.who or free[0]
    busy = [helper.name for helper in said.helpers if helper.name == who or helper.name in shooters]
    if busy:
        raise Refused(
            f"{display_name(world, busy[0])} can't help the {side.capitalize()}: they drive or shoot.",
            "Somebody else may.",
        )
    if who not in free:
        why = "shoots in this round" if shooters.get(who) is False else "is not free to drive them"
        raise Refused(f"{display_name(world, who)} {why}.", f"For the {side.capitalize()}: {listed(free)}.")
    return roller_of(world, who, said, SHOOTING_TOO if both else ())
