"""A chase's moves without dice (STR-CH-01 to 03, 06, 07): its start, the choices, and its end.

The choices are the Runners' secret action, the Chasers' prediction, the shooters, and the Danger Level. The
round itself is in `round_under_way` and `round`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Args, Procedure, Sets, World
from strike_cli.problems import Refused, Usage, listed
from strike_cli.refusals import NamedTwice, SceneIsOver, SceneStillUnderWay
from strike_cli.tabletop.characters_and_names import display_name, written_sheet

from . import rule_tables
from .facts import (
    ChaseActionPicked,
    ChaseDangerSet,
    ChaseEnded,
    ChasePredicted,
    ChasePutAway,
    ChaseShooting,
    ChaseStarted,
)
from .rule_tables import CHASERS, RUNNERS, SIDES, STOPPED, actions, cast_to_side_id, other_side

if TYPE_CHECKING:
    from .data import (
        ChaseDangerData,
        ChaseEndData,
        ChasePredictData,
        ChaseRunData,
        ChaseShootData,
        ChaseState,
        NamedInChase,
    )


class StartChase(Args):
    """The arguments of `chase start`. `id` is the id of a prepared chase, "" for any other."""

    name: str
    runners: Sequence[str]
    chasers: Sequence[str]
    range: str
    id: str = ""
    danger: int = 0

    def people(self) -> Iterator[str]:
        yield from (*self.runners, *self.chasers)


class PickAction(Args):
    """The arguments of `chase run`: the Runners' action."""

    action: str


class Predict(PickAction):
    """The arguments of `chase predict`: the predicted action, and whether the prediction is secret."""

    secret: bool = False


class Shoot(Args):
    """The arguments of `chase shoot`.

    `who` is the shooter, `at` the target side, and `driving` whether the shooter drives, too.
    """

    who: str
    at: str
    driving: bool = False


class ChangeDanger(Args):
    """The arguments of `chase danger`: the change of the Danger Level, 1, -1 or 0."""

    by: int


def chase_if_any(world: World) -> ChaseState | None:
    """Return the chase, under way or over; None if there is none."""
    return cast("ChaseState | None", world.state.get("chase"))


def must_find_chase(world: World) -> ChaseState:
    """Return the chase, under way or over. Raises Refused if there is none."""
    chase = chase_if_any(world)
    if not chase:
        raise Refused("There is no chase.", "`strike chase start --runners WHO --chasers WHO` begins one.")
    return chase


def must_find_chase_under_way(world: World) -> ChaseState:
    """Return the chase under way. Raises Refused if there is none or it is over."""
    chase = must_find_chase(world)
    if "ended" in chase:
        raise SceneIsOver(
            chase["name"],
            chase["ended"],
            "`strike chase start` begins another, `strike undo` undoes the end of this one.",
        )
    return chase


def people_still_in(chase: ChaseState, side: str) -> list[str]:
    """Return the people of a side who haven't been taken out."""
    return [person for person in chase[cast_to_side_id(side)] if person not in chase.get("out", ())]


def play_start(world: World, args: StartChase) -> Procedure[ChaseState]:
    """Play `chase start` (STR-CH-01). A chase that is over is replaced.

    Raises Usage if a side is empty, if somebody is named twice, or if the range or Danger Level is unknown.
    Raises SceneStillUnderWay during another chase.
    """
    sides = {RUNNERS: list(args.runners), CHASERS: list(args.chasers)}
    everybody = [person for side in SIDES for person in sides[side]]
    for side in SIDES:
        if not sides[side]:
            raise Usage(f"Who are the {side.capitalize()}?", f"Name them: --{side} WHO.")
    if twice := next((person for person in everybody if everybody.count(person) > 1), ""):
        raise NamedTwice(twice, "Name each person once.")
    rule_tables.must_be_known(args.range, rule_tables.ranges(), "range")
    rule_tables.must_be_known(args.danger, rule_tables.danger_levels(), "Danger Level")
    now = chase_if_any(world)
    if now and "ended" not in now:
        raise SceneStillUnderWay(now["name"], "`strike chase end` calls it off.")
    chase: ChaseState = {
        "id": args.id,
        "name": args.name,
        "people": {person: _name_and_picture(world, person) for person in everybody},
        "runners": sides[RUNNERS],
        "chasers": sides[CHASERS],
        "range": args.range,
        "danger": args.danger,
        "round": 0,
    }
    begun = ChaseStarted(args.name, args.range, args.danger, args.runners, args.chasers)
    yield world.tell(begun, {"chase": chase})
    return chase


def _name_and_picture(world: World, person: str) -> NamedInChase:
    creatures = world.book.creatures if world.book is not None else {}
    picture = written_sheet(world, person).get("image") or creatures.get(person, {}).get("image")
    named: NamedInChase = {"name": display_name(world, person)}
    return {**named, "image": str(picture)} if picture else named


def play_run(world: World, args: PickAction) -> Procedure[ChaseRunData]:
    """Play `chase run`: the Runners choose an action, which isn't revealed yet (STR-CH-02).

    Raises Refused if the action isn't possible at this range.
    """
    chase = must_find_chase_under_way(world)
    rule_tables.must_be_possible_action(args.action, chase["range"])
    number = chase["round"] + 1
    yield world.tell(ChaseActionPicked(number), {"chase.runners_action": args.action})
    return {"round": number, "runners_action": args.action}


