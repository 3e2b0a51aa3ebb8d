"""`strike batch`: a script of commands in one process."""

from __future__ import annotations

import contextlib
import shlex
import sys
from typing import Annotated

import typer

from ..problems import INTERRUPTED, PENDING_EXIT_CODE, CampaignProblem, Problem, Usage
from ..terminal import options as common
from ..terminal.encoding import as_typed
from ..terminal.options import Options, command, new_app
from ..terminal.result import Result, complain
from ..terminal.runner import leave_drain

app = new_app()


@app.callback()
def _group() -> None:
    """Scripts of commands."""


@command(app, "batch", kind="reads")
def batch(
    options: Options,
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A command a line; # begins a comment.")],
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Go on after a command that fails.")
    ] = False,
) -> Result:
    """Play a script: one command a line, as one would type it without `strike`.

    Stops at the first command that fails, with its line number. --json gives an object a line.

    Example: `strike batch prep.strike`
    """
    lines = _lines(file)
    ran, codes = 0, []
    with contextlib.ExitStack() as stack:
        campaign = options.campaign_if_any(writing=True)
        if campaign is not None:
            stack.enter_context(campaign)
            _tell(campaign.notices)
            stack.enter_context(common.shared(campaign))
        for number, line in lines:
            code = _one(number, line, options.json)
            ran += 1
            if code not in (0, PENDING_EXIT_CODE):  # the next line may answer what is pending
                codes.append(code)
                complain(f"{file}, line {number}: `{line}` ended with code {code}.")
                if not keep_going or code == INTERRUPTED:
                    raise typer.Exit(code)
    if campaign is not None:
        _tell(campaign.notices)
        leave_drain(campaign)
    waits = campaign is not None and bool(campaign.state.get("pending"))
    code = codes[0] if codes else PENDING_EXIT_CODE if waits else 0
    if options.json:  # one object a line, each from a command
        raise typer.Exit(code)
    summary = f"{ran} commands, {len(codes)} failed."
    if code:
        complain(summary + ("" if codes else " A decision is pending."))
        raise typer.Exit(code)
    return Result("batch", {"ran": ran, "failed": 0}, [summary])


def _tell(notices: list[str]) -> None:
    """What the campaign has to say besides its commands: a hand edit taken in, a state.toml left behind."""
    for notice in notices:
        complain(f"Note: {notice}")
    notices.clear()


def _lines(file: str) -> list[tuple[int, str]]:
    try:
        if file == "-":
            text = as_typed(sys.stdin.read()).removeprefix("\ufeff")
        else:
            with open(file, encoding="utf-8-sig") as source:
                text = source.read()
    except (OSError, ValueError) as error:
        raise CampaignProblem(
            f"{file} can't be read: {error}.", "Give a file of commands, or - for stdin."
        ) from None
    stripped = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in stripped if line and not line.startswith("#")]


def _one(number: int, line: str, as_json: bool) -> int:
    from .app import run

    try:
        words = shlex.split(line, comments=True)
    except ValueError as error:
        raise Usage(f"Line {number}: {error}.", "Quotes come in pairs.") from None
    if words[:1] == ["strike"]:
        words = words[1:]
    if words and words[0] in ("batch", "demo", "table", "shell"):
        raise Usage(f"Line {number}: `{words[0]}` can't be part of a script.")
    try:
        return run([*words, "--json"] if as_json and "--json" not in words else words)
    except Problem as problem:
        return problem.exit_code
