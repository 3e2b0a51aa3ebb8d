"""Lines that people type, and the words in them. On Windows a backslash parts folders."""

from __future__ import annotations

import os
import shlex

WINDOWS = os.name == "nt"


def words_of(line: str, *, comments: bool = False) -> list[str]:
    """The words of a line as a shell takes it apart; on Windows a backslash stands for itself. Raises
    ValueError for quotes that don't come in pairs."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    if not comments:
        lexer.commenters = ""
    if WINDOWS:
        lexer.escape = ""
    return list(lexer)


def as_word(text: str) -> str:
    """A text as it is typed to be one word: in quotes, where it needs some."""
    if not WINDOWS:
        return shlex.quote(text)
    is_one = shlex.quote(text.replace("\\", "/")) == text.replace("\\", "/")
    return text if is_one else f'"{text}"'
