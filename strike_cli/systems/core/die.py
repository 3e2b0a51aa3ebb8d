"""Dice with no rule about them."""

from __future__ import annotations

from typing import Any

from strike_cli.kernel.args import Args
from strike_cli.kernel.procedure import Procedure, Roll, World
from strike_cli.problems import Refused
from strike_cli.tabletop.dice import Rolled


class RollDice(Args):
    """So many dice with so many sides; of nobody unless said."""

    n: int = 1
    sides: int
    who: str = ""


def play_die(world: World, args: RollDice) -> Procedure[dict[str, Any]]:
    """`roll die NdS`: bare dice, no rule."""
    n, sides, who = args.n, args.sides, args.who
    if n < 1 or sides < 1:
        raise Refused(f"{n}d{sides} can't be thrown.", "Write dice like d6, 2d6 or 3d20.")
    faces = yield Roll(n, sides, "die", who)
    dice = f"{n}d{sides}" if n != 1 else f"d{sides}"
    shown = ", ".join(map(str, faces)) + (f" (sum {sum(faces)})" if n > 1 else "")
    record = {**Rolled(who, "die", faces, sides=sides).as_json(), "total": sum(faces)}
    yield world.happen("rolled", who, f"{dice}: {shown}.", roll=record)
    return {"rolls": [record], "total": sum(faces)}
