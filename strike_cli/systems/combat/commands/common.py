"""What the commands of a fight share: who and where is meant, and what is left to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strike_cli.problems import Refused, Usage
from strike_cli.terminal.narrate import played
from strike_cli.terminal.options import Options
from strike_cli.terminal.result import Line, Picture, Result
from strike_cli.terminal.runner import find_one, play

from .words import COMBATANTS

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.tabletop.scene import Scene

    from ..fight import Fight


Who = Annotated[str, typer.Argument(metavar="WHO", help="A combatant.", autocompletion=COMBATANTS)]
Trade = Annotated[bool, typer.Option("--trade", help="Give up the Attack Action for it.")]


def fight_of(campaign: Campaign) -> dict[str, Any]:
    """The fight under way. Raises Refused where there is none."""
    fight: dict[str, Any] | None = campaign.state.get("fight")
    if not fight:
        known = ", ".join(campaign.book.encounters) or "none in campaign.toml"
        raise Refused(
            "There is no fight.", f"`strike combat start ENCOUNTER` begins one. Encounters: {known}."
        )
    return fight


def combatant(campaign: Campaign, name: str) -> str:
    """The combatant that a name means; `.` is whose turn it is."""
    fight = fight_of(campaign)
    if name == ".":
        if not fight.get("active"):
            raise Refused("It is nobody's turn.", "`strike combat turn` begins the next.")
        return str(fight["active"])
    table = {who: str(item["name"]) for who, item in fight["combatants"].items()}
    return find_one(name, table, "combatant", f" in {fight['name']}")


def square_of(text: str) -> str:
    """A square as typed, in the form that is kept: `C7`. Raises Usage for what is none."""
    from strike_cli.tabletop.grid import format_square, parse_square

    try:
        return format_square(parse_square(text))
    except ValueError as error:
        raise Usage(str(error)) from None


def fight_played(options: Options, campaign: Campaign, name: str, args: Mapping[str, Any]) -> Result:
    """Play a command of the fight, and what there is to show of it."""
    return played(play(options, campaign, f"combat {name}", args), campaign, explain=options.explain)


def what_is_left(campaign: Campaign, who: str) -> list[Line]:
    """The actions that are left to somebody this turn, and their powers."""
    from strike_cli.kernel.procedure import World

    from ..fight import ACTIONS, Fight
    from ..powers import RALLY

    fight = Fight(World(campaign.book, campaign.state))
    left = [action.capitalize() for action in ACTIONS if _is_left(fight, who, action)]
    lines: list[Line] = [[("Left to do: ", "dim"), ", ".join(left) or "nothing"]]
    powers = [*fight.sheet(who).get("powers", []), *([RALLY] if fight.is_player(who) else [])]
    shown = [
        _power_words(campaign.book.powers[key], key in fight.combatant(who).get("used", [])) for key in powers
    ]
    if shown:
        lines.append([("Powers: ", "dim"), ", ".join(shown)])
    return lines


def _is_left(fight: Fight, who: str, action: str) -> bool:
    """Whether somebody may still take an action of a kind this turn, statuses and all."""
    try:
        fight.must_be_able(who, action)
    except Refused:
        return False
    return True


def _power_words(power: Mapping[str, Any], used: bool) -> str:
    """A power's name, with what it takes unless that is the Attack Action: `Kind Word (role)`."""
    takes = [] if power["action"] in ("attack", "none") else [str(power["action"])]
    takes += [f"{power['ap']} AP"] if power.get("ap") else []
    takes += ["used"] if used else []
    return f"{power['name']} ({', '.join(takes)})" if takes else str(power["name"])


class Ahead:
    """A look ahead on the map: where somebody could go, or the way to a square. Nobody moves by it."""

    def __init__(self, campaign: Campaign, reach: str, path: tuple[str, str] | None) -> None:
        from strike_cli.kernel.procedure import World
        from strike_cli.tabletop.grid import Square, format_square, parse_square

        from ..fight import Fight
        from ..move import destinations, find_way, price_of

        fight = Fight(World(campaign.book, campaign.state))
        self.reach: set[Square] = set()
        self.path: list[Square] = []
        self.lines: list[Line] = []
        self.data: dict[str, Any] = {}
        if reach:
            self.reach = set(destinations(fight, combatant(campaign, reach)))
            self.data["reach"] = sorted(map(format_square, self.reach))
        if path:
            who = combatant(campaign, path[0])
            way = find_way(fight, who, [parse_square(square_of(path[1]))], shift=False)
            price = price_of(fight, who, way)
            self.path = [fight.at(who), *way]
            self.data.update(path=[format_square(square) for square in way], opportunities=price.foes)
            steps = f"{fight.name(who)} to {format_square(way[-1])} by {' '.join(self.data['path'])}"
            free = ("giving no Opportunity.", "good")
            told = (f"{price.words(fight)}.", "warn") if price.is_any else free
            self.lines.append([f"{steps}, ", told])


def fight_scene(fight: Mapping[str, Any]) -> Scene:
    """A fight in the form that is shown."""
    from ..scene import read

    return read("combat", "fight", fight)


def fight_map(fight: Mapping[str, Any], ahead: Ahead | None = None) -> Picture:
    """The map of a fight, with what a look ahead marks on it."""
    from strike_cli.terminal.scene_view import map_picture

    path, reach = (ahead.path, ahead.reach) if ahead else ([], set())
    return map_picture(fight_scene(fight), path=path, reach=reach)
