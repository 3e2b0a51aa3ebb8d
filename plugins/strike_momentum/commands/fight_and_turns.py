"""Commands for the start and end of a fight, for rounds and turns, and for the map."""

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
    creature_counts,
    plays,
)

from ..refusals import NoTurnUnderWay
from .argument_parsers import ENDED, PEOPLE, Levels, Members, app

Party = Annotated[
    list[str] | None,
    typer.Option("--party", metavar="WHO", help="The party. Default: everybody with a sheet."),
    PEOPLE.character.for_list(),
]
With = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="CREATURE:N", help="More creatures, like goblin:2."),
    WordParser(creature_counts, PEOPLE.creatures),
]
Surprised = Annotated[
    list[str] | None,
    typer.Option(
        "--surprised", metavar=IN_SCENE, help="Creatures without a turn in round 1: a name, a kind, a side."
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
    """Begin a fight, with everybody on the encounter's map (WSH-01, 06).

    Example: `strike momentum start gate --surprised enemies`
    """


@plays(app, "initiative", "momentum initiative")
def initiative(
    instinct: Annotated[int | None, typer.Option(help="Without a campaign: the Instinct Stat.")] = None,
    skills: Levels = "",
) -> None:
    """Begin the first round, in the order of Initiative, the highest first (WSH-03).

    If combatants have the same Initiative, you decide who goes first. With --instinct, the command only
    calculates an Initiative from the numbers typed. That needs no campaign.

    Example: `strike momentum initiative --instinct 11 --skills 1,1,1,1,0`
    """


@plays(app, "union", "momentum union")
def union(who: Members) -> None:
    """Let several act as one in this round, at the average of their Initiatives (WSH-05).

    With numbers it only calculates, even without a campaign.

    Example: `strike momentum union 26 32`
    """


@plays(app, "turn", "momentum turn")
def turn() -> None:
    """Begin the next turn: 3 AP, Basic Movement, and effects at the start of a turn (WSH-02, 04).

    If only held turns are left in the round, strike offers them in the order of Initiative.

    Example: `strike momentum turn`
    """


@plays(app, "hold", "momentum hold")
def hold(who: Acting) -> None:
    """Hold a turn, to take it later in the round (WSH-04).

    You can't hold a turn in which something was done already.

    Example: `strike momentum hold`
    """


@plays(app, "resume", "momentum resume")
def resume(who: InScene) -> None:
    """Take a turn that was held, when nobody else's turn is under way (WSH-04).

    Example: `strike momentum resume runa`
    """


@plays(app, "end-turn", "momentum end-turn")
def end_turn() -> None:
    """End the present turn, and the effects that end with it (WSH-02, 04).

    After the last turn of a round, the next round begins.

    Example: `strike momentum end-turn`
    """


@plays(app, "end", "momentum end", kind="writes")
def end(
    how: Annotated[
        str,
        typer.Argument(metavar=ENDED, help="won, lost or over. Default: by the creatures still standing."),
    ] = "",
) -> None:
    """End the fight. Vitality, Narrative Momentum and Status Effects are kept (WSH-16).

    Example: `strike momentum end won`
    """


@plays(app, "rest", "momentum rest", kind="writes")
def rest(
    who: Annotated[
        list[str], typer.Argument(metavar="WHO...", help="Characters."), PEOPLE.character.for_list()
    ],
) -> None:
    """Rest between fights: restore Vitality, Narrative Momentum and consumables to the sheet's values.

    Example: `strike momentum rest runa`
    """


@command(app, "map", kind="reads")
def map_(
    options: Options,
    reach: Annotated[
        bool, typer.Option("--reach", help="Show squares within walking range of the current turn.")
    ] = False,
) -> Result:
    """Show the map, with everybody on it.

    Example: `strike momentum map --reach`
    """
    from strike_cli.plugin import World
    from strike_cli.plugin.board import format_square, read_scene
    from strike_cli.plugin.views import map_picture

    from ..fight_state import Battle

    with options.open_campaign() as campaign:
        battle = Battle(World(campaign.book, campaign.state))
        if reach and not battle.active:
            raise NoTurnUnderWay()
        combatant = battle.active
        squares = list(battle.reachable(combatant, battle.people[combatant]["movement"])) if reach else []
        scene = read_scene("momentum", "momentum", battle.data)
        data = {
            "rows": battle.data["map"]["rows"],
            "tokens": {combatant: battle.people[combatant]["at"] for combatant in battle.combatants_there()},
            "reach": [format_square(square) for square in squares],
        }
        return Result("momentum map", data, [map_picture(scene, reach=squares)], notices=campaign.notices)
