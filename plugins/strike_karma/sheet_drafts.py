"""Drafts of Karma sheets for `character add` and `creature add` (CIN-01, 10).

A draft consists of the questions to ask, and of functions that make the lines of the sheet's file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from strike_cli.plugin.files import (
    Answers,
    Draft,
    Question,
    number_reader,
    sheet_head,
    toml_line,
    word_reader,
)

from .dice_notation import DICE, MAX_DICE_OF_A_KIND


def _read_die_and_name(text: str) -> dict[str, str] | None:
    """Return the die and the name in a text like `d8 Harpooner`; None for `none`.

    Raises ValueError for anything else.
    """
    if text in ("", "none"):
        return None
    die, _, what = text.partition(" ")
    if die not in DICE or not what.strip():
        raise ValueError("a die and its name, as in `d8 Harpooner`, or none")
    return {"die": die, "what": what.strip()}


def _sheet_lines(kind: str, name: str, key: str, answers: Answers) -> Iterator[str]:
    yield from sheet_head(kind, name, key, answers)
    yield from toml_line(
        "karma.hero", int(answers["hero"]), "Hero Dice, with the same number in the Reaction Pool"
    )
    if kind == "characters":
        yield from toml_line("karma.luck", word_reader(*DICE)(answers["luck"]), "rolled for Instant Karma")
    else:
        yield from toml_line("karma.actions", int(answers["actions"]), "in a round")
    for each in ("trope", "trademark"):
        said = _read_die_and_name(answers[each])
        yield from toml_line(f"karma.{each}", said or {"die": "d8", "what": "..."}, active=said is not None)


def _sheet_questions(hero: str, *more: Question) -> list[Question]:
    asks = "{}? (a die and its name, like `d8 Harpooner`; or none)"
    return [
        Question(
            "hero",
            f"How many Hero Dice? (1 to {MAX_DICE_OF_A_KIND})",
            "Hero Dice.",
            hero,
            number_reader(1, MAX_DICE_OF_A_KIND),
        ),
        *more,
        *(
            Question(each, asks.format(each.capitalize()), "A die and its name.", "none", _read_die_and_name)
            for each in ("trope", "trademark")
        ),
    ]


LUCK = Question(
    "luck", f"Which Luck Die? ({', '.join(DICE)})", "The Luck Die.", "d8", word_reader(*DICE), DICE
)
ACTIONS = Question("actions", "", "Actions in a round.", "1", number_reader(1, 6))
CHARACTER = Draft(
    "characters",
    _sheet_questions("3", LUCK),
    partial(_sheet_lines, "characters"),
    'tilda --name Tilda --trope "d8 Harpooner"',
)
CREATURE = Draft(
    "creatures",
    [*_sheet_questions("2", ACTIONS), Question("summary", "Describe it in a line.", "A line about it.")],
    partial(_sheet_lines, "creatures"),
    '"Harbour Rat" --hero 1',
    ("strike karma start ENCOUNTER --with {id}:2",),
)
