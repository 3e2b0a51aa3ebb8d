"""Steps of powers in full, as `strike content explain` has them: a clause for each.

A sheet has a word or two.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..harm import duration_in, until_in
from ..steps import SCENE, StepTable, amount_in_words


def squares(book: object, amount: object) -> str:
    """`1 square`, `as many squares as half the damage dealt`."""
    if isinstance(amount, Mapping):
        return f"as many squares as {amount_in_words(book, amount)}"
    return f"{amount} square{'' if amount == 1 else 's'}"


def so_much(book: object, amount: object, what: str) -> str:
    """`2 damage`, `damage equal to half the damage dealt`."""
    words = amount_in_words(book, amount)
    return f"{what} equal to {words}" if isinstance(amount, Mapping) and "of" in amount else f"{words} {what}"


def how_long_told(book: object, step: StepTable) -> str:
    """Return how long a status or a zone of a step lasts: `until a Saving Throw ends it`."""
    if step["duration"] == "until":
        return str(until_in(book, step["until"]).given)
    duration = duration_in(book, step["duration"])
    whose = "its" if step.get("whose") == "target" else "the user's"
    return (duration.told or duration.given).format(whose, scene=SCENE)
