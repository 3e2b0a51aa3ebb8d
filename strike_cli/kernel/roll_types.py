"""The types of rolls in the data of commands and facts, and a function that finds rolls in a fact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NotRequired, TypedDict, cast

# Who reads a TypedDict's hints, as `strike schema data` does, looks here for what `Reason` names.
from .statements import Clause, Reason  # noqa: F401


class SourceTold(TypedDict):
    """A reason for Advantage or Disadvantage, as commands return it.

    If the reason is a clause, `reason` has the clause in words, and `because` has the clause itself.
    """

    kind: str
    reason: Reason
    because: NotRequired[dict[str, object]]


class ModifierTold(TypedDict):
    """A number that is added to a roll, and the reason for it, as commands return them.

    If the reason is a clause, `because` has the clause, and `reason` has its words.
    """

    value: int
    reason: Reason
    because: NotRequired[dict[str, object]]


class ReasonsTold(TypedDict):
    """The modifiers of a roll, and the reasons for Advantage and Disadvantage, as commands return them."""

    sources: list[SourceTold]
    modifiers: list[ModifierTold]


class RollTold(TypedDict):
    """A roll as commands return it: its natural `faces`, and the face that counts (`kept`).

    `kept` is None if all faces count. `dice` are the sides of each die, if they aren't all the same.
    """

    purpose: str
    who: str
    sides: int
    faces: list[int]
    mode: str
    kept: int | None
    modifiers: list[ModifierTold]
    total: int
    sources: list[SourceTold]
    dice: NotRequired[list[int]]


ROLLS = ("roll", "against", "rolls", "helpers")
"""The fields in which any fact may have rolls: a single one, the opposed one, several, those of helpers.

Screens and reports read rolls from these.
"""


def rolls_in_fact(fact: Mapping[str, object], *fields: str) -> Iterator[RollTold]:
    """Yield the rolls in these fields of a fact; other values in them are skipped."""
    for field in fields:
        value = fact.get(field)
        for item in value if isinstance(value, (list, tuple)) else (value,):
            roll = item.get("roll", item) if isinstance(item, dict) else None
            if isinstance(roll, dict) and "faces" in roll:
                yield cast("RollTold", roll)