def play_predict(world: World, args: Predict) -> Procedure[ChasePredictData]:
    """Play `chase predict`: the Chasers predict the action of the Runners (STR-CH-03).

    The Chasers may also name an action that the Runners can't take now. A secret prediction can come before
    the Runners choose their action. Raises Refused for an open prediction before this choice, and if no chase
    is under way.
    """
    rule_tables.must_be_known(args.action, actions(), "action")
    chase = must_find_chase_under_way(world)
    number = chase["round"] + 1
    if "runners_action" not in chase and not args.secret:
        raise Refused(
            f"The Runners have not picked their action for round {number} yet.",
            "`strike chase run ACTION` first. Where the game master plays the Chasers, --secret lets them "
            "predict before.",
        )
    sets: Sets = {"chase.prediction": args.action, "chase.prediction_secret": True if args.secret else None}
    yield world.tell(ChasePredicted(number, "" if args.secret else args.action), sets)
    return {"round": number, "prediction": args.action}


def next_step_sentence(chase: ChaseState) -> str:
    """Return a sentence that names the command for which the round waits."""
    if "runners_action" not in chase:
        return "`strike chase run ACTION` is next."
    if "prediction" not in chase:
        return "`strike chase predict ACTION` is next."
    return "`strike chase roll` is next."


def play_shoot(world: World, args: Shoot) -> Procedure[ChaseShootData]:
    """Play `chase shoot`: somebody shoots in this round, after the drivers' rolls (STR-CH-07).

    Raises Refused for a person who is out of the chase, already shoots, or is on the target side. Raises
    Refused also if the side would have two shooting drivers, or nobody left to drive.
    """
    rule_tables.must_be_known(args.at, SIDES, "side")
    chase, person, at = must_find_chase_under_way(world), args.who, args.at
    name = display_name(world, person)
    side = next((side for side in SIDES if person in chase[side]), None)
    if side is None or person not in people_still_in(chase, side):
        missing = "has been taken out" if side else "is not in the chase"
        raise Refused(
            f"{name} {missing}.",
            f"Still in it: {listed(one for s in SIDES for one in people_still_in(chase, s))}.",
        )
    if side == at:
        raise Refused(f"{name} is one of the {at.capitalize()}.", f"Shoot --at {other_side(at)}.")
    shooters = [*chase.get("shooters", ())]
    if person in (item["who"] for item in shooters):
        raise Refused(f"{name} already shoots in this round.", "`strike chase roll` rolls for it.")
    shooters.append({"who": person, "at": at, "driving": args.driving})
    mine = [item for item in shooters if item["at"] == at]
    drivers = [item["who"] for item in mine if item["driving"]]
    if len(drivers) > 1:
        raise Refused(
            f"{display_name(world, drivers[0])} drives the {side.capitalize()} already.",
            "Shoot without --driving.",
        )
    if not drivers and len(mine) > rule_tables.most_shooters(len(people_still_in(chase, side))):
        raise Refused(
            f"Nobody is left to drive the {side.capitalize()} while {name} shoots.",
            "Shoot and drive at once, both with Disadvantage: --driving.",
        )
    yield world.tell(ChaseShooting(person, at, args.driving), {"chase.shooters": shooters})
    return {"who": person, "at": at, "driving": args.driving, "shooters": shooters}


def play_danger(world: World, args: ChangeDanger) -> Procedure[ChaseDangerData]:
    """Play `chase danger`: a round's winner changes the Danger Level by one or keeps it (STR-CH-06).

    Raises Refused if the last round has no winner, if the winner has already decided, if the next round has
    begun, or if the level would be above the highest or below the lowest one.
    """
    chase, levels = must_find_chase_under_way(world), rule_tables.danger_levels()
    before = chase["danger"]
    if "winner" not in chase:
        why = (
            ("Nobody won the last round, or its winner has already decided")
            if chase["round"]
            else "No round was won"
        )
        raise Refused(f"{why}.", "The winner of a round may change the Danger Level by one.")
    if "runners_action" in chase or "prediction" in chase:
        raise Refused(
            f"Round {chase['round'] + 1} has begun: it is too late to change the Danger Level.",
            next_step_sentence(chase),
        )
    after = before + args.by
    if after not in rule_tables.danger_levels_next_to(before):
        raise Refused(
            f"The Danger Level is {before}, and must be from {levels[0]} to {levels[-1]}.",
            "`strike chase danger keep` keeps it.",
        )
    sets: Sets = {"chase.danger": after, "chase.winner": None}
    yield world.tell(ChaseDangerSet(chase["winner"], before, after), sets)
    return {"by": chase["winner"], "before": before, "danger": after}


def play_end(world: World, args: Args) -> Procedure[ChaseEndData]:
    """Play `chase end`: call off a chase that is under way, or clear away one that is over."""
    chase = must_find_chase(world)
    ended = chase.get("ended", STOPPED)
    sets: Sets = {"chase": None}
    if "ended" in chase:
        yield world.tell(ChasePutAway(chase["name"], ended), sets)
    else:
        yield world.tell(ChaseEnded(ended, chase["name"], called_off=True), sets)
    data: ChaseEndData = {"name": chase["name"], "ended": ended, "rounds": chase["round"]}
    if "crashed" in chase:
        data["crashed"] = chase["crashed"]
    return data
