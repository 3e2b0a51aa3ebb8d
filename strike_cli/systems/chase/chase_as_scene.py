"""Makes a `Scene` from the table of a chase in the state.

Every screen can show a `Scene`, whatever its game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.tabletop.scene import Card, Scene, Side, Track, read_people_of_teams

if TYPE_CHECKING:
    from .data import ChaseSideId, ChaseState

SIDES: tuple[ChaseSideId, ...] = ("runners", "chasers")
STEPS = ("caught", "close", "medium", "far", "escaped")


def chase_as_scene(system: str, key: str, table: Mapping[str, object]) -> Scene:
    """Return a chase as a scene: the range between its sides, and both sides' choices for the round."""
    chase = cast("ChaseState", table)
    people = read_people_of_teams(((side, chase.get(side, ())) for side in SIDES), chase.get("people", {}))
    for person in chase.get("out", ()):
        if person in people:
            people[person] = people[person]._replace(state="out", out="taken-out")
    return Scene(
        system,
        key,
        str(chase.get("id", "")),
        str(chase.get("name", "")),
        "",
        int(chase.get("round", 0)) + ("ended" not in chase),
        str(chase.get("ended", "")),
        people,
        track=Track("Range", STEPS, str(chase.get("range", ""))),
        sides=tuple(_scene_side(side, chase) for side in SIDES),
    )


def _scene_side(id: ChaseSideId, chase: ChaseState) -> Side:
    pick = chase.get("runners_action" if id == "runners" else "prediction")
    # The Runners' action is secret until the dice are rolled, a prediction if it was made in secret.
    secret = id == "runners" or bool(chase.get("prediction_secret"))
    numbers = {"Danger Level": chase["danger"]} if id == "runners" and "danger" in chase else {}
    cards = (Card("", str(pick)),) if pick else ()
    return Side(
        id, id.capitalize(), team=tuple(chase.get(id, ())), numbers=numbers, cards=cards, secret=secret
    )
