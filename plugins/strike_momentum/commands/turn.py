"""A fight from its beginning to its end: rounds, turns, the map."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.plugin.commands import (
    IN_SCENE,
    Acting,
    Encounter,
    InScene,
    Options,
    Result,
    WordParser,
    command,
    creatures_by_count,
    plays,
)

from ..refusals import NoTurnUnderWay
from .words import ENDED, PEOPLE, Levels, Members, app

Party = Annotated[
    list[str] | None,
    typer.Option("--party", metavar="WHO", help="The party; everybody with a sheet, if nobody is named."),
    PEOPLE.character.many(),
]
With = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="CREATURE:N", help="So many of a creature besides, like goblin:2."),
    WordParser(creatures_by_count, PEOPLE.creatures),
]
Surprised = Annotated[
    list[str] | None,
    typer.Option(
        "--surprised", metavar=IN_SCENE, help="Those without a turn in round 1: somebody, a kind, a side."
    ),
]


@plays(app, "start", "momentum start")
def start(
    encounter: Encounter,
    surprised: Surprised = None,
    party: Party = None,
    creatures: With = None,
    goal: Annotated[str, typer.Option("--goal", help="The players' goal, beyond winning.")] = "",
) -> None:
    """Begin a fight where an encounter's map has everybody (WSH-01, 06).

    Example: `strike momentum start gate --surprised enemies`
    """


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


@plays(app, "turn", "momentum turn")
def turn() -> None:
    """Begin the next turn: 3 AP, Basic Movement, and the effects on the one whose turn it is (WSH-02, 04).

    Those who have held theirs to the end of the round are asked for it, by Initiative.

    Example: `strike momentum turn`
    """


@plays(app, "hold", "momentum hold")
def hold(who: Acting) -> None:
    """Hold a turn in which nothing has been done, for later in the round (WSH-04).

    Example: `strike momentum hold`
    """


@plays(app, "resume", "momentum resume")
def resume(who: InScene) -> None:
    """Take a turn that was held, between two others (WSH-04).

    Example: `strike momentum resume runa`
    """


@plays(app, "end-turn", "momentum end-turn")
def end_turn() -> None:
    """End the turn, and with it what lasts until then; after the last one the next round begins (WSH-02, 04).

    Example: `strike momentum end-turn`
    """


@plays(app, "end", "momentum end", kind="writes")
def end(
    how: Annotated[
        str, typer.Argument(metavar=ENDED, help="won, lost or over; else who stands says it.")
    ] = "",
) -> None:
    """End the fight. Vitality, Narrative Momentum and Status Effects are kept (WSH-16).

    Example: `strike momentum end won`
    """


@plays(app, "rest", "momentum rest", kind="writes")
def rest(
    who: Annotated[list[str], typer.Argument(metavar="WHO...", help="Characters."), PEOPLE.character.many()],
) -> None:
    """Between fights: Vitality, Narrative Momentum and consumables are as on the sheet again.

    Example: `strike momentum rest runa`
    """


@command(app, "map", kind="reads")
def map_(
    options: Options,
    reach: Annotated[bool, typer.Option("--reach", help="Where whose turn it is can walk now.")] = False,
) -> Result:
    """Show the map, with everybody on it.

    Example: `strike momentum map --reach`
    """
    from strike_cli.plugin import World
    from strike_cli.plugin.board import format_square, read_scene
    from strike_cli.plugin.views import map_picture

    from ..battle import Battle

    with options.campaign() as campaign:
        battle = Battle(World(campaign.book, campaign.state))
        if reach and not battle.active:
            raise NoTurnUnderWay()
        who = battle.active
        squares = list(battle.reachable(who, battle.people[who]["movement"])) if reach else []
        scene = read_scene("momentum", "momentum", battle.data)
        data = {
            "rows": battle.data["map"]["rows"],
            "tokens": {who: battle.people[who]["at"] for who in battle.there()},
            "reach": [format_square(square) for square in squares],
        }
        return Result("momentum map", data, [map_picture(scene, reach=squares)], notices=campaign.notices)
