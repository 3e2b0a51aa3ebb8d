"""The chase under way: its start, what both sides pick in secret, who will shoot (STR-CH-01 to 03, 07)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.tabletop.people import display_name, names_of

from .tables import CHASERS, RUNNERS, SIDES, actions, must_be_possible, other

Args = Mapping[str, Any]


def under_way(world: World) -> dict[str, Any]:
    """The chase under way. Raises Refused where there is none, or where it is over."""
    chase: dict[str, Any] = world.get("chase", {})
    if not chase:
        raise Refused("There is no chase.", "`strike chase start --runners WHO --chasers WHO` begins one.")
    if "ended" in chase:
        raise Refused(
            f"{chase['name']} is over: {chase['ended']}.",
            "`strike chase start` begins another, `strike undo` takes back what ended this one.",
        )
    return chase


def still_in(chase: Mapping[str, Any], side: str) -> list[str]:
    """Who of a side has not been taken out."""
    return [who for who in chase[side] if who not in chase.get("out", ())]


def play_start(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase start` (STR-CH-01). Args: id ("" unless prepared), name, runners, chasers, range, danger.

    A chase that is over makes way for the next.
    """
    now = world.get("chase", {})
    if now and "ended" not in now:
        raise Refused(f"{now['name']} is still going on.", "`strike chase end` calls it off.")
    chase = {key: args[key] for key in ("id", "name", *SIDES, "range", "danger")}
    chase["round"] = 0
    text = (
        f"{args['name']} begins at {args['range'].capitalize()} range, Danger Level {args['danger']}: "
        f"{names_of(world, args[RUNNERS])} before {names_of(world, args[CHASERS])}."
    )
    yield world.happen("chase-started", "", text, {"chase": chase})
    return chase


def play_run(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase run`: the Runners pick, in secret; what is told doesn't say what (STR-CH-02). Args: action."""
    chase = under_way(world)
    if "runners_action" in chase:
        raise Refused(
            "The Runners have picked their action for this round already.",
            f"{next_step(chase)} `strike undo` takes the pick back.",
        )
    must_be_possible(args["action"], chase["range"])
    text = f"The Runners pick an action for round {chase['round'] + 1}."
    yield world.happen("chase-action-picked", "", text, {"chase.runners_action": args["action"]})
    return {"round": chase["round"] + 1, "runners_action": args["action"]}


def play_predict(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase predict`: the Chasers predict, the impossible too (STR-CH-03). Args: action, secret.

    After the Runners have picked; a secret prediction may come before.
    """
    chase, number = under_way(world), world.get("chase.round") + 1
    if "prediction" in chase:
        raise Refused(
            "The Chasers have predicted for this round already.",
            f"{next_step(chase)} `strike undo` takes it back.",
        )
    if "runners_action" not in chase and not args["secret"]:
        raise Refused(
            f"The Runners have not picked their action for round {number} yet.",
            "`strike chase run ACTION` first. Where the game master plays the Chasers, --secret lets them "
            "predict before.",
        )
    sets = {"chase.prediction": args["action"], "chase.prediction_secret": True if args["secret"] else None}
    what = "something" if args["secret"] else actions()[args["action"]]["name"]
    text = f"The Chasers predict {what} for round {number}."
    yield world.happen("chase-predicted", "", text, sets)
    return {"round": number, "prediction": args["action"]}


def next_step(chase: Mapping[str, Any]) -> str:
    """What the round waits for."""
    if "runners_action" not in chase:
        return "`strike chase run ACTION` is next."
    if "prediction" not in chase:
        return "`strike chase predict ACTION` is next."
    return "`strike chase roll` is next."


def play_shoot(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase shoot`: somebody will shoot in this round; they roll after the drivers (STR-CH-07).

    Args: who, at (a side), driving.
    """
    chase, who, at = under_way(world), args["who"], args["at"]
    name = display_name(world, who)
    side = next((side for side in SIDES if who in chase[side]), None)
    if side is None or who not in still_in(chase, side):
        missing = "has been taken out" if side else "is not in the chase"
        raise Refused(
            f"{name} {missing}.", f"Still in it: {listed(one for s in SIDES for one in still_in(chase, s))}."
        )
    if side == at:
        raise Refused(f"{name} is of the {at.capitalize()}.", f"Shoot --at {other(at)}.")
    shooters = [*chase.get("shooters", ())]
    if who in (item["who"] for item in shooters):
        raise Refused(f"{name} shoots already in this round.", "`strike chase roll` rolls for it.")
    shooters.append({"who": who, "at": at, "driving": args["driving"]})
    mine = [item for item in shooters if item["at"] == at]
    drivers = [item["who"] for item in mine if item["driving"]]
    if len(drivers) > 1:
        raise Refused(
            f"{display_name(world, drivers[0])} drives the {side.capitalize()} already.",
            "Shoot without --driving.",
        )
    if not drivers and len(mine) == len(still_in(chase, side)):
        raise Refused(
            f"Nobody is left to drive the {side.capitalize()} while {name} shoots.",
            "Shoot and drive at once, both with Disadvantage: --driving.",
        )
    text = f"{name} shoots at the {at.capitalize()} in this round{' while driving' * args['driving']}."
    yield world.happen("chase-shooting", who, text, {"chase.shooters": shooters})
    return {"who": who, "at": at, "driving": args["driving"], "shooters": shooters}
