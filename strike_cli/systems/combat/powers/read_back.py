"""Steps of powers read back in full, as `strike content explain` says them: a clause for each, where a sheet
has a word or two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..steps import (
    CONDITIONS,
    SCENE,
    USER,
    WHOM_TOLD,
    StepTable,
    amount_in_words,
    duration_in,
    step_in,
    until_in,
)


def squares(book: Any, amount: Any) -> str:
    """`1 square`, `as many squares as half the damage dealt`."""
    if isinstance(amount, Mapping):
        return f"as many squares as {amount_in_words(book, amount)}"
    return f"{amount} square{'' if amount == 1 else 's'}"


def so_much(book: Any, amount: Any, what: str) -> str:
    """`2 damage`, `damage equal to half the damage dealt`."""
    words = amount_in_words(book, amount)
    return f"{what} equal to {words}" if isinstance(amount, Mapping) and "of" in amount else f"{words} {what}"


def how_long_told(book: Any, step: StepTable) -> str:
    """How long a status or a zone of a step lasts: `until a Saving Throw ends it`."""
    if step["duration"] == "until":
        return str(until_in(book, step["until"]).given)
    duration = duration_in(book, step["duration"])
    whose = "its" if step.get("whose") == "target" else "the user's"
    return (duration.told or duration.given).format(whose, scene=SCENE)


def all_told(book: Any, steps: Iterable[StepTable], target: str = "the target") -> str:
    """Steps read back in full, one after the other; `target` is what that one is called."""
    return "; then ".join(tell(book, step, target) for step in steps) or "nothing"


def of_a_status(book: Any, steps: Iterable[StepTable]) -> str:
    """Steps of a status or a trait, of whoever has it (`it`) and who is on the other side."""
    return all_told(book, steps, "the other one").replace(USER, "it")


def tell(book: Any, step: StepTable, target: str = "the target") -> str:
    """A step read back in full: `the target is pushed 2 squares away, where the target is flanked`."""
    who = target if step["to"] == "target" else WHOM_TOLD[step["to"]]
    who += f" within {step['within']}" if "within" in step else ""
    who += f" of {target}" if step.get("from") == "target" else ""
    return step_in(book, step)(step).told(book, who) + tell_if(book, step, who)


def tell_if(book: Any, step: StepTable, who: str = "the target") -> str:
    """What must be so for a step or for bonus damage, in full; empty for one without conditions."""
    words = f", {CONDITIONS[step['if']].told or CONDITIONS[step['if']].sentence}" if "if" in step else ""
    if "if_status" in step:
        words += f", where {who} is {book.statuses[step['if_status']]['name']}"
    return words
