"""Commands for zones in fights.

Such a zone can end with a turn, can have a creature as its maker, and can be made from a hazard.
"""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.problems import Usage
from strike_cli.terminal.argument_completions import FREE
from strike_cli.terminal.commands_and_options import new_app
from strike_cli.terminal.gm_override_commands import FORMERLY_SECRET
from strike_cli.terminal.move_commands import Call, WordParser, plays
from strike_cli.terminal.name_lookup import find_id_by_name

from . import app, argument_completions
from .argument_parsers import COMBATANT, must_find_fight, parse_area

zone_app = new_app(help="Zones: add, remove. Example: `strike combat zone add Fire C3:D4 --damage 2`")
app.add_typer(zone_app, name="zone")


Hazard = Annotated[
    str,
    typer.Option("--as", metavar=argument_completions.HAZARD, help="A hazard of your content."),
    WordParser(lambda call, name: call.required_campaign.book.find("hazards", name) if name else ""),
]


@plays(zone_app, "add", "combat zone add")
def zone_add(
    call: Call,
    called: Annotated[str, typer.Argument(metavar=FREE, help="Its name at the table.")],
    squares: Annotated[
        list[str],
        typer.Argument(
            metavar=argument_completions.SQUARE.with_text("SQUARE..."),
            help="Squares like C3, or rectangles like C3:F6.",
        ),
        WordParser(parse_area),
    ],
    damage: Annotated[
        int, typer.Option("--damage", metavar="N", min=0, help="Damage on entering, once a round for each.")
    ] = 0,
    difficult: Annotated[bool, typer.Option("--difficult", help="Difficult terrain.")] = False,
    obscured: Annotated[bool, typer.Option("--obscured", help="Creatures inside are concealed.")] = False,
    dark: Annotated[bool, typer.Option("--dark", help="Creatures inside can't be seen.")] = False,
    light: Annotated[bool, typer.Option("--light", help="It hides nobody inside.")] = False,
    blocks: Annotated[bool, typer.Option("--blocks", help="A wall.")] = False,
    cover: Annotated[bool, typer.Option("--cover", help="Creatures inside or behind it have cover.")] = False,
    ends: Annotated[
        str,
        typer.Option(
            "--ends",
            metavar=argument_completions.DURATION,
            help="encounter, turn-start or turn-end (of --by).",
        ),
        WordParser(_parse_zone_end),
    ] = "encounter",
    by: Annotated[
        str, typer.Option("--by", metavar=argument_completions.COMBATANT, help="Its maker."), COMBATANT
    ] = "",
    hazard: Hazard = "",
    gm: Annotated[bool, FORMERLY_SECRET] = False,
) -> dict[str, object]:
    """Add a zone: squares that hurt, hinder or hide (STR-TAC-21, 22).

    With --damage, the zone damages each creature that enters it or starts a turn in it, but only once a
    round. With --as, the zone is made from a hazard of the book (`strike content list hazards`). With
    --secret, players see neither the zone nor the command.

    Example: `strike combat zone add "Burning oil" C3:D4 F4 --damage 2 --difficult`
    """
    known = call.required_campaign.book.hazards[hazard] if hazard else {}
    dark, obscured = dark or known.get("dark", False), obscured or known.get("obscured", False)
    return {
        "sight": "dark" if dark else "obscured" if obscured else "light" if light else None,
        "damage": damage or known.get("damage", 0),
        "difficult": difficult or known.get("difficult", False),
        "status": known.get("status", ""),
        "secret": gm or call.options.secret or known.get("gm", False),
    }


def _parse_zone_end(call: Call, word: str) -> str:
    from ..steps import ZONE_ENDS

    if word not in ZONE_ENDS:
        raise Usage(f"--ends {word!r}: there is no such moment.", f"One of {', '.join(ZONE_ENDS)}.")
    return word


@plays(zone_app, "remove", "combat zone remove")
def zone_remove(
    zone: Annotated[
        str, typer.Argument(metavar=argument_completions.ZONE, help="Its name."), WordParser(_find_zone)
    ],
) -> None:
    """Take a zone from the map.

    Example: `strike combat zone remove "Burning oil"`
    """


def _find_zone(call: Call, name: str) -> str:
    fight = must_find_fight(call.required_campaign)
    table = {key: str(item["name"]) for key, item in fight.get("zones", {}).items()}
    return find_id_by_name(name, table, "zone", f" in {fight['name']}")
