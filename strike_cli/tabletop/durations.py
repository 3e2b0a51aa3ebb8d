"""How long what somebody was given lasts: each word once, for the form, for play and for sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Duration(NamedTuple):
    """Of two that somebody has, the one of the higher `rank` lasts longer. `given` is how a power says it,
    `standing` how it stands with whoever has it; in place of `{}` comes whose turn."""

    rank: int
    given: str
    standing: str


DURATIONS: Mapping[str, Duration] = {
    "save": Duration(1, "save ends", "save ends"),
    "escape": Duration(1, "escape ends", "until it escapes"),
    "this-turn": Duration(0, "until this turn ends", "end of this turn"),
    "turn-start": Duration(0, "until the next turn starts", "start of {}"),
    "turn-end": Duration(0, "until the next turn ends", "end of {}"),
    "until": Duration(1, "", ""),
    "encounter": Duration(2, "for the fight", "this fight"),
    "permanent": Duration(3, "until ended", ""),
}
"""How long a status lasts: `this-turn` to the end of the turn under way, `turn-start` and `turn-end` to the
start or end of somebody's next turn, `until` to a fact."""
OF_TURNS = ("turn-start", "turn-end")
"""Those that wait for somebody's turn."""


class EndingFact(NamedTuple):
    """How a power says that a fact ends it, and how it stands with whoever has it."""

    given: str
    standing: str


UNTIL: Mapping[str, EndingFact] = {
    "damaged": EndingFact("until damaged", "until hurt"),
    "attacks": EndingFact("until it attacks", "until it attacks"),
    "attacked": EndingFact("until attacked", "until attacked"),
    "moved": EndingFact("until it moves", "until moved"),
    "apart": EndingFact("until they are apart", "while near"),
    "giver-down": EndingFact("until who gave it is down", "while the giver stands"),
}
"""Facts that end a status: about its holder, or `apart` and `giver-down` about who gave it."""


def given_in_words(duration: str, until: str = "") -> str:
    """`save ends`, `until damaged`: as whoever gives it says it."""
    return UNTIL[until].given if duration == "until" else DURATIONS[duration].given
