"""Drafts of content: the questions about a new power, status or creature, and the file made from them.

The system that has a kind of content declares its questions (`Content.draft`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..deprecated_api_names import accepts_old_arguments

Answers = Mapping[str, str]
"""Answers, or defaults, by the keys of their questions."""


class Question(NamedTuple):
    """A question for a draft.

    `key` is the option's name, `asks` is the question, and `help` is the option's help. An empty answer means
    the `default`. `read` converts an answer; for an invalid answer it raises ValueError with what is wanted.
    A question without `asks` is never asked: it is only an option. Tab completes the words in `of`, or the
    names of the items of the kind `kind`.
    """

    key: str
    asks: str
    help: str
    default: str = ""
    read: Callable[[str], object] = str
    of: Sequence[str] = ()
    kind: str = ""


class Draft(NamedTuple):
    """A kind of content for which strike can write a draft.

    `table` is its table, and `questions` are the questions to ask. `write` makes lines of TOML from a name,
    an id and the answers. `example` is an example of the command that makes a draft. `after` has the commands
    to use once the draft is made, with a placeholder for the id.
    """

    table: str
    questions: Sequence[Question]
    write: Callable[[str, str, Answers], Iterable[str]]
    example: str
    after: Sequence[str] = ()


def word_reader(*words: str) -> Callable[[str], str]:
    """Return a function that reads one of `words`, or an unambiguous beginning of one.

    The function raises ValueError for any other text.
    """

    def read_word(text: str) -> str:
        fits = [word for word in words if word == text.lower()]
        fits = fits or [word for word in words if text and word.startswith(text.lower())]
        if len(fits) != 1:
            raise ValueError(f"one of {', '.join(words)}")
        return fits[0]

    return read_word


def number_reader(low: int, high: int, *, empty: str = "") -> Callable[[str], int | None]:
    """Return a function that reads a whole number from `low` to `high`.

    If `empty` is given, the function returns None for that word and for an empty answer. It raises ValueError
    for any other text.
    """

    def read_number(text: str) -> int | None:
        if empty and text in ("", empty):
            return None
        if not text.isdecimal() or not low <= int(text) <= high:
            raise ValueError(f"a number from {low} to {high}" + (f", or {empty}" if empty else ""))
        return int(text)

    return read_number


def split_at_commas(text: str) -> list[str]:
    """Split a text at its commas, and return the words. Return [] for `none` or an empty text."""
    return [] if text.strip() in ("", "none") else [part.strip() for part in text.split(",") if part.strip()]


def split_at_semicolons(text: str) -> list[str]:
    """Split a text at its semicolons, and return the phrases. Return [] for `nothing` or an empty text."""
    found = [part.strip() for part in text.split(";") if part.strip()]
    return [] if found == ["nothing"] else found


# TOML


def toml_value(value: object) -> str:
    """Return a value as TOML, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return toml_string(value) if isinstance(value, str) else str(value)


def toml_string(text: str) -> str:
    """Return a text as a TOML string, in quotes."""
    import tomli_w

    return tomli_w.dumps({"x": text})[4:].rstrip("\n")


@accepts_old_arguments(so="active")
def toml_line(key: str, value: object, comment: str = "", *, active: bool = True) -> list[str]:
    """Return `key = value` as a list with one line of TOML.

    The line ends with the comment, if there is one. If `active` is false, the line is commented out.
    """
    text = f"{'' if active else '# '}{key} = {toml_value(value)}"
    return [f"{text}  # {comment}" if comment else text]


HEADS = {"characters": ("player", "concept"), "creatures": ("summary",)}
"""The keys of every sheet besides the name, in any system."""


def sheet_head(kind: str, name: str, key: str, answers: Answers) -> list[str]:
    """Return the first lines of a sheet's file, which are the same in every system.

    The lines of the systems come after these. Their keys begin with the system's name: `grit.str = "d8"`.
    """
    lines = ["# Yours to change: strike reads this file and never writes it again.", "", f"[{kind}.{key}]"]
    lines += toml_line("name", name)
    return lines + [
        text for each in HEADS[kind] if answers.get(each) for text in toml_line(each, answers[each])
    ]
