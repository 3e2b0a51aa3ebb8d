"""`strike note`: notes on the evening."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.commands_and_options import new_app
from strike_cli.terminal.move_commands import TextCommand, WordParser, plays
from strike_cli.terminal.name_lookup import find_character_by_name_or_player, nonempty_text_parser

app = new_app("""Notes.

    Example: `strike note The ferryman lied about the bell`
    """)


@plays(app, "note", "note", kind="writes", cls=TextCommand)
def note(
    text: Annotated[
        str,
        typer.Argument(metavar="TEXT...", help="The note, without quotes."),
        nonempty_text_parser("The note"),
    ],
    about: Annotated[
        list[str] | None,
        typer.Option(metavar="WHO", help="A person it is about; may be repeated."),
        WordParser(
            lambda call, names: [
                find_character_by_name_or_player(call.required_campaign, name) for name in names
            ],
            lambda campaign: campaign.book.characters,
        ),
    ] = None,
) -> None:
    """Write a note into the log and the report.

    `--secret` keeps it for you alone. `strike find` finds it again. After `--` everything is text.

    Example: `strike note Owes the ferryman a song --about vex`
    """
