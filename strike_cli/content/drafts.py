"""Drafts of content: the questions about a new power, status or creature, and the file made from them.

The system that has a kind of content declares its questions (`Content.draft`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

Answers = Mapping[str, str]
"""Answers, or defaults, by the keys of their questions."""


class Question(NamedTuple):
    """A question for a draft.

    `key` is the option's name, `asks` the question, `help` the option's help. An empty answer is the
    `default`; `read` raises ValueError, with what is wanted, for an invalid answer. A question without `asks`
    is only an option. Tab completes the words `of`, or the things of a `kind`.
    """

    key: str
    asks: str
    help: str
    default: str = ""
    read: Callable[[str], object] = str
    of: Sequence[str] = ()
    kind: str = ""


class Draft(NamedTuple):
    """A kind of content that may be drafted: its table, its questions, and the writer of its file.

    `write` makes lines of TOML from name, id and answers. `example` is an example command, `after` the
    commands to use afterwards, with the id filled in.
    """

    table: str
    questions: Sequence[Question]
    write: Callable[[str, str, Answers], Iterable[str]]
    example: str
    after: Sequence[str] = ()


def one_of(*words: str) -> Callable[[str], str]:
    """Return a reader for one of these words, or for an unambiguous beginning of one."""

    def read(text: str) -> str:
        fits = [word for word in words if word == text.lower()]
        fits = fits or [word for word in words if text and word.startswith(text.lower())]
        if len(fits) != 1:
            raise ValueError(f"one of {', '.join(words)}")
        return fits[0]

    return read


def number(low: int, high: int, *, empty: str = "") -> Callable[[str], int | None]:
    """Return a reader of a whole number; the word `empty`, if given, means none."""

    def read(text: str) -> int | None:
        if empty and text in ("", empty):
            return None
        if not text.isdecimal() or not low <= int(text) <= high:
            raise ValueError(f"a number from {low} to {high}" + (f", or {empty}" if empty else ""))
        return int(text)

    return read


def words(text: str) -> list[str]:
    """Read words separated by commas; `none` means no word."""
    return [] if text.strip() in ("", "none") else [part.strip() for part in text.split(",") if part.strip()]


def parts(text: str) -> list[str]:
    """Read phrases separated by semicolons; `nothing` means no phrase."""
    found = [part.strip() for part in text.split(";") if part.strip()]
    return [] if found == ["nothing"] else found


# TOML


def toml(value: object) -> str:
    """Return a value as TOML, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key} = {toml(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return quoted(value) if isinstance(value, str) else str(value)


def quoted(text: str) -> str:
    """Quote a text for TOML."""
    import tomli_w

    return tomli_w.dumps({"x": text})[4:].rstrip("\n")


def line(key: str, value: object, comment: str = "", *, so: bool = True) -> list[str]:
    """Return a line of a table with its comment, commented out where it is not `so`."""
    text = f"{'' if so else '# '}{key} = {toml(value)}"
    return [f"{text}  # {comment}" if comment else text]


HEADS = {"characters": ("player", "concept"), "creatures": ("summary",)}
"""The keys of every sheet besides the name, in any system."""


def sheet_head(kind: str, name: str, key: str, answers: Answers) -> list[str]:
    """Return the first lines of a sheet, which are the same in every system.

    The keys of a system follow, with its name before each: `grit.str = "d8"`.
    """
    lines = ["# Yours to change: strike reads this file and never writes it again.", "", f"[{kind}.{key}]"]
    lines += line("name", name)
    return lines + [text for each in HEADS[kind] if answers.get(each) for text in line(each, answers[each])]
