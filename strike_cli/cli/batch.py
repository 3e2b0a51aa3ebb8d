"""The command `strike batch`, which plays a script of commands in one process."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated

import typer

from strike_cli.refusals import Unreadable

from ..command_line_splitting import split_words_keeping_apostrophes
from ..problems import INTERRUPTED_EXIT_CODE, PENDING_EXIT_CODE, Usage, did_you_mean
from ..session.line_play_and_report import play_line
from ..terminal.argument_completions import FILE
from ..terminal.command_output import Result, print_to_stderr
from ..terminal.commands_and_options import Options, command, new_app
from ..terminal.invocation import Invocation
from ..terminal.move_commands import start_automatic_bridge_workers
from ..terminal.stream_encoding import decode_typed

app = new_app("Scripts of commands.")


@command(app, "batch", kind="reads")
def batch(
    options: Options,
    file: Annotated[
        str, typer.Argument(metavar=FILE.with_text("FILE|-"), help="One command a line; # begins a comment.")
    ],
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Go on after a command that fails.")
    ] = False,
    variables: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A variable. May be given several times."),
    ] = None,
) -> Result:
    """Play a script: one command a line, as you would type it without `strike`.

    `$who` in a line is a variable, set by --set; a line `let who = vex` gives its default. A line may also be
    a list of words in JSON: `["note", "just so"]`. Stops at the first command that fails, with its line
    number. --json prints one object a line.

    Example: `strike batch prep.strike --set who=vex`
    """
    script = Script(file, _read_script_lines(file), _parse_variables(variables or ()))
    ran, codes = 0, []
    with contextlib.ExitStack() as stack:
        campaign = options.open_campaign_if_any(writing=True)
        if campaign is not None:
            stack.enter_context(campaign)
            _print_and_clear_notices(campaign.notices)
            stack.enter_context(campaign.keep_open())
        invocation = options.invocation._replace(campaign=campaign, json=options.json, plain=options.plain)
        for number, line, words in script.commands():
            code = _play_line_allowed_in_script(number, words, invocation)
            ran += 1
            if code not in (0, PENDING_EXIT_CODE):  # the next line may answer the decision
                codes.append(code)
                print_to_stderr(f"{file}, line {number}: `{line}` ended with code {code}.")
                if not keep_going or code == INTERRUPTED_EXIT_CODE:
                    raise typer.Exit(code)
    if campaign is not None:
        _print_and_clear_notices(campaign.notices)
        start_automatic_bridge_workers(campaign)
    waits = campaign is not None and bool(campaign.state.get("pending"))
    code = codes[0] if codes else PENDING_EXIT_CODE if waits else 0
    if options.json:  # one object a line, each from a command
        raise typer.Exit(code)
    summary = f"{ran} commands, {len(codes)} failed."
    if code:
        print_to_stderr(summary + ("" if codes else " A decision is open."))
        raise typer.Exit(code)
    return Result("batch", {"ran": ran, "failed": 0}, [summary])


def _print_and_clear_notices(notices: list[str]) -> None:
    for notice in notices:
        print_to_stderr(f"Note: {notice}")
    notices.clear()


def _read_script_lines(file: str) -> list[tuple[int, str]]:
    try:
        if file == "-":
            text = decode_typed(sys.stdin.read()).removeprefix("\ufeff")
        else:
            with open(file, encoding="utf-8-sig") as source:
                text = source.read()
    except (OSError, ValueError) as error:
        raise Unreadable(file, error, "Give a file of commands, or - for stdin.") from None
    stripped = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in stripped if line and not line.startswith("#")]


class Script:
    """The lines of a script, and its variables.

    A variable that is set on the command line has priority over the script's own variable of that name.
    """

    def __init__(self, file: str, lines: list[tuple[int, str]], typed: Mapping[str, str]) -> None:
        self.file = file
        self.lines = lines
        self.typed = typed
        self.variables = dict(typed)

    def commands(self) -> Iterator[tuple[int, str, list[str]]]:
        """Yield each command of the script: the line's number, the line, and its words.

        Variables in the words are replaced. Raises Usage, with the line's number, for a line that can't be
        read.
        """
        for number, line in self.lines:
            if let := _LET.fullmatch(line):
                # The value of a variable without the quotes around it
                value = self._with_variables_replaced(number, [" ".join(_split_line(number, let[2]))])[0]
                self.variables[let[1]] = self.typed.get(let[1], value)
            else:
                yield number, line, self._with_variables_replaced(number, _split_line(number, line))

    def _with_variables_replaced(self, number: int, words: list[str]) -> list[str]:
        """Return the words with their variables replaced. A value never becomes several words."""
        return [_VARIABLE.sub(partial(self._value_for_match, number), word) for word in words]

    def _value_for_match(self, number: int, match: re.Match[str]) -> str:
        name = match[1] or match[2]
        if not name:
            return "$"
        if name not in self.variables:
            hint = did_you_mean(name, self.variables)
            raise Usage(
                f"Line {number}: there is no variable ${name}.{hint}",
                f"Set it: --set {name}=VALUE, or write `let {name} = VALUE` above. $$ is a plain $.",
            )
        return self.variables[name]


_LET = re.compile(r"let\s+([A-Za-z_]\w*)\s*=\s*(.*)", re.ASCII)
_VARIABLE = re.compile(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}|\$)", re.ASCII)


def _parse_variables(given: Iterable[str]) -> dict[str, str]:
    found = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.isidentifier() or not name.isascii():
            raise Usage(f"--set {text}: should be NAME=VALUE.", "Like --set who=vex.")
        found[name] = value
    return found


def _split_line(number: int, line: str) -> list[str]:
    """Return the words of a line, which are typed as in a shell or as a JSON list.

    Raises Usage for a line that can't be read.
    """
    if line.startswith("["):
        try:
            words = json.loads(line)
        except ValueError as error:
            raise Usage(f"Line {number}: this is not a list in JSON: {error}.") from None
        if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
            raise Usage(f"Line {number}: a line in JSON is a list of words in quotes.")
        return words
    try:
        return split_words_keeping_apostrophes(line, comments=True)
    except ValueError as error:
        raise Usage(f"Line {number}: {error}.", "Close every quote.") from None


def _play_line_allowed_in_script(number: int, words: list[str], invocation: Invocation) -> int:
    if words[:1] == ["strike"]:
        words = words[1:]
    if words and words[0] in ("batch", "demo", "table", "serve", "mcp", "shell"):
        raise Usage(f"Line {number}: `{words[0]}` can't be part of a script.")
    return play_line(words, invocation)
