"""The game master's hand: HP and statuses as the table says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import Usage
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Result

from . import app
from .common import Who, combatant, fight_played
from .words import STATUSES

if TYPE_CHECKING:
    from strike_cli.content.book import Book

status_app = new_app(help="Statuses: add, remove. Example: `strike combat status add goblin-1 prone`")
app.add_typer(status_app, name="status")


@command(app, "damage", kind="writes")
def damage(
    options: Options,
    who: Who,
    amount: Annotated[int, typer.Argument(metavar="N", min=1, help="HP to take.")],
    why: Annotated[str, typer.Option("--why", help="What it came from.")] = "",
) -> Result:
    """Take HP from somebody: a trap, a fall, the game master's hand.

    Example: `strike combat damage vex 2 --why "the cold river"`
    """
    with options.campaign(writing=True) as campaign:
        args = {"who": combatant(campaign, who), "amount": amount, "why": why}
        return fight_played(options, campaign, "damage", args)


@command(app, "heal", kind="writes")
def heal(
    options: Options,
    who: Who,
    amount: Annotated[int, typer.Argument(metavar="N", min=1, help="HP to give back.")],
    why: Annotated[str, typer.Option("--why", help="What it came from.")] = "",
) -> Result:
    """Give somebody HP back: from 0 where they were below, never above their maximum.

    Example: `strike combat heal vex 4 --why "a draught"`
    """
    with options.campaign(writing=True) as campaign:
        args = {"who": combatant(campaign, who), "amount": amount, "why": why}
        return fight_played(options, campaign, "heal", args)


@command(app, "strike", kind="writes")
def strike(
    options: Options,
    who: Who,
    n: Annotated[int, typer.Argument(metavar="[N]", min=1, help="How many.")] = 1,
    why: Annotated[str, typer.Option("--why", help="What for.")] = "",
) -> Result:
    """Give a player's character a Strike, or several (STR-TAC-17).

    Example: `strike combat strike vex --why "the bridge gave way"`
    """
    with options.campaign(writing=True) as campaign:
        return fight_played(
            options, campaign, "strike", {"who": combatant(campaign, who), "n": n, "why": why}
        )


@command(app, "token", kind="writes")
def token(
    options: Options,
    who: Who,
    n: Annotated[int, typer.Argument(metavar="[N]", min=1, help="How many.")] = 1,
) -> Result:
    """Give a player's character a Miss Token, or several (STR-TAC-10).

    Example: `strike combat token sela`
    """
    with options.campaign(writing=True) as campaign:
        return fight_played(options, campaign, "token", {"who": combatant(campaign, who), "n": n})


@command(status_app, "add", kind="writes")
def status_add(
    options: Options,
    who: Who,
    status: Annotated[
        str,
        typer.Argument(
            metavar="STATUS",
            help="`strike content list statuses` has them.",
            autocompletion=STATUSES,
        ),
    ],
    ends: Annotated[
        str,
        typer.Option(
            "--ends",
            metavar="WHEN",
            help="save, escape, this-turn, turn-start or turn-end (of the next one), encounter or permanent; "
            "or a fact: damaged, attacks, attacked, moved, apart, giver-down.",
        ),
    ] = "save",
    value: Annotated[int, typer.Option("--value", metavar="N", help="For Ongoing damage.")] = 0,
    by: Annotated[
        str, typer.Option("--by", metavar="WHO", help="Who gave it: marker, grabber, dominator.")
    ] = "",
    of: Annotated[
        str, typer.Option("--of", metavar="WHO", help="Whose turn-start or turn-end, if not the holder's.")
    ] = "",
) -> Result:
    """Give somebody a status.

    Example: `strike combat status add goblin-1 marked --by brann --ends turn-end --of brann`
    """
    with options.campaign(writing=True) as campaign:
        found = campaign.book.find("statuses", status)
        args = {
            "who": combatant(campaign, who),
            "status": found,
            "value": value,
            **duration_args(campaign.book, ends),
        }
        args |= {key: combatant(campaign, name) for key, name in (("by", by), ("of", of)) if name}
        return fight_played(options, campaign, "status add", args)


def duration_args(book: Book, ends: str) -> dict[str, str]:
    """How long a status lasts, as commands are played with it. Raises Usage for what is no duration."""
    from strike_cli.problems import listed, nearest
    from strike_cli.tabletop.vocabularies import DURATIONS, UNTIL

    facts = (*UNTIL, *book.table("moments"))
    known = [word for word in (*DURATIONS, *book.table("durations"), *facts) if word != "until"]
    if ends not in known:
        raise Usage(f"--ends {ends!r}: no such duration.{nearest(ends, known)}", f"One of {listed(known)}.")
    return {"ends": "until", "until": ends} if ends in facts else {"ends": ends}


@command(status_app, "remove", kind="writes")
def status_remove(
    options: Options, who: Who, status: Annotated[str, typer.Argument(metavar="STATUS")]
) -> Result:
    """Take a status from somebody.

    Example: `strike combat status remove goblin-1 prone`
    """
    with options.campaign(writing=True) as campaign:
        found = campaign.book.find("statuses", status)
        return fight_played(
            options, campaign, "status remove", {"who": combatant(campaign, who), "status": found}
        )
