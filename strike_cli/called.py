"""What whoever typed a command calls strike, so that a line that is printed to be copied works where it is
copied to: `strike` where the path has it, else the program as it was typed, `.venv/bin/strike` say."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

STRIKE = "strike"
_LINE = r"(?<=`)strike(?= [\w-])"
"""Where a text has a line to type."""
typed: list[str] = []
"""The program as it was typed, the first word of the command line by which this process was started; nothing
where nobody typed it, or lines are typed at a prompt of its own."""


@contextmanager
def own_prompt() -> Iterator[None]:
    """In the block lines are typed at a prompt of strike's own, which wants no program before them."""
    before = list(typed)
    typed.clear()
    try:
        yield
    finally:
        typed[:] = before


def program(*, elsewhere: bool = False) -> str:
    """How strike is typed here; `elsewhere` in any folder."""
    if not typed or os.path.basename(typed[0]).partition(".")[0] != STRIKE or _is_on_the_path(typed[0]):
        return STRIKE
    from .words import as_word

    return as_word(os.path.abspath(typed[0]) if elsewhere else typed[0])


def line(text: str) -> str:
    """A line to type, with the program as it is typed here."""
    return f"{program()}{text[len(STRIKE) :]}" if text.startswith(f"{STRIKE} ") else text


def prose(text: str) -> str:
    """A text whose lines to type stand in backticks, with the program as it is typed here."""
    return re.sub(_LINE, lambda _: program(), text) if "`strike " in text else text


def _is_on_the_path(program: str) -> bool:
    """Whether `strike` alone starts this very program."""
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        for name in (STRIKE, f"{STRIKE}.exe"):
            file = os.path.join(folder, name)
            if os.path.isfile(file) and os.access(file, os.X_OK):
                try:
                    return os.path.samefile(file, program)
                except OSError:  # Windows starts it without its ending
                    return os.path.splitext(os.path.abspath(program))[0] == os.path.splitext(file)[0]
    return False
