"""The game master's hand on the fog of war."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.declare import WordParser, plays
from strike_cli.terminal.options import new_app

from . import app
from .words import area

fog_app = new_app(help="Fog of war: on, off, lift, cover. Example: `strike combat fog lift C3:F6`")
app.add_typer(fog_app, name="fog")

Squares = Annotated[
    list[str],
    typer.Argument(metavar="SQUARE...", help="Squares like C3, or rectangles like C3:F6."),
    WordParser(area),
]


@plays(fog_app, "on", "combat fog")
def fog_on() -> dict[str, object]:
    """Let players see of this map what the party sees from now on, and nothing else of it.

    Example: `strike combat fog on`
    """
    return {"do": "on"}


@plays(fog_app, "off", "combat fog")
def fog_off() -> dict[str, object]:
    """Let players see all of this map.

    Example: `strike combat fog off`
    """
    return {"do": "off"}


@plays(fog_app, "lift", "combat fog")
def fog_lift(squares: Squares) -> dict[str, object]:
    """Let players see squares that the party has not seen: a map that they found, a flash of lightning.

    Example: `strike combat fog lift C3:F6`
    """
    return {"do": "lift"}


@plays(fog_app, "cover", "combat fog")
def fog_cover(squares: Squares) -> dict[str, object]:
    """Put squares back into the fog, until somebody of the party comes and looks again.

    Example: `strike combat fog cover C3:F6`
    """
    return {"do": "cover"}
