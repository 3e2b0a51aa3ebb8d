"""The commands that strike tells people to type, in a form that works when they paste them.

In a message such a command is `strike COMMAND` in backticks; on a screen it has the style "command". Only
this module adds the rest: the program's name as it was typed, and `-C` with the campaign if one was given. At
strike's own prompt, it leaves only the command.
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


class CommandPrefix(NamedTuple):
    """The words that go before each suggested command: the program's name, and -C with the campaign."""

    words: Sequence[str] = ()
    """The words as typed; empty, which means `strike`, where nobody typed them."""
    campaign: str = ""
    at_prompt: bool = False
    """Whether commands are typed at a prompt of strike's own, without the program."""

    def program_words_without_campaign(self, *, elsewhere: bool = False) -> str:
        """Return the words that start strike in a shell.

        They are `strike` or, if that might not work, the words with which this process was started. With
        `elsewhere`, the words work in any folder.
        """
        if not self.words:
            return STRIKE
        if len(self.words) == 1:
            named = os.path.basename(self.words[0]).partition(".")[0]
            if named != STRIKE or _is_strike_on_path(self.words[0], os.environ.get("PATH", "")):
                return STRIKE
        from .command_line_splitting import quote_word_if_needed

        first, *others = self.words
        if elsewhere and os.path.dirname(first):
            first = os.path.abspath(first)
        return " ".join(map(quote_word_if_needed, [first, *others]))

    def adapt_line_if_command(self, text: str) -> str:
        """Return a line that begins with `strike` in the form that works here; any other line unchanged."""
        return self.full_command(text.removeprefix(f"{STRIKE} ")) if text.startswith(f"{STRIKE} ") else text

    def adapt_prose(self, text: str) -> str:
        """Return a text with its commands, which are in backticks, in the form that works here."""
        if "`strike " not in text:
            return text
        return re.sub(_LINE, lambda found: f"`{self.full_command(found[1])}`", text)

    def full_command(self, command: str) -> str:
        """Return a suggested command as the user has to type it here.

        If needed, the words that start strike and the option for the campaign's folder are put in front.
        """
        first = command.partition(" ")[0]
        if self.at_prompt:
            return f"{STRIKE} {command}" if first in _ELSEWHERE else command
        if not self.campaign or first in _WITHOUT_CAMPAIGN:
            return f"{self.program_words_without_campaign()} {command}"
        from .command_line_splitting import quote_word_if_needed

        return f"{self.program_words_without_campaign()} -C {quote_word_if_needed(self.campaign)} {command}"


AS_STRIKE = CommandPrefix()
"""The form of commands in documents, and at the prompt of the tour."""
OWN_PROMPT = CommandPrefix(at_prompt=True)


def command_prefix_of_process(
    argv: Sequence[str], python_argv: Sequence[str], campaign: str = ""
) -> CommandPrefix:
    """Return the words with which this process was started, such as `strike`.

    They are put before commands that strike suggests to the user. They come from the process's `argv`. If
    strike was started as `python -m strike_cli`, they come from `python_argv`, Python's own command line.
    """
    if os.path.basename(argv[0]) != "__main__.py":
        return CommandPrefix(argv[:1], campaign)
    return CommandPrefix(python_argv[: len(python_argv) - len(argv) + 1], campaign)


@cache
def _is_strike_on_path(program: str, path: str) -> bool:
    """Return whether `strike`, typed with the search path `path`, starts the file `program`.

    The result is cached, since this searches the file system.
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
