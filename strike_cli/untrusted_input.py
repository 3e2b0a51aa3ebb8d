"""Reading of data from untrusted sources: TOML with limits, and text made safe for a terminal.

It needs only the standard library, so that all readers of a campaign's files can use it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from .file_faults import Place
from .immutable_records import Value
from .problems import PluginProblem

DEEPEST = 64
"""The deepest nesting of tables and lists in any file."""
LARGEST_NUMBER = 2**63 - 1
"""The largest whole number, as TOML promises it."""
_HEAD_OR_KEY = r"""\s*(?:\[\[?(?P<table>[^\]\[]+)\]|(?P<key>[\w."' -]+?)\s*=)"""
"""The pattern of a table's head, or of a key, at the beginning of a line."""
MOST_KEY_PARTS = 64
_MANY_DOTS = 200
"""The number of dots in a line from which on they are checked for belonging to a key."""


class FileFormat(Value):
    """A file format for content besides TOML.

    `read` takes a file's text, and the file's name without the ending. It returns what a TOML file with the
    same content would contain (kind -> id -> item). If the text is faulty, it raises ValueError with a
    message that begins with the line. `line_of` takes the same text and name, and a place in the result, such
    as Place("tables", "rain", "entries", 2); it returns the line of that place, counted from 1.
    """

    read: Callable[[str, str], dict[str, object]]
    line_of: Callable[[str, str, Place], int | None]


def parse_toml(raw: bytes) -> dict[str, object]:
    """Return the content of a TOML file.

    Raises:
        ValueError: The text is not valid TOML, or breaks a limit: tables are nested too deep, a key
            has too many parts, or a number is too large.
        UnicodeError: The text is not UTF-8.
    """
    import tomllib

    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnicodeError(f"it is not UTF-8 (byte {error.start})") from None
    if raw.count(b".") > _MANY_DOTS and any(line.count(".") > _MANY_DOTS for line in text.split("\n")):
        # The reader's time grows with the square of the number of a key's parts.
        keys = re.sub(_STRING_OR_COMMENT, lambda aside: "x" + "\n" * aside[0].count("\n"), text)
        if endless := re.search(_ENDLESS_KEY, keys):
            number = keys.count("\n", 0, endless.start()) + 1
            raise ValueError(f"a key has more than {MOST_KEY_PARTS} parts (at line {number})")
    try:
        data: dict[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except (ValueError, OverflowError):
        raise ValueError("a number or date in it is impossible") from None
    fault = describe_unreadable_part(data)
    if fault:
        raise ValueError(fault)
    return data


def parse_bundled_toml(text: str, file_name: str) -> dict[str, object]:
    """Return the content of a TOML file that comes with strike or with a plugin.

    Raises PluginProblem if the file has a mistake, and says which.
    """
    try:
        return parse_toml(text.encode())
    except ValueError as error:
        hint = "It comes with what is installed: fix that line, or install it again."
        raise PluginProblem(f"{file_name}: {error}", hint) from None


_TOO_DEEP = f"tables or lists are nested more than {DEEPEST} deep"


def line_of_deepest_key_found(text: str, names: Sequence[str]) -> int | None:
    """Return the line, counted from 1, of a value in a TOML text; None if nothing is found.

    `names` has the keys that lead to the value, the outermost first. If only the first of these keys are
    found, return the line of the last key found. Only heads of tables, and keys at the beginning of a line,
    are searched.
    """
    keys, best = list(names), 0
    found: int | None = None
    for number, full in _heads_and_keys(text):
        if len(full) > best and keys[: len(full)] == full:
            best, found = len(full), number
    return found


@lru_cache(maxsize=1)
def _heads_and_keys(text: str) -> list[tuple[int, list[str]]]:
    """Return the heads of tables, and the keys that begin a line, each with its line and full path."""
    table: list[str] = []
    found = []
    within_text = False
    for number, line in enumerate(text.split("\n"), 1):
        was_within, within_text = within_text, within_text ^ (line.count('"""') % 2 == 1)
        head = re.match(_HEAD_OR_KEY, line)
        if was_within or not head:
            continue
        here = [key.strip(" \t\"'") for key in (head["table"] or head["key"]).split(".")]
        if head["table"]:
            table = here
        found.append((number, here if head["table"] else [*table, *here]))
    return found


def is_safe_unsigned_number(word: str) -> bool:
    """Return whether a word is a whole number of 0 or more that doesn't have too many digits."""
    return word.isascii() and word.isdigit() and len(word) <= len(str(LARGEST_NUMBER))


_Table = dict[str, object] | list[object]


def describe_unreadable_part(value: object) -> str:
    """Return the place and the fault of the first part of a value that later readers can't handle.

    Return "" if there is no such part. A fault is a nesting deeper than DEEPEST, or a whole number that is
    too large. Dates and infinite numbers are refused elsewhere.
    """
    level: list[_Table] = [value] if isinstance(value, (dict, list)) else []
    for _ in range(DEEPEST):
        inner = [
            each
            for table in level
            for each in (table.values() if type(table) is dict else table)
            if type(each) is not str
        ]
        if any(
            type(each) is int and not -LARGEST_NUMBER <= each <= LARGEST_NUMBER for each in inner
        ):  # inline, for speed
            path = _short_path_to_accepted_part(value, _is_too_large)
            return f"{path}: a whole number can't be beyond {LARGEST_NUMBER}"
        level = [each for each in inner if isinstance(each, (dict, list))]
        if not level:
            return ""
    return f"{_short_path_to_accepted_part(value, lambda each: each is level[0])}: {_TOO_DEEP}"


def _is_too_large(value: object) -> bool:
    return type(value) is int and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER


def _short_path_to_accepted_part(value: object, accepts: Callable[[object], bool]) -> str:
    """Return the path to the first part of `value` that `accepts` accepts, cut to 60 characters.

    Return "" if `accepts` accepts the whole value, or no part of it.
    """
    waiting = [("", value)]
    while waiting:
        path, each = waiting.pop()
        if accepts(each):
            return path[:60]
        if type(each) is dict:
            waiting += [(f"{path}.{key}".lstrip("."), inner) for key, inner in each.items()][::-1]
        elif type(each) is list:
            waiting += [(f"{path}[{number}]", inner) for number, inner in enumerate(each, 1)][::-1]
    return ""


_STRING_OR_COMMENT = (
    r'''(?sm)"""(?:[^\\]|\\.)*?(?:"""|\Z)|"(?:[^"\\\n]|\\[^\n])*(?:"|$)'''
    r"""|'''.*?(?:'''|\Z)|'[^'\n]*(?:'|$)|#[^\n]*"""
)
"""The pattern of a string or a comment, closed or not, so that each character is read once."""
_ENDLESS_KEY = rf"(?<![\w-])(?:[\w-]+[ \t]*\.[ \t]*){{{MOST_KEY_PARTS}}}"


def replace_unprintable(text: str) -> str:
    """Return text from a file in a form that is safe to show in a terminal.

    Control characters, and marks that change the direction of writing, are replaced. Line ends stay. Some
    marks also stay because names need them: joiners between letters or emoji, the tags of a flag, and
    isolates in pairs.
    """
    if text.isprintable():
        return text
    return "\n".join(
        line if line.isprintable() else _replace_unprintable_in_line(line) for line in text.split("\n")
    )


_KEPT_MARKS = re.compile("[\u200c\u200d]|(?<=\U0001f3f4)[\U000e0020-\U000e007e]+\U000e007f")
_ISOLATED = re.compile("([\u2066-\u2068])([^\u2066-\u2069]*)(\u2069)")


def _replace_unprintable_in_line(line: str) -> str:
    marks = {at for found in _ISOLATED.finditer(line) for at in (found.start(1), found.start(3))}
    for found in _KEPT_MARKS.finditer(line):
        if len(found[0]) > 1 or _joins_letters(line, found.start()):
            marks.update(range(*found.span()))
    return "".join(
        char if char.isprintable() or at in marks else "\N{REPLACEMENT CHARACTER}"
        for at, char in enumerate(line)
    )


_LETTER = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
_FROM_RIGHT = rf"{_LETTER}+(?:(?: ['’\"-] |[ '’\"\u200c\u200d-]){_LETTER}+)*"
"""The pattern of words that run from right to left."""
_COLUMNS = r"\S {2,}\S|[│┃]"


def isolate_right_to_left_words(text: str) -> str:
    """Return a text in which words that run from right to left don't change the order of what is beside them.

    Invisible signs, called isolates, are put around these words. Numbers and names beside them, and the
    columns of a table, then stay in their places. If a line has no letters but those of such words, the
    isolates are put around the whole line. `isolated` of draw.js does the same for live pages.
    """
    if text.isascii() or not re.search(_FROM_RIGHT, text):
        return text
    return "\n".join(map(_isolate_right_to_left_words_of_line, text.split("\n")))


def _isolate_right_to_left_words_of_line(line: str) -> str:
    if re.search("[\u2066-\u2069]", line):
        return line
    others = re.sub(_FROM_RIGHT, "", line)
    words = line.strip()
    if others != line and not any(map(str.isalpha, others)) and not re.search(_COLUMNS, words):
        return line.replace(words, f"\u2068{words}\u2069")
    return re.sub(_FROM_RIGHT, "\u2068\\g<0>\u2069", line)


def _joins_letters(line: str, index: int) -> bool:
    """Return whether the invisible joiner at `index` stands between two letters or emoji.

    ASCII letters don't count: between two of them, a joiner could only deceive readers.
    """
    from unicodedata import category

    sides = line[index - 1 : index] + line[index + 1 : index + 2]
    return len(sides) == 2 and all(not each.isascii() and category(each)[0] in "LMS" for each in sides)
