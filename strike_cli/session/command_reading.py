"""The words of a command, read and played in process: the result is a value, and nothing is printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import typer
from typer.core import TyperGroup

from ..play.moves import find_move
from ..problems import Usage
from ..registry.remote_access import AskedCommand, Asker, NotFromOutside, must_be_allowed
from ..terminal.invocation import GivenOptions, Invocation, MoveRead
from ..terminal.options import common_options, declaration_of, no_such_option
from ..terminal.result import Result
from ..word_splitting import quote_word
from .command_catalogue import HELP, build_group, command_words, written_out

if TYPE_CHECKING:
    from ..kernel.procedure import Args

_ROOT = TyperGroup(name="strike")
"""The parent context of every command that is read, with the program's name."""


class Command(NamedTuple):
    """A move with its arguments.

    `words` play it, written in full, without `strike`: an argument's value doesn't show how it was typed.
    """

    move: str
    args: Args
    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(map(quote_word, self.words))


def result_of(words: Sequence[str], invocation: Invocation) -> Result:
    """Return the result of a command. Raises the Problem of a refused one."""
    return result_of_whole(whole_line(words, invocation), invocation)


def whole_line(words: Sequence[str], invocation: Invocation) -> list[str]:
    """Return the command that words mean, written in full. Raises Usage where they mean none."""
    if not words or words[0].startswith("-"):
        raise Usage("A command begins with its name.", "Like `status`.")
    return written_out(words, invocation)


def result_of_whole(words: Sequence[str], invocation: Invocation) -> Result:
    """Return the result of a command that is written in full, its group first. Raises as `result_of`."""
    came: list[Result] = []
    run_command_words(words, invocation._replace(result_to=came.append))
    if not came:
        raise Usage(f"`{' '.join(words)}` is not a whole command.", "Name a whole command.")
    if came[-1].problem:
        raise came[-1].problem
    return came[-1]


def run_command_words(words: Sequence[str], invocation: Invocation) -> int:
    """Run a command that is written in full, its group first, and return its exit code.

    Its result goes where the invocation says. Raises the Problem of a refused one.
    """
    if {*HELP} & {*(words[: words.index("--")] if "--" in words else words)}:  # its text is a result, too
        words = ["help", *command_words(words)[1]]
    name, *rest = words
    with typer.Context(_ROOT, info_name="strike", obj=invocation) as root:
        try:
            with build_group(name, rest[0] if rest else None).make_context(
                name, rest, parent=root
            ) as context:
                code = context.command.invoke(context)
        except typer.TyperException as error:
            raise usage_of(error, words) from None
        except typer.Exit as ended:
            return ended.exit_code
    return code if isinstance(code, int) else 0


def usage_of(error: typer.TyperException, words: Sequence[str]) -> Usage:
    """Return the error in the words of a command, in strike's words."""
    if option := no_such_option(error):
        from ..terminal.usage_errors import before_the_command

        return before_the_command(option, words, common_options(), "strike")
    if option := getattr(error, "option_name", ""):
        return Usage(f"{option} has no value.", "`strike --help` lists what it takes.")
    context = getattr(error, "ctx", None)  # of whatever was wrong with a command's words
    command = context.command_path if context else "strike"
    return Usage(error.format_message(), f"`{command} --help` shows how.")


def command_of(words: Sequence[str], invocation: Invocation) -> Command:
    """Return the move that a line plays, with its arguments as the campaign is now; the first of several.

    Nothing is played. Raises the Problem of a line that is refused, Usage for one that plays none.
    """
    whole = written_out(words, invocation)
    try:
        result_of_whole(whole, invocation._replace(reads=True, given=GivenOptions(dry_run=True)))
    except MoveRead as read:
        return Command(read.move, find_move(read.move).args(read.given), tuple(whole))
    raise Usage(f"`{' '.join(whole)}` plays no move.", "It only reads, or moves through the journal.")


def asked_command(words: Sequence[str], asker: Asker, invocation: Invocation) -> AskedCommand:
    """Return the full command for words from outside; every entrance checks this first.

    Raises NotFromOutside for a command that may not be requested.
    """
    if not words or words[0].startswith("-"):
        raise NotFromOutside("A command begins with its name.", 'As in ["status"]. Nothing was changed.')
    whole = written_out(words, invocation)
    found, name = command_words(whole)
    command = " ".join(name)
    if isinstance(found, TyperGroup):
        raise Usage(f"`{command}` is no whole command.", f"`strike help {command}` lists its commands.")
    must_be_allowed(command, asker)
    if {*HELP} & {*(whole[: whole.index("--")] if "--" in whole else whole)}:  # it would be printed
        raise NotFromOutside("--help can't be used from outside.", f"`strike help {command}` shows it.")
    if declaration_of(found) is None:
        raise NotFromOutside(f"`{command}` can't be called from outside.", "It prints by itself.")
    return AskedCommand(command, whole)
