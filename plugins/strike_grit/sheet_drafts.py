"""Drafts of Grit sheets for `character add` and `creature add` (GRT-01).

A draft consists of the questions to ask, and of functions that make the lines of the sheet's file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from strike_cli.plugin.files import Answers, Draft, Question, line, number, one_of, sheet_head, words

from .dice import ATTRIBUTES, DICE

_MADE = "made"


def _sheet_lines(kind: str, name: str, key: str, answers: Answers) -> Iterator[str]:
    yield from sheet_head(kind, name, key, answers)
    for each in ATTRIBUTES:
        yield from line(f"grit.{each}", one_of(*DICE)(answers[each]))
    grit, armor = number(0, 99, empty=_MADE)(answers["grit"]), _read_armor(answers["armor"])
    yield from line(
        "grit.grit",
        grit or 0,
        "otherwise 1, plus 1 for each step of DEX and WIL above d4",
        so=grit is not None,
    )
    yield from line("grit.armor", armor)
    yield from line(
        "grit.weapons", words(answers["weapons"]), "of the book; docs/grit.md explains how to write one"
    )
    if kind == "characters":
        yield from line("grit.hireling", True, "makes Morale Saves, as creatures do", so=False)


def _read_armor(text: str) -> object:
    """Return Armor as typed: a number, or a list of the names of pieces."""
    return int(text) if text.isdecimal() else words(text)


def _sheet_questions(usual: str) -> list[Question]:
    dice = [
        Question(
            each,
            f"{each.upper()}? ({', '.join(DICE)})",
            f"The die of {each.upper()}.",
            usual,
            one_of(*DICE),
            DICE,
        )
        for each in ATTRIBUTES
    ]
    return [
        *dice,
        Question(
            "grit",
            "Grit? (a number; Enter computes it from DEX and WIL)",
            "Grit.",
            _MADE,
            number(0, 99, empty=_MADE),
        ),
        Question(
            "armor",
            "Armor? (a number, or armor by name, with commas)",
            "A number, or armor by name.",
            "0",
            _read_armor,
            kind="grit_armors",
        ),
        Question(
            "weapons",
            "Weapons? (by name, with commas; or none)",
            "By name, with commas.",
            "none",
            words,
            kind="grit_weapons",
        ),
    ]


CHARACTER = Draft(
    "characters",
    _sheet_questions("d8"),
    partial(_sheet_lines, "characters"),
    "tilda --name Tilda --str d8 --dex d10",
)
CREATURE = Draft(
    "creatures",
    [*_sheet_questions("d6"), Question("summary", "Describe it in a line.", "A line about it.")],
    partial(_sheet_lines, "creatures"),
    '"Salt Dog" --dex d10 --weapons bite',
    ("strike grit start ENCOUNTER --with {id}:2",),
)
