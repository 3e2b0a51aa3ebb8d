"""The lines that strike prints to be typed, as they work where they are copied to. A message has them written
`strike COMMAND` in backticks, a screen in the style "command". Here alone that becomes the program as it was
typed with the campaign that it was given; at a prompt of strike's own the command alone."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

from .kernel.procedure import NamedValue

STRIKE = "strike"
_LINE = r"`strike ([^`]+)`"
"""Where a text has a line to type; a command that it only names has no `strike` in front."""
_WITHOUT_CAMPAIGN = {"new", "demo", "tour", "-C", "--campaign", "--version", "--install-completion"}
"""Words that begin a line which is about no campaign, or names its own."""
_ELSEWHERE = {"shell", "demo", "batch"}
"""Commands that are typed in a shell alone, and not at a prompt of strike's own."""


class CommandLine(NamedValue):
    """How lines are typed: the words that start the program, and the campaign given to it by -C."""

    program: Sequence[str] = ()
    """Empty where nobody typed them: then it is `strike`."""
    campaign: str = ""
    at_prompt: bool = False
    """Whether commands are typed at a prompt of strike's own, without the program."""


AS_STRIKE = CommandLine()
"""As documents have them, such as at the prompt of the tour."""
OWN_PROMPT = CommandLine(at_prompt=True)


class Here:
    """How strike was started in this process."""

    campaign: str | None = None
    """What stood after -C, empty without it; None where nobody typed a command line."""
    typed: CommandLine | None = None
    """How lines are typed instead, for a while."""


def of_process(argv: Sequence[str], whole: Sequence[str], campaign: str = "") -> CommandLine:
    """How this process was started: by its `argv`, and by the `whole` of what Python was started with, which
    names the module of `python -m strike_cli`."""
    if os.path.basename(argv[0]) != "__main__.py":
        return CommandLine(argv[:1], campaign)
    words = len(argv) - 1
    return CommandLine(whole[: len(whole) - words], campaign)


def _typed() -> CommandLine:
    if Here.typed is not None or Here.campaign is None:
        return Here.typed or AS_STRIKE
    return of_process(sys.argv, sys.orig_argv, Here.campaign)


@contextmanager
def typed_as(typed: CommandLine) -> Iterator[None]:
    """In the block lines are typed so."""
    before, Here.typed = Here.typed, typed
    try:
        yield
    finally:
        Here.typed = before


def program(*, elsewhere: bool = False) -> str:
    """How strike is typed in a shell here; `elsewhere` in any folder."""
    words = _typed().program
    if not words:
        return STRIKE
    if len(words) == 1:
        named = os.path.basename(words[0]).partition(".")[0]
        if named != STRIKE or _is_on_the_path(words[0], os.environ.get("PATH", "")):
            return STRIKE
    from .words import as_word

    first, *others = words
    if elsewhere and os.path.dirname(first):
        first = os.path.abspath(first)
    return " ".join(map(as_word, [first, *others]))


def line(text: str) -> str:
    """A line to type, as it is typed here."""
    return as_typed(text.removeprefix(f"{STRIKE} ")) if text.startswith(f"{STRIKE} ") else text


def prose(text: str) -> str:
    """A text whose lines to type stand in backticks, with these as they are typed here."""
    if "`strike " not in text:
        return text
    return re.sub(_LINE, lambda found: f"`{as_typed(found[1])}`", text)


def as_typed(command: str) -> str:
    """A command with what is typed before it here: every line that is printed to be typed is made by this."""
    first, typed = command.partition(" ")[0], _typed()
    if typed.at_prompt:
        return f"{STRIKE} {command}" if first in _ELSEWHERE else command
    if not typed.campaign or first in _WITHOUT_CAMPAIGN:
        return f"{program()} {command}"
    from .words import as_word

    return f"{program()} -C {as_word(typed.campaign)} {command}"


@cache
def _is_on_the_path(program: str, path: str) -> bool:
    """Whether `strike` alone starts this very program. Asked once a process: a script of commands would look
    at six files for each of them."""
    for folder in path.split(os.pathsep):
        for name in (STRIKE, f"{STRIKE}.exe"):
            file = os.path.join(folder, name)
            if os.path.isfile(file) and os.access(file, os.X_OK):
                try:
                    return os.path.samefile(file, program)
                except OSError:  # Windows starts it without its ending
                    return os.path.splitext(os.path.abspath(program))[0] == os.path.splitext(file)[0]
    return False
