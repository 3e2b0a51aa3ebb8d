"""What changes on the map: zones, and doors."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.problems import Usage
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Result
from strike_cli.terminal.runner import find_one

from . import app
from .common import combatant, fight_of, fight_played, square_of

zone_app = new_app(help="Zones: add, remove. Example: `strike combat zone add Fire C3:D4 --damage 2`")
app.add_typer(zone_app, name="zone")
door_app = new_app(help="Doors: open, close. Example: `strike combat door open M7`")
app.add_typer(door_app, name="door")

At = Annotated[str, typer.Argument(metavar="SQUARE", help="The door's square, or one beside it.")]
Beyond = Annotated[str, typer.Argument(metavar="[SQUARE]", help="The square on the other side.")]


@command(zone_app, "add")
def zone_add(
    options: Options,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the table calls it.")],
    squares: Annotated[
        list[str], typer.Argument(metavar="SQUARE...", help="Squares like C3, or rectangles like C3:F6.")
    ],
    damage: Annotated[
        int, typer.Option("--damage", metavar="N", min=0, help="HP, once a round for each, on the way in.")
    ] = 0,
    difficult: Annotated[bool, typer.Option("--difficult", help="Difficult terrain.")] = False,
    obscured: Annotated[bool, typer.Option("--obscured", help="Who is in it is concealed.")] = False,
    dark: Annotated[bool, typer.Option("--dark", help="Who is in it can't be seen.")] = False,
    ends: Annotated[
        str, typer.Option("--ends", metavar="WHEN", help="encounter, turn-start or turn-end (of --by).")
    ] = "encounter",
    by: Annotated[str, typer.Option("--by", metavar="WHO", help="Who made it.")] = "",
    gm: Annotated[bool, typer.Option("--gm", help="Players are not shown it.")] = False,
) -> Result:
    """A zone: squares that hurt, hinder or hide (STR-TAC-21, 22).

    It damages whoever comes in or starts a turn there, each at most once a round.

    Example: `strike combat zone add "Burning oil" C3:D4 F4 --damage 2 --difficult`
    """
    from strike_cli.tabletop.grid import format_square, parse_area

    from ..steps import ZONE_ENDS

    if ends not in ZONE_ENDS:
        raise Usage(f"--ends {ends!r}: no such moment.", f"One of {', '.join(ZONE_ENDS)}.")
    try:
        area = dict.fromkeys(square for text in squares for square in parse_area(text))
    except ValueError as error:
        raise Usage(str(error)) from None
    with options.campaign(writing=True) as campaign:
        args = {
            "called": name,
            "squares": [format_square(square) for square in area],
            "by": combatant(campaign, by) if by else "",
            "damage": damage,
            "difficult": difficult,
            "sight": "dark" if dark else "obscured" if obscured else "",
            "ends": ends,
            "secret": gm,
        }
        return fight_played(options, campaign, "zone add", args)


@command(zone_app, "remove")
def zone_remove(
    options: Options, zone: Annotated[str, typer.Argument(metavar="ZONE", help="Its name.")]
) -> Result:
    """Take a zone from the map.

    Example: `strike combat zone remove "Burning oil"`
    """
    with options.campaign(writing=True) as campaign:
        fight = fight_of(campaign)
        table = {key: str(item["name"]) for key, item in fight.get("zones", {}).items()}
        return fight_played(
            options, campaign, "zone remove", {"zone": find_one(zone, table, "zone", f" in {fight['name']}")}
        )


@command(door_app, "open")
def door_open(options: Options, square: At, beyond: Beyond = "") -> Result:
    """Open a door. One in a wall between two squares may need both of them named.

    Example: `strike combat door open M7`
    """
    return _door(options, square, beyond, opens=True)


@command(door_app, "close")
def door_close(options: Options, square: At, beyond: Beyond = "") -> Result:
    """Close a door; nobody may stand in it.

    Example: `strike combat door close M7`
    """
    return _door(options, square, beyond, opens=False)


def _door(options: Options, square: str, beyond: str, opens: bool) -> Result:
    with options.campaign(writing=True) as campaign:
        args = {"at": square_of(square), "beyond": square_of(beyond) if beyond else "", "open": opens}
        return fight_played(options, campaign, "door", args)
