"""Whether anybody acts on escape sequences: what is written with none of Rich's help asks here."""

from __future__ import annotations

import os
from typing import TextIO


def acts_on_escapes(stream: TextIO) -> bool:
    """Return whether a stream leads to a terminal that obeys escape sequences.

    A console of Windows shows them as letters until it is asked to obey; one that can't doesn't count.
    """
    return stream.isatty() and knows_escapes() and (os.name != "nt" or _ask_console(stream))


def knows_escapes() -> bool:
    """Return whether the terminal is of a kind that knows escape sequences: without TERM it is of none."""
    return os.environ.get("TERM", "" if os.name == "posix" else "windows") not in ("", "dumb")


def _ask_console(stream: TextIO) -> bool:
    import ctypes
    import msvcrt

    sequences = 0x0004  # ENABLE_VIRTUAL_TERMINAL_PROCESSING
    system = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    console = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno()))  # type: ignore[attr-defined,unused-ignore]
    mode = ctypes.c_ulong()
    if not system.GetConsoleMode(console, ctypes.byref(mode)):
        return False
    return bool(mode.value & sequences or system.SetConsoleMode(console, mode.value | sequences))
