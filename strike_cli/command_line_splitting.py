"""The splitting of typed lines into words, and the quoting of words.

On Windows a backslash is an ordinary character, since it separates folders.
"""

from __future__ import annotations

import os
import re
import shlex

WINDOWS = os.name == "nt"


_QUOTED = re.compile(r""""(?:\\.|[^"\\])*"|(?<![^\s=])'([^']*)'(?!\S)""")
"""The pattern of quoted text: in double quotes, or between apostrophes around whole words."""
_MARKS = frozenset("\"'\\#")
_WORD = re.compile(r"[^ \t\r\n]+")


def split_words_keeping_apostrophes(line: str, *, comments: bool = False) -> list[str]:
    """Return the words of a line, split as in a shell. Raises ValueError for an unpaired quote.

    There are two differences to a shell. An apostrophe quotes only if it begins a word and another one ends a
    word; anywhere else it is a letter. On Windows, a backslash is an ordinary character. With `comments`,
    everything after # is left out.
    """
    if _MARKS.isdisjoint(line):  # as most lines: letter by letter takes 3% of a script's command
        return _WORD.findall(line)
    lexer = shlex.shlex(_QUOTED.sub(_to_double_quotes, line), posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.quotes = '"'
    if not comments:
        lexer.commenters = ""
    if WINDOWS:
        lexer.escape = ""
    return list(lexer)


def _to_double_quotes(match: re.Match[str]) -> str:
    if match[1] is None:
        return match[0]
    text = match[1] if WINDOWS else match[1].replace("\\", "\\\\")
    return '"' + text.replace('"', '\\"') + '"'


def quote_word_if_needed(text: str) -> str:
    """Return `text` as a single word to type in a shell: in quotes if it needs them."""
    if not WINDOWS:
        by_two = "'" in text and not set(text) & set('"$`\\!')
        return f'"{text}"' if by_two else shlex.quote(text)
    is_one = shlex.quote(text.replace("\\", "/")) == text.replace("\\", "/")
    return text if is_one else f'"{text}"'
