"""`strike note`: what is worth remembering."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.declare import TextCommand, WordParser, plays
from strike_cli.terminal.lookup import find_character, said
from strike_cli.terminal.options import new_app

app = new_app("""Notes.

    Example: `strike note The ferryman lied about the bell`
    """)


@plays(app, "note", "note", kind="writes", cls=TextCommand)
def note(
    text: Annotated[
        str, typer.Argument(metavar="TEXT...", help="The note, without quotes."), said("The note")
    ],
    about: Annotated[
        list[str] | None,
        typer.Option(metavar="WHO", help="Somebody it is about; more than once for several."),
        WordParser(
            lambda call, names: [find_character(call.here, name) for name in names],
            lambda campaign: campaign.book.characters,
        ),
    ] = None,
) -> None:
    """Write something down: it stands in the log and in the report. With `--secret` for you alone.

    `strike find` finds it again.

    After `--` all is text.

    Example: `strike note Owes the ferryman a song --about vex`
    """
