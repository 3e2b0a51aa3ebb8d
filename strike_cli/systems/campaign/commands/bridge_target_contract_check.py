"""`strike bridge test`: check that a target keeps the contract, for its author.

The work is done in strike_bridge.target_contract.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from strike_cli.problems import BridgeProblem
from strike_cli.terminal.argument_completions import FILE
from strike_cli.terminal.command_output import Line, Result
from strike_cli.terminal.commands_and_options import Options, command

from . import argument_completions
from .bridge import app, finding_sign


@command(app, "test", kind="reads", hidden=True)
def check_target_promises(
    options: Options,
    kind: Annotated[
        str,
        typer.Argument(
            metavar=argument_completions.TARGET_OR_KIND,
            help="A kind, such as one of your plugin, or a target of yours.",
        ),
    ],
    recorded: Annotated[
        str,
        typer.Argument(metavar=FILE.with_text("[FILE]"), help="Requests and answers of a server, as TOML."),
    ] = "",
) -> Result:
    """Check that a kind of target works as the bridge needs it, without a tabletop.

    strike makes the requests for a small scene, but sends nothing. It tries how the target takes all sorts of
    answers. A kind needs no campaign. With FILE, a server's recorded answers are played, too.

    Example: `strike bridge test dungeon-revealer`
    """
    from strike_bridge.settings import settings_from_unchecked_table
    from strike_bridge.target_contract import check_target_kind, read_toml_recording

    campaign = options.open_campaign_if_any()
    table = campaign.book.targets.get(kind) if campaign else None
    findings = check_target_kind(
        kind,
        read_toml_recording(Path(recorded)) if recorded else (),
        settings_from_unchecked_table(kind, table) if table else None,
    )
    lines: list[Line] = []
    for finding in findings:
        lines.append([finding_sign(finding), finding.what])
        if finding.remedy and not finding.well:
            lines.append((f"   {finding.remedy}", "dim"))
    rows: list[dict[str, object]] = [
        {"ok": finding.well, "tried": finding.tried, "what": finding.what, "hint": finding.remedy or None}
        for finding in findings
    ]
    bad = sum(not finding.well for finding in findings)
    problem = (
        BridgeProblem(f"{bad} finding{'s' if bad > 1 else ''}.", "Each says how to fix it.") if bad else None
    )
    return Result("bridge test", {"kind": kind, "findings": rows}, lines, problem=problem)
