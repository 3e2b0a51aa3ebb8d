"""Types of rolls in a command's data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NotRequired, TypedDict, cast

# Who reads a TypedDict's hints, as `strike schema data` does, looks here for what `Reason` names.
from .statements import Clause, Reason  # noqa: F401


class SourceTold(TypedDict):
    """A reason for Advantage or Disadvantage in a command's data.

    `because` is the reason as a clause, where it is one and `reason` has its words.
    """

    kind: str
    reason: Reason
    because: NotRequired[dict[str, object]]


class ModifierTold(TypedDict):
    """A flat modifier in a command's data; `because` is as in `SourceTold`."""

    value: int
    reason: Reason
    because: NotRequired[dict[str, object]]


class ReasonsTold(TypedDict):
    """The modifiers and reasons of a roll in a command's data."""

    sources: list[SourceTold]
    modifiers: list[ModifierTold]


class RollTold(TypedDict):
    """A roll in a command's data: natural faces, and the face that counts, null where all do.

    `dice` are the sides of each die, where they differ.
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
"""Fields of facts from which screens and reports read rolls, in any kind of fact: a single roll, an opposed
one, several, and those of helpers."""


def rolls_in(fact: Mapping[str, object], *fields: str) -> Iterator[RollTold]:
    """Yield the rolls in these fields of a fact, ignoring values that aren't rolls."""
    for field in fields:
        value = fact.get(field)
        for item in value if isinstance(value, (list, tuple)) else (value,):
            roll = item.get("roll", item) if isinstance(item, dict) else None
            if isinstance(roll, dict) and "faces" in roll:
                yield cast("RollTold", roll)
