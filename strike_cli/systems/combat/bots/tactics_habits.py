"""The habits of a creature in a fight, as `tactics` of its sheet lists them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import NamedTuple

from strike_cli.problems import did_you_mean

HABIT_WORDS: Mapping[str, str] = {
    "escape": "escapes a hold",
    "stand": "gets up",
    "rally": "rallies at half HP",
    "help": "uses powers without a roll: healing at half HP, others on their targets",
    "area": "attacks an area with two enemies and no friend in it",
    "back": "steps back before shooting, if shooting is their best attack",
    "once": "makes the best once-a-fight attack",
    "attack": "makes the best attack from their square",
    "close": "moves into attack range",
    "charge": "charges",
    "run": "moves towards the nearest enemy, with the Attack Action too",
    "leave": "leaves a damaging square",
    "door": "opens a door in the way",
    "flee": "gets away, far enough from every enemy, or surrenders",
}
"""The words for habits with their explanations, in the usual order; `flee` is not usual.

The name of a power is a habit, too.
"""
USUAL_HABITS = tuple(word for word in HABIT_WORDS if word != "flee")
PREFERENCES = ("nearest", "furthest", "weakest", "strongest")
CONDITIONS = ("bloodied", "unhurt", "alone", "with-ally", "first-round")


class Habit(NamedTuple):
    """A habit of a creature: an action, its preferred targets, and its condition.

    `what` is a word of HABIT_WORDS or the name of a power. `whom` is a word of PREFERENCES or "". `when` is a
    word of CONDITIONS or "".
    """

    what: str
    whom: str = ""
    when: str = ""


@lru_cache(maxsize=256)
def read_habit(text: str) -> Habit:
    """Return a habit from its text, such as `knife-in-the-dark at weakest when bloodied`."""
    words, _, when = text.partition(" when ")
    what, _, whom = words.partition(" at ")
    return Habit(what.strip(), whom.strip(), when.strip())


def habit_fault(text: str, powers: Collection[str]) -> str:
    """Return the fault in a habit's text for a creature with these powers, or "" if there is none."""
    habit = read_habit(text)
    known = [*HABIT_WORDS, *powers, *(power.rpartition(":")[2] for power in powers)]
    for word, words in ((habit.what, known), (habit.whom, PREFERENCES), (habit.when, CONDITIONS)):
        if (word or word is habit.what) and word not in words:
            return f"{word!r} is no habit, and no power of theirs{did_you_mean(word, words)}"
    return ""
