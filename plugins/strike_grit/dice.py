"""The dice track, and rolls of several dice, of which the highest counts (GRT-01, 02, 05)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from strike_cli.plugin import Procedure, Refused, Roll, listed
from strike_cli.plugin.dice import ADVANTAGE, DISADVANTAGE, PLAIN, Rolled, Source, UnlikeDice
from strike_cli.plugin.telling import Reason, Said

from .facts import DiceChanged

TRACK = (0, 4, 6, 8, 10, 12)
"""The sides of an attribute's die, step by step; 0 means zero, without a die."""
ATTRIBUTES = ("str", "dex", "wil")
ENHANCING = 12
"""The die that is added to an enhanced roll."""
IMPAIRED = 4
"""The die that replaces all others in an impaired roll; it is also the damage of bare hands."""
SAVED = 4
"""The number that an unopposed Save must reach."""
BURDENED = 2
"""The maximum number of bulky items that a character carries without losing their Grit."""


DICE = tuple(f"d{sides}" for sides in TRACK if sides)
Matters = Callable[[Sequence[int]], Hashable]


def sides_of(die: str) -> int:
    """Return the sides of a die: `d8` -> 8. Raises Refused for a die that the game doesn't have."""
    if die not in DICE:
        raise Refused(f"There is no die {die!r} here.", f"The dice are {listed(DICE)}.")
    return int(die[1:])


def die_name(sides: int) -> str:
    """Return the name of a die: 8 -> `d8`, 0 -> `zero`."""
    return f"d{sides}" if sides else "zero"


def step_down(sides: int) -> int:
    """Return the next smaller die: zero below a d4, and zero below zero (GRT-08)."""
    return TRACK[max(0, TRACK.index(sides) - 1)]


def step_up(sides: int, most: int, steps: int = 1) -> int:
    """Return the die `steps` steps up the track, at most `most`."""
    return min(most, TRACK[min(len(TRACK) - 1, TRACK.index(sides) + steps)])


class DieReasons(NamedTuple):
    """The reasons that enhance a roll, and those that impair it.

    With one of each it is neither (GRT-02, 05).
    """

    enhanced: Sequence[Reason] = ()
    impaired: Sequence[Reason] = ()

    @property
    def mode(self) -> str:
        """The mode of the roll: an enhanced roll has Advantage, an impaired one Disadvantage."""
        if bool(self.enhanced) == bool(self.impaired):
            return PLAIN
        return ADVANTAGE if self.enhanced else DISADVANTAGE

    def applied(self, dice: Sequence[int]) -> tuple[int, ...]:
        """Return the dice to roll: with a d12 more, or one d4 instead of all (GRT-02, 05, 07)."""
        return {ADVANTAGE: (*dice, ENHANCING), DISADVANTAGE: (IMPAIRED,)}.get(self.mode, tuple(dice))

    def as_sources(self) -> list[Source]:
        """Return the sources to show with a roll."""
        pairs = (("enhanced", self.enhanced), ("impaired", self.impaired))
        return [
            Source(kind, Said(reason) if isinstance(reason, str) else reason)
            for kind, reasons in pairs
            for reason in reasons
        ]


PLAINLY = DieReasons()


@cache
def above(number: int) -> Matters:
    """Return the function for a roll that only has to exceed a number."""
    return lambda faces: max(faces) > number


def throw(
    combatant: str,
    purpose: str,
    dice: Sequence[int],
    reasons: DieReasons = PLAINLY,
    matters: Matters = max,
    about: Reason = "",
) -> Procedure[Rolled]:
    """Roll dice in the order written, equal neighbours at once; the highest counts.

    `about` gives the roller further context: the weapon, the target.
    """
    dice, mode, sources = reasons.applied(dice), reasons.mode, reasons.as_sources()
    if mode != PLAIN:
        impaired = mode == DISADVANTAGE
        about = DiceChanged(about, impaired, [*(reasons.impaired if impaired else reasons.enhanced)])
    faces: list[int] = []
    for sides, like in groupby(dice):
        faces += yield Roll(len(list(like)), sides, purpose, combatant, matters, about)
    if len(set(dice)) > 1:
        return UnlikeDice(combatant, purpose, faces, dice, mode, sources)
    return Rolled(combatant, purpose, faces, mode, sources, sides=dice[0])
