"""Text in and out where the system speaks no Unicode (`LC_ALL=C`, a pipe on Windows).

Letters that can't be shown are written in letters that can, and words typed in UTF-8 are read as that.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from contextlib import suppress
from typing import TextIO

READABLE = "strike-readable"
"""The name of the error handler that writes what an encoding can't show in other letters."""
AS_TYPED = "strike-as-typed"
"""That of the one that reads what is no UTF-8."""
_INSTEAD = {
    **dict.fromkeys("‐‑‒–—−─━═┄╸╺", "-"),
    **dict.fromkeys("│┃║╹╻", "|"),
    **dict.fromkeys("‘’‚′", "'"),
    **dict.fromkeys("“”„″«»", '"'),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝┏┓┗┛┣┫┳┻╋▮", "+"),
    **dict.fromkeys("•·∙●○▪✶↘↖↗↙", "*"),
    **dict.fromkeys("█▉▊▋▌▍▎▏▇▆▅▄▃▂▁▓", "#"),
    # What maps are drawn with stays one for one, so that nothing moves.
    "░": ".", "▒": ":", "→": ">", "←": "<", "↑": "^", "↓": "v", "▸": ">", "▶": ">", "▯": "/", "◎": "@",
    "◦": "o", "▩": "%", "◌": ",", "◫": "=", "┊": ":", "▬": "=", "▭": "_", "✗": "x",
    "×": "x", "…": "...", "✓": "ok", "□": "o",
    "ß": "ss", "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "½": "1/2",
    "▹": ">", "◃": "<", "▵": "^", "▿": "v", "≤": "<=", "≥": ">=", "≈": "~", "\xa0": " ",
}  # fmt: skip


def speaks_unicode(encoding: str | None) -> bool:
    """Return whether everything can be written in an encoding; None is that of a text in memory."""
    return encoding is None or encoding.lower().replace("_", "-").startswith("utf")


def _readable(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_nearest_letters(char, error.encoding) for char in text), error.end


def _nearest_letters(char: str, encoding: str) -> str:
    """Return a character in those of an encoding, as near as possible: `Zoë` as `Zoe`.

    A distant one is given by its number.
    """
    from unicodedata import normalize

    for word in (_INSTEAD.get(char, ""), normalize("NFKD", char)):
        found = word.encode(encoding, "ignore").decode(encoding)
        if found:
            return found
    return char.encode("ascii", "backslashreplace").decode("ascii")


codecs.register_error(READABLE, _readable)


def shown_in(text: str, encoding: str) -> str:
    """Return a text in the letters that an encoding has."""
    return text.encode(encoding, READABLE).decode(encoding)


def let_all_be_said() -> None:
    """Make output fail over no letter that stdout or stderr can't show."""
    for stream in (sys.stdout, sys.stderr):
        if not speaks_unicode(stream.encoding):
            with suppress(AttributeError, ValueError, OSError):
                stream.reconfigure(errors=READABLE)  # type: ignore[union-attr]  # a stream of Python's own


def read_as_typed(stream: TextIO) -> None:
    """Read a pipe or file as UTF-8, and bytes that are none by the system's own encoding.

    Windows has that for pipes alone, and its programs write either.
    """
    own = stream.encoding

    def otherwise(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeDecodeError):
            raise error
        return error.object[error.start : error.end].decode(own, "replace"), error.end

    codecs.register_error(AS_TYPED, otherwise)
    with suppress(AttributeError, ValueError, OSError):
        stream.reconfigure(encoding="utf-8", errors=AS_TYPED)  # type: ignore[attr-defined]  # a stream of Python's own


def as_typed(word: str) -> str:
    """Return a word that somebody typed in UTF-8 where the system did not read it so.

    A word that can't be UTF-8 stays as it is.
    """
    with suppress(UnicodeError):
        word.encode()
        return word
    with suppress(UnicodeError):
        return word.encode(sys.getfilesystemencoding(), "surrogateescape").decode()
    return word


def words_as_typed(words: list[str]) -> list[str]:
    """Return those of a command. A path that is there stays as the system has it."""
    return [word if os.path.lexists(word) else as_typed(word) for word in map(str, words)]


def stand_in() -> None:
    """Replace closed standard streams, so that no file of the campaign's takes their numbers.

    Writing to a closed stdout raises OSError.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    sys.stdin = sys.stdin or io.StringIO()
    sys.stdout = sys.stdout or _Closed()
    sys.stderr = sys.stderr or io.StringIO()


class _Closed(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
