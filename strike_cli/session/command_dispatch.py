"""Reads and plays the words of a command in this process.

The result is returned, and nothing is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import typer
from typer.core import TyperGroup

from ..command_line_splitting import quote_word_if_needed
from ..play.playable_moves_and_time_limit import find_move
from ..problems import Usage
from ..registry.remote_permissions import (
    NotFromOutside,
    RemoteCommand,
    RemoteSender,
    must_be_allowed_from_outside,
)
from ..terminal.command_output import Result
from ..terminal.commands_and_options import common_option_metavars, declared_command_of, unknown_option_in
from ..terminal.invocation import GivenOptions, Invocation, MoveParsed
from .command_catalogue import (
    HELP_OPTIONS,
    build_command_or_group,
    expand_short_line,
    find_command_and_name_in_line,
)

if TYPE_CHECKING:
    from ..kernel.procedure import Args

_ROOT = TyperGroup(name="strike")
"""The parent context of every command that is read, with the program's name."""


class Command(NamedTuple):
    """A move with its arguments.

    `words` is a full command line that plays it, without `strike`.
    """

    move: str
    args: Args
    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(map(quote_word_if_needed, self.words))


def play_words(words: Sequence[str], invocation: Invocation) -> Result:
    """Play a command that was typed in full or in a short form, and return its result.

    Raises a Problem if the command is refused.
    """
    return play_full_command(full_command_of(words, invocation), invocation)


def full_command_of(words: Sequence[str], invocation: Invocation) -> list[str]:
    """Return the full command for words that may be short. Raises Usage if they fit no command."""
    if not words or words[0].startswith("-"):
        raise Usage("A command begins with its name.", "Like `status`.")
    return expand_short_line(words, invocation)


def play_full_command(words: Sequence[str], invocation: Invocation) -> Result:
    """Play a full command, its group first, and return its result. Raises a Problem if it is refused."""
    came: list[Result] = []
    run_full_command_or_raise(words, invocation._replace(result_handler=came.append))
    if not came:
        group = " ".join(words)
        raise Usage(f"`{group}` is a group of commands.", f"`strike help {group}` lists them.")
    if came[-1].problem:
        raise came[-1].problem
    return came[-1]


def run_full_command_or_raise(full_words: Sequence[str], invocation: Invocation) -> int:
    """Run a command in its full form, and return its exit code.

    The words begin with the command's group, if it has one. The result goes to the invocation's
    `result_handler`. If the words contain `--help`, the command's help is the result. Raises a Problem if the
    command is refused.
    """
    if {*HELP_OPTIONS} & {
        *(full_words[: full_words.index("--")] if "--" in full_words else full_words)
    }:  # its text is a result, too
        full_words = ["help", *find_command_and_name_in_line(full_words)[1]]
    name, *rest = full_words
    with typer.Context(_ROOT, info_name="strike", obj=invocation) as root:
        try:
            with build_command_or_group(name, rest[0] if rest else None).make_context(
                name, rest, parent=root
            ) as context:
                code = context.command.invoke(context)
        except typer.TyperException as error:
            raise usage_problem_of(error, full_words) from None
        except typer.Exit as ended:
            return ended.exit_code
    return code if isinstance(code, int) else 0


def usage_problem_of(error: typer.TyperException, words: Sequence[str]) -> Usage:
    """Return the Usage problem for an error that Typer found in the words of a command."""
    if option := unknown_option_in(error):
        from ..terminal.usage_refusals import misplaced_or_unknown_option_refusal

        return misplaced_or_unknown_option_refusal(option, words, common_option_metavars(), "strike")
    if option := getattr(error, "option_name", ""):
        return Usage(f"{option} has no value.", "`strike --help` lists what it takes.")
    context = getattr(error, "ctx", None)  # of whatever was wrong with a command's words
    command = context.command_path if context else "strike"
    return Usage(error.format_message(), f"`{command} --help` shows how.")


def first_move_of_line(words: Sequence[str], invocation: Invocation) -> Command:
    """Return the first move that a line would play now. Nothing is played.

    Raises a Problem if the line is refused, and Usage if the line plays no move.
    """
    whole = expand_short_line(words, invocation)
    try:
        play_full_command(whole, invocation._replace(only_parses=True, given=GivenOptions(dry_run=True)))
    except MoveParsed as read:
        return Command(read.move, find_move(read.move).read_args(read.given), tuple(whole))
    raise Usage(f"`{' '.join(whole)}` plays no move.", "It only reads, or moves through the journal.")


def allowed_command_from_outside(
    words: Sequence[str], asker: RemoteSender, invocation: Invocation
) -> RemoteCommand:
    """Return the full command for words that come from outside, such as from a phone.

    Interfaces for such words call this first. Raises NotFromOutside if `asker` may not use the command.
    Raises Usage if the command isn't complete.
    """
    if not words or words[0].startswith("-"):
        raise NotFromOutside("A command begins with its name.", 'As in ["status"]. Nothing was changed.')
    whole = expand_short_line(words, invocation)
    found, name = find_command_and_name_in_line(whole)
    command = " ".join(name)
    if isinstance(found, TyperGroup):
        raise Usage(f"`{command}` is no whole command.", f"`strike help {command}` lists its commands.")
    must_be_allowed_from_outside(command, asker)
    if {*HELP_OPTIONS} & {*(whole[: whole.index("--")] if "--" in whole else whole)}:  # it would be printed
        raise NotFromOutside("--help can't be used from outside.", f"`strike help {command}` shows it.")
    if declared_command_of(found) is None:
        raise NotFromOutside(f"`{command}` can't be called from outside.", "It prints by itself.")
    return RemoteCommand(command, whole)
