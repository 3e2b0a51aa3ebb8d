"""Facts, clauses and decisions of a plugin: classes in a module that `System.fact_modules` names.

A program that shows facts imports that module and nothing else of the plugin.

    class Tossed(Fact):
        who: Person
        side: str

        headline = "{side:heads=Heads|tails=Tails}"
        says = "{who} tosses the coin: {side:heads=heads|tails=tails}."

and in a procedure: `yield world.tell(Tossed(who, "heads"), {"toy.last": "heads"})`.
`strike_cli.kernel.sentence_templates` explains templates.
"""

from ..deprecated_api_names import make_module_getattr_for_old_names
from ..kernel.statements import (
    EVENTS,
    BeforeAfter,
    BookWords,
    Clause,
    Code,
    Decision,
    Fact,
    Hp,
    HpNumber,
    Language,
    NamedId,
    Person,
    Reason,
    Said,
    Shown,
    Somebody,
    Square,
    Words,
    Zone,
)
from ..tabletop.dice import DiceRoll, Throw

__all__ = [
    "EVENTS",
    "BeforeAfter",
    "BookWords",
    "Clause",
    "Code",
    "Decision",
    "DiceRoll",
    "Fact",
    "Hp",
    "HpNumber",
    "Language",
    "NamedId",
    "Person",
    "Reason",
    "Said",
    "Shown",
    "Somebody",
    "Square",
    "Throw",
    "Words",
    "Zone",
]

_NEW_NAMES = {"Named": "NamedId"}
"""The new names of exported objects, by their old names, which go on for a version."""
__getattr__ = make_module_getattr_for_old_names(__name__, _NEW_NAMES)
