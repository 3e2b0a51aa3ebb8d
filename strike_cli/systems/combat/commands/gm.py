"""The game master's hand: HP and statuses as the table says."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.declare import plays
from strike_cli.terminal.options import new_app

from . import app
from .words import COMBATANT, DURATION, STATUS, STATUSES, Who, Why

status_app = new_app(help="Statuses: add, remove. Example: `strike combat status add goblin-1 prone`")
app.add_typer(status_app, name="status")

Many = Annotated[int, typer.Argument(metavar="[N]", min=1, help="How many.")]


@plays(app, "damage", "combat damage", kind="writes")
def damage(
    who: Who,
    amount: Annotated[int, typer.Argument(metavar="N", min=1, help="HP to take.")],
    why: Why = "",
) -> None:
    """Take HP from somebody: a trap, a fall, the game master's hand.

    Example: `strike combat damage vex 2 --why "the cold river"`
    """


@plays(app, "heal", "combat heal", kind="writes")
def heal(
    who: Who,
    amount: Annotated[int, typer.Argument(metavar="N", min=1, help="HP to give back.")],
    why: Why = "",
) -> None:
    """Give somebody HP back: from 0 where they were below, never above their maximum.

    Example: `strike combat heal vex 4 --why "a draught"`
    """


@plays(app, "strike", "combat strike", kind="writes")
def strike(who: Who, n: Many = 1, why: Annotated[str, typer.Option("--why", help="What for.")] = "") -> None:
    """Give a player's character a Strike, or several (STR-TAC-17).

    Example: `strike combat strike vex --why "the bridge gave way"`
    """


@plays(app, "token", "combat token", kind="writes")
def token(who: Who, n: Many = 1) -> None:
    """Give a player's character a Miss Token, or several (STR-TAC-10).

    Example: `strike combat token sela`
    """


@plays(status_app, "add", "combat status add", kind="writes")
def status_add(
    who: Who,
    status: Annotated[
        str,
        typer.Argument(
            metavar="STATUS",
            help="`strike content list statuses` has them.",
            autocompletion=STATUSES,
        ),
        STATUS,
    ],
    ends: Annotated[
        str,
        typer.Option(
            "--ends",
            metavar="WHEN",
            help="save, escape, this-turn, turn-start or turn-end (of the next one), encounter or permanent; "
            "or a fact: damaged, attacks, attacked, moved, apart, giver-down.",
        ),
        DURATION,
    ] = "save",
    value: Annotated[int, typer.Option("--value", metavar="N", help="For Ongoing damage.")] = 0,
    by: Annotated[
        str,
        typer.Option("--by", metavar="WHO", help="Who gave it: marker, grabber, dominator."),
        COMBATANT,
    ] = "",
    of: Annotated[
        str,
        typer.Option("--of", metavar="WHO", help="Whose turn-start or turn-end, if not the holder's."),
        COMBATANT,
    ] = "",
) -> None:
    """Give somebody a status.

    Example: `strike combat status add goblin-1 marked --by brann --ends turn-end --of brann`
    """


@plays(status_app, "remove", "combat status remove", kind="writes")
def status_remove(who: Who, status: Annotated[str, typer.Argument(metavar="STATUS"), STATUS]) -> None:
    """Take a status from somebody.

    Example: `strike combat status remove goblin-1 prone`
    """
