"""Rounds and turns."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.plugin import plays

from .app import app
from .words import Levels, Members


@plays(app, "initiative", "momentum initiative")
def initiative(
    instinct: Annotated[int | None, typer.Option(help="Bare: the Instinct Stat.")] = None, skills: Levels = ""
) -> None:
    """Begin the first round: who goes when, high first; of equals the game master says who (WSH-03).

    With --instinct it only reckons, also without a campaign.

    Example: `strike momentum initiative --instinct 11 --skills 1,1,1,1,0`
    """


@plays(app, "union", "momentum union")
def union(who: Members) -> None:
    """Let several act as one in this round, at the average of their Initiatives (WSH-05).

    Of numbers it only reckons, also without a campaign.

    Example: `strike momentum union 26 32`
    """
