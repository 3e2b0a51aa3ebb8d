"""How a die is thrown: Advantage, Disadvantage, flat modifiers, and a record that explains itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .procedure import Procedure, Roll

ADVANTAGE = "advantage"
DISADVANTAGE = "disadvantage"
PLAIN = "plain"


class Source(NamedTuple):
    """A reason for Advantage or Disadvantage on a roll."""

    kind: str
    reason: str


class Modifier(NamedTuple):
    """A flat modifier to a roll, with its reason."""

    value: int
    reason: str


RollRecord = dict[str, Any]
"""A roll as `--json` shows it: purpose, who, sides, faces, mode, kept, modifiers, total, sources."""


def sources(advantage: Sequence[str] = (), disadvantage: Sequence[str] = ()) -> list[Source]:
    """Sources from the reasons people give."""
    return [Source(ADVANTAGE, reason) for reason in advantage] + [
        Source(DISADVANTAGE, reason) for reason in disadvantage
    ]


def mode_of(reasons: Sequence[Source]) -> str:
    """`advantage`, `disadvantage` or `plain`: neither stacks, and one of each cancels (STR-CORE-04)."""
    kinds = {source.kind for source in reasons}
    return kinds.pop() if len(kinds) == 1 else PLAIN


def roll_die(
    who: str,
    purpose: str,
    reasons: Sequence[Source] = (),
    modifiers: Sequence[Modifier] = (),
    sides: int = 6,
) -> Procedure[RollRecord]:
    """One die, or two with the better or the worse kept (STR-CORE-04), plus modifiers (STR-CORE-05).

    The total is not clamped: a table look-up clamps it, a comparison doesn't.
    """
    mode = mode_of(reasons) if reasons else PLAIN
    faces = yield Roll(1 if mode == PLAIN else 2, sides, purpose, who)
    kept = min(faces) if mode == DISADVANTAGE else max(faces)
    return {
        "purpose": purpose,
        "who": who,
        "sides": sides,
        "faces": list(faces),
        "mode": mode,
        "kept": kept,
        "modifiers": [{"value": value, "reason": reason} for value, reason in modifiers],
        "total": kept + sum([value for value, _ in modifiers]) if modifiers else kept,
        "sources": [{"kind": kind, "reason": reason} for kind, reason in reasons],
    }


def clamp(total: int, sides: int = 6) -> int:
    """A total brought into 1..sides for a look-up in a table (STR-CORE-05)."""
    return 1 if total < 1 else min(total, sides)


def may_learn(record: RollRecord) -> bool:
    """Whether the natural dice of an Unskilled roll offer the Skill (STR-CORE-06).

    One die: a 6. Two dice: 6 and 6, or 6 and 5. Modifiers don't count.
    """
    faces = sorted(record["faces"], reverse=True)
    return faces[0] == 6 and (len(faces) == 1 or faces[1] >= 5)


def dice_words(record: RollRecord) -> str:
    """The dice of a roll for a sentence: `5`, `5 of 5,2`, `4+1 = 5`."""
    kept, faces, modifiers = record["kept"], record["faces"], record["modifiers"]
    words = f"{kept}" if len(faces) == 1 else f"{kept} of {','.join(map(str, faces))}"
    if modifiers:
        words += "".join(f"{m['value']:+d}" for m in modifiers) + f" = {record['total']}"
    return words
