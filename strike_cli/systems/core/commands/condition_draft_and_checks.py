"""The questions and the file of `strike content new condition`, and the core's checks of content.

The command asks the questions, and writes the new Condition's file from the answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from strike_cli.content.drafts import (
    Answers,
    Draft,
    Question,
    split_at_commas,
    split_at_semicolons,
    toml_line,
    word_reader,
)
from strike_cli.content.system_checks import Checks, ContentWithoutEffect
from strike_cli.file_faults import Place
from strike_cli.problems import did_you_mean
from strike_cli.tabletop.rules_vocabulary import NEEDS, ROLL_KINDS

if TYPE_CHECKING:
    from strike_cli.content.merged_content import Book


GIVES = ("advantage", "disadvantage")


def parse_roll_kind_and_modifier(text: str) -> dict[str, object]:
    """Return the roll modifier that a text describes, as a table for the `sources` of a Condition.

    Examples are `attack disadvantage`, `save -1` and `attack against advantage`. The text has a kind of roll,
    perhaps the word `against`, and the effect on the roll. Raises ValueError for any other text.
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


def parse_roll_modifiers_at_semicolons(text: str) -> list[dict[str, object]]:
    """Return the roll modifiers that a text describes.

    In the text, the modifiers are separated by semicolons. Raises ValueError if a modifier can't be read.
    """
    return [parse_roll_kind_and_modifier(part) for part in split_at_semicolons(text)]


def _read_recovery_needs(text: str) -> list[str]:
    return [word_reader(*NEEDS)(word) for word in split_at_commas(text)]


def _condition_file_lines(name: str, key: str, answers: Answers) -> Iterator[str]:
    yield f"# {name}: a Condition. docs/conditions.md says what it may do."
    yield f"# `strike content explain {key}` reads it back; `strike condition add WHO {key}` gives it."
    yield ""
    yield f"[conditions.{key}]"
    yield from toml_line("name", name)
    yield from toml_line("noun", True, f"somebody has {name}, and isn't {name}", active=False)
    yield from toml_line("severity", answers["severity"], "minor, major or wealth")
    yield from toml_line("summary", answers["summary"], "the text for the table")
    sources = parse_roll_modifiers_at_semicolons(answers["rolls"])
    yield "# What it does to rolls: advantage, disadvantage or a number from -6 to 6."
    yield from toml_line(
        "sources", sources or [{"on": "task", "gives": "disadvantage"}], active=bool(sources)
    )
    needs = _read_recovery_needs(answers["ends"])
    yield f"# What ends it with `strike recover WHO NAME`: of {', '.join(NEEDS)}."
    text = answers["text"] or " and ".join(needs)
    yield from toml_line(
        "recovery", {"needs": needs or ["long"], "text": text or "a long rest"}, active=bool(needs)
    )
    yield from toml_line("tags", split_at_commas(answers["tags"]), "its kind: physical, mental")
    yield from toml_line(
        "escalates", {"to": "injured", "at": 3}, "this many instances become that", active=False
    )
    yield from toml_line("by_hand", "Describe it to the player.", "the rest, for you to judge", active=False)


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
            parse_roll_modifiers_at_semicolons,
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

    def check_tables(self) -> None:
        """Check the tables of Skill Rolls, and of the subjects of Skills."""
        from ..rule_numbers import numbers, skill_tags

        numbers()
        skill_tags()

    def content_without_effect(self, book: Book) -> Iterable[ContentWithoutEffect]:
        """Yield notes on unfinished drafts, and on Tricks whose Skill isn't on the sheet."""
        from .exchange.importing import notes_on_unfinished_drafts

        yield from notes_on_unfinished_drafts(book)
        for id, sheet in book.characters.items():
            skills = [*sheet.get("skills", ()), *sheet.get("connections", ())]
            known = {skill.lower() for skill in skills}
            for number, trick in enumerate(sheet.get("tricks", ()), 1):
                skill = "" if isinstance(trick, str) else trick.get("skill", "")
                if skill and skill.lower() not in known:
                    what = f"the sheet has no Skill {skill!r}.{did_you_mean(skill, skills)}"
                    yield ContentWithoutEffect(Place("characters", id, "tricks", number, "skill"), what)
