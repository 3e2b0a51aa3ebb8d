"""Whether a power harms or helps its targets, judged by its steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..steps import UNROLLED, StepTable, steps_with_nested

if TYPE_CHECKING:
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


def unrolled_steps_on_targets(power: PowerWritten) -> Iterator[StepTable]:
    """Yield the steps of a power that affect its targets and don't depend on an attack roll."""
    for part in UNROLLED:
        yield from (
            step for step in steps_with_nested(power.get(part, ())) if step.get("to", "target") == "target"
        )


def harmfulness_and_statuses_of(
    book: ContentOfFights, power: PowerWritten
) -> tuple[int, frozenset[str] | None]:
    """Return the harmfulness of a power, and the statuses that it gives to its targets.

    Only the steps count that affect the targets and don't depend on an attack roll. Harmfulness is the number
    of steps that harm the targets, minus the number of steps that help them. If a step does anything but give
    a status, None is returned in place of the statuses.
    """
    total, brings, only = 0, set[str](), True
    for step in unrolled_steps_on_targets(power):
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
