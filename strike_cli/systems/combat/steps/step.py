"""The base class of all steps, and functions that put several steps into words.

The words are those of a sheet, or those of an explanation. The kinds of steps are in the other modules of
this package.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

from strike_cli.deprecated_api_names import HasOldNames, OldName
from strike_cli.file_faults import Faults, Place
from strike_cli.registry.installed_plugins import import_object, load_plugin_word

from ..health_and_statuses import duration_named, ending_event_named
from . import (
    CONDITIONS,
    SCENE,
    STEPS,
    USER,
    WHOM,
    WHOM_AS_SUBJECTS,
    StepTable,
    amount_in_words,
    condition_words_on_sheet,
    once_limit_words,
)

if TYPE_CHECKING:
    from strike_cli.kernel.procedure import Procedure, World
    from strike_cli.kernel.statements import Reason
    from strike_cli.tabletop.data import StepNamed
    from strike_cli.validation import CheckedTable

    from ..data import BonusWritten, ContentOfFights
    from ..fight_state import Fight
    from ..powers.powers_and_targets import PowerUse


class EffectStep(HasOldNames):
    """A step of a power or status, made from its table. Each subclass is a kind of step.

    A subclass declares the keys of its table as annotated attributes. A key without a default is required.
    The form of a key is the one in `StepWritten`. If the key isn't in `StepWritten`, its form follows from
    the annotation.

    If the step's amount has to be measured, it is measured before `play` is called. `play` then finds a
    number.
    """

    def __init__(self, table: StepTable, amount: int | None = None) -> None:
        self.table = table
        vars(self).update(table if amount is None else {**table, "amount": amount})

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[Sequence[str] | None]:
        """Play the step on one target. Returns the ids of the statuses that were given, or None."""
        raise NotImplementedError

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        """Return whether the step would affect a creature in the present state.

        If the effect can't be foreseen, it is True.
        """
        return True

    def summarize(self, book: ContentOfFights) -> str:
        """Return the step in the words of a sheet: `pushed 2`."""
        raise NotImplementedError

    def describe(self, book: ContentOfFights, target: str) -> str:
        """Return the step in the words of an explanation: `the target is pushed 2 squares away`.

        `target` is the word for the target.
        """
        return f"{target}: {self.summarize(book).rstrip('.')}"

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason | None:
        """Return the step's effect in a few words, for a question; None if `StepIs` has the words.

        `StepIs` is a clause with words for strike's own kinds of steps (STEPS). So by default, the result is
        None for these. For a plugin's kind, it is by default the step's words on a sheet. The affected
        creature, repetitions and conditions are left out.
        """
        return None if self.table["do"] in STEPS else self.summarize(fight.world.book)

    @staticmethod
    def describe_status(book: ContentOfFights, steps: Iterable[StepTable]) -> str:
        """Return the steps of a status, a Condition or a trait in the words of an explanation."""
        return describe_status_steps(book, steps)

    @classmethod
    def check(cls, table: CheckedTable, where: Place, faults: Faults) -> None:
        """Add the faults of a step that concern more than a single key. There are none by default."""

    def amount_in_words(self, book: object) -> str:
        """Return the step's `amount` in words, `1` if it has none."""
        return amount_in_words(book, self.table.get("amount", 1))

    told, sheet, short = OldName("describe"), OldName("summarize"), OldName("label")
    would, told_of_status = OldName("has_effect_on"), OldName("describe_status")


def step_class_of(book: object, table: StepNamed) -> type[EffectStep]:
    """Return the class for a step's table; the class may be a plugin's.

    Raises PluginProblem if no plugin has the step any more.
    """
    do = table["do"]
    found: type[EffectStep] = _built_in_step_class(do) if do in STEPS else load_plugin_word(book, "steps", do)
    return found


@cache
def _built_in_step_class(do: str) -> type[EffectStep]:
    found: type[EffectStep] = import_object(f"{__package__}.{STEPS[do]}")
    return found


def step_words_on_sheet(book: ContentOfFights, step: StepTable) -> str:
    """Return a step in a sheet's words: `Prone (save ends)`, `oneself: heals 3`, `pushed 2 if flanked`."""
    whom = WHOM[step["to"]] + (f" within {step['within']}" if "within" in step else "")
    whom += " of the target" if step.get("from") == "target" else ""
    words = step_class_of(book, step)(step).summarize(book).rstrip(".") + condition_words_on_sheet(book, step)
    words += f", {once_limit_words(step)}" if "once" in step else ""
    return f"{whom}: {words}" if whom else words


def steps_words_on_sheet(book: ContentOfFights, steps: Iterable[StepTable]) -> str:
    """Return steps, in order, in the words of a sheet."""
    return ", then ".join(step_words_on_sheet(book, step) for step in steps)


def duration_words_on_sheet(book: object, step: StepTable) -> str:
    """Return a step's duration in the words of a sheet, ` (save ends)`; "" if it has none."""
    if "duration" not in step:
        return ""
    if step["duration"] == "until":
        return f" ({ending_event_named(book, step['until']).given})"
    return f" ({duration_named(book, step['duration']).given.format(scene=SCENE)})"


def describe_steps(book: ContentOfFights, steps: Iterable[StepTable], target: str = "the target") -> str:
    """Return words that describe steps in order, joined by "; then ".

    `target` is the word for the creature that the steps affect. Without steps, the result is "nothing".
    """
    return "; then ".join(describe_step(book, step, target) for step in steps) or "nothing"


def describe_status_steps(book: ContentOfFights, steps: Iterable[StepNamed]) -> str:
    """Return the steps of a status or trait in the words of an explanation.

    The bearer is called `it`, and the target `the other one`.
    """
    return describe_steps(book, cast("Iterable[StepTable]", steps), "the other one").replace(USER, "it")


def describe_step(book: ContentOfFights, step: StepTable, target: str = "the target") -> str:
    """Return a step in the words of an explanation, such as `the target is pushed 2 squares away`."""
    combatant = target if step["to"] == "target" else WHOM_AS_SUBJECTS[step["to"]]
    combatant += f" within {step['within']}" if "within" in step else ""
    combatant += f" of {target}" if step.get("from") == "target" else ""
    return step_class_of(book, step)(step).describe(book, combatant) + if_clause_in_explanation(
        book, step, combatant
    )


def if_clause_in_explanation(
    book: ContentOfFights, step: StepTable | BonusWritten, combatant: str = "the target"
) -> str:
    """Return the conditions of a step or of bonus damage in an explanation; "" without any."""
    words = f", {CONDITIONS[step['if']].told or CONDITIONS[step['if']].sentence}" if "if" in step else ""
    if "if_status" in step:
        status = book.statuses[step["if_status"]]
        words += f", where {combatant} {'has' if status.get('noun') else 'is'} {status['name']}"
    return words
