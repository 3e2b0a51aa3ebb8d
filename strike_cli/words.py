"""Lines that people type, and the words in them. On Windows a backslash parts folders."""

from __future__ import annotations

import os
import re
import shlex

WINDOWS = os.name == "nt"


_QUOTED = re.compile(r""""(?:\\.|[^"\\])*"|(?<![^\s=])'([^']*)'(?!\S)""")
"""What stands in quotes: in two of them, or between apostrophes around whole words."""
_MARKS = frozenset("\"'\\#")
_WORD = re.compile(r"[^ \t\r\n]+")


def words_of(line: str, *, comments: bool = False) -> list[str]:
    """Return the words of a line as a shell takes it apart. Raises ValueError for an unpaired quote.

    An apostrophe is a letter, though, unless it begins a word and another ends one; on Windows a backslash
    stands for itself.
    """
    if _MARKS.isdisjoint(line):  # as most lines: letter by letter takes 3% of a script's command
        return _WORD.findall(line)
    lexer = shlex.shlex(_QUOTED.sub(_quote_double, line), posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.quotes = '"'
    if not comments:
        lexer.commenters = ""
    if WINDOWS:
        lexer.escape = ""
    return list(lexer)


def _quote_double(match: re.Match[str]) -> str:
    if match[1] is None:
        return match[0]
    text = match[1] if WINDOWS else match[1].replace("\\", "\\\\")
    return '"' + text.replace('"', '\\"') + '"'


def quote_word(text: str) -> str:
    """Return a text as it is typed to be one word: in quotes, where it needs some."""
    if not WINDOWS:
        by_two = "'" in text and not set(text) & set('"$`\\!')
        return f'"{text}"' if by_two else shlex.quote(text)
    is_one = shlex.quote(text.replace("\\", "/")) == text.replace("\\", "/")
    return text if is_one else f'"{text}"'
