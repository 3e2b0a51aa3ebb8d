"""Dice with no rule about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Procedure, Roll, World
from strike_cli.problems import Refused
from strike_cli.tabletop.dice import Rolled

from .facts.rolls import DieRolled

if TYPE_CHECKING:
    from .data import DieData


class RollDice(Args):
    """So many dice with so many sides, of which `keep` count: that many of the highest, or, below 0, of the
    lowest; 0 for all of them. `plus` is added to their sum. Of nobody unless said."""

    n: int = 1
    sides: int
    who: str = ""
    keep: int = 0
    plus: int = 0


def play_die(world: World, args: RollDice) -> Procedure[DieData]:
    """`roll die NdS`: bare dice, no rule."""
    n, sides, who, keep = args.n, args.sides, args.who, args.keep
    if n < 1 or sides < 1 or abs(keep) > n:
        raise Refused(f"{_written(args)} can't be thrown.", "Write dice like d6, 2d6+1 or 4d6kh3.")
    faces = yield Roll(n, sides, "die", who)
    best_first = sorted(faces, reverse=True)
    counted = best_first[:keep] if keep > 0 else best_first[keep:] if keep else faces
    rolled = Rolled(who, "die", faces, sides=sides)
    rolled.total = sum(counted) + args.plus
    yield world.tell(DieRolled(who, rolled, keep, args.plus))
    return {"rolls": [rolled.as_json()], "total": rolled.total}


def _written(args: RollDice) -> str:
    dice = f"{args.n}d{args.sides}" if args.n != 1 else f"d{args.sides}"
    keep = f"k{'h' if args.keep > 0 else 'l'}{abs(args.keep)}" if args.keep else ""
    return f"{dice}{keep}{args.plus:+d}" if args.plus else f"{dice}{keep}"
