"""`strike ap`, `strike awesome`, `strike fallback`: Action Points, Awesome Points, the Fallback."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.terminal.argument_completions import WHO
from strike_cli.terminal.command_output import Block, NumberHeading, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import WordParser, plays
from strike_cli.terminal.name_lookup import CHARACTER, find_character_by_name_or_player

from .argument_completions import Who

app = new_app()
points = new_app("""
    Action Points (STR-CORE-21, 22): points that characters spend to do better than the dice allow.

    A character without any gets one when a session starts; no more than three are carried over. Complications
    and other players' Awesome Points earn them: `strike complication use`, `strike awesome`. Tricks spend
    them: `strike trick use`. So does a second Skill that helps a roll: `strike roll skill --also`.

    Example: `strike ap show`
    """)
app.add_typer(points, name="ap")

Count = Annotated[int, typer.Argument(metavar="[N]", min=1, max=99, help="The number.", show_default=True)]


Why = Annotated[
    str,
    typer.Option("--why", metavar="TEXT", help="The reason."),
    WordParser(lambda call, text: text.strip()),
]


@command(points, "show", kind="reads")
def show(
    options: Options,
    who: Annotated[
        str, typer.Argument(metavar=WHO.with_text("[WHO]"), help="A character. Default: all.")
    ] = "",
) -> Result:
    """List Action Points, and who may still give an Awesome Point or use a Fallback this session.

    Example: `strike ap show vex`
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.tabletop.characters_and_names import action_points, fallback_of

    from ..points_tricks_and_fallback import has_unused_fallback, may_give_awesome_point

    with options.open_campaign() as campaign:
        world = World(campaign.book, campaign.state)
        chosen = [find_character_by_name_or_player(campaign, who)] if who else list(campaign.book.characters)
        rows: list[list[Span]] = []
        data = []
        for one in chosen:
            written = campaign.book.characters[one]
            ap, awesome, fallback = (
                action_points(world, one),
                may_give_awesome_point(world, one),
                fallback_of(world, one),
            )
            ready = has_unused_fallback(world, one)
            data.append(
                {
                    "who": one,
                    "name": written["name"],
                    "player": written["player"],
                    "ap": ap,
                    "awesome_point": awesome,
                    "fallback": fallback,
                    "fallback_ready": ready,
                }
            )
            rows.append(
                [
                    (written["name"], "name"),
                    (str(ap), "strong" if ap else "dim"),
                    written["player"] or "-",
                    ("to give", "good") if awesome else ("given", "dim"),
                    (fallback, "good") if ready else (f"{fallback} (used)" if fallback else "-", "dim"),
                ]
            )
        table = Table(["Character", NumberHeading("AP"), "Player", "Awesome Point", "Fallback"], rows)
        block: Block = table if rows else ("Nobody is in campaign.toml yet.", "dim")
        return Result("ap show", {"characters": data}, [block], notices=campaign.notices)


@plays(points, "give", "ap give", kind="writes")
def give(who: Who, n: Count = 1, why: Why = "") -> None:
    """Give a character Action Points, one by default.

    Use it for rewards that have no command of their own. A used Complication has one (`strike complication
    use`), and so has an Awesome Point (`strike awesome`).

    Example: `strike ap give vex --why "talked the Flaw into a Twist"`
    """


@plays(points, "spend", "ap spend", kind="writes")
def spend(who: Who, n: Count = 1, why: Why = "") -> None:
    """Spend Action Points, one by default. A character can't have fewer than 0.

    Use it for expenses without a command, like bringing a Relationship into play. For a Trick, `strike trick
    use` already spends the Action Point.

    Example: `strike ap spend odo --why "Brann owes him for the flood"`
    """


@plays(app, "awesome", "awesome", kind="writes")
def awesome(
    giver: Annotated[
        str, typer.Argument(metavar="FROM", help="A character of the giving player."), CHARACTER
    ],
    who: Annotated[str, typer.Argument(metavar="TO", help="The character who was awesome."), CHARACTER],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The awesome thing.", show_default=False)],
) -> None:
    """Give an Awesome Point: one Action Point for another player's character who did something awesome.

    Each player can give one in each session. It can't go to a character of the same player. A point that
    wasn't given can still be given after the session, until the next session starts.

    Example: `strike awesome vex brann --why "held the ferry alone"`
    """


@plays(app, "fallback", "fallback", kind="writes")
def fallback(
    who: Who,
    text: Annotated[
        str, typer.Option("--text", metavar="TEXT", help="How they turn the situation around.")
    ] = "",
) -> None:
    """Turn a character's latest Twist into a Success, once a session (STR-CORE-31).

    First the game master describes the Twist; then the player describes how the Fallback turns it around. A
    Twist with a Cost becomes a Success with a Cost. The first level-up brings the Fallback: `strike advance
    level-up`.

    Example: `strike fallback vex --text "a second rope; there is always a second rope"`
    """
