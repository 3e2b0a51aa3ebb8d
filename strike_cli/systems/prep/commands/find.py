"""`strike find`: through what was written and what was played."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Block, Result, Section

app = new_app("""Search the campaign.

    Example: `strike find ferryman`
    """)


@command(app, "find", kind="reads")
def find(
    options: Options,
    text: Annotated[list[str], typer.Argument(metavar="TEXT...", help="Words, in this order.")],
    most: Annotated[int, typer.Option("--most", metavar="N", help="Entries of the log.", min=1)] = 20,
) -> Result:
    """Find words in notes, in what was played, and in what is prepared: the newest of the log first.

    Capitals don't count.

    Example: `strike find ferryman`
    """
    from strike_cli.problems import Usage

    from .search import prepared_with, recorded_with

    wanted = " ".join(" ".join(text).split())
    if not wanted:
        raise Usage("There is nothing to look for.", "Give a word, like `strike find ferryman`.")
    with options.campaign() as campaign:
        prepared = prepared_with(campaign, wanted)
        recorded = recorded_with(campaign, wanted, most)
        blocks: list[Block] = []
        if prepared:
            blocks += [
                Section("Prepared", [((f"{one.where}  ", "dim"), [(f"{one.name}  ", "name"), one.text])
                                     for one in prepared])
            ]  # fmt: skip
        if recorded:
            blocks += [""] if blocks else []
            blocks += [
                Section("Played", [((f"#{one.seq:<4} ", "dim"), [(f"{one.command}  ", "command"), one.text])
                                   for one in recorded])
            ]  # fmt: skip
        if len(recorded) == most:
            blocks.append((f"The newest {most}; --most N shows more.", "dim"))
        return Result(
            "find",
            {"text": wanted, "prepared": [one._asdict() for one in prepared],
             "played": [one._asdict() for one in recorded]},
            blocks or [(f"Nothing has {wanted!r} in it.", "dim")],
            notices=campaign.notices,
        )  # fmt: skip
