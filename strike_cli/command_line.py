"""Lines that strike prints to be typed, in a form that works where they are copied to.

A message has them as `strike COMMAND` in backticks, a screen in the style "command". Here alone that
becomes the program as it was typed, with the campaign that it was given; at a prompt of strike's own, the
command alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

STRIKE = "strike"
_LINE = r"`strike ([^`]+)`"
"""Where a text has a line to type; a command that it only names has no `strike` in front."""
_WITHOUT_CAMPAIGN = {"new", "demo", "tour", "-C", "--campaign", "--version", "--install-completion"}
"""Words that begin a line which is about no campaign, or names its own."""
_ELSEWHERE = {"shell", "demo", "batch"}
"""Commands that are typed in a shell alone, and not at a prompt of strike's own."""


class CommandLine(NamedTuple):
    """The words before each command: the program's name and -C with the campaign."""

    words: Sequence[str] = ()
    """Empty where nobody typed them: then it is `strike`."""
    campaign: str = ""
    at_prompt: bool = False
    """Whether commands are typed at a prompt of strike's own, without the program."""

    def program(self, *, elsewhere: bool = False) -> str:
        """Return how strike is typed in a shell; `elsewhere` in any folder."""
        if not self.words:
            return STRIKE
        if len(self.words) == 1:
            named = os.path.basename(self.words[0]).partition(".")[0]
            if named != STRIKE or _is_on_the_path(self.words[0], os.environ.get("PATH", "")):
                return STRIKE
        from .words import quote_word

        first, *others = self.words
        if elsewhere and os.path.dirname(first):
            first = os.path.abspath(first)
        return " ".join(map(quote_word, [first, *others]))

    def line(self, text: str) -> str:
        """Return a line to type, as it is typed here."""
        return self.typed(text.removeprefix(f"{STRIKE} ")) if text.startswith(f"{STRIKE} ") else text

    def prose(self, text: str) -> str:
        """Return a text whose lines to type stand in backticks, with these as they are typed here."""
        if "`strike " not in text:
            return text
        return re.sub(_LINE, lambda found: f"`{self.typed(found[1])}`", text)

    def typed(self, command: str) -> str:
        """Return a command with what is typed before it: all lines to be typed are made here."""
        first = command.partition(" ")[0]
        if self.at_prompt:
            return f"{STRIKE} {command}" if first in _ELSEWHERE else command
        if not self.campaign or first in _WITHOUT_CAMPAIGN:
            return f"{self.program()} {command}"
        from .words import quote_word

        return f"{self.program()} -C {quote_word(self.campaign)} {command}"


AS_STRIKE = CommandLine()
"""As documents have them, such as at the prompt of the tour."""
OWN_PROMPT = CommandLine(at_prompt=True)


def of_process(argv: Sequence[str], whole: Sequence[str], campaign: str = "") -> CommandLine:
    """Return how a process was started, by its `argv` and Python's own `whole` command line.

    The latter names the module of `python -m strike_cli`.
    """
    if os.path.basename(argv[0]) != "__main__.py":
        return CommandLine(argv[:1], campaign)
    return CommandLine(whole[: len(whole) - len(argv) + 1], campaign)


@cache
def _is_on_the_path(program: str, path: str) -> bool:
    """Return whether `strike` alone starts this very program.

    Asked once a process: a script of commands would look at six files for each of them.
    """
    for folder in path.split(os.pathsep):
        for name in (STRIKE, f"{STRIKE}.exe"):
            file = os.path.join(folder, name)
            if os.path.isfile(file) and os.access(file, os.X_OK):
                try:
                    return os.path.samefile(file, program)
                except OSError:  # Windows starts it without its ending
                    return os.path.splitext(os.path.abspath(program))[0] == os.path.splitext(file)[0]
    return False
