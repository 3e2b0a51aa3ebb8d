"""What strike tells people to type, found in its own words and typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from strike_cli.cli.app import root_command
from strike_cli.command_line_splitting import split_words_keeping_apostrophes
from strike_cli.command_prefix import CommandPrefix
from strike_cli.problems import Usage
from strike_cli.session.command_catalogue import expand_short_line, find_command_and_name_in_line
from strike_cli.terminal.invocation import Invocation

from .cli import Ran

ELSEWHERE = {
    "shell", "play", "watch", "table", "demo", "tour", "serve", "mcp", "batch", "new", "undo", "redo",
}  # fmt: skip
"""Commands that don't end by themselves, make something, or can't be played dry: they are read alone."""
USAGE = 2
NUMBERS = {"N", "NUMBER", "SEQ", "PRICE", "DAYS", "FACE", "FACES"}


class LinesToType(list[str]):
    """The commands that strike has printed to be typed since they were looked at last, in its own words, each
    once. All are made by `CommandPrefix.typed`, and none is found by searching a text."""

    @property
    def here(self) -> CommandPrefix:
        """How lines are typed as documents have them, with each kept that is made."""
        lines = self

        class KeepingLine(CommandPrefix):
            def full_command(self, command: str) -> str:
                if command not in lines:
                    lines.append(command)
                return super().full_command(command)

        return KeepingLine()

    def taken(self) -> list[str]:
        """Those since this was asked last."""
        found = list(self)
        self.clear()
        return found


def examples_in(text: str) -> list[str]:
    """The commands that a text has as examples: they are of the form that is wanted, not of what is there."""
    return re.findall(r"Example: `(?:strike )?([^`]+)`", " ".join(text.split()))


def read_wrong(folder: Path, example: str) -> str:
    """What is wrong with the form of an example; empty where nothing is."""
    try:
        read(split_words_keeping_apostrophes(example), folder)
    except Usage as problem:
        return f"is refused: {problem.message}"
    return ""


def typed_wrong(play: Callable[[list[str]], Ran], folder: Path, hint: str) -> str:
    """What is wrong with a hint; empty where nothing is. What stands for something to type is read as a
    command alone; what is written out is played as well, dry."""
    words = split_words_keeping_apostrophes(hint)
    if words[0].startswith("-"):
        return "" if play(words).code != USAGE else "is refused"
    given = [filled(word) for word in words if word != "..."]
    try:
        read(given, folder)
    except Usage as problem:
        return f"is refused: {problem.message}"
    if given != words or words[0] in ELSEWHERE:
        return ""
    ran = play(["-C", str(folder), *words, *(["--dry-run"] if _writes(words, folder) else [])])
    return f"ends with {ran.code}: {ran.err}" if ran.code == USAGE else ""


def _writes(words: list[str], folder: Path) -> bool:
    """Whether it is a command that can be played dry."""
    command, _ = find_command_and_name_in_line(expand_short_line(words, Invocation(str(folder))))
    helps = {"help", "--help"} & {*words}
    return not helps and any("--dry-run" in each.opts for each in getattr(command, "params", ()))


def filled(word: str) -> str:
    """A word of a hint, with something for the part of it that stands for what one types there."""
    if word in NUMBERS:
        return "1"
    return re.sub(r"\b[A-Z][A-Z]+\b", "vex", word.strip("[]").partition("|")[0])


def read(words: list[str], folder: Path) -> None:
    """Read a command to its end, and play nothing. Raises Usage for what it doesn't take. A group alone shows
    its help."""
    rest = expand_short_line(words, Invocation(str(folder)))
    try:
        context: Any = root_command().make_context("strike", ["-C", str(folder), *rest])
        while rest and isinstance(context.command, TyperGroup):
            name, command, rest = context.command.resolve_command(context, rest)
            if rest or not isinstance(command, TyperGroup):
                context = command.make_context(name, list(rest), parent=context)
    except typer.Exit:  # --help, which is shown
        return
