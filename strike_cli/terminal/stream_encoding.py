"""Text input and output on systems whose encoding isn't Unicode (`LC_ALL=C`, a pipe on Windows).

Characters that can't be encoded are replaced by similar ones. Typed words are decoded as UTF-8.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from contextlib import suppress
from typing import TextIO

REPLACE_HANDLER = "strike-readable"
"""The name of the error handler that replaces letters which an encoding lacks."""
DECODE_HANDLER = "strike-as-typed"
"""The name of the error handler that decodes bytes which aren't UTF-8."""
_REPLACEMENTS = {
    **dict.fromkeys("‐‑‒–—−─━═┄┈╌╸╺", "-"),
    **dict.fromkeys("│┃║╹╻", "|"),
    **dict.fromkeys("‘’‚′", "'"),
    **dict.fromkeys("“”„″«»", '"'),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝┏┓┗┛┣┫┳┻╋▮", "+"),
    **dict.fromkeys("•∙●○▪✶↘↖↗↙", "*"),
    **dict.fromkeys("█▉▊▋▌▍▎▏▇▆▅▄▃▂▁▓", "#"),
    # Signs of maps are replaced one for one, so that nothing moves.
    "·": ".", "░": "~", "▒": ":", "→": ">", "←": "<", "↑": "^", "↓": "v", "▸": ">", "▶": ">", "▯": "/",
    "◎": "@", "◦": "o", "▩": "%", "◌": ",", "◫": "=", "┊": ":", "┆": ";", "╎": "!", "▬": "=", "▭": "_",
    "✗": "x", "×": "x", "…": "...", "✓": "ok", "□": "o",
    "ß": "ss", "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "½": "1/2",
    "▹": ">", "◃": "<", "▵": "^", "▿": "v", "≤": "<=", "≥": ">=", "≈": "~", "\xa0": " ",
}  # fmt: skip


def is_unicode_encoding(encoding: str | None) -> bool:
    """Return whether an encoding is a form of Unicode, such as UTF-8, so that it has every character.

    None stands for a stream in memory, such as StringIO. Such a stream takes every character, so the result
    is True.
    """
    return encoding is None or encoding.lower().replace("_", "-").startswith("utf")


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_nearest_characters(char, error.encoding) for char in text), error.end


def _nearest_characters(char: str, encoding: str) -> str:
    """Return one or more similar characters that an encoding has, such as `e` for `ë`.

    If there are none, return the character's number.
    """
    from unicodedata import normalize

    for word in (_REPLACEMENTS.get(char, ""), normalize("NFKD", char)):
        found = word.encode(encoding, "ignore").decode(encoding)
        if found:
            return found
    return char.encode("ascii", "backslashreplace").decode("ascii")


codecs.register_error(REPLACE_HANDLER, _replace_unencodable)


def replace_unencodable(text: str, encoding: str) -> str:
    """Return a text in which the characters that an encoding lacks are replaced by similar ones."""
    return text.encode(encoding, REPLACE_HANDLER).decode(encoding)


def replace_unencodable_output() -> None:
    """Make stdout and stderr replace characters that they can't encode, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if not is_unicode_encoding(stream.encoding):
            with suppress(AttributeError, ValueError, OSError):
                stream.reconfigure(errors=REPLACE_HANDLER)  # type: ignore[union-attr]  # a stream of Python's own


def decode_input_as_utf8_if_possible(stream: TextIO) -> None:
    """Make a stream decode its bytes as UTF-8.

    Bytes that aren't UTF-8 are decoded in the system's own encoding. This is for pipes on Windows: some
    programs write UTF-8 to them, and others the system's encoding.
    """
    own = stream.encoding

    def decode_in_own_encoding(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeDecodeError):
            raise error
        return error.object[error.start : error.end].decode(own, "replace"), error.end

    codecs.register_error(DECODE_HANDLER, decode_in_own_encoding)
    with suppress(AttributeError, ValueError, OSError):
        stream.reconfigure(encoding="utf-8", errors=DECODE_HANDLER)  # type: ignore[attr-defined]  # a stream of Python's own


def decode_typed(word: str) -> str:
    """Return a typed word decoded as UTF-8, if the system has decoded it differently.

    A word that isn't UTF-8 is returned unchanged.
    """
    with suppress(UnicodeError):
        word.encode()
        return word
    with suppress(UnicodeError):
        return word.encode(sys.getfilesystemencoding(), "surrogateescape").decode()
    return word


def decode_typed_words(words: list[str]) -> list[str]:
    """Return the words of a command, decoded as UTF-8. A word that is an existing path is unchanged."""
    return [word if os.path.lexists(word) else decode_typed(word) for word in map(str, words)]


def replace_closed_streams() -> None:
    """Replace standard streams that are closed.

    Otherwise a file of the campaign could get the file descriptor of such a stream. Writing to a replaced
    stdout raises OSError.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    sys.stdin = sys.stdin or io.StringIO()
    sys.stdout = sys.stdout or _ClosedOutput()
    sys.stderr = sys.stderr or io.StringIO()


class _ClosedOutput(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
