"""A line as one types it at strike's own prompts, that of the shell and that of the screen, and the command
that it means."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from ..kernel.procedure import Choose
from ..problems import Problem, Usage
from ..terminal.runner import LATER, option_typed
from ..words import words_of

HELP_ME = "?"
LEAVE = ("exit", "quit", "bye")
"""Lines that leave."""


def command_typed(folder: Path, line: str, elsewhere: Sequence[str]) -> list[str]:
    """The words of the command that a line means: an answer to an open decision is the command that answers
    it. None at all where nothing is to be played, `?` alone where it is asked what may be typed.

    Raises Usage for quotes that don't come in pairs, and for commands that are played `elsewhere`.
    """
    try:
        words = words_of(line, comments=True)
    except ValueError as error:
        raise Usage(f"{error}. Quotes come in pairs.") from None
    words = _without_strike(folder, words)
    if not words or words == [LATER]:
        return []
    if words == [HELP_ME]:
        return words
    if words[0] in elsewhere:
        raise Usage(f"`{words[0]}` isn't played from here.", "It wants a terminal of its own.")
    return answered(folder, words) or words


def _without_strike(folder: Path, words: list[str]) -> list[str]:
    """A line as one types it in bash is as good; but a scene may have a verb of that name."""
    if words[:1] != ["strike"] or _means_verb(folder, words):
        return words
    return words[1:]


def _means_verb(folder: Path, words: Sequence[str]) -> bool:
    """Whether `strike` is a verb of the scene under way here: what follows is no command."""
    from .app import verbs_of
    from .verbs import Spoken

    return not _is_command(folder, words[1:] or ["help"]) and bool(
        Spoken(str(folder), verbs_of).verb("strike")
    )


def answered(folder: Path, words: list[str]) -> list[str] | None:
    """The command that answers an open decision with what was typed: one of its options, its number or its
    beginning. None where it is no answer: what is a command by itself stays one. Raises Usage for what is
    neither."""
    from ..campaign import Campaign

    word, wrong = " ".join(words), None
    with contextlib.suppress(Problem, OSError), Campaign(folder) as campaign:
        for key, item in campaign.state.get("pending", {}).items():
            asked, text = (item["who"], item["what"], tuple(item["options"])), str(item.get("text", ""))
            try:
                option = option_typed(Choose(*asked, text=text), word)
            except Usage as problem:
                wrong = wrong or problem
            else:
                sure = word == option or word.isdigit()
                return ["choose", "--for", key, option] if sure or not _is_command(folder, words) else None
    if wrong and not _is_command(folder, words):
        raise wrong
    return None


def _is_command(folder: Path, words: Sequence[str]) -> bool:
    from .app import written_out

    try:
        return bool(written_out(words, str(folder)))
    except Usage:
        return False
