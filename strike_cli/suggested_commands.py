"""Lines that strike prints to be typed, in a form that works where they are copied to.

A message has them as `strike COMMAND` in backticks, a screen in the style "command". Only here that becomes
the program's name as it was typed, with the campaign that was given; at a prompt of strike's own, just the
command.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

STRIKE = "strike"
_LINE = r"`strike ([^`]+)`"
"""The pattern of a line to type in a text; a command that is only mentioned has no `strike` in front."""
_WITHOUT_CAMPAIGN = {"new", "demo", "tour", "-C", "--campaign", "--version", "--install-completion"}
"""First words of lines that concern no campaign, or name their own."""
_ELSEWHERE = {"shell", "demo", "batch"}
"""Commands that are typed only in a shell, and not at a prompt of strike's own."""


class CommandLine(NamedTuple):
    """The words before each command: the program's name and -C with the campaign."""

    words: Sequence[str] = ()
    """The words as typed; empty, which means `strike`, where nobody typed them."""
    campaign: str = ""
    at_prompt: bool = False
    """Whether commands are typed at a prompt of strike's own, without the program."""

    def program(self, *, elsewhere: bool = False) -> str:
        """Return how strike is called in a shell; `elsewhere` in any folder."""
        if not self.words:
            return STRIKE
        if len(self.words) == 1:
            named = os.path.basename(self.words[0]).partition(".")[0]
            if named != STRIKE or _is_on_the_path(self.words[0], os.environ.get("PATH", "")):
                return STRIKE
        from .word_splitting import quote_word

        first, *others = self.words
        if elsewhere and os.path.dirname(first):
            first = os.path.abspath(first)
        return " ".join(map(quote_word, [first, *others]))

    def line(self, text: str) -> str:
        """Return a line to type in the form that works here."""
        return self.typed(text.removeprefix(f"{STRIKE} ")) if text.startswith(f"{STRIKE} ") else text

    def prose(self, text: str) -> str:
        """Return a text with its lines to type, which are in backticks, in the form that works here."""
        if "`strike " not in text:
            return text
        return re.sub(_LINE, lambda found: f"`{self.typed(found[1])}`", text)

    def typed(self, command: str) -> str:
        """Return a command with the words that are typed before it: all lines to be typed are made here."""
        first = command.partition(" ")[0]
        if self.at_prompt:
            return f"{STRIKE} {command}" if first in _ELSEWHERE else command
        if not self.campaign or first in _WITHOUT_CAMPAIGN:
            return f"{self.program()} {command}"
        from .word_splitting import quote_word

        return f"{self.program()} -C {quote_word(self.campaign)} {command}"


AS_STRIKE = CommandLine()
"""The form of commands in documents, and at the prompt of the tour."""
OWN_PROMPT = CommandLine(at_prompt=True)


def process_words(argv: Sequence[str], whole: Sequence[str], campaign: str = "") -> CommandLine:
    """Return the words by which a process was started, from its `argv` and Python's own `whole` command line.

    The latter names the module of `python -m strike_cli`.
    """
    if os.path.basename(argv[0]) != "__main__.py":
        return CommandLine(argv[:1], campaign)
    return CommandLine(whole[: len(whole) - len(argv) + 1], campaign)


@cache
def _is_on_the_path(program: str, path: str) -> bool:
    """Return whether `strike` alone starts this very program.

    This is asked once a process: a script of commands would look at six files for each of them.
    """
    for folder in path.split(os.pathsep):
        for name in (STRIKE, f"{STRIKE}.exe"):
            file = os.path.join(folder, name)
            if os.path.isfile(file) and os.access(file, os.X_OK):
                try:
                    return os.path.samefile(file, program)
                except OSError:  # on Windows the ending may be missing
                    return os.path.splitext(os.path.abspath(program))[0] == os.path.splitext(file)[0]
    return False
