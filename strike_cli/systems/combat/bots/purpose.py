"""The purpose of a power, derived from the effects of its steps on its targets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..steps import UNROLLED, with_nested

if TYPE_CHECKING:
    from strike_cli.tabletop.data import StepWritten

    from ..data import ContentOfFights, PowerWritten

HARMS = frozenset(
    (*("damage", "strike", "push", "pull", "slide", "opportunity"), *("lose-control", "run-at", "run-from"))
)
HELPS = frozenset(
    (
        *("heal", "save", "regain", "token", "ap", "take-cover", "reduce", "reroll"),
        *("attack", "melee", "ranged", "charge", "move", "shift", "teleport"),
    )
)


def aimed_steps(power: PowerWritten) -> Iterator[StepWritten]:
    """Yield the steps that affect the targets of a power, except those that depend on a roll."""
    for part in UNROLLED:
        yield from (step for step in with_nested(power.get(part, ())) if step.get("to", "target") == "target")


def purpose_of(book: ContentOfFights, power: PowerWritten) -> tuple[int, frozenset[str] | None]:
    """Return how many more of a power's steps harm its targets than help them, and the statuses it gives.

    None replaces the statuses if it has any other effect on its targets.
    """
    total, brings, only = 0, set[str](), True
    for step in aimed_steps(power):
        do = step["do"]
        if do in ("apply", "end"):
            status = book.statuses.get(str(step.get("status", "")))
            harmful = bool(status["harmful"]) if status else do == "end"
            total += 1 if harmful == (do == "apply") else -1
        else:
            total += (do in HARMS) - (do in HELPS)
        only = only and do == "apply"
        brings |= {str(step["status"])} if do == "apply" else set()
    return total, frozenset(brings) if only else None
