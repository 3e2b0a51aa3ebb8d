"""Reads a line typed at strike's own prompts, in the shell or on the screen, as a command."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..command_line_splitting import split_words_keeping_apostrophes
from ..kernel.state_changes import pending_decisions_in
from ..kernel.statements import OTHER
from ..problems import Problem, Usage, did_you_mean
from ..terminal.invocation import Invocation
from ..terminal.move_commands import LATER, decision_answered_by, option_by_name_or_number
from .command_catalogue import commands_in_group, expand_short_line, find_command_and_name_in_line
from .shorthand import CHOOSE_COMMAND, ShortForms

if TYPE_CHECKING:
    from ..kernel.journal_types import WaitingDecision
    from ..kernel.procedure import Choose

TYPO_SIMILARITY = 0.75
"""How similar the first word of an answer must be to a command, up to 1, to count as a typo."""
OWN_TERMINAL = ("batch", "demo", "mcp", "play", "serve", "shell", "table", "tour", "watch")
"""Commands that take over a terminal, or play others: they have no result."""
HELP_ME = "?"
LEAVE_WORDS = ("exit", "quit", "q", "bye")
"""Lines that end the prompt."""


def command_words_of_line(
    folder: Path, line: str, own_terminal_commands: Sequence[str], shown_scene: str = ""
) -> list[str]:
    """Return the words of the command that a typed line means.

    If the line answers an open decision, the command is `choose`. The decision of the scene `shown_scene` is
    tried first. If the line has nothing to play, the list is empty. If the line asks for help, return ["?"].

    Raises Usage if a quote isn't closed. Raises Usage, too, for the commands in `own_terminal_commands`:
    these need a terminal of their own.
    """
    try:
        words = split_words_keeping_apostrophes(line, comments=True)
    except ValueError as error:
        raise Usage(f"{error}. Close every quote.") from None
    words = _drop_program_name(folder, words)
    if not words or words == [LATER]:
        return []
    if words == [HELP_ME]:
        return words
    if words[0] in own_terminal_commands:
        raise Usage(f"`{words[0]}` isn't played from here.", "It needs a terminal of its own.")
    return command_for_answer(folder, words, shown_scene) or words


def _drop_program_name(folder: Path, words: list[str]) -> list[str]:
    """Return a line's words without a leading `strike`, unless it is a verb of the scene under way."""
    if words[:1] != ["strike"] or _is_strike_a_scene_verb(folder, words):
        return words
    return words[1:]


def _is_strike_a_scene_verb(folder: Path, words: Sequence[str]) -> bool:
    """Return whether `strike` is a verb of the scene under way in this line, and not the program's name."""
    return not _is_command_and_no_answer(folder, words[1:] or ["help"]) and bool(
        ShortForms(Invocation(str(folder)), commands_in_group).name_of_first_group_with_verb("strike")
    )


def read_open_decisions(folder: Path) -> Mapping[str, WaitingDecision]:
    """Return the open decisions of a campaign, by scene; empty if the campaign can't be read."""
    from ..campaign import Campaign

    with contextlib.suppress(Problem, OSError), Campaign(folder) as campaign:
        return pending_decisions_in(campaign.state)
    return {}


def command_for_answer(folder: Path, words: list[str], shown_scene: str = "") -> list[str] | None:
    """Return the command that answers an open decision with the typed words; None if they answer none.

    The words answer a decision if they are an option, an option's number, the beginning of an option, or free
    words that the decision accepts. If the words are also a command, only a whole option or number is taken
    for an answer. Raises Usage if the words may be an answer, but look like a mistyped command.
    """
    waiting = read_open_decisions(folder)
    if not waiting:
        return None
    word = " ".join(words)
    found = decision_answered_by(waiting, word, must_fit=False, shown_key=shown_scene)
    if found is None and not _is_command_and_no_answer(folder, words):
        found = decision_answered_by(waiting, word, shown_key=shown_scene)
        if found is not None:
            _must_not_be_mistyped_command(folder, words, found[1])
    return [CHOOSE_COMMAND, "--for", *found] if found else None


class CommandsAtQuestion:
    """Commands that were typed when a question asked for an answer.

    They are only stored here, in `lines`. They are played after the question was left unanswered.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: list[str] = []

    def __call__(self, line: str, question: Choose) -> bool:
        """Store a typed line for later, if it is something other than an answer to this question.

        A line is stored if it is a command, or if it answers another decision that is open in the campaign.

        Returns:
            True if the line was stored.
        """
        try:
            words = _drop_program_name(self.folder, split_words_keeping_apostrophes(line, comments=True))
        except ValueError:
            return False
        is_answer = option_by_name_or_number(question.options, line) is not None
        if (
            not words
            or is_answer
            or not (_is_command_and_no_answer(self.folder, words) or self._answers_earlier_decision(line))
        ):
            return False
        self.lines.append(line)
        return True

    def _answers_earlier_decision(self, line: str) -> bool:
        """Return whether a line names an option of a decision that is already open in the campaign.

        The question that is being asked now isn't one of these decisions. A number never counts as the name
        of an option.
        """
        return not line.isdigit() and bool(
            decision_answered_by(read_open_decisions(self.folder), line, must_fit=False)
        )


def _must_not_be_mistyped_command(folder: Path, words: Sequence[str], option: str) -> None:
    """Raise Usage if an answer in free words (`option`) begins like a command with a typo."""
    from ..registry import command_apps_by_group

    if option.partition(": ")[2] != " ".join(words):
        return
    hint = did_you_mean(
        words[0],
        [
            *ShortForms(Invocation(str(folder)), commands_in_group).aliases_and_verbs(),
            *command_apps_by_group(),
        ],
        alike=TYPO_SIMILARITY,
    )
    if hint:
        raise Usage(
            f"{words[0]!r} is not a command.{hint}",
            f"As an answer in your own words: `{OTHER}: {' '.join(words)}`.",
        )


def _is_command_and_no_answer(folder: Path, words: Sequence[str]) -> bool:
    try:
        whole = expand_short_line(words, Invocation(str(folder)))
    except Usage:
        return False
    found, path = find_command_and_name_in_line(whole)
    is_group = getattr(found, "commands", None) is not None and len(whole) > len(path)
    return (path[0] != CHOOSE_COMMAND or words[0] == CHOOSE_COMMAND) and not is_group
