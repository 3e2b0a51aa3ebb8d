"""Dice with no rule about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.kernel.procedure import Procedure, Roll, World
from strike_cli.tabletop.dice import Rolled


def play_die(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`roll die NdS`: bare dice, no rule."""
    n, sides, who = args["n"], args["sides"], args["who"]
    faces = yield Roll(n, sides, "die", who)
    dice = f"{n}d{sides}" if n != 1 else f"d{sides}"
    shown = ", ".join(map(str, faces)) + (f" (sum {sum(faces)})" if n > 1 else "")
    record = {**Rolled(who, "die", faces, sides=sides).as_json(), "total": sum(faces)}
    yield world.happen("rolled", who, f"{dice}: {shown}.", roll=record)
    return {"rolls": [record], "total": sum(faces)}
