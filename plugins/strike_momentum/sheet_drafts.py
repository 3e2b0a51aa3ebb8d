"""Drafts of Momentum sheets for `character add` and `creature add` (WSH-02, 09, 12).

A draft consists of the questions to ask, and of functions that make the lines of the sheet's file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

from .rule_constants import ARMORS, SHIELDS, STATS

NONE = "none"
ARCHETYPE = ("primary", "secondary", "evasion")


def _read_numbered_words(text: str, allowed: Sequence[str] = ()) -> dict[str, int]:
    """Return the number of each word in a text like `str 14, dex 13`.

    If `allowed` is given, only its words are allowed. Raises ValueError for anything else.
    """
    found = {}
    for pair in split_at_commas(text):
        key, _, value = pair.lower().rpartition(" ")
        if not (key and value.isdecimal()) or (allowed and key not in allowed):
            raise ValueError(
                f"{', '.join(allowed) or 'Skills'}, each with a number, "
                f"as in `{allowed[0] if allowed else 'stealth'} 2`"
            )
        found["-".join(key.split())] = int(value)
    return found


_stats = partial(_read_numbered_words, allowed=STATS)


def _read_archetype(text: str) -> dict[str, str]:
    """Return the primary Stat, the secondary Stat and the Evasion Stat in a text like `str dex str`.

    Raises ValueError for anything else.
    """
    found = text.lower().split()
    if len(found) != len(ARCHETYPE) or any(stat not in STATS for stat in found):
        raise ValueError("three Stats: primary, secondary and that of Evasion, as in `str dex str`")
    return dict(zip(ARCHETYPE, found, strict=True))


def _sheet_lines(kind: str, name: str, key: str, answers: Answers) -> Iterator[str]:
    yield from sheet_head(kind, name, key, answers)
    yield from toml_line("momentum.vitality", int(answers["vitality"]))
    yield from toml_line("momentum.stats", _stats(answers["stats"]), "10 by default")
    yield from toml_line("momentum.skills", _read_numbered_words(answers["skills"]), "levels")
    yield from toml_line(
        "momentum.archetype", _read_archetype(answers["archetype"]), "the Stats of Abilities and Evasion"
    )
    for each in ("armor", "shield"):
        yield from toml_line(
            f"momentum.{each}",
            answers[each] if answers[each] != NONE else "light",
            active=answers[each] != NONE,
        )
    yield from toml_line(
        "momentum.weapons",
        split_at_commas(answers["weapons"]),
        "of the book; docs/momentum.md explains how to write one",
    )
    yield from toml_line("momentum.abilities", split_at_commas(answers["abilities"]))
    if kind == "characters":
        yield from toml_line("momentum.momentum", int(answers["momentum"]), "starting Narrative Momentum")
    else:
        yield from toml_line("momentum.evasion", 12, "in place of the value from Stats", active=False)


def _sheet_questions(default_vitality: str, *more: Question) -> list[Question]:
    shields, by_name = (NONE, *SHIELDS), "By name, with commas."
    return [
        Question("vitality", "How much Vitality?", "Vitality.", default_vitality, number_reader(1, 9999)),
        Question(
            "stats", "Which Stats above or below 10? (`str 14, dex 13`)", "`str 14, dex 13`.", NONE, _stats
        ),
        Question(
            "skills",
            "Which Skills, at what level? (`stealth 2, athletics 1`)",
            "`stealth 2`.",
            NONE,
            _read_numbered_words,
        ),
        Question(
            "archetype",
            "Archetype? (the primary Stat, the secondary, and that of Evasion)",
            "Three Stats: primary, secondary, that of Evasion.",
            "str dex dex",
            _read_archetype,
        ),
        Question(
            "armor",
            f"Armor? ({', '.join((NONE, *ARMORS))})",
            "Worn armor.",
            NONE,
            word_reader(NONE, *ARMORS),
            (NONE, *ARMORS),
        ),
        Question(
            "shield",
            f"Shield? ({', '.join(shields)})",
            "Things in hand.",
            NONE,
            word_reader(*shields),
            shields,
        ),
        Question(
            "weapons",
            "Weapons? (by name, with commas; or none)",
            by_name,
            NONE,
            split_at_commas,
            kind="momentum_weapons",
        ),
        Question(
            "abilities",
            "Abilities? (by name, with commas; or none)",
            by_name,
            NONE,
            split_at_commas,
            kind="momentum_abilities",
        ),
        *more,
    ]


NARRATIVE = Question(
    "momentum", "How much starting Narrative Momentum?", "Narrative Momentum.", "5", number_reader(0, 99)
)
CHARACTER = Draft(
    "characters",
    _sheet_questions("22", NARRATIVE),
    partial(_sheet_lines, "characters"),
    'tilda --name Tilda --stats "dex 14"',
)
CREATURE = Draft(
    "creatures",
    _sheet_questions("10", Question("summary", "Describe it in a line.", "A line about it.")),
    partial(_sheet_lines, "creatures"),
    '"Glass Rat" --vitality 6 --weapons bite',
    ("strike momentum start ENCOUNTER --with {id}:2",),
)
