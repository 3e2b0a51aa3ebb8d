"""Words that commands of rolls take, as Tab offers them."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.declare import WordParser
from strike_cli.terminal.lookup import find_character
from strike_cli.terminal.nouns import WHO

from . import nouns

Who = Annotated[
    str,
    typer.Argument(metavar=WHO, help="A character: the id or the beginning of a name."),
    WordParser(lambda call, name: find_character(call.here, name)),
]
"""A character of the campaign."""
Use = Annotated[
    list[str] | None,
    typer.Option(metavar=nouns.BONUS, help="Spend this banked bonus here; odo:b1 is a helper's."),
]
Intent = Annotated[str, typer.Option(metavar="TEXT", help="The intent: once tried, not tried again.")]
Changed = Annotated[str, typer.Option(metavar="WHY", help="The situation changed: try again.")]
