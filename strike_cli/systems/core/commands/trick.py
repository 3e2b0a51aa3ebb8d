"""`strike trick`: what somebody does for an Action Point without a roll."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.declare import plays
from strike_cli.terminal.lookup import find_character
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Block, Numbers, Result, Span, Table

from . import nouns
from .words import Who

app = new_app("""Tricks (STR-CORE-22, 23): a narrow use of a Skill, and for an Action Point it just works.

    Characters start with two and gain more: `strike advance --help`.

    Example: `strike trick use vex "A lock is only a question"`
    """)


@plays(app, "use", "trick use", kind="writes")
def use(
    who: Who,
    trick: Annotated[
        str, typer.Argument(metavar=nouns.TRICK, help="The Trick, or the beginning of its name.")
    ],
) -> None:
    """Use a Trick: 1 Action Point, and a Success with a Bonus. No dice.

    Refused without an Action Point, and for a Trick whose Skill the character has Lost Confidence in.

    Example: `strike trick use vex "a lock"`
    """


@command(app, "list", kind="reads")
def list_(options: Options, who: Who) -> Result:
    """List somebody's Tricks: old and gained ones, their uses, and what is in the way now.

    Example: `strike trick list vex`
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.tabletop.people import action_points

    from ..points import trick_uses, why_not_now
    from ..tricks import tricks_of

    with options.campaign() as campaign:
        one = find_character(campaign, who)
        world = World(campaign.book, campaign.state)
        name, ap = campaign.book.characters[one]["name"], action_points(world, one)
        most = campaign.book.house["trick_uses"]
        rows: list[list[Span]] = []
        data = []
        for trick in tricks_of(world, one):
            blocked = why_not_now(world, one, trick)
            uses = trick_uses(world, one, trick)
            data.append(
                {
                    "name": trick.name,
                    "skill": trick.skill,
                    "text": trick.text,
                    "uses": uses,
                    "of": most,
                    "blocked": blocked,
                }
            )
            note: Span = (f"Not now: {blocked}", "warn") if blocked else trick.text or ("-", "dim")
            rows.append([(trick.name, "name"), trick.skill or ("-", "dim"), str(uses), note])
        count = "1 Action Point" if ap == 1 else f"{ap} Action Points"
        blocks: list[Block] = [
            [(name, "strong"), f" has {count}; a Trick costs one."],
            Table(["Trick", "Skill", Numbers("Used"), "Effect"], rows) if rows else ("No Tricks.", "dim"),
        ]
        return Result("trick list", {"who": one, "ap": ap, "tricks": data}, blocks, notices=campaign.notices)
