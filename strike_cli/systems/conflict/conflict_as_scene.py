"""A Team Conflict in the form that all scenes share, made from its table in the state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.tabletop.scene import Card, Scene, Side, read_people_of_teams

from .rule_numbers import ROLLS, SIDES

if TYPE_CHECKING:
    from .data import ConflictSide, ConflictState


def conflict_as_scene(system: str, key: str, table: Mapping[str, object]) -> Scene:
    """Return a Team Conflict as a scene: its sides, and their choices for the round."""
    conflict = cast("ConflictState", table)
    sides = {side: conflict[side] for side in SIDES if side in conflict}
    # Where players are on both sides, each side's picks are secret from the other.
    apart = all(side.get("team") for side in sides.values())
    hides = "rest" not in conflict  # with "rest" the dice have fallen, and a Hit waits
    return Scene(
        system,
        key,
        str(conflict.get("id", "")),
        str(conflict.get("name", "")),
        "",
        int(conflict.get("round", 0)),
        str(conflict.get("ended", "")),
        read_people_of_teams(
            ((id, side.get("team", ())) for id, side in sides.items()), conflict.get("people", {})
        ),
        sides=tuple(
            _scene_side(id, side, hides and (apart or not side.get("team"))) for id, side in sides.items()
        ),
    )


def _scene_side(id: str, side: ConflictSide, picks_secret: bool) -> Side:
    numbers = {} if side.get("team") else {what.capitalize(): side[what] for what in ROLLS}
    picked = {**side.get("actions", {}), **({"": side["opposition"]} if "opposition" in side else {})}
    return Side(
        id,
        str(side.get("name", id)),
        str(side.get("intent", "")),
        tuple(person for person in side.get("team", ()) if person not in side.get("withdrawn", ())),
        {"Strikes": side.get("strikes", 0), **numbers},
        tuple(side.get("traits", ())),
        tuple(side.get("lost_traits", ())),
        tuple(Card(person, str(pick.get("action", ""))) for person, pick in picked.items()),
        picks_secret,
        side.get("strikes", 0) + len(side.get("lost_traits", ())),
    )
