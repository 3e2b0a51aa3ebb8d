"""What the core adds to `strike content new condition`, and to the checks of content.

For a new Condition it has the questions, and the file made from the answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from strike_cli.content.drafts import Answers, Draft, Question, line, one_of, parts, words
from strike_cli.content.system_check_hooks import Checks, Idle
from strike_cli.faults import Place
from strike_cli.problems import nearest
from strike_cli.tabletop.rules_vocabulary import NEEDS, ROLL_KINDS

if TYPE_CHECKING:
    from strike_cli.content.merged_content import Book


GIVES = ("advantage", "disadvantage")


def read_roll_source(text: str) -> dict[str, object]:
    """Return the source that a text describes: `attack disadvantage`, `save -1`, `attack against advantage`.

    The text has a kind of roll, perhaps the word `against`, and the effect on the roll. Raises ValueError for
    any other text.
    """
    found = text.split()
    side = {"side": "against"} if found[1:2] == ["against"] else {}
    roll, gives = found[0], found[-1]
    if roll not in ROLL_KINDS or len(found) != 2 + bool(side):
        raise ValueError(
            f"a kind of roll ({', '.join(ROLL_KINDS)}) and its modifier, as in `attack disadvantage`"
        )
    if gives in GIVES:
        return {"on": roll, **side, "gives": gives}
    if gives.lstrip("+-").isdecimal() and -6 <= int(gives) <= 6:
        return {"on": roll, **side, "gives": int(gives)}
    raise ValueError("advantage, disadvantage or a number from -6 to 6 at the end")


def read_roll_sources(text: str) -> list[dict[str, object]]:
    """Return the sources that a text describes, separated by semicolons.

    Raises ValueError if one can't be read.
    """
    return [read_roll_source(part) for part in parts(text)]


def _read_recovery_needs(text: str) -> list[str]:
    found = words(text)
    for word in found:
        one_of(*NEEDS)(word)
    return [one_of(*NEEDS)(word) for word in found]


def _condition_file_lines(name: str, key: str, answers: Answers) -> Iterator[str]:
    yield f"# {name}: a Condition. docs/conditions.md says what it may do."
    yield f"# `strike content explain {key}` reads it back; `strike condition add WHO {key}` gives it."
    yield ""
    yield f"[conditions.{key}]"
    yield from line("name", name)
    yield from line("noun", True, f"somebody has {name}, and isn't {name}", so=False)
    yield from line("severity", answers["severity"], "minor, major or wealth")
    yield from line("summary", answers["summary"], "the text for the table")
    sources = read_roll_sources(answers["rolls"])
    yield "# What it does to rolls: advantage, disadvantage or a number from -6 to 6."
    yield from line("sources", sources or [{"on": "task", "gives": "disadvantage"}], so=bool(sources))
    needs = _read_recovery_needs(answers["ends"])
    yield f"# What ends it with `strike recover WHO NAME`: of {', '.join(NEEDS)}."
    text = answers["text"] or " and ".join(needs)
    yield from line("recovery", {"needs": needs or ["long"], "text": text or "a long rest"}, so=bool(needs))
    yield from line("tags", words(answers["tags"]), "its kind: physical, mental")
    yield from line("escalates", {"to": "injured", "at": 3}, "this many instances become that", so=False)
    yield from line("by_hand", "Describe it to the player.", "the rest, for you to judge", so=False)


CONDITION = Draft(
    "conditions",
    (
        Question(
            "severity",
            "Is it minor, major or a matter of wealth?",
            "minor, major, wealth, or a severity of your own.",
            "minor",
            str,
            ("minor", "major", "wealth"),
        ),
        Question(
            "rolls",
            "How does it modify rolls? (`skill disadvantage; initiative -1`, or nothing)",
            "Kinds of roll and what they get: `skill disadvantage; initiative -1`.",
            "nothing",
            read_roll_sources,
        ),
        Question(
            "ends",
            f"What ends it? (of {', '.join(NEEDS)}, or none)",
            f"Needs of the recovery: {', '.join(NEEDS)}, several with commas.",
            "none",
            _read_recovery_needs,
            NEEDS,
        ),
        Question("text", "", "The wording of the recovery."),
        Question("summary", "Describe it in a line.", "A line about it."),
        Question("tags", "", "Its kind: physical, mental."),
    ),
    _condition_file_lines,
    '"Marsh Cough" --severity minor --rolls "skill disadvantage" --ends long',
    ("strike condition add WHO {id}",),
)


class CoreChecks(Checks):
    """The core's checks: its tables, unfinished drafts, and Tricks whose Skill isn't on the sheet."""

    def tables(self) -> None:
        """Check the tables of Skill Rolls, and of the subjects of Skills."""
        from ..numbers import numbers, skill_tags

        numbers()
        skill_tags()

    def idle(self, book: Book) -> Iterable[Idle]:
        """Yield notes on drafts without numbers, and on Tricks whose Skill isn't on the sheet."""
        from .exchange.importing import unfinished_drafts

        yield from unfinished_drafts(book)
        for id, sheet in book.characters.items():
            skills = [*sheet.get("skills", ()), *sheet.get("connections", ())]
            known = {skill.lower() for skill in skills}
            for number, trick in enumerate(sheet.get("tricks", ()), 1):
                skill = "" if isinstance(trick, str) else trick.get("skill", "")
                if skill and skill.lower() not in known:
                    what = f"the sheet has no Skill {skill!r}.{nearest(skill, skills)}"
                    yield Idle(Place("characters", id, "tricks", number, "skill"), what)
