"""`strike bridge module`: write the module that makes a tabletop show more of what it is sent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from strike_cli.problems import Usage
from strike_cli.terminal.argument_completions import FILE, choice_metavar
from strike_cli.terminal.command_output import Result
from strike_cli.terminal.commands_and_options import Options, command

from .bridge import app


@command(app, "module", kind="reads", hidden=True)
def module(
    options: Options,
    kind: Annotated[
        str,
        typer.Argument(metavar=choice_metavar("foundry").with_text("KIND"), help="The tabletop: foundry."),
    ],
    out: Annotated[
        str, typer.Option("--out", metavar=FILE.with_text("FILE.zip"), help="The file to write.")
    ] = "strike-foundry.zip",
) -> Result:
    """Write the companion module for Foundry VTT: icons for statuses, a look for messages, players' buttons.

    Unpack it into the folder `Data/modules` of Foundry's data. The bridge works without it.

    Example: `strike bridge module foundry`
    """
    from strike_bridge.foundry_module_archive import make_archive
    from strike_cli.campaign.file_access import unwritable_problem, write_user_file

    if kind != "foundry":
        raise Usage(f"There is no module for {kind!r}.", "There is one for foundry.")
    path = Path(out)
    try:
        write_user_file(path, make_archive())
    except OSError as error:
        raise unwritable_problem(path, error) from None
    return Result(
        "bridge module",
        {"kind": kind, "file": out},
        [
            [("Written: ", "dim"), out],
            ("Unpack it into Data/modules of Foundry's data, and switch it on in the world.", "dim"),
        ],
    )
