"""Drafts of Grit sheets for `character add` and `creature add` (GRT-01).

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
    split_at_commas,
    toml_line,
    word_reader,
)

from .dice import ATTRIBUTES, DICE

_MADE = "made"


def _sheet_lines(kind: str, name: str, key: str, answers: Answers) -> Iterator[str]:
    yield from sheet_head(kind, name, key, answers)
    for each in ATTRIBUTES:
        yield from toml_line(f"grit.{each}", word_reader(*DICE)(answers[each]))
    grit, armor = (
        number_reader(0, 99, empty=_MADE)(answers["grit"]),
        _armor_number_or_pieces(answers["armor"]),
    )
    yield from toml_line(
        "grit.grit",
        grit or 0,
        "otherwise 1, plus 1 for each step of DEX and WIL above d4",
        active=grit is not None,
    )
    yield from toml_line("grit.armor", armor)
    yield from toml_line(
        "grit.weapons",
        split_at_commas(answers["weapons"]),
        "of the book; docs/grit.md explains how to write one",
    )
    if kind == "characters":
        yield from toml_line("grit.hireling", True, "makes Morale Saves, as creatures do", active=False)


def _armor_number_or_pieces(text: str) -> object:
    """Return Armor as typed: a number, or a list of the names of pieces."""
    return int(text) if text.isdecimal() else split_at_commas(text)


def _sheet_questions(default_die: str) -> list[Question]:
    dice = [
        Question(
            each,
            f"{each.upper()}? ({', '.join(DICE)})",
            f"The die of {each.upper()}.",
            default_die,
            word_reader(*DICE),
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
            number_reader(0, 99, empty=_MADE),
        ),
        Question(
            "armor",
            "Armor? (a number, or armor by name, with commas)",
            "A number, or armor by name.",
            "0",
            _armor_number_or_pieces,
            kind="grit_armors",
        ),
        Question(
            "weapons",
            "Weapons? (by name, with commas; or none)",
            "By name, with commas.",
            "none",
            split_at_commas,
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
