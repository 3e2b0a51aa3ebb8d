"""Text in and out where the system's encoding isn't Unicode (`LC_ALL=C`, a pipe on Windows).

Letters that can't be encoded are replaced by similar ones, and typed words in UTF-8 are decoded as such.
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
"""The name of the error handler that replaces letters which an encoding lacks."""
AS_TYPED = "strike-as-typed"
"""The name of the error handler that decodes bytes which aren't UTF-8."""
_INSTEAD = {
    **dict.fromkeys("‐‑‒–—−─━═┄╸╺", "-"),
    **dict.fromkeys("│┃║╹╻", "|"),
    **dict.fromkeys("‘’‚′", "'"),
    **dict.fromkeys("“”„″«»", '"'),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝┏┓┗┛┣┫┳┻╋▮", "+"),
    **dict.fromkeys("•·∙●○▪✶↘↖↗↙", "*"),
    **dict.fromkeys("█▉▊▋▌▍▎▏▇▆▅▄▃▂▁▓", "#"),
    # Signs of maps are replaced one for one, so that nothing moves.
    "░": ".", "▒": ":", "→": ">", "←": "<", "↑": "^", "↓": "v", "▸": ">", "▶": ">", "▯": "/", "◎": "@",
    "◦": "o", "▩": "%", "◌": ",", "◫": "=", "┊": ":", "▬": "=", "▭": "_", "✗": "x",
    "×": "x", "…": "...", "✓": "ok", "□": "o",
    "ß": "ss", "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "½": "1/2",
    "▹": ">", "◃": "<", "▵": "^", "▿": "v", "≤": "<=", "≥": ">=", "≈": "~", "\xa0": " ",
}  # fmt: skip


def speaks_unicode(encoding: str | None) -> bool:
    """Return whether an encoding can encode every character.

    None counts as one that can: a stream in memory, such as StringIO, has no encoding.
    """
    return encoding is None or encoding.lower().replace("_", "-").startswith("utf")


def _readable(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_nearest_letters(char, error.encoding) for char in text), error.end


def _nearest_letters(char: str, encoding: str) -> str:
    """Return the nearest letters in an encoding to a character: `e` for `ë`.

    A character without a near one is given by its number.
    """
    from unicodedata import normalize

    for word in (_INSTEAD.get(char, ""), normalize("NFKD", char)):
        found = word.encode(encoding, "ignore").decode(encoding)
        if found:
            return found
    return char.encode("ascii", "backslashreplace").decode("ascii")


codecs.register_error(READABLE, _readable)


def in_encoding(text: str, encoding: str) -> str:
    """Return a text in the letters of an encoding."""
    return text.encode(encoding, READABLE).decode(encoding)


def let_all_be_said() -> None:
    """Make stdout and stderr replace letters that they can't encode, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if not speaks_unicode(stream.encoding):
            with suppress(AttributeError, ValueError, OSError):
                stream.reconfigure(errors=READABLE)  # type: ignore[union-attr]  # a stream of Python's own


def read_as_typed(stream: TextIO) -> None:
    """Decode a pipe or file as UTF-8, and bytes that aren't UTF-8 in the system's own encoding.

    Windows has that encoding only for pipes, and its programs write either.
    """
    own = stream.encoding

    def otherwise(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeDecodeError):
            raise error
        return error.object[error.start : error.end].decode(own, "replace"), error.end

    codecs.register_error(AS_TYPED, otherwise)
    with suppress(AttributeError, ValueError, OSError):
        stream.reconfigure(encoding="utf-8", errors=AS_TYPED)  # type: ignore[attr-defined]  # a stream of Python's own


def decode_typed(word: str) -> str:
    """Decode a typed word as UTF-8 where the system decoded it otherwise.

    A word that can't be UTF-8 is unchanged.
    """
    with suppress(UnicodeError):
        word.encode()
        return word
    with suppress(UnicodeError):
        return word.encode(sys.getfilesystemencoding(), "surrogateescape").decode()
    return word


def words_as_typed(words: list[str]) -> list[str]:
    """Decode the words of a command. An existing path is unchanged."""
    return [word if os.path.lexists(word) else decode_typed(word) for word in map(str, words)]


def stand_in() -> None:
    """Replace closed standard streams, so that no file of the campaign gets their numbers.

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
