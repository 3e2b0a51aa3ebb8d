"""`strike shell`: command after command in one process, as one types them at a table."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ..kernel.facts import waiting_in
from ..problems import Problem, Usage
from ..safe_reading import printable
from ..session.display import play_line
from ..session.prompt import line_editing, lines_typed
from ..session.typed_line import HELP_ME, Asides, command_typed
from ..suggested_commands import OWN_PROMPT
from ..terminal.argument_names import choice
from ..terminal.colour import fold_text
from ..terminal.invocation import ASK, Invocation
from ..terminal.options import Options, command, new_app
from ..terminal.result import Block, Result, print_error, print_text, show_result

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
        str, typer.Option("--dice", metavar=choice("ask"), help="Ask for the faces of every roll.")
    ] = "",
) -> Result:
    """Play from a prompt: commands as usual, without `strike` in front and without a start-up.

    Tab completes (on Windows use `strike play`), the arrow keys recall earlier lines, `quit` leaves. Other
    terminals can play the same campaign meanwhile. Scripts use `strike batch`.

    Example: `strike shell`
    """
    if dice not in ("", ASK):
        raise Usage(f"--dice {dice}: a shell accepts only `--dice ask`.", "Or give faces after a command.")
    if options.json:
        raise Usage("`strike shell` is for people.", "`strike batch FILE --json` is for programs.")
    with options.campaign() as campaign:
        folder, name = campaign.folder, campaign.book.name
    # Completion, for example, looks for the campaign by itself and must find this one.
    os.environ["STRIKE_CAMPAIGN"] = str(folder)
    count = 0
    invocation = Invocation(str(folder), dice=dice, typed=OWN_PROMPT, plain=options.plain)
    with line_editing(folder) as completes:
        tab = "Tab completes, " if completes else ""
        greeting = f"{printable(name)}. Commands without `strike`; {tab}`help` lists them, `quit` leaves."
        print_text(f"{fold_text(greeting) if sys.stdout.isatty() else greeting}\n")
        for line in lines_typed(folder):
            count += run_line(invocation, line)
    return Result("shell", {"ran": count}, [])


def run_line(invocation: Invocation, line: str) -> int:
    """Run a line; return 1 for a command, 0 for anything else."""
    folder = Path(str(invocation.folder))
    try:
        words = command_typed(folder, line, NOT_HERE)
    except Usage as problem:
        print_error(invocation.typed.prose(f"{problem.message} {problem.hint}".strip()))
        return 0
    if words == [HELP_ME]:
        show_result(Result("help", None, short_help(folder)), plain=invocation.plain, typed=invocation.typed)
    if not words or words == [HELP_ME]:
        return 0
    asides = Asides(folder)
    with contextlib.suppress(KeyboardInterrupt):
        play_line(words, invocation._replace(aside=asides))
    return 1 + play_asides(invocation, asides.lines)


def play_asides(invocation: Invocation, lines: Sequence[str]) -> int:
    """Play lines typed at a question, which stays open, and ask it again. Return their number."""
    from ..campaign import Campaign
    from ..terminal.result import pending_lines

    if not lines:
        return 0
    count = sum(run_line(invocation, line) for line in lines)
    with contextlib.suppress(Problem, OSError), Campaign(Path(str(invocation.folder))) as campaign:
        for item in list(waiting_in(campaign.state).values())[-1:]:
            asked = Result("shell", None, list(pending_lines(item, campaign.book.locale())))
            show_result(asked, plain=invocation.plain, typed=invocation.typed)
    return count


def short_help(folder: Path) -> list[Block]:
    """Return the commands that may be typed now, in their short forms."""
    from ..session.command_catalogue import listed_verbs, verbs_of
    from ..session.shorthand import Spoken

    spoken = Spoken(Invocation(str(folder)), verbs_of)
    blocks: list[Block] = []
    for system in spoken.systems:
        blocks.append([(f"{system.title}: ", "dim"), ", ".join(listed_verbs(system.name))])
    letters = [f"{short} {verb}" for short, verb in spoken.shorts().items() if short != verb.split()[-1]]
    blocks.append([("For short: ", "dim"), ", ".join(letters)])
    if spoken.aliases:
        pairs = (f"{name} = {text}" for name, text in spoken.aliases.items())
        blocks.append([("Aliases: ", "dim"), "; ".join(pairs)])
    blocks.append(HINT)
    return blocks
