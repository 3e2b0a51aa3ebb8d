"""The dice of the game: the d20 with Advantage or Disadvantage, and damage dice."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from typing import NamedTuple

from strike_cli.plugin import Procedure, Refused, Roll, World
from strike_cli.plugin.dice import DISADVANTAGE, PLAIN, Handful, Modifier, Rolled, Source, mode_of
from strike_cli.plugin.facts import Reason, Throw

from .facts import MomentumRolled
from .rule_constants import CRITICAL_FACE

OutcomeOfFaces = Callable[[Sequence[int]], Hashable]


class Dice(NamedTuple):
    """Dice and a fixed number to add, such as `2d6+1`; without dice (`n` is 0), only the number."""

    n: int
    sides: int
    plus: int = 0

    def __str__(self) -> str:
        dice = f"{self.n}d{self.sides}" if self.n else ""
        return f"{dice}{self.plus:+d}" if dice and self.plus else dice or str(self.plus)


@cache
def parse_dice(text: str) -> Dice:
    """Return the Dice for a text like `2d6+1`, `d8` or `4`. Raises ValueError for anything else."""
    dice, sign, plus = text.lower().replace(" ", "").replace("-", "+-").partition("+")
    if "d" not in dice and not sign:
        return Dice(0, 0, int(dice))
    n, _, sides = dice.partition("d")
    found = Dice(int(n or 1), int(sides), int(plus) if sign else 0)
    if not 1 <= found.n <= 20 or not 2 <= found.sides <= 100:
        raise ValueError(text)
    return found


def is_dice_or_number(text: str) -> bool:
    """Return whether a text can be parsed as dice."""
    try:
        parse_dice(text)
    except ValueError:
        return False
    return True


def parse_dice_or_refuse(text: str) -> Dice:
    """Return the Dice for a typed text. Raises Refused if the text can't be parsed."""
    if not is_dice_or_number(text):
        raise Refused(f"{text!r} are not dice.", "Write them like 2d6+1, d8 or 4.")
    return parse_dice(text)


def roll_dice(world: World, combatant: str, purpose: str, dice: Dice) -> Procedure[int]:
    """Roll dice, report their faces, and return their total, which is at least 0."""
    if not dice.n:
        return max(0, dice.plus)
    faces = yield Roll(dice.n, dice.sides, purpose, combatant, sum)
    amount = max(0, sum(faces) + dice.plus)
    plus = [Modifier(dice.plus, str(dice))] if dice.plus else []
    rolled = Handful(combatant, purpose, faces, amount, dice.sides, plus)
    yield world.tell(MomentumRolled(combatant, rolled))
    return amount


def roll_d20(
    combatant: str,
    purpose: str,
    reasons: Sequence[Source] = (),
    modifiers: Sequence[Modifier] = (),
    goals: Sequence[int] = (),
    about: Reason = "",
) -> Procedure[Rolled]:
    """Roll a d20 and add modifiers. With Advantage or Disadvantage, roll two and keep one.

    `goals` are the totals that matter. If they are given, the odds of the roll tell apart only which goals it
    reaches, and whether it is a critical success. `about` says what the roll is for.
    """
    mode, plus = mode_of(reasons), sum(item.value for item in modifiers)
    n = 1 if mode == PLAIN else 2
    matters: OutcomeOfFaces | None = None if mode == PLAIN else _face_picker(mode)
    if goals:
        matters = _outcome_function(mode, tuple(total - plus for total in goals))
    why = about if mode == PLAIN else Throw(mode, [source.reason for source in reasons], about)
    faces = yield Roll(n, 20, purpose, combatant, matters, why)
    return Rolled(combatant, purpose, faces, mode, reasons, modifiers, 20)


@cache
def _face_picker(mode: str) -> Callable[[Sequence[int]], int]:
    return min if mode == DISADVANTAGE else max


@cache
def _outcome_function(mode: str, needed: tuple[int, ...]) -> OutcomeOfFaces:
    keep = _face_picker(mode)

    def critical_and_goals_reached(faces: Sequence[int]) -> Hashable:
        face = keep(faces)
        return face == CRITICAL_FACE, *(face >= need for need in needed)

    return critical_and_goals_reached
