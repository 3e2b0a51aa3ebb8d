"""The command `strike draw`: draw entries from random tables."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.problems import Usage
from strike_cli.terminal.commands_and_options import new_app
from strike_cli.terminal.move_commands import Call, WordParser, plays

from . import argument_completions

app = new_app("""Random tables.

    Example: `strike draw weather`
    """)


@plays(app, "draw", "draw")
def draw(
    call: Call,
    table: Annotated[
        str,
        typer.Argument(metavar=argument_completions.TABLE, help="A random table, by id or name."),
        WordParser(_find_table, lambda campaign: campaign.book.tables),
    ],
    count: Annotated[int, typer.Argument(metavar="[N]", help="The number of draws.")] = 1,
    open_: Annotated[
        bool, typer.Option("--open", help="Show it to the players, even from a secret table.")
    ] = False,
) -> dict[str, object]:
    """Draw from a random table.

    If the table is secret, players don't see the result; --open shows it to them. Tables are secret unless
    they say otherwise.

    Tables are in campaign.toml, or in CSV and Markdown files that it includes. `strike content list tables`
    lists them. `strike content show NAME` shows one with its chances.

    Example: `strike draw weather 3`
    """
    full = call.text_of("table")
    if call.required_campaign.book.tables[full]["secret"] and not open_:
        call.options.secret = True
    return {"table": full, "count": count}


def _find_table(call: Call, name: str) -> str:
    book = call.required_campaign.book
    try:
        return str(book.find("tables", name))
    except Usage as usage:
        if not book.troubles:
            raise
        raise Usage(
            usage.message, "\n".join(["Left out because of faults:", *map(str, book.troubles)])
        ) from None
