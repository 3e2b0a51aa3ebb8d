"""The command meant by a line typed at strike's own prompts, the shell's and the screen's."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..kernel.facts import waiting_in
from ..kernel.statements import OTHER
from ..problems import Problem, Usage, nearest
from ..terminal.declare import LATER, decision_meant, read_option
from ..terminal.invocation import Invocation
from ..word_splitting import words_of
from .command_catalogue import command_words, verbs_of, written_out
from .shorthand import CHOOSE, Spoken

if TYPE_CHECKING:
    from ..kernel.journal_types import WaitingDecision
    from ..kernel.procedure import Choose

SURE = 0.75
"""How similar the first word of an answer must be to a command, up to 1, to count as a typo."""
OWN_TERMINAL = ("batch", "demo", "mcp", "play", "serve", "shell", "table", "tour", "watch")
"""Commands that take over a terminal, or play others: they have no result."""
HELP_ME = "?"
LEAVE = ("exit", "quit", "q", "bye")
"""Lines that end the prompt."""


def command_typed(folder: Path, line: str, elsewhere: Sequence[str], shown: str = "") -> list[str]:
    """Return the words of the command that a line means.

    An answer to an open decision becomes the command that answers it, first in the scene that is `shown`.
    There are no words where nothing is to be played, and only `?` for the question which lines are possible.
    Raises Usage for an unpaired quote, and for commands that are played `elsewhere`.
    """
    try:
        words = words_of(line, comments=True)
    except ValueError as error:
        raise Usage(f"{error}. Close every quote.") from None
    words = _drop_program_name(folder, words)
    if not words or words == [LATER]:
        return []
    if words == [HELP_ME]:
        return words
    if words[0] in elsewhere:
        raise Usage(f"`{words[0]}` isn't played from here.", "It needs a terminal of its own.")
    return command_for_answer(folder, words, shown) or words


def _drop_program_name(folder: Path, words: list[str]) -> list[str]:
    """Return a line without a leading `strike`, as typed in bash, unless a scene has a verb of that name."""
    if words[:1] != ["strike"] or _is_scene_verb(folder, words):
        return words
    return words[1:]


def _is_scene_verb(folder: Path, words: Sequence[str]) -> bool:
    """Return whether `strike` is a verb of the scene under way here: no command follows it."""
    return not _is_command(folder, words[1:] or ["help"]) and bool(
        Spoken(Invocation(str(folder)), verbs_of).verb("strike")
    )


def open_decisions(folder: Path) -> Mapping[str, WaitingDecision]:
    """Return the open decisions of a campaign, by scene; none where it can't be read."""
    from ..campaign import Campaign

    with contextlib.suppress(Problem, OSError), Campaign(folder) as campaign:
        return waiting_in(campaign.state)
    return {}


def command_for_answer(folder: Path, words: list[str], shown: str = "") -> list[str] | None:
    """Return the command that answers an open decision with one of its options, its number or its beginning.

    None for a line that is no answer, such as a command. Raises Usage for words that are neither.
    """
    waiting = open_decisions(folder)
    if not waiting:
        return None
    word = " ".join(words)
    found = decision_meant(waiting, word, begun=False, shown=shown)
    if found is None and not _is_command(folder, words):
        found = decision_meant(waiting, word, shown=shown)
        if found is not None:
            _must_be_meant(folder, words, found[1])
    return [CHOOSE, "--for", *found] if found else None


class Asides:
    """Commands that are typed at a question: they are played after leaving it open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: list[str] = []

    def __call__(self, line: str, question: Choose) -> bool:
        """Store a line that is a command, and no answer to the question; return whether it was stored."""
        try:
            words = _drop_program_name(self.folder, words_of(line, comments=True))
        except ValueError:
            return False
        is_answer = read_option(question.options, line) is not None
        if not words or is_answer or not (_is_command(self.folder, words) or self._is_answer(line)):
            return False
        self.lines.append(line)
        return True

    def _is_answer(self, line: str) -> bool:
        """Return whether a line is an option of another decision that is open."""
        return not line.isdigit() and bool(decision_meant(open_decisions(self.folder), line, begun=False))


def _must_be_meant(folder: Path, words: Sequence[str], option: str) -> None:
    """Raise Usage for an answer in free words that looks like a command with a typo.

    A possible command is never taken for an answer.
    """
    from ..registry import command_groups

    if option.partition(": ")[2] != " ".join(words):
        return
    hint = nearest(
        words[0], [*Spoken(Invocation(str(folder)), verbs_of).known(), *command_groups()], alike=SURE
    )
    if hint:
        raise Usage(
            f"{words[0]!r} is not a command.{hint}",
            f"As an answer in your own words: `{OTHER}: {' '.join(words)}`.",
        )


def _is_command(folder: Path, words: Sequence[str]) -> bool:
    try:
        whole = written_out(words, Invocation(str(folder)))
    except Usage:
        return False
    found, path = command_words(whole)
    is_group = getattr(found, "commands", None) is not None and len(whole) > len(path)
    return (path[0] != CHOOSE or words[0] == CHOOSE) and not is_group
