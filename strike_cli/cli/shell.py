"""The command `strike shell`: a prompt at which command after command is typed, in one process."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ..command_prefix import OWN_PROMPT
from ..kernel.state_changes import pending_decisions_in
from ..problems import Problem, Usage
from ..session.line_play_and_report import play_line
from ..session.prompt import read_typed_lines_until_exit, set_up_line_editing
from ..session.typed_line import HELP_ME, CommandsAtQuestion, command_words_of_line
from ..terminal.argument_completions import choice_metavar
from ..terminal.coloured_output import fold_to_terminal_columns
from ..terminal.command_output import Block, Result, print_result, print_to_stderr, write_text_to_stdout
from ..terminal.commands_and_options import Options, command, new_app
from ..terminal.invocation import ASK, Invocation
from ..untrusted_input import replace_unprintable

app = new_app("Command after command, without `strike` in front.")

NOT_HERE = ("shell", "demo", "batch")
HINT = (
    "You can shorten words and names, and use the map's labels. On a character's turn, leave their name "
    "out. `help attack` explains a command."
)


@command(app, "shell", kind="reads")
def shell(
    options: Options,
    dice: Annotated[
        str, typer.Option("--dice", metavar=choice_metavar("ask"), help="Ask for the faces of every roll.")
    ] = "",
) -> Result:
    """Play from a prompt: type commands without `strike` in front, and get their results faster.

    Tab completes (on Windows use `strike play`), the arrow keys recall earlier lines, `quit` leaves. Other
    terminals can play the same campaign meanwhile. Scripts use `strike batch`.

    Example: `strike shell`
    """
    if dice not in ("", ASK):
        raise Usage(f"--dice {dice}: a shell accepts only `--dice ask`.", "Or give faces after a command.")
    if options.json:
        raise Usage("`strike shell` is for people.", "`strike batch FILE --json` is for programs.")
    with options.open_campaign() as campaign:
        folder, name = campaign.folder, campaign.book.name
    # Completion, for example, looks for the campaign by itself and must find this one.
    os.environ["STRIKE_CAMPAIGN"] = str(folder)
    count = 0
    invocation = Invocation(str(folder), dice=dice, command_form=OWN_PROMPT, plain=options.plain)
    with set_up_line_editing(folder) as completes:
        tab = "Tab completes, " if completes else ""
        greeting = (
            f"{replace_unprintable(name)}. Commands without `strike`; {tab}`help` lists them, `quit` leaves."
        )
        write_text_to_stdout(f"{fold_to_terminal_columns(greeting) if sys.stdout.isatty() else greeting}\n")
        for line in read_typed_lines_until_exit(folder):
            count += run_line_and_count_commands(invocation, line)
    return Result("shell", {"ran": count}, [])


def run_line_and_count_commands(invocation: Invocation, line: str) -> int:
    """Run a typed line, and return how many commands were run.

    While the line's command asks a question, people may type other commands. These commands are counted, too.
    """
    folder = Path(str(invocation.folder))
    try:
        words = command_words_of_line(folder, line, NOT_HERE)
    except Usage as problem:
        print_to_stderr(invocation.command_form.adapt_prose(f"{problem.message} {problem.hint}".strip()))
        return 0
    if words == [HELP_ME]:
        print_result(
            Result("help", None, short_form_blocks(folder)),
            plain=invocation.plain,
            command_form=invocation.command_form,
        )
    if not words or words == [HELP_ME]:
        return 0
    asides = CommandsAtQuestion(folder)
    with contextlib.suppress(KeyboardInterrupt):
        play_line(words, invocation._replace(play_at_question=asides))
    return 1 + play_and_count_commands_at_question(invocation, asides.lines)


def play_and_count_commands_at_question(invocation: Invocation, lines: Sequence[str]) -> int:
    """Play lines that were typed while a question is open; return how many commands were played.

    The question stays open, and is shown again after the lines.
    """
    from ..campaign import Campaign
    from ..terminal.command_output import open_decision_lines

    if not lines:
        return 0
    count = sum(run_line_and_count_commands(invocation, line) for line in lines)
    with contextlib.suppress(Problem, OSError), Campaign(Path(str(invocation.folder))) as campaign:
        for item in list(pending_decisions_in(campaign.state).values())[-1:]:
            asked = Result("shell", None, list(open_decision_lines(item, campaign.book.locale())))
            print_result(asked, plain=invocation.plain, command_form=invocation.command_form)
    return count


def short_form_blocks(folder: Path) -> list[Block]:
    """Return the verbs, letters and aliases that may be typed now, as blocks."""
    from ..session.command_catalogue import commands_in_group, listed_commands_in_group
    from ..session.shorthand import ShortForms

    spoken = ShortForms(Invocation(str(folder)), commands_in_group)
    blocks: list[Block] = []
    for system in spoken.systems:
        blocks.append([(f"{system.title}: ", "dim"), ", ".join(listed_commands_in_group(system.name))])
    letters = [
        f"{short} {verb}"
        for short, verb in spoken.verbs_by_short_form_in_scene().items()
        if short != verb.split()[-1]
    ]
    blocks.append([("For short: ", "dim"), ", ".join(letters)])
    if spoken.aliases:
        pairs = (f"{name} = {text}" for name, text in spoken.aliases.items())
        blocks.append([("Aliases: ", "dim"), "; ".join(pairs)])
    blocks.append(HINT)
    return blocks
