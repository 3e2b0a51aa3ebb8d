"""The sizes of dice, and rolls of several dice of which the highest counts (GRT-01, 02, 05)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from strike_cli.plugin import Procedure, Refused, Roll, listed
from strike_cli.plugin.dice import ADVANTAGE, DISADVANTAGE, PLAIN, BestOfMixedDice, Rolled, Source
from strike_cli.plugin.facts import Reason, Said

from .facts import DiceChanged

TRACK = (0, 4, 6, 8, 10, 12)
"""The number of sides that an attribute's die can have, in order; 0 means that no die is left."""
ATTRIBUTES = ("str", "dex", "wil")
ENHANCING = 12
"""The sides of the die that is added to an enhanced roll."""
IMPAIRED = 4
"""The sides of the die that replaces all dice of an impaired roll; bare hands deal it as damage."""
SAVED = 4
"""The lowest roll with which an unopposed Save succeeds."""
BURDENED = 2
"""The most bulky items that a character can carry without losing their Grit."""


DICE = tuple(f"d{sides}" for sides in TRACK if sides)
Matters = Callable[[Sequence[int]], Hashable]


def sides_of(die: str) -> int:
    """Return how many sides a die has: 8 for `d8`. Raises Refused for a die that the game doesn't use."""
    if die not in DICE:
        raise Refused(f"There is no die {die!r} here.", f"The dice are {listed(DICE)}.")
    return int(die[1:])


def die_name(sides: int) -> str:
    """Return the name of a die by its sides: `d8` for 8, `zero` for 0."""
    return f"d{sides}" if sides else "zero"


def step_down(sides: int) -> int:
    """Return the number of sides of the next smaller die; 0 for a d4, the smallest (GRT-08)."""
    return TRACK[max(0, TRACK.index(sides) - 1)]


def step_up(sides: int, largest: int, steps: int = 1) -> int:
    """Return the sides of the die that is `steps` steps larger than a die with `sides`.

    The result is at most `largest`.
    """
    return min(largest, TRACK[min(len(TRACK) - 1, TRACK.index(sides) + steps)])


class DieReasons(NamedTuple):
    """The reasons that enhance a roll, and those that impair it.

    A roll with both kinds is neither enhanced nor impaired (GRT-02, 05).
    """

    enhanced: Sequence[Reason] = ()
    impaired: Sequence[Reason] = ()

    @property
    def mode(self) -> str:
        """ADVANTAGE for an enhanced roll, DISADVANTAGE for an impaired one, else PLAIN."""
        if bool(self.enhanced) == bool(self.impaired):
            return PLAIN
        return ADVANTAGE if self.enhanced else DISADVANTAGE

    def dice_with_d12_added_or_one_d4(self, dice: Sequence[int]) -> tuple[int, ...]:
        """Return the sides of the dice to roll in place of `dice` (GRT-02, 05, 07).

        An enhanced roll has a d12 in addition. An impaired roll is a single d4, whatever `dice` are.
        """
        return {ADVANTAGE: (*dice, ENHANCING), DISADVANTAGE: (IMPAIRED,)}.get(self.mode, tuple(dice))

    def as_sources(self) -> list[Source]:
        """Return the reasons as Sources, to be shown with the roll."""
        pairs = (("enhanced", self.enhanced), ("impaired", self.impaired))
        return [
            Source(kind, Said(reason) if isinstance(reason, str) else reason)
            for kind, reasons in pairs
            for reason in reasons
        ]


NO_REASONS = DieReasons()


@cache
def make_highest_above_test(number: int) -> Matters:
    """Return a function that tells whether the highest of some faces is above `number`.

    The function is for the parameter `matters` of `roll_for_highest`. It fits rolls whose outcome depends
    only on this test.
    """
    return lambda faces: max(faces) > number


def roll_for_highest(
    combatant: str,
    purpose: str,
    dice: Sequence[int],
    reasons: DieReasons = NO_REASONS,
    outcome_key: Matters = max,
    about: Reason = "",
) -> Procedure[Rolled]:
    """Roll dice, and return the roll, in which the highest face counts.

    The dice are rolled in the order of `dice`. Dice of the same size that follow each other are asked for
    together. `outcome_key` takes the faces and returns a value: faces with the same value lead to the same
    outcome. `about` tells the roller what the roll is for, such as the weapon and the target.
    """
    dice, mode, sources = reasons.dice_with_d12_added_or_one_d4(dice), reasons.mode, reasons.as_sources()
    if mode != PLAIN:
        impaired = mode == DISADVANTAGE
        about = DiceChanged(about, impaired, [*(reasons.impaired if impaired else reasons.enhanced)])
    faces: list[int] = []
    for sides, like in groupby(dice):
        faces += yield Roll(len(list(like)), sides, purpose, combatant, outcome_key, about)
    if len(set(dice)) > 1:
        return BestOfMixedDice(combatant, purpose, faces, dice, mode, sources)
    return Rolled(combatant, purpose, faces, mode, sources, sides=dice[0])
