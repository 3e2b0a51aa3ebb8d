"""Drafts of content: the questions about a new power, status or creature, and the commented file they make.

The system that brings a kind of content declares its questions (`Content.draft`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

Answers = Mapping[str, str]
"""What was answered, or else the default, by the keys of the questions."""


class Question(NamedTuple):
    """A question for a draft.

    `key` is the option's name, `asks` the question, `help` the option's help. An empty answer is the
    `default`; `read` raises ValueError, with what is wanted, for an invalid answer. One without `asks` is
    only an option. For Tab, `of` are words that may stand there, or the things of a `kind`.
    """

    key: str
    asks: str
    help: str
    default: str = ""
    read: Callable[[str], object] = str
    of: Sequence[str] = ()
    kind: str = ""


class Draft(NamedTuple):
    """A kind of thing that may be drafted: its table, its questions, and the writer of its file.

    `write` makes lines of TOML of the name, the id and the answers. `example` is a line that may be typed,
    `after` are commands to use then, with its id.
    """

    table: str
    questions: Sequence[Question]
    write: Callable[[str, str, Answers], Iterable[str]]
    example: str
    after: Sequence[str] = ()


def one_of(*words: str) -> Callable[[str], str]:
    """Return a reader of one of a few words, or of a unique beginning of one."""

    def read(text: str) -> str:
        fits = [word for word in words if word == text.lower()]
        fits = fits or [word for word in words if text and word.startswith(text.lower())]
        if len(fits) != 1:
            raise ValueError(f"one of {', '.join(words)}")
        return fits[0]

    return read


def number(low: int, high: int, *, empty: str = "") -> Callable[[str], int | None]:
    """Return a reader of a whole number; the word `empty`, where there is one, means none."""

    def read(text: str) -> int | None:
        if empty and text in ("", empty):
            return None
        if not text.isdecimal() or not low <= int(text) <= high:
            raise ValueError(f"a number from {low} to {high}" + (f", or {empty}" if empty else ""))
        return int(text)

    return read


def words(text: str) -> list[str]:
    """Read several words, with commas between them; `none` means no word."""
    return [] if text.strip() in ("", "none") else [part.strip() for part in text.split(",") if part.strip()]


def parts(text: str) -> list[str]:
    """Read several phrases, with semicolons between them; `nothing` means no phrase."""
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
    """Return a text as TOML has it."""
    import tomli_w

    return tomli_w.dumps({"x": text})[4:].rstrip("\n")


def line(key: str, value: object, comment: str = "", *, so: bool = True) -> list[str]:
    """Return a line of a table with its comment; one that is not `so` is commented out, to be taken up."""
    text = f"{'' if so else '# '}{key} = {toml(value)}"
    return [f"{text}  # {comment}" if comment else text]


HEADS = {"characters": ("player", "concept"), "creatures": ("summary",)}
"""What sheets say of anybody besides the name, whatever is played."""


def sheet_head(kind: str, name: str, key: str, answers: Answers) -> list[str]:
    """Return the first lines of a sheet, whatever is played.

    Those of a game stand below, with its name before each key: `grit.str = "d8"`.
    """
    lines = ["# Yours to change: strike reads this file and never writes it again.", "", f"[{kind}.{key}]"]
    lines += line("name", name)
    return lines + [text for each in HEADS[kind] if answers.get(each) for text in line(each, answers[each])]
